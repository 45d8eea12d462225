"""A column without a name is called by its text where the dialect has it so, however deep queries are nested in it."""

from __future__ import annotations

from sqlglot import exp, parse_one

from ingest.sql import extract
from ingest.sql.render import MAX_QUERIES, text_of


def nested(levels: int) -> str:
    """A select list whose items are structs of queries with items like that."""
    return "SELECT MAP{'k': (" * levels + "SELECT a FROM d.s" + ")}" * levels


def item_of(sql: str) -> exp.Expr:
    """The only item of a select list."""
    found: exp.Expr = parse_one(sql, dialect="oracle").selects[0]
    return found


def test_text_of_many_queries_in_one_another_is_not_written() -> None:
    """Forty levels, each named by all that is in it, took five seconds to write; beyond a bound a text is empty."""
    assert text_of(item_of(nested(MAX_QUERIES)), "oracle").count("SELECT") == MAX_QUERIES
    assert text_of(item_of(nested(MAX_QUERIES + 1)), "oracle") == ""
    beside = "SELECT " + " + ".join(f"(SELECT {n})" for n in range(MAX_QUERIES + 1))
    assert text_of(item_of(beside), "oracle") == ""


def test_lineage_of_many_queries_in_one_another_is_whole() -> None:
    """The column at the bottom of forty levels feeds the output, as it does at the bottom of four."""
    columns = {"n:d.s": ("a", "b")}

    def sources(levels: int) -> set[str]:
        found = extract(f"INSERT INTO d.t (x) {nested(levels)}", dialect="oracle", namespace="n", columns=columns)
        assert [problem.code for problem in found.problems] == []
        return {edge.source for edge in found.edges if edge.target == "n:D.T#X"}

    assert sources(4) == sources(24) == {"n:D.S#A"}
