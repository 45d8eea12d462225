"""What a name may be, and how it is shown to people."""

from __future__ import annotations

import pytest

from lineage_tt.model.names import (
    MAX_NAME_BYTES,
    and_more,
    clipped,
    first_lines,
    is_reserved,
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
