"""What Trino takes and others do not, with the answers that a real Trino 476 gives for these texts."""

from __future__ import annotations

import pytest
from trino_world import answered


def sources(sql: str, dialect: str = "trino") -> dict[str, set[str]]:
    """Return, for each output column, the names of the columns that its expression has; all of it is understood."""
    return {name: {node.rpartition(".")[2] for node in nodes} for name, nodes in answered(sql, dialect)[1].items()}


def test_grouping_is_decided_by_the_columns_that_it_names() -> None:
    """Trino counts them in; in Spark's plan there is no column left."""
    sql = "SELECT grouping(orderstatus, custkey) + 1 AS g FROM orders GROUP BY GROUPING SETS ((custkey), (orderstatus))"

    assert sources(sql) == {"g": {"custkey", "orderstatus"}}
    assert sources(sql, "spark") == {"g": set()}


@pytest.mark.parametrize(("sql", "expected"), [
    ("json_object(KEY 'a' VALUE clerk, 'b' : custkey NULL ON NULL WITHOUT UNIQUE KEYS)", {"clerk", "custkey"}),
    ("json_object('a' : json_array(clerk ABSENT ON NULL) FORMAT JSON, KEY 'b' VALUE custkey RETURNING varchar)",
     {"clerk", "custkey"}),
    ("json_array(clerk, custkey ABSENT ON NULL)", {"clerk", "custkey"}),
    ("json_array('default', clerk, 'passing', upper('('), custkey ABSENT ON NULL)", {"clerk", "custkey"}),
    ("json_exists(comment, 'lax $.a' PASSING coalesce(clerk, 'as') AS x, "
     "json_array(custkey ABSENT ON NULL) FORMAT JSON AS y FALSE ON ERROR)", {"clerk", "comment", "custkey"}),
    ("json_exists(comment, 'lax $.a' PASSING custkey AS x UNKNOWN ON ERROR)", {"comment", "custkey"}),
    ("json_value(comment, 'lax $.a' PASSING custkey AS x RETURNING varchar(10) NULL ON EMPTY ERROR ON ERROR)",
     {"comment", "custkey"}),
    ("json_value(comment, 'lax $.a' RETURNING bigint DEFAULT custkey ON EMPTY DEFAULT orderkey ON ERROR)",
     {"comment", "custkey", "orderkey"}),
    ("json_query(comment, 'strict $[*]' PASSING custkey AS a, clerk AS b WITH UNCONDITIONAL ARRAY WRAPPER)",
     {"comment", "custkey", "clerk"}),
])  # fmt: skip
def test_the_clauses_of_json_functions_do_not_hide_their_arguments(sql: str, expected: set[str]) -> None:
    """PASSING and DEFAULT bring arguments; RETURNING, wrappers and what happens to nulls and errors do not."""
    assert sources(f"SELECT {sql} AS j FROM orders") == {"j": expected}


def test_a_table_without_some_columns() -> None:
    """``exclude_columns`` reads its table, and what it describes is not a source."""
    named = "SELECT * FROM TABLE(exclude_columns(input => TABLE(tpch.tiny.nation), columns => DESCRIPTOR(comment)))"
    query = "SELECT * FROM TABLE(exclude_columns(TABLE(SELECT clerk, comment FROM orders), DESCRIPTOR(clerk)))"

    assert sources(named) == {"nationkey": {"nationkey"}, "name": {"name"}, "regionkey": {"regionkey"}}
    assert sources(query) == {"comment": {"comment"}}
    assert sources("SELECT s.sequential_number AS n FROM TABLE(sequence(1, 3)) s") == {"n": set()}


@pytest.mark.parametrize(("dialect", "sql", "expected"), [
    ("trino", "date_trunc(clerk, orderdate)", {"clerk", "orderdate"}),
    ("trino", "date_add(clerk, 1, orderdate)", {"clerk", "orderdate"}),
    ("spark", "date_trunc(clerk, orderdate)", {"clerk", "orderdate"}),
    ("spark", "trunc(orderdate, clerk)", {"clerk", "orderdate"}),
    ("spark", "trunc(orderdate, 'MM')", {"orderdate"}),
    ("trino", "date_trunc('month', orderdate)", {"orderdate"}),
])  # fmt: skip
def test_a_column_that_says_the_unit_is_a_source(dialect: str, sql: str, expected: set[str]) -> None:
    """The parser takes it for the name of a unit; units themselves are none."""
    assert sources(f"SELECT {sql} AS x FROM orders", dialect) == {"x": expected}


@pytest.mark.parametrize(("sql", "expected"), [
    ("WITH FUNCTION doubled(x bigint) RETURNS bigint RETURN x * 2 SELECT doubled(custkey) AS d FROM orders",
     {"custkey"}),
    ("WITH FUNCTION f(a bigint, b varchar) RETURNS varchar BEGIN DECLARE r varchar; SET r = b || CAST(a AS varchar); "
     "IF a > 1 THEN RETURN CASE a WHEN 2 THEN 'x' END; END IF; WHILE a < 3 DO SET a = a + 1; END WHILE; RETURN r; END "
     "SELECT f(custkey, clerk) AS d FROM orders", {"custkey", "clerk"}),
    ("WITH FUNCTION one() RETURNS bigint BEGIN RETURN 1; END, FUNCTION g(a decimal(3, 1)) RETURNS bigint RETURN a + 1 "
     "WITH t AS (SELECT custkey k, clerk FROM orders) SELECT one() + g(k) AS d FROM t", {"custkey"}),
])  # fmt: skip
def test_inline_routines_are_no_tables(sql: str, expected: set[str]) -> None:
    """What is in a body ends no statement; a block's value comes from its parameters."""
    assert sources(sql) == {"d": expected}
