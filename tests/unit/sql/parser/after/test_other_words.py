"""Clauses in other words than the parser knows."""

from __future__ import annotations

import pytest
from token_texts import text_of, tokens_in

from ingest.sql.parser.after.other_words import in_other_words, joined_texts


@pytest.mark.parametrize(
    ("dialect", "sql", "plain"),
    [
        ("spark", "alter table d.t add column (a int first)", "alter table d . t add COLUMNS ( a int first )"),
        ("spark", "alter table t add column a int", None),
        ("spark", "select a from t for system_version as of 3", "select a from t for VERSION as of 3"),
        ("spark", "select system_version from t", None),
        ("hive", "alter table t change column a rename to b", "alter table t RENAME column a to b"),
        ("hive", "alter table t change column a b int", None),
        ("hive", "alter table t", None),
        ("db2", "select next value for d.s, a from t", "select next_value_for ( d . s ) , a from t"),
        (
            "db2",
            "values (previous value for s, nextval for s)",
            "values ( next_value_for ( s ) , next_value_for ( s ) )",
        ),
        ("db2", "select a as value, prevval from t", None),
    ],
)
def test_a_clause_is_put_into_the_words_that_the_parser_knows(dialect: str, sql: str, plain: str | None) -> None:
    """Statements that need none of it are left as they are."""
    assert text_of(in_other_words(tokens_in(sql, dialect))) == plain


@pytest.mark.parametrize(
    ("dialect", "changed", "expected"),
    [
        ("maxcompute", "CHANGE COLUMN x RENAME TO y", {"y": "t#a", "z": "t#b"}),
        ("spark", "ADD COLUMN (w INT FIRST)", {"w": "t#a", "x": "t#b", "z": "t#c"}),
    ],
)
def test_later_inserts_go_to_the_columns_as_they_are_then(lineage, dialect, changed, expected):
    """The change was not understood, and an INSERT after it went to other columns."""
    items = ", ".join("abc"[: len(expected)])
    text = f"CREATE TABLE o (x STRING, z INT); ALTER TABLE o {changed}; INSERT INTO o SELECT {items} FROM t"
    result = lineage(text, dialect, target=None)

    assert result.names() == expected
    assert result.found.coverage == "complete"


def test_a_comment_in_two_parts_is_one() -> None:
    """Hive's ``'it''s'`` was a syntax error, or hid the columns of the table."""
    assert text_of(joined_texts(tokens_in("create table t (a int comment 'it''s')", "hive"))) == (
        "create table t ( a int comment 'its' )"
    )
    assert joined_texts(tokens_in("select 'a', 'b' from t where c = 'it''s'", "hive")) is None
