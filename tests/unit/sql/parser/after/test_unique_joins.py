"""Hive's UNIQUEJOIN, written as full joins."""

from __future__ import annotations

import pytest
from token_texts import text_of, tokens_in

from ingest.sql import extract
from ingest.sql.parser.after.unique_joins import plain_unique_joins


@pytest.mark.parametrize(
    ("sql", "plain"),
    [("from uniquejoin preserve t a (a.k), u b (b.k) select 1", "from t a FULL JOIN u b ON a . k = b . k select 1"),
     ("select 1 from uniquejoin t a (f(a.k, 1), a.j), preserve u b (b.k, b.j), v c (c.k, c.j)",
      "select 1 from t a FULL JOIN u b ON f ( a . k , 1 ) = b . k AND a . j = b . j "
      "FULL JOIN v c ON f ( a . k , 1 ) = c . k AND a . j = c . j"),
     ("from uniquejoin t a (a.k), u b (b.k, b.j) select 1", None),
     ("from uniquejoin t a (a.k select 1", None),
     ("select uniquejoin from t", None)],
)  # fmt: skip
def test_each_source_is_joined_to_the_first(sql: str, plain: str | None) -> None:
    """On as many keys as the first has; brackets that do not close, and other numbers of keys, are left as they are."""
    assert text_of(plain_unique_joins(tokens_in(sql, "hive"))) == plain


def test_the_keys_decide_about_rows() -> None:
    """The target depends on all of them, and nothing of the statement is unknown."""
    sql = "FROM UNIQUEJOIN PRESERVE t a (a.k), PRESERVE u b (b.k) INSERT OVERWRITE TABLE d SELECT a.x, b.y"
    found = extract(sql, dialect="hive", namespace="hive")

    assert {(e.source, e.target) for e in found.edges if e.subtype == "JOIN"} == {
        ("hive:t#k", "hive:d"), ("hive:u#k", "hive:d"),
    }  # fmt: skip
    assert found.coverage == "complete"
