"""Functions that a script defines in SQL: calls are looked through, as deep as they go."""

from __future__ import annotations

import pytest
from bound import Bound, listed, ways
from sqlglot import exp

from ingest.sql.binder.expressions.functions import Functions


def defined(bound: Bound, sql: str) -> Functions:
    """The functions of a binder's script after one CREATE FUNCTION."""
    node = bound.tree(sql)
    functions = bound.walk.functions
    assert isinstance(functions, Functions)
    functions.define(node.this, node.expression, node.args.get("properties"))
    return functions


@pytest.mark.parametrize(
    ("dialect", "definition", "call", "expected"),
    [
        ("bigquery", "CREATE FUNCTION f(x INT64, y INT64) AS (x)", "f(a, b)", {"t#a": "TRANSFORMATION"}),
        ("bigquery", "CREATE FUNCTION F(x INT64) AS (x + 1)", "f(a)", {"t#a": "TRANSFORMATION"}),
        ("bigquery", "CREATE FUNCTION ds.f(x INT64) AS (IF(x > 1, x, 0))", "other.f(a)",
         {"t#a": "TRANSFORMATION+CONDITIONAL"}),
        ("duckdb", "CREATE MACRO f(x, y) AS x + y", "f(a)", {"t#a": "TRANSFORMATION"}),
        ("duckdb", "CREATE MACRO f(x, y) AS y", "f(y := a, x := b)", {"t#a": "TRANSFORMATION"}),
        ("duckdb", "CREATE MACRO f(x, y) AS y", "f(y => a, x => b)", {"t#a": "TRANSFORMATION"}),
        ("bigquery", "CREATE FUNCTION f(x INT64) AS (1)", "f(a)", {}),
    ],
)  # fmt: skip
def test_a_call_is_what_the_body_makes_of_its_arguments(
    dialect: str, definition: str, call: str, expected: dict[str, str]
) -> None:
    """By place or by name, without case; a parameter without an argument has its default, which has no source."""
    bound = Bound("t", dialect)
    functions = defined(bound, definition)

    assert functions.knows("f")
    assert bound.ways(call) == expected


def test_a_macro_takes_the_place_of_the_engines_function_of_its_name() -> None:
    """Of several arguments the parser may change the order: what such a one does is reported as not known."""
    bound = Bound("t", "duckdb")
    defined(bound, "CREATE MACRO upper(x) AS (x || (SELECT max(d) FROM u))")
    defined(bound, "CREATE MACRO round(x, y) AS y")

    assert bound.ways("upper(a)") == {"t#a": "TRANSFORMATION", "u#d": "AGGREGATION"}
    assert bound.problems() == []
    assert bound.ways("lower(a)") == {"t#a": "TRANSFORMATION"}
    assert set(bound.ways("round(a, b)")) == {"t#a", "t#b"}
    assert bound.problems() == [("opaque-call", "round")]


def test_a_macro_takes_the_place_of_an_aggregate_or_a_function_with_a_unit() -> None:
    """Whatever else the engine's own does with its arguments."""
    bound = Bound("t", "duckdb")
    defined(bound, "CREATE MACRO median(x) AS x || 'z'")
    defined(bound, "CREATE MACRO date_trunc(x, y) AS y")

    assert bound.ways("median(a)") == {"t#a": "TRANSFORMATION"}
    assert bound.problems() == []
    bound.ways("date_trunc(a, b)")
    assert bound.problems() == [("opaque-call", "date_trunc")]


def test_a_function_that_calls_itself_ends() -> None:
    """At some depth its body is not looked into any more; a call of another one is."""
    bound = Bound("t", "bigquery")
    defined(bound, "CREATE FUNCTION f(x INT64) AS (f(x) + 1)")
    defined(bound, "CREATE FUNCTION g(x INT64) AS (x * 2)")
    defined(bound, "CREATE FUNCTION h(x INT64) AS (g(x))")

    assert bound.ways("f(a)") == {"t#a": "TRANSFORMATION"}
    assert bound.ways("h(a)") == {"t#a": "TRANSFORMATION"}


