"""Tables that an expression names: ``x IN t``, and lookups in dictionaries and Join tables."""

from __future__ import annotations

import pytest
from bound import Bound

from ingest.sql.binder.names.named_tables import in_table
from ingest.sql.binder.relations.flow import IDENTITY

KEYS = {"n:d.t": ("a", "b", "arr"), "n:d.keys": ("k",), "n:d.pairs": ("x", "y")}


@pytest.mark.parametrize("dialect", ["clickhouse", "sqlite"])
@pytest.mark.parametrize(
    ("condition", "sources"),
    [
        ("a IN keys", "keys#k t#a"),
        ("a NOT IN keys", "keys#k t#a"),
        ("a IN d.keys", "keys#k t#a"),
        ("(a, b) IN pairs", "pairs#x pairs#y t#a t#b"),
        ("a IN t", "t#a t#arr t#b"),
    ],
)
def test_the_name_after_in_is_a_table(lineage, dialect, condition, sources):
    """The rows of the table are read, as in ``x IN (SELECT * FROM t)``; the name was taken for a column."""
    told = lineage(f"SELECT a FROM t WHERE {condition}", dialect=dialect, columns=KEYS)
    assert told.decisions() == {"FILTER": sources}
    assert told.codes() <= {"column-count"}, "an IN of another width fails"


@pytest.mark.parametrize("condition", ["a GLOBAL NOT IN keys", "a IN (keys)", "a IN remote('host', d.keys)"])
def test_clickhouse_has_more_forms_of_it(lineage, condition):
    """GLOBAL, brackets around the name, and functions that show a table."""
    told = lineage(f"SELECT a FROM t WHERE {condition}", dialect="clickhouse", columns=KEYS)
    assert told.decisions() == {"FILTER": "keys#k t#a"}
    assert told.found.coverage == "complete"


@pytest.mark.parametrize(
    ("sql", "names"),
    [
        ("SELECT sumIf(b, a IN keys) AS s FROM t", "keys#k t#a t#b"),
        ("SELECT arrayFilter(x -> x IN keys, arr) AS s FROM t", "keys#k t#arr"),
        ("WITH q AS (SELECT b FROM t) SELECT a IN q AS s FROM t", "t#a t#b"),
        ("SELECT a IN arr AS s FROM t", "t#a t#arr"),
        ("SELECT 1 IN z.arr AS s FROM t AS z", "t#arr"),
        ("SELECT arrayExists(keys -> b IN keys, arr) AS s FROM t", "t#arr t#b"),
        ("WITH [1, 2] AS keys SELECT a IN keys AS s FROM t", "t#a"),
        ("WITH (SELECT groupArray(b) FROM t) AS keys SELECT a IN keys AS s FROM t", "t#a t#b"),
    ],
)
def test_a_value_of_the_name_in_sight_is_meant_first(lineage, sql, names):
    """A column that is known, a lambda's parameter and a constant of WITH come before a table."""
    told = lineage(sql, dialect="clickhouse", columns=KEYS)
    assert told.names() == {"s": names}
    assert told.found.coverage == "complete"


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT a FROM t ARRAY JOIN arr AS z WHERE a IN (z)",
        "SELECT a FROM t LEFT ARRAY JOIN arr AS z WHERE a IN z",
        "SELECT a FROM t ARRAY JOIN arr WHERE a IN arr",
        "SELECT a FROM t ARRAY JOIN arr AS z WHERE arrayExists(x -> x IN (z), [a])",
    ],
)
@pytest.mark.parametrize("columns", [{}, KEYS])
def test_an_element_of_an_array_join_is_a_value(lineage, sql, columns):
    """Whether the columns of the source are known or not, and in lambdas; no table of the name is read."""
    told = lineage(sql, dialect="clickhouse", columns=columns)
    assert told.decisions() == {"FILTER": "t#a t#arr"}
    assert told.found.reads == ("n:d.t",)


