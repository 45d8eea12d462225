"""Which calls are aggregates, what COUNT counts, and what decides about the rows that one value is made of."""

from __future__ import annotations

import duckdb
import pytest
from bound import Bound
from sqlglot import exp

from ingest.sql.binder.expressions.aggregates import children, is_aggregate, names_aggregate
from ingest.sql.binder.relations.flow import CONDITIONAL, SORT


@pytest.mark.parametrize(
    ("name", "aggregate"),
    [("sum", True), ("Collect_List", True), ("MAX_BY", True), ("hll_count.merge", True), ("percentile", True),
     ("lower", False), ("glam.percentile", False), ("summe", False), ("", False)],
)  # fmt: skip
def test_an_aggregate_is_known_by_its_name_in_any_case(name: str, aggregate: bool) -> None:
    """Whether or not the parser knows it; with a schema in front it is somebody's function."""
    assert names_aggregate(name) is aggregate


@pytest.mark.parametrize(
    ("dialect", "text", "aggregate"),
    [
        ("spark", "sum(a)", True),
        ("spark", "Collect_Set(a)", True),
        ("spark", "percentile(a, 0.5)", True),
        ("spark", "percentile_cont(0.5) WITHIN GROUP (ORDER BY a)", True),
        ("clickhouse", "sumIf(a, b)", True),
        ("postgres", "json_agg(a)", True),
        ("postgres", "json_arrayagg(a)", True),
        ("postgres", "jsonb_object_agg_unique(a, b)", True),
        ("mysql", "json_arrayagg(a)", True),
        ("oracle", "skewness_pop(a)", True),
        ("flink", "collect(a)", True),
        ("clickhouse", "uniqExact(a)", True),
        ("spark", "lower(a)", False),
        ("spark", "f(a)", False),
        ("spark", "sum(a) + 1", False),
        ("spark", "a", False),
    ],
)
def test_a_call_is_an_aggregate_by_itself_alone(dialect: str, text: str, aggregate: bool) -> None:
    """Not because one is inside of it."""
    assert is_aggregate(Bound("", dialect).item(text)) is aggregate


def test_what_is_directly_below_is_in_the_order_of_the_tree() -> None:
    """Those of lists, too; texts and switches are not expressions, and nothing deeper is returned."""
    call = exp.Anonymous(this="f", expressions=[exp.column("a"), exp.Lower(this=exp.column("b"))])

    assert [child.sql() for child in children(call)] == ["a", "LOWER(b)"]
    assert children(exp.Literal.number(1)) == []


@pytest.mark.parametrize(
    ("given", "text", "expected"),
    [
        ("t", "count(*)", {"t": "AGGREGATION"}),
        ("t, u AS q, far", "count(1)", {"t": "AGGREGATION", "u": "AGGREGATION", "far": "AGGREGATION"}),
        ("(SELECT a FROM t WHERE b > 1) AS q", "count(*)", {"t": "AGGREGATION"}),
        ("(SELECT 1 AS x) AS q", "count(*)", {}),
        ("t", "count(a)", {"t#a": "AGGREGATION"}),
        ("t", "count(DISTINCT a, b)", {"t#a": "AGGREGATION", "t#b": "AGGREGATION"}),
        ("t", "count(DISTINCT *)", {"t#a": "AGGREGATION", "t#b": "AGGREGATION", "t#c": "AGGREGATION"}),
        ("t", "count(NULL)", {}),
        ("t", "count(*) + sum(a)", {"t": "AGGREGATION", "t#a": "AGGREGATION"}),
        ("t", "CASE WHEN count(*) > 1 THEN 'x' END", {"t": "CONDITIONAL"}),
        ("t", "if(count(*) > 1, count(*), 0)", {"t": "AGGREGATION+CONDITIONAL"}),
    ],
)
def test_counting_rows_reads_no_column(given: str, text: str, expected: dict[str, str]) -> None:
    """It is of the datasets whose rows they are; a column in it is counted by its values."""
    assert Bound(given).ways(text) == expected