def test_a_body_in_another_language_is_not_known() -> None:
    """Neither is it after it was one in SQL; nobody knows a function that nobody defined."""
    bound = Bound("t", "bigquery")
    functions = defined(bound, "CREATE FUNCTION f(x INT64) AS (x)")
    functions.define(bound.tree("CREATE FUNCTION f(x INT64) AS (x)").this, exp.Literal.string("return x"))

    assert not functions.knows("f")
    assert functions.call("f", [exp.column("a")], bound.scope) is None
    assert functions.table("f", [], bound.scope) is None


def test_what_a_body_reads_beside_its_arguments_is_read_by_the_call() -> None:
    """A query in it filters the rows of its own, and its sources are the value's."""
    bound = Bound("t", "bigquery")
    functions = defined(bound, "CREATE FUNCTION f(x INT64) AS ((SELECT MAX(d) FROM u WHERE e = x))")
    column = functions.call("f", [exp.column("b")], bound.scope)

    assert column is not None
    assert ways(column.flow()) == {"u#d": "AGGREGATION"}
    assert bound.decisions() == {"t#b": "FILTER", "u#e": "FILTER"}


def test_a_table_function_has_the_rows_of_its_query() -> None:
    """Under the names that it declares, where it does; a scalar one has no rows."""
    bound = Bound("t", "bigquery")
    functions = defined(bound, "CREATE TABLE FUNCTION f(x INT64) AS SELECT d, x AS k FROM u")
    rows = functions.table("f", [exp.column("a")], bound.scope)
    defined(bound, "CREATE FUNCTION g(x INT64) AS (x)")

    assert rows is not None
    assert listed(rows.visible()) == [("d", "u#d"), ("k", "t#a")]
    assert functions.table("g", [exp.column("a")], bound.scope) is None


@pytest.mark.parametrize(
    ("definition", "expected"),
    [
        ("CREATE FUNCTION f(x INT) RETURNS INT RETURN (SELECT max(s.a) FROM far s WHERE s.k = f.x)", "far#k u#d"),
        ("CREATE FUNCTION n.d.f(x INT) RETURNS INT RETURN (SELECT max(a) FROM t WHERE t.b = f.x)", "t#b u#d"),
    ],
)
def test_a_parameter_may_have_the_functions_name_in_front(lineage, definition, expected):
    """``f.x`` was a field of a column ``f`` wherever a source has unknown columns."""
    result = lineage(f"{definition}; INSERT INTO o SELECT f(u.d) AS v FROM u", "databricks", target=None)

    assert result.decisions() == {"FILTER": expected}
    assert result.found.coverage == "complete"


@pytest.mark.parametrize(
    "source",
    ["(SELECT b, d AS x FROM t JOIN u ON true) AS f", "(VALUES (1, 2)) AS f(b, x)", "t JOIN u f(b, x, y) ON true"],
)
def test_a_source_in_the_body_may_be_called_like_the_function(lineage, source):
    """Then ``f.x`` is its column; only a stored table was looked for, not a query or VALUES."""
    definition = f"CREATE FUNCTION f(x INT) RETURNS INT RETURN (SELECT max(f.x) FROM {source})"
    result = lineage(f"{definition}; INSERT INTO o SELECT f(w.y) AS v FROM w", "databricks", target=None)

    assert "w#y" not in result.names().get("v", "")


def test_a_parameter_may_be_called_like_the_function(lineage):
    """``f.x`` is its field."""
    definition = "CREATE FUNCTION f(f STRUCT<x INT>, x INT) RETURNS INT RETURN f.x"
    result = lineage(f"{definition}; INSERT INTO o SELECT f(u.d, u.e) AS v FROM u", "databricks", target=None)

    assert result.names() == {"v": "u#d"}
