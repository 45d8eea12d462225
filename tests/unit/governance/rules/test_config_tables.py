"""The tables of ``governance.toml``."""

from __future__ import annotations

from typing import Any

import pytest

from lineage_tt.governance.rules.config_tables import ConfigTables, refuse_unknown, texts_of
from lineage_tt.model.errors import InvalidRequestError


@pytest.mark.parametrize(
    ("tables", "words", "hint"),
    [
        ({"lables": {}}, "no area is called 'lables'", "did you mean labels? use labels, rules"),
        ({"zz": {}}, "no area is called 'zz'", "use labels, rules"),
        ({"labels": 7}, "labels is not a table", "write [labels]"),
    ],
)
def test_a_table_that_is_none_is_refused(tables: dict[str, Any], words: str, hint: str) -> None:
    """With the nearest name, where one is near."""
    with pytest.raises(InvalidRequestError, match=words) as error:
        ConfigTables(tables)
    assert (error.value.hint or "").startswith(hint)


@pytest.mark.parametrize(
    ("table", "words", "hint"),
    [
        ({"max_fannin": 1}, "here: no key is called 'max_fannin'", "did you mean max_fanin? use max_fanin, name"),
        ({"max_fanin": "1"}, "here: max_fanin is a text", "give a whole number"),
        ({"max_fanin": True}, "here: max_fanin is true or false", "give a whole number"),
        ({"name": []}, "here: name is a list", "give a text"),
    ],
)
def test_a_key_that_is_unknown_or_of_another_type_is_refused(table: dict[str, Any], words: str, hint: str) -> None:
    """Booleans are not numbers here, although Python's are."""
    with pytest.raises(InvalidRequestError, match=words) as error:
        refuse_unknown(table, {"max_fanin": int, "name": str}, "here")
    assert error.value.hint == hint


def test_a_table_without_keys_refuses_any() -> None:
    """Its hint is not an empty list."""
    with pytest.raises(InvalidRequestError) as error:
        refuse_unknown({"days": 7}, {}, "[heat]")
    assert error.value.hint == "leave it out: this table has no keys so far"


def test_a_table_that_is_not_given_is_empty_and_a_list_of_texts_has_its_default() -> None:
    """What a caller does to a table does not change the file's content."""
    tables = ConfigTables({"labels": {"only": ["pii"]}})
    tables.table("labels").clear()

    assert (tables.table("rules"), tables.table("labels")) == ({}, {"only": ["pii"]})
    assert texts_of(tables.table("labels"), "only", "[labels]") == ("pii",)
    assert texts_of({}, "only", "[labels]", ("a",)) == ("a",)
    with pytest.raises(InvalidRequestError, match="only is not a list of texts"):
        texts_of({"only": "pii"}, "only", "[labels]")
