"""What a name may be, how it is shown to people, and which one a misspelt one may mean."""

from __future__ import annotations

import difflib
from collections.abc import Collection
from pathlib import Path

import pytest

from lineage_tt.model.names import (
    MAX_COMPARED,
    MAX_NAME_BYTES,
    and_more,
    clipped,
    first_lines,
    is_reserved,
    meaning,
    most_compared,
    near_names,
    shortened,
    shown,
    storable,
    too_long,
)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a" * MAX_NAME_BYTES, False),
        ("a" * (MAX_NAME_BYTES + 1), True),
        ("ä" * (MAX_NAME_BYTES // 2), False),
        ("ä" * (MAX_NAME_BYTES // 2 + 1), True),
        ("😀" * (MAX_NAME_BYTES // 4), False),
        ("😀" * (MAX_NAME_BYTES // 4) + "a", True),
    ],
    ids=["ascii", "ascii, one more", "two bytes each", "two bytes each, one more", "four bytes each", "four, one more"],
)
def test_the_bound_is_in_bytes_of_utf8(name: str, expected: bool) -> None:
    """A name is too long by its bytes, however many characters they are."""
    assert expected is too_long(name)


def test_half_a_surrogate_pair_is_stored_spelled_out() -> None:
    """UTF-8 cannot hold a lone surrogate: it becomes its escape, and all else stays."""
    with pytest.raises(UnicodeEncodeError):
        too_long("\ud800" * 2000)

    assert storable("ä\ud800b") == "ä\\ud800b"
    assert storable("plain") == "plain"


def test_a_terminal_sees_no_control_characters() -> None:
    """Escapes, characters that turn the writing direction and those of no width are spelled, the rest is shown."""
    assert shown("a\x1b[31m\u202eb\u200bc\U000e0041é") == "a\\u001b[31m\\u202eb\\u200bc\\U000e0041é"


def test_a_long_name_is_cut_for_messages() -> None:
    """The beginning is quoted, its quotes and breaks escaped, and an ellipsis says that it was cut."""
    assert clipped("it's\n") == '"it\'s\\n"'
    assert clipped("x" * 61) == f"'{'x' * 60}'…"


@pytest.mark.parametrize(
    ("node", "expected"), [("subscription:a", True), ("token:x#y", True), ("hive:subscription:a", False)]
)
def test_reserved_nodes_are_known_by_their_namespace(node: str, expected: bool) -> None:
    """A node is the product's own by how it begins, not by what is in it."""
    assert expected is is_reserved(node)


def test_a_list_says_how_many_names_it_leaves_out() -> None:
    """A list that is cut was read as the whole."""
    assert and_more(["a", "b"], 2) == "a, b"
    assert and_more(list("abcd"), 2) == "a, b and 2 more"
    assert and_more([], 2) == ""


def test_lines_that_are_left_out_are_counted_in_one_more() -> None:
    """It says where they are; a list that just fits has none."""
    assert first_lines(["a", "b"], 2, "the log") == ("a", "b")
    assert first_lines(list("abcd"), 2, "the log") == ("a", "b", "2 more: see the log")


def test_long_words_are_cut_to_a_length() -> None:
    """With a sign that there was more."""
    assert shortened("y" * 999).endswith("y…")
    assert (shortened("abc", 3), shortened("abcd", 3)) == ("abc", "ab…")


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """With how many names a name was compared, each time."""
    counts: list[int] = []
    compare = difflib.get_close_matches

    def counting(word: str, among: Collection[str], most: int, cutoff: float) -> list[str]:
        counts.append(len(among))
        return compare(word, among, most, cutoff)

    monkeypatch.setattr(difflib, "get_close_matches", counting)
    return counts


def test_the_nearest_names_come_first() -> None:
    """As many as are asked for, none below the similarity, the same from any order of the known names."""
    known = ["sales", "sale_items", "zz", "sales"]

    assert near_names("salse", known) == near_names("salse", known[::-1]) == ("sales",)
    assert near_names("sale", known, 0.5, 3) == ("sales", "sale_items")
    assert near_names("sale", known, 0.9) == near_names("", known) == near_names("sale", []) == ()


def test_names_are_compared_without_case_where_that_is_asked() -> None:
    """They come as they are known; of those that differ in case only, the first by name."""
    assert near_names("PII", ["pii"]) == ()
    assert near_names("PII", ["pii", "Pii"], any_case=True) == ("Pii",)
    assert near_names("tabel", ["Table", "View"], any_case=True) == ("Table",)


def test_a_name_is_compared_with_few_of_many(compared: list[int]) -> None:
    """An unknown name was compared with every name of a store, so that one of a million took minutes to answer."""
    many = [f"hive:dw.orders_{number:06}" for number in range(100_000)]

    assert near_names("hive:dw.odrers", [*many, "hive:dw.orders"]) == ("hive:dw.orders",)
    assert near_names("hive:ods.pay", [*many, "hive:ods.pya"]) == ("hive:ods.pya",)
    assert near_names("zzz", many) == ()
    assert near_names("hive:dw.orders_1", many, any_case=True)
    assert compared[2:] == [0, MAX_COMPARED]
    assert max(compared) <= MAX_COMPARED


def test_a_long_name_is_compared_with_fewer(compared: list[int]) -> None:
    """A comparison of long names takes longer."""
    long = "n:" + "a" * 1_998

    assert near_names(long, (f"{long}{number}" for number in range(1_000)))
    assert compared == [most_compared(long)] == [100]
    assert (most_compared(""), most_compared("n:a"), most_compared("a" * 10**6)) == (MAX_COMPARED, MAX_COMPARED, 1)


def test_what_may_be_meant_is_asked_in_one_way() -> None:
    """At the end of a sentence, or as a sentence; nothing where nothing is near."""
    assert meaning(["a", "b"]) == "; did you mean a or b?"
    assert meaning("sales", "") == "did you mean sales?"
    assert meaning("a\x1b") == "; did you mean a\\u001b?"
    assert meaning(None) == meaning(()) == ""


def test_names_are_compared_in_one_place() -> None:
    """What looks for near names takes the bound on the work."""
    root = Path(__file__).resolve().parents[3]
    modules = [path for package in ("lineage_tt", "ingest") for path in (root / package).rglob("*.py")]

    assert [path.name for path in modules if "get_close_matches" in path.read_text(encoding="utf-8")] == ["names.py"]
