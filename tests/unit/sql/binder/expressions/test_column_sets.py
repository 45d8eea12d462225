"""Items that name several columns: COLUMNS(…), and stars with a pattern. DuckDB itself says what they are called."""

from __future__ import annotations

import duckdb
import pytest
from bound import Bound, listed

from ingest.sql.binder.expressions import column_sets

ITEMS = {
    "COLUMNS('b|c') + 1": {"b": "TRANSFORMATION", "bc": "TRANSFORMATION"},
    "max(COLUMNS(*))": {"a": "AGGREGATION", "b": "AGGREGATION", "bc": "AGGREGATION"},
    "max(COLUMNS(* EXCLUDE (a))) + 1": {"b": "AGGREGATION", "bc": "AGGREGATION"},
    "COLUMNS(lambda c: c LIKE 'b%')": {"b": "IDENTITY", "bc": "IDENTITY"},
    "COLUMNS(lambda c: c NOT LIKE '_')": {"bc": "IDENTITY"},
    "COLUMNS(['a', 'b'])::varchar": {"a": "TRANSFORMATION", "b": "TRANSFORMATION"},
    "COLUMNS('b(.*)') AS 'p\\1_\\0'": {"p_b": "IDENTITY", "pc_bc": "IDENTITY"},
    "max(COLUMNS(*)) AS 'max_\\0'": {"max_a": "AGGREGATION", "max_b": "AGGREGATION", "max_bc": "AGGREGATION"},
    "COLUMNS(* EXCLUDE (a)) AS 'm_\\0'": {"m_b": "IDENTITY", "m_bc": "IDENTITY"},
    "COLUMNS(['a']) AS '\\0_\\0'": {"a_a": "IDENTITY"},
    "* LIKE 'b_' AS 'm_\\0'": {"m_bc": "IDENTITY"},
    "* LIKE 'b_' AS m": {"m": "IDENTITY"},
    "* SIMILAR TO '(.)c' AS 'm_\\1'": {"m_b": "IDENTITY"},
    "t.* NOT LIKE 'b%' AS 'm_\\0'": {"m_a": "IDENTITY"},
    "COLUMNS(t.*)": {"a": "IDENTITY", "b": "IDENTITY", "bc": "IDENTITY"},
    "* LIKE 'b%'": {"b": "IDENTITY", "bc": "IDENTITY"},
    "* NOT LIKE 'b%'": {"a": "IDENTITY"},
    "t.* ILIKE 'B_'": {"bc": "IDENTITY"},
    "* SIMILAR TO '.c'": {"bc": "IDENTITY"},
    "* GLOB '[ab]'": {"a": "IDENTITY", "b": "IDENTITY"},
    "COLUMNS('b') + COLUMNS('b')": {"b": "TRANSFORMATION", "bc": "TRANSFORMATION"},
}
WORLD = {"n:d.t": ("a", "b", "bc"), "n:d.w": ("a", "x")}


@pytest.mark.parametrize("item", ITEMS)
def test_each_column_of_duckdbs_sets_comes_from_one_column(lineage, item):
    """An expression over a set stands for one of each column, under the name that DuckDB gives it."""
    connection = duckdb.connect()
    connection.execute("CREATE TABLE t (a INT, b INT, bc INT)")
    named = connection.sql(f"SELECT {item} FROM t").columns
    result = lineage(f"SELECT {item} FROM t", dialect="duckdb", columns=WORLD)
    assert sorted(result.columns()) == sorted(named)
    assert {name: "".join(sources.values()) for name, sources in result.columns().items()} == ITEMS[item]
    assert all(len(sources) == 1 for sources in result.columns().values())
    assert result.found.coverage == "complete"


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT COALESCE(*COLUMNS('b|c')) AS z FROM t", {"z": "t#b t#bc"}),
        ("SELECT COLUMNS(*) + x AS z FROM t JOIN w USING (a)", {"z": "t#a t#b t#bc w#x"}),
        ("SELECT max(COLUMNS(*)) FROM unknown", {"*": "unknown#*"}),
        ("SELECT max(COLUMNS(*)) AS 'max_\\0' FROM unknown", {"*": "unknown#*"}),
        ("SELECT (SELECT max(COLUMNS('c')) FROM t) AS z FROM w", {"z": "t#bc"}),
    ],
)
def test_a_set_of_columns_may_stand_for_one_value(lineage, sql, expected):
    """Unpacked, in a subquery, under one alias; and its columns may be unknown."""
    assert lineage(sql, dialect="duckdb", columns=WORLD).names() == expected


def test_conditions_over_a_set_name_all_its_columns(lineage):
    """They hold where they hold for each."""
    result = lineage("SELECT a FROM t WHERE COLUMNS('b') > 1", dialect="duckdb", columns=WORLD)
    assert result.decisions() == {"FILTER": "t#b t#bc"}


@pytest.mark.parametrize("given", ["'('", "lambda c: starts_with(c, 'b')"])
def test_a_pattern_that_is_not_worked_out_is_said(lineage, given):
    """Then all columns are reported."""
    result = lineage(f"SELECT COLUMNS({given}) FROM t", dialect="duckdb", columns=WORLD)
    assert sorted(result.columns()) == ["a", "b", "bc"]
    assert result.codes() == {"unsupported-statement"}


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        ("COLUMNS('b') + 1", {"b + 1": "t#b", "bc + 1": "t#bc"}),
        ("t.COLUMNS('b')", {"b": "t#b", "bc": "t#bc"}),
        ("COLUMNS('b') APPLY(sum)", {"sum(b)": "t#b", "sum(bc)": "t#bc"}),
    ],
)
def test_clickhouses_sets_are_called_after_their_expressions(lineage, item, expected):
    """As it calls columns without an alias."""
    assert lineage(f"SELECT {item} FROM t", dialect="clickhouse", columns=WORLD).names() == expected


@pytest.mark.parametrize(
    ("dialect", "item", "expected"),
    [
        ("duckdb", "a", None),
        ("duckdb", "COLUMNS(*)", [("a", "t#a"), ("b", "t#b"), ("c", "t#c")]),
        ("duckdb", "COLUMNS('[bc]') + 1", [("b", "t#b"), ("c", "t#c")]),
        ("duckdb", "f(*COLUMNS(*))", None),
        ("duckdb", "(SELECT max(COLUMNS(*)) FROM u)", None),
        ("duckdb", "COLUMNS('zz')", []),
        ("clickhouse", "t.COLUMNS('b')", [("b", "t#b")]),
        ("clickhouse", "* APPLY(sum)", [("sum(a)", "t#a"), ("sum(b)", "t#b"), ("sum(c)", "t#c")]),
    ],
)
def test_an_item_names_several_columns_only_where_a_set_is_its_own(dialect, item, expected):
    """A set inside of a query of its own is that one's; unpacked as arguments, all are one value."""
    bound = Bound("t", dialect)
    found = column_sets.named_at_once(bound.walk, bound.item(item), bound.scope)

    assert listed(found) == expected
    assert bound.problems() == []


def test_a_pattern_that_is_none_picks_all_and_is_reported():
    """So no column is lost."""
    bound = Bound("t", "duckdb")

    assert [column.name for column in column_sets.chosen(bound.walk, bound.item("COLUMNS('(')"), bound.scope)] == [
        "a", "b", "c",
    ]  # fmt: skip
    assert [code for code, _ in bound.problems()] == ["unsupported-statement"]
    assert bound.ways("f(*COLUMNS(['a', 'B']))") == {"t#a": "TRANSFORMATION", "t#b": "TRANSFORMATION"}
