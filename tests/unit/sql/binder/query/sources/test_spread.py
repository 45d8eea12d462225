"""DuckDB's UNNEST in a select list: how many columns it makes, and of what. DuckDB itself is asked for their names."""

from __future__ import annotations

import duckdb
import pytest
from bound import Bound, listed

from ingest.sql.binder.query.sources.spread import spread

TYPES = {
    "id": "INT",
    "costs": "STRUCT(amount INT, cur VARCHAR)[]",
    "s": "STRUCT(a INT, b STRUCT(c INT, d INT))",
    "deep": "STRUCT(a INT, b STRUCT(c INT, d INT)[], e INT[])[][]",
    "fixed": "STRUCT(p INT, q INT)[3]",
}
ONE = None
COSTS = [("amount", "v#costs.amount"), ("cur", "v#costs.cur")]
WHOLE = [("a", "v#s.a"), ("c", "v#s.b.c"), ("d", "v#s.b.d")]
DEEP = [("a", "v#deep.a"), ("b", "v#deep.b"), ("e", "v#deep.e")]
CALLS = [
    ("unnest(costs)", ONE),
    ("unnest(costs, max_depth := 1)", ONE),
    ("unnest(costs, recursive := false)", ONE),
    ("unnest(costs, recursive := true)", COSTS),
    ("unnest(costs, recursive := true) AS ignored", COSTS),
    ("unnest(costs, max_depth := 2)", COSTS),
    ("unnest(costs, max_depth => 2)", COSTS),
    ("unnest(v.costs, recursive := true, max_depth := 1)", ONE),
    ("unnest(s)", [("a", "v#s.a"), ("b", "v#s.b")]),
    ("unnest(s, max_depth := 1)", [("a", "v#s.a"), ("b", "v#s.b")]),
    ("unnest(s, max_depth := 2)", WHOLE),
    ("unnest(s, recursive := true)", WHOLE),
    ("unnest(s.b)", [("c", "v#s.b.c"), ("d", "v#s.b.d")]),
    ("unnest(deep, max_depth := 2)", ONE),
    ("unnest(deep, max_depth := 3)", DEEP),
    ("unnest(deep, recursive := true)", DEEP),
    ("unnest(fixed, recursive := true)", [("p", "v#fixed.p"), ("q", "v#fixed.q")]),
    ("unnest([[1, 2], [3]], max_depth := 2)", ONE),
    ("unnest({'p': id, 'q': 1})", [("p", "v#id"), ("q", "")]),
    ("unnest([{'p': id, 'q': 1}])", ONE),
    ("unnest([{'name': 'A', 'score': 1}], max_depth => 2)", [("name", ""), ("score", "")]),
    ("unnest([NULL, {'p': {'q': id}}], recursive := true)", [("q", "v#id")]),
    ("unnest([{'p': s}], max_depth := 2)", [("p", "v#s")]),
    ("unnest([{'p': s}], max_depth := 3)", [("a", "v#s"), ("b", "v#s")]),
    ("unnest([s], max_depth := 2)", [("a", "v#s"), ("b", "v#s")]),
    ("unnest('[]'::STRUCT(x INT, y INT)[], recursive := true)", [("x", ""), ("y", "")]),
]


def _bound() -> Bound:
    shape = tuple((name, kind) if kind != "INT" else name for name, kind in TYPES.items())
    return Bound("v", "duckdb", {"n:d.v": shape})


@pytest.mark.parametrize(("call", "expected"), CALLS)
def test_a_type_says_how_many_columns_there_are(call: str, expected: list[tuple[str, str]] | None) -> None:
    """One that is called as the item is, or a struct's fields to the depth that is given."""
    bound = _bound()

    assert listed(spread(bound.walk, bound.item(call), bound.scope)) == expected
    assert bound.problems() == []


@pytest.mark.parametrize(("call", "expected"), CALLS)
def test_duckdb_makes_the_same_columns(call: str, expected: list[tuple[str, str]] | None) -> None:
    """What is expected above is what DuckDB calls them."""
    with duckdb.connect() as engine:
        engine.execute(f"CREATE TABLE v ({', '.join(f'{name} {kind}' for name, kind in TYPES.items())})")
        made = [name for name, *_ in engine.execute(f"DESCRIBE SELECT {call} FROM v").fetchall()]

    assert len(made) == 1 if expected is None else made == [name for name, _ in expected]


@pytest.mark.parametrize("option", ["recursive := true", "max_depth := 2", "max_depth => 2", "max_depth := x"])
def test_several_levels_of_an_unknown_type_are_unknown_columns(lineage, option):
    """They were one column with the call as its name, in an answer that called itself complete."""
    told = lineage(f"CREATE TABLE o AS SELECT id, unnest(costs, {option}) FROM far", "duckdb")

    assert told.names()["*"].startswith("far#costs")
    assert told.found.coverage == "partial"


def test_an_alias_names_one_column_of_an_unknown_type(lineage):
    """It is that of a list of lists, and says nothing where structs are in it: that is reported."""
    told = lineage("INSERT INTO o (i, c) SELECT id, unnest(costs, recursive := true) AS c FROM far", "duckdb")

    assert told.names() == {"i": "far#id", "c": "far#costs"}
    assert told.codes() == {"unknown-columns"}


@pytest.mark.parametrize("option", ["", ", max_depth := 1", ", recursive := false"])
def test_one_level_of_an_unknown_type_is_a_lists(lineage, option):
    """A struct is laid out rarely; its fields would be named as such, ``s.*``."""
    told = lineage(f"CREATE TABLE o AS SELECT unnest(items{option}) AS item FROM far", "duckdb")

    assert told.names() == {"item": "far#items"}
    assert told.found.coverage == "complete"


def test_fields_that_a_subquery_lays_out_are_no_columns_of_the_table_beside_it(lineage):
    """A name was taken for a column of the table, although the unnested value may have it."""
    sql = "SELECT {} FROM {} CROSS JOIN LATERAL (SELECT unnest({}.costs, max_depth := 2)) AS c"
    unknown = lineage(f"CREATE TABLE o AS {sql.format('amount', 'far', 'far')}", "duckdb")
    assert unknown.names() == {}
    assert unknown.codes() == {"ambiguous-column"}

    named = lineage(f"CREATE TABLE o AS {sql.format('c.amount', 'far', 'far')}", "duckdb")
    assert named.names() == {"amount": "far#costs.amount"}
    assert named.found.coverage == "complete"

    known = {"n:d.v": ["id", ("costs", TYPES["costs"])]}
    typed = lineage(f"CREATE TABLE o AS {sql.format('amount', 'v', 'v')}", "duckdb", columns=known)
    assert typed.names() == {"amount": "v#costs.amount"}
    assert typed.found.coverage == "complete"


def test_other_items_are_not_looked_at() -> None:
    """They are named and evaluated as they were."""
    bound = Bound("t", "duckdb")

    assert [spread(bound.walk, bound.item(text), bound.scope) for text in ("a", "unnest(a) + 1", "*")] == [None] * 3


def test_lists_of_plain_values_are_one_column(lineage):
    """Whatever the depth: the declared type says that no struct is in them."""
    sql = "CREATE TABLE g (grid INT[][]); CREATE TABLE o AS SELECT unnest(grid, recursive := true) AS n FROM g"
    told = lineage(sql, "duckdb")

    assert told.names() == {"n": "g#grid"}
    assert told.found.coverage == "complete"