@pytest.mark.parametrize(
    ("dialect", "text", "expected"),
    [
        ("postgres", "sum(a) FILTER (WHERE b > 1)", {"t#a": "AGGREGATION", "t#b": "CONDITIONAL"}),
        ("postgres", "sum(a) FILTER (WHERE a > 1)", {"t#a": "AGGREGATION+CONDITIONAL"}),
        ("postgres", "count(*) FILTER (WHERE b > 1)", {"t": "AGGREGATION", "t#b": "CONDITIONAL"}),
        ("postgres", "string_agg(a, ',' ORDER BY b, c)", {"t#a": "AGGREGATION", "t#b": "SORT", "t#c": "SORT"}),
        ("mysql", "group_concat(a ORDER BY b SEPARATOR ',')", {"t#a": "AGGREGATION", "t#b": "SORT"}),
        ("doris", "group_concat(a, ',' ORDER BY b)", {"t#a": "AGGREGATION", "t#b": "SORT"}),
        ("postgres", "percentile_cont(0.5) WITHIN GROUP (ORDER BY b)", {"t#b": "AGGREGATION"}),
        ("postgres", "array_agg(a ORDER BY a)", {"t#a": "AGGREGATION+SORT"}),
    ],
)
def test_a_filter_and_an_order_decide(dialect: str, text: str, expected: dict[str, str]) -> None:
    """Unless what is ordered by is all that the aggregate is given."""
    assert Bound("t", dialect).ways(text) == expected


def test_what_decides_with_an_aggregate_inside_only_decides() -> None:
    """Its filter, order and values are all of the one condition."""
    bound = Bound("t", "postgres")

    assert bound.ways("sum(a) FILTER (WHERE b > 1)", CONDITIONAL) == dict.fromkeys(("t#a", "t#b"), "CONDITIONAL")
    assert bound.ways("array_agg(a ORDER BY c)", SORT) == dict.fromkeys(("t#a", "t#c"), "SORT")


@pytest.mark.parametrize(
    ("dialect", "expression", "expected"),
    [
        ("postgres", "mode() WITHIN GROUP (ORDER BY c)", {"t#c": "AGGREGATION"}),
        ("postgres", "percentile_cont(ARRAY[0.5, 0.9]) WITHIN GROUP (ORDER BY c)", {"t#c": "AGGREGATION"}),
        ("postgres", "jsonb_agg(a ORDER BY c)", {"t#a": "AGGREGATION", "t#c": "SORT"}),
        ("duckdb", "quantile_cont(0.5 ORDER BY c)", {"t#c": "AGGREGATION"}),
        ("duckdb", "first(a ORDER BY c)", {"t#a": "AGGREGATION", "t#c": "SORT"}),
        ("redshift", "listagg(a) WITHIN GROUP (ORDER BY c)", {"t#a": "AGGREGATION", "t#c": "SORT"}),
        ("clickhouse", "groupArray(a)", {"t#a": "AGGREGATION"}),
    ],
)
def test_the_order_inside_an_aggregate_decides_unless_it_is_all_there_is(lineage, dialect, expression, expected):
    """A percentile's order is its value."""
    assert {"z": expected} == lineage(f"SELECT {expression} AS z FROM t", dialect=dialect).columns()


def test_every_aggregate_of_duckdb_is_known_as_one(lineage):
    """As DuckDB lists them, but those that stand for none of a user's."""
    listed = duckdb.execute("SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type = 'aggregate'")
    names = {name for (name,) in listed.fetchall() if name.isidentifier()}
    plain = {
        name
        for name in names - {"count_star", "combine_aggr", "variant_group_object", "decimal_average"}
        if not any(
            "AGGREGATION" in str(lineage(f"SELECT {name}({given}) AS z FROM t", dialect="duckdb").columns())
            for given in ("a", "a, b")
        )
    }
    assert len(names) > 70
    assert plain == set()
