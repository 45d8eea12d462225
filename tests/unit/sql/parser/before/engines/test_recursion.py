"""SEARCH and CYCLE after a recursive query: the columns that they add, and what these are made of."""

from __future__ import annotations

import pytest
from token_texts import text_of, tokens_in

from ingest.sql.parser.before.engines.recursion import plain_recursion

TREE = "tree {} (SELECT a, b FROM t WHERE b IS NULL UNION ALL SELECT t.a, t.b FROM t JOIN tree x ON t.b = x.a)"
BY_A = {"t#a": "TRANSFORMATION"}
BOTH = {"t#a": "TRANSFORMATION", "t#b": "TRANSFORMATION"}


@pytest.mark.parametrize(
    ("sql", "plain"),
    [
        ("WITH RECURSIVE q AS (SELECT 1) SEARCH DEPTH FIRST BY a, b SET s TABLE q",
         "WITH RECURSIVE q AS ( WITH RECURSIVE q AS ( SELECT 1 ) SELECT q . * , depth_first ( a , b ) AS s FROM q ) "
         "TABLE q"),
        ("WITH q (a) AS NOT MATERIALIZED (SELECT 1) CYCLE a SET m TO 1 DEFAULT 0 USING p TABLE q",
         "WITH q AS ( WITH q ( a ) AS NOT MATERIALIZED ( SELECT 1 ) SELECT q . * , cycle_mark ( a ) AS m , "
         "cycle_path ( a ) AS p FROM q ) TABLE q"),
        ("WITH RECURSIVE q AS (SELECT 1) CYCLE a, b RESTRICT TABLE q", "WITH RECURSIVE q AS ( SELECT 1 ) TABLE q"),
    ],
)  # fmt: skip
def test_a_query_around_has_the_added_columns(sql: str, plain: str) -> None:
    """The recursive query itself does not see them; MariaDB's RESTRICT adds none."""
    assert text_of(plain_recursion(tokens_in(sql, "postgres"))) == plain


@pytest.mark.parametrize(
    "sql",
    [
        "WITH q AS (SELECT 1) SELECT a FROM (SELECT 1) cycle WHERE a = 1",
        "WITH q AS (SELECT 1) SELECT search FROM (SELECT 1) search",
        "UPDATE t SET a = (b) , cycle = 1",
        "SELECT (a) cycle FROM t",
        "WITH q AS (SELECT 1) CYCLE a",
        "WITH q AS (SELECT 1) SEARCH DEPTH FIRST BY",
    ],
)
def test_other_uses_of_the_words_stay(sql: str) -> None:
    """They are aliases and columns, or texts cut off."""
    tokens = tokens_in(sql, "postgres")

    assert text_of(plain_recursion(tokens)) == text_of(tokens)


@pytest.mark.parametrize(
    ("dialect", "clauses", "query", "expected"),
    [
        ("postgres", "SEARCH DEPTH FIRST BY a SET o", "SELECT o AS z FROM tree", BY_A),
        ("postgres", "SEARCH BREADTH FIRST BY a, b SET o", "SELECT o AS z FROM tree", BOTH),
        ("postgres", "CYCLE a SET m USING p", "SELECT p AS z FROM tree WHERE NOT m", BY_A),
        ("postgres", "CYCLE a SET m TO 'Y' DEFAULT 'N' USING p", "SELECT m AS z FROM tree WHERE m = 'N'", BY_A),
        (
            "postgres",
            "SEARCH DEPTH FIRST BY b SET o CYCLE a SET m USING p",
            "SELECT coalesce(o, p) AS z FROM tree",
            BOTH,
        ),
        ("postgres", "CYCLE a SET m USING p, q AS (SELECT p AS z FROM tree)", "SELECT z FROM q", BY_A),
        ("oracle", "SEARCH DEPTH FIRST BY b DESC NULLS LAST, a SET o", "SELECT o AS z FROM tree ORDER BY o", BOTH),
        ("oracle", "CYCLE a SET m TO 1 DEFAULT 0", "SELECT m AS z FROM tree WHERE m = 0", BY_A),
        ("db2", "SEARCH DEPTH FIRST BY a SET o", "SELECT o AS z FROM tree ORDER BY o", BY_A),
    ],
)
@pytest.mark.parametrize("listed", ["", "(a, b)"])
def test_what_they_add_is_made_of_the_columns_that_they_name(lineage, dialect, clauses, query, expected, listed):
    """Such a column was one of the table that the recursion reads, or the text was not read at all."""
    recursive = "RECURSIVE " if dialect == "postgres" else ""
    tree = TREE.format(f"{listed} AS")
    told = lineage(
        f"INSERT INTO o (z) WITH {recursive}{tree} {clauses} {query}", dialect, columns={}, default_database=""
    )
    values = {
        edge.source.removeprefix("n:").lower(): edge.subtype for edge in told.found.edges if edge.type == "DIRECT"
    }

    assert values == expected
    assert told.found.coverage == "complete"


def test_a_star_has_them_too(lineage):
    """A table made of all columns lacked three of them, in a complete answer."""
    clauses = "SEARCH DEPTH FIRST BY a SET ord CYCLE a SET is_cycle USING path"
    told = lineage(f"CREATE TABLE o AS WITH RECURSIVE {TREE.format('AS')} {clauses} SELECT * FROM tree", "postgres")

    assert told.names() == {"a": "t#a", "b": "t#b", "ord": "t#a", "is_cycle": "t#a", "path": "t#a"}
    assert told.found.coverage == "complete"
