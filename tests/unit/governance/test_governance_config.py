"""``governance.toml``: its areas, and what each may hold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lineage_tt.governance.config import AREAS, Config, refuse_unknown, texts_of
from lineage_tt.model.errors import InvalidRequestError


def test_each_area_has_its_own_table() -> None:
    """An area that the file does not name has an empty one; what is done to it stays with who did it."""
    config = Config.parse('[labels]\nlevels = ["a"]\n[root-cause]\n')
    config.table("labels").clear()

    assert config.table("labels") == {"levels": ["a"]}
    assert config.table("root-cause") == config.table("heat") == Config().table("labels") == {}


def test_an_area_that_nobody_knows_is_refused_with_those_there_are() -> None:
    """Case counts, as in all of TOML."""
    for text in ("[label]", "[Labels]"):
        with pytest.raises(InvalidRequestError, match="no area is called") as error:
            Config.parse(text)
        assert "labels, rules, heat" in (error.value.hint or "")


@pytest.mark.parametrize("text", ["labels = 1", "labels = []", 'labels = "x"', "[[labels]]"])
def test_an_area_that_is_no_table_is_refused(text: str) -> None:
    """With the way to write it."""
    with pytest.raises(InvalidRequestError, match="labels is not a table") as error:
        Config.parse(text)
    assert error.value.hint == "write [labels]"


def test_a_file_is_named_in_errors(tmp_path: Path) -> None:
    """Where it is not there, is not TOML, or has no such area; no file at all has the defaults."""
    path = tmp_path / "mine.toml"
    with pytest.raises(InvalidRequestError, match=r"mine\.toml"):
        Config.read(path)
    path.write_text("[labels", encoding="utf-8")
    with pytest.raises(InvalidRequestError, match=r"mine\.toml"):
        Config.read(path)
    path.write_text("[label]", encoding="utf-8")
    with pytest.raises(InvalidRequestError, match=r"mine\.toml: no area is called 'label'"):
        Config.read(path)

    path.write_text('[labels]\nonly = ["é"]', encoding="utf-8")
    assert Config.read(path).table("labels") == {"only": ["é"]}
    assert Config.read(path).name == str(path)
    assert Config.read(None).name == "governance.toml"


@pytest.mark.parametrize(
    ("text", "words", "hint"),
    [
        ("[rules]\nmax_fannin = 1", "no key is called 'max_fannin'", "did you mean max_fanin? use"),
        ("[rules]\noff = ['cycles']", "no rule is called 'cycles'", "use "),
        ('[labels.scenes.strict]\ncary = ["DIRECT"]', "no key is called 'cary'", "did you mean carry? use"),
        ('[labels.scenes.strict]\ncarry = ["ALL"]', r"carry is \['ALL'\]", "give DIRECT"),
        ('[labels.scenes.default]\ncarry = ["DIRECT"]', "the scene 'default' is the table", "write its keys in"),
        ("[heat]\ndays = 3", "no key is called 'days'", "this table has no keys so far"),
        ("[root-cause]\nwindow = 3", "no key is called 'window'", "this table has no keys so far"),
        ('[permissions]\ndefault = "open"', "default is 'open'", "give deny or allow"),
    ],
)
def test_a_file_is_checked_as_a_whole_when_it_is_read(tmp_path: Path, text: str, words: str, hint: str) -> None:
    """A table or scene that the question did not need passed with a typing error in it, and had no effect."""
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidRequestError, match=words) as error:
        Config.read(path)
    assert hint in (error.value.hint or "")


def test_a_file_of_empty_tables_is_read(tmp_path: Path) -> None:
    """Tables without keys are accepted, those of areas that have no keys so far included."""
    path = tmp_path / "mine.toml"
    path.write_text("".join(f"[{area}]\n" for area in AREAS), encoding="utf-8")
    assert Config.read(path).table("heat") == {}


KNOWN: dict[str, type | tuple[type, ...]] = {"count": int, "share": (int, float), "on": bool, "name": str}


@pytest.mark.parametrize(
    "table", [{}, {"count": 0}, {"share": 1}, {"share": 0.5}, {"on": False}, {"name": "", "count": -3}]
)
def test_known_keys_of_their_types_are_taken(table: dict[str, Any]) -> None:
    """Of several types any."""
    refuse_unknown(table, KNOWN, "here")


@pytest.mark.parametrize(
    ("table", "words", "hint"),
    [
        ({"counts": 1}, "no key is called 'counts'", "did you mean count? use count, share, on, name"),
        ({"count": True}, "count is true or false", "give a whole number"),
        ({"share": False}, "share is true or false", "give a whole number or a number"),
        ({"count": 1.0}, "count is a number", "give a whole number"),
        ({"on": 1}, "on is a whole number", "give true or false"),
        ({"name": ["x"]}, "name is a list", "give a text"),
        ({"name": {}}, "name is a table", "give a text"),
        ({"name": None}, "name is no such thing", "give a text"),
    ],
)
def test_other_keys_and_types_are_refused(table: dict[str, Any], words: str, hint: str) -> None:
    """True and false are not numbers; the error has the place and what to give."""
    with pytest.raises(InvalidRequestError, match=f"here: {words}") as error:
        refuse_unknown(table, KNOWN, "here")
    assert error.value.hint == hint


def test_a_list_of_texts_is_read() -> None:
    """The default where the key is not there; an empty list is one."""
    assert texts_of({"a": ["x", "y"]}, "a", "here", ("z",)) == ("x", "y")
    assert texts_of({"a": []}, "a", "here", ("z",)) == ()
    assert texts_of({}, "a", "here", ("z",)) == ("z",)
    assert texts_of({}, "a", "here") == ()


@pytest.mark.parametrize("value", ["x", 1, None, {"x": 1}, ["x", 1], [["x"]]])
def test_what_is_no_list_of_texts_is_refused(value: object) -> None:
    """A text alone is none."""
    with pytest.raises(InvalidRequestError, match="here: a is not a list of texts"):
        texts_of({"a": value}, "a", "here")