def test_an_item_of_the_name_is_meant_first(lineage):
    """ClickHouse's items may be named in WHERE."""
    told = lineage("SELECT b, arr AS keys FROM t WHERE a IN keys", dialect="clickhouse", columns=KEYS)
    assert told.decisions() == {"FILTER": "t#a t#arr"}


def test_a_table_of_unknown_columns_makes_the_answer_partial(lineage):
    """Its one column has no name that the text says, and no column of the source is made up."""
    told = lineage("SELECT a FROM ev WHERE uid IN users", dialect="clickhouse", columns={})
    assert told.decisions() == {"FILTER": "ev#uid users#*"}
    assert told.codes() == {"unknown-columns"}


@pytest.mark.parametrize("dialect", ["spark", "duckdb", "postgres"])
def test_elsewhere_the_name_is_a_column(dialect):
    """DuckDB's lists may be there."""
    bound = Bound(dialect=dialect)
    node = bound.item("a IN b" if dialect == "duckdb" else "a IN (b)")
    in_table(bound.values, node, bound.scope, IDENTITY, {})
    assert node.args.get("query") is None


@pytest.mark.parametrize(
    ("call", "sources"),
    [
        ("dictGet('d.u', 'e', b)", "t#b u#e"),
        ("dictGet('u', 'e', b)", "t#b u#e"),
        ("dictGet(d.u, 'e', b)", "t#b u#e"),
        ("dictGetUInt64OrDefault('d.u', 'e', b, c)", "t#b t#c u#e"),
        ("dictGetOrNull('d.u', ('d', 'e'), (b, c))", "t#b t#c u#d u#e"),
        ("joinGet('d.u', 'e', b)", "t#b u#e"),
        ("joinGetOrNull(u, 'e', b)", "t#b u#e"),
        ("dictHas('d.u', b)", "t#b u"),
        ("dictGetHierarchy('d.u', b)", "t#b u"),
    ],
)
def test_a_lookup_reads_the_column_that_it_names(lineage, call, sources):
    """Of a dictionary or a Join table; one of keys reads the dictionary as a whole."""
    told = lineage(f"SELECT {call} AS z FROM t", dialect="clickhouse")
    assert told.names() == {"z": sources}
    assert told.found.coverage == "complete"
    assert set(told.found.reads) == {"n:d.t", "n:d.u"}


def test_a_lookup_in_a_condition_filters(lineage):
    """It decides which rows there are."""
    told = lineage("SELECT a FROM t WHERE dictGet('d.u', 'e', b) = 1", dialect="clickhouse")
    assert told.decisions() == {"FILTER": "t#b u#e"}


def test_a_dictionary_may_be_named_by_a_constant_of_with(lineage):
    """``WITH 'd.u' AS name`` is such a constant."""
    told = lineage("WITH 'd.u' AS name SELECT dictGet(name, 'e', b) AS z FROM t", dialect="clickhouse")
    assert told.names() == {"z": "t#b u#e"}
    assert told.found.coverage == "complete"


@pytest.mark.parametrize("call", ["dictGet(concat('d.', 'u'), 'e', b)", "dictGet('d.u', c, b)", "dictGet(b, 'e', b)"])
def test_a_lookup_that_a_value_names_is_reported(lineage, call):
    """Which column is read is not known before the statement runs."""
    told = lineage(f"SELECT {call} AS z FROM t", dialect="clickhouse")
    assert told.codes() == {"unknown-source"}


def test_a_dictionary_that_lacks_the_column_is_reported():
    """The edge stays: the text may be newer than what is known."""
    bound = Bound(dialect="clickhouse")
    assert bound.ways("dictGet('d.u', 'z', b)") == {"t#b": "TRANSFORMATION", "u#z": "TRANSFORMATION"}
    assert bound.problems() == [("unknown-column", "n:d.u")]


def test_elsewhere_such_a_call_is_a_function_like_others(lineage):
    """Only ClickHouse has dictionaries."""
    assert lineage("SELECT dictGet('d.u', 'e', b) AS z FROM t", dialect="spark").names() == {"z": "t#b"}
