"""A net for columns: each name that the parser took for a column was resolved, or is where it is none."""

from __future__ import annotations

import pytest
from scripted import parsed, running
from sqlglot import parse_one

from ingest.sql.statements.unread import unread


def missed(sql: str, dialect: str = "spark", *, run_it: bool = True) -> str:
    """Return the first column of a statement that nothing resolved, "" for none; without running it, of its tree."""
    run = running(dialect)
    (item,) = parsed(run, sql)
    if run_it:
        run.run(item.node)
    found = unread(item.node, run.walk.values.lookup)
    return found.sql() if found is not None else ""


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("spark", "SELECT a + 1, upper(b) FROM t WHERE c = 1 GROUP BY a, b HAVING sum(c) > 1 ORDER BY a LIMIT 1"),
        ("spark", "SELECT x.a FROM t x JOIN u y ON x.a = y.a WHERE EXISTS (SELECT 1 FROM u WHERE u.d = x.b)"),
        ("spark", "MERGE INTO t USING u ON t.a = u.a WHEN MATCHED AND u.d > 1 THEN UPDATE SET b = u.e"),
        ("postgres", "UPDATE t SET b = u.d FROM u WHERE t.a = u.a"),
        ("postgres", "INSERT INTO u (a) SELECT a FROM t ON CONFLICT (a) DO UPDATE SET d = excluded.a"),
        ("spark", "DELETE FROM t WHERE a = 1"),
    ],
)
def test_what_a_rule_resolves_is_read(dialect: str, sql: str) -> None:
    """Values, conditions and assignments, and their targets."""
    assert missed(sql, dialect) == ""


def test_a_column_that_no_rule_looked_at_is_found() -> None:
    """In a statement that nobody ran, the first; in one that was, that of a clause that is not understood."""
    assert missed("SELECT a FROM t WHERE b = 1", run_it=False) in ("a", "b")
    assert missed("SELECT a FROM t ORDER BY a WITH FILL FROM q TO 9", "clickhouse") == "q"


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("hive", "INSERT OVERWRITE TABLE k PARTITION (dt = '1', hr) SELECT 1, 2"),
        ("spark", "CREATE TABLE k (x INT) PARTITIONED BY (x) TBLPROPERTIES (y = 1)"),
        ("spark", "INSERT INTO k SELECT 1 DISTRIBUTE BY x SORT BY y"),
        ("spark", "WITH q AS (SELECT x FROM u) SELECT 1"),
        ("duckdb", "SELECT 1 FROM read_csv('x', delim = '|')"),
        ("trino", "SELECT 1 FROM t GROUP BY AUTO"),
        ("bigquery", "SELECT * EXCEPT (x) FROM t"),
        ("postgres", "INSERT INTO k (x) VALUES (1) ON CONFLICT (x) DO UPDATE SET y = 1"),
        ("postgres", "INSERT INTO k (x) VALUES (1) ON CONFLICT (x) WHERE z > 1 DO NOTHING"),
        ("mysql", "UPDATE k SET x = 1"),
        ("spark", "ALTER TABLE k ADD COLUMNS (x INT)"),
        ("spark", "SELECT transform(arr, x -> 1) FROM (SELECT 1 AS arr)"),
        ("postgres", "DELETE FROM k RETURNING x"),
    ],
)
def test_places_of_names_that_are_no_columns_read(dialect: str, sql: str) -> None:
    """Partitions, options, orders that decide nothing, targets, parameters of functions: no rule need look there."""
    run = running(dialect)
    (item,) = parsed(run, sql)
    found = unread(item.node, run.walk.values.lookup)

    assert (found.name if found is not None else "") in ("", "arr")


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT 1 FROM (SELECT 1 FROM t ORDER BY x) q", ""),
        ("SELECT 1 FROM (SELECT 1 FROM t ORDER BY x LIMIT 1) q", "x"),
        ("SELECT 1 FROM (SELECT 1 FROM t ORDER BY x OFFSET 1) q", "x"),
        ("SELECT 1 FROM t ORDER BY x", "x"),
        ("INSERT INTO k SELECT 1 ORDER BY x", "x"),
        ("UPDATE k SET x = y", "y"),
        ("SELECT 1 FROM t WHERE x = 1", "x"),
        ("SELECT 1 FROM t GROUP BY x", "x"),
        ("SELECT f(x = 1)", "x"),
    ],
)
def test_the_same_names_elsewhere_are_columns(sql: str, expected: str) -> None:
    """An order with a limit decides, and so does an equation that gives nothing a value."""
    assert missed(sql, "postgres", run_it=False) == expected


def test_what_is_no_tree_has_no_columns() -> None:
    """A statement of a script that moves rows without a query."""
    run = running("mysql")
    (item,) = parsed(run, "RENAME TABLE t TO k")

    assert unread(item.node, run.walk.values.lookup) is None
    assert unread(parse_one("SELECT x"), run.walk.values.lookup) is not None
