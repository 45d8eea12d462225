"""Aggregates and window functions in clauses before there are groups or windows: what no engine runs is reported."""

from __future__ import annotations

import pytest
from bound import Bound

from ingest.sql import extract
from ingest.sql.binder.query.misplaced import check_clause

KNOWN = {"n:db.t": ("a", "b"), "n:db.u": ("x", "y")}


def reasons(text: str, dialect: str = "spark", known: dict[str, tuple[str, ...]] | None = None) -> list[str]:
    """Return the details of what is misplaced."""
    made = extract(
        text, dialect=dialect, namespace="n", default_database="db", columns=KNOWN if known is None else known
    )
    return [problem.detail for problem in made.problems if problem.code == "misplaced-aggregate"]


@pytest.mark.parametrize("dialect", ["spark", "hive", "trino", "postgres", "duckdb", "bigquery", "mysql", "sqlite"])
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("SELECT a FROM t WHERE sum(b) > 1", "WHERE cannot hold an aggregate (sum)"),
        ("SELECT a FROM t WHERE a = 1 AND NOT coalesce(max(b), 0) > 1", "WHERE cannot hold an aggregate (max)"),
        ("SELECT a FROM t WHERE count(*) > 1 GROUP BY a", "WHERE cannot hold an aggregate (count)"),
        (
            "SELECT a FROM t WHERE row_number() OVER (ORDER BY b) = 1",
            "WHERE cannot hold a window function (row_number)",
        ),
        ("SELECT a FROM t JOIN u ON t.a = max(u.x)", "ON cannot hold an aggregate (max)"),
        ("SELECT a, sum(b) FROM t GROUP BY a, sum(b)", "GROUP BY cannot hold an aggregate (sum)"),
        ("SELECT a FROM t GROUP BY a HAVING sum(a) OVER () > 1", "HAVING cannot hold a window function (sum)"),
        ("UPDATE t SET a = 1 WHERE max(b) > 1", "WHERE cannot hold an aggregate (max)"),
        ("UPDATE t SET a = max(b)", "SET cannot hold an aggregate (max)"),
        ("DELETE FROM t WHERE a = min(b)", "WHERE cannot hold an aggregate (min)"),
    ],
)
def test_what_no_engine_runs_is_reported(text: str, reason: str, dialect: str) -> None:
    """Until now such a text was complete, and the gate called it safe."""
    text = text if text.startswith(("UPDATE", "DELETE")) else f"INSERT INTO o {text}"

    assert reasons(text, dialect) == [reason]


@pytest.mark.parametrize(
    "text",
    [
        "SELECT a FROM t WHERE b = (SELECT max(x) FROM u)",
        "SELECT a FROM t WHERE b IN (SELECT x FROM u GROUP BY x HAVING count(*) > 1)",
        "SELECT a FROM t WHERE b = (SELECT max(b) FROM t)",
        "SELECT a, max(b) FROM t GROUP BY a HAVING max(b) > 1 ORDER BY sum(b)",
        "SELECT a FROM t JOIN (SELECT x, sum(y) AS y FROM u GROUP BY x) AS s ON t.a = s.y",
        "SELECT a FROM (SELECT a, row_number() OVER (ORDER BY b) AS n FROM t) AS s WHERE n = 1",
        "SELECT sum(b) AS a FROM t WHERE a > 1",
        "SELECT sum(b) AS a FROM t GROUP BY t.a",
        "SELECT sum(sum(b)) OVER () FROM t GROUP BY a",
        "SELECT a FROM t GROUP BY a HAVING EXISTS (SELECT 1 FROM u WHERE u.x = max(t.b))",
        "UPDATE t SET a = (SELECT max(x) FROM u) WHERE b > (SELECT avg(x) FROM u)",
    ],
)
@pytest.mark.parametrize("dialect", ["spark", "postgres", "duckdb", "trino"])
def test_aggregates_in_their_place_are_no_problem(text: str, dialect: str) -> None:
    """Subqueries have groups of their own, and a column goes before an item of its name."""
    assert reasons(text if text.startswith("UPDATE") else f"INSERT INTO o {text}", dialect) == []


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        ("INSERT INTO o SELECT sum(b) AS s FROM t WHERE s > 1", "duckdb"),
        ("INSERT INTO o SELECT sum(b) AS s FROM t WHERE s > 1", "clickhouse"),
        ("INSERT INTO o SELECT sum(b) AS s FROM t GROUP BY s", "duckdb"),
        ("INSERT INTO o SELECT sum(b) AS s FROM t GROUP BY s", "spark"),
        ("INSERT INTO o SELECT a, sum(b) AS s FROM t GROUP BY 1, 2", "spark"),
        ("INSERT INTO o SELECT a, sum(b) OVER () AS s FROM t GROUP BY a HAVING s > 1", "mysql"),
    ],
)
def test_a_name_is_what_its_item_holds(text: str, dialect: str) -> None:
    """Also the place of an item in GROUP BY."""
    (reason,) = reasons(text, dialect)

    assert "(sum)" in reason


def test_an_aggregate_of_a_query_around_is_misplaced_in_its_where() -> None:
    """In HAVING it has its place (above); where the inner columns are not known, nothing is claimed."""
    text = "INSERT INTO o SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u GROUP BY x HAVING max(t.b) > 1)"
    counted = "INSERT INTO o SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u GROUP BY x HAVING count(t.b) > 1)"
    unknown = "INSERT INTO o SELECT a FROM t WHERE a = (SELECT max(b) FROM db.far)"

    assert reasons(text, "postgres") == ["an aggregate of a query around (max) is in its WHERE, ON or GROUP BY"]
    assert reasons(counted, "postgres") == ["an aggregate of a query around (count) is in its WHERE, ON or GROUP BY"]
    assert reasons(unknown, "postgres") == []


def test_functions_of_one_row_are_no_aggregates() -> None:
    """SQLite's max of two values, Spark's greatest."""
    assert reasons("INSERT INTO o SELECT a FROM t WHERE max(a, b) > 1", "sqlite") == []
    assert reasons("INSERT INTO o SELECT a FROM t WHERE greatest(a, b) > 1") == []


@pytest.mark.parametrize("dialect", ["spark", "databricks", "spark2"])
def test_where_names_no_item_in_spark(dialect: str) -> None:
    """The select list may name items before it, and WHERE none; a column of the name is meant."""
    made = extract(
        "INSERT INTO o SELECT a + 1 AS c, c + 1 AS d FROM t WHERE c > 1", dialect=dialect, namespace="n",
        default_database="db", columns=KNOWN,
    )  # fmt: skip

    assert [(problem.code, problem.subject) for problem in made.problems if problem.code == "unknown-column"]
    lateral = extract(
        "INSERT INTO o SELECT a + 1 AS c, c + 1 AS d FROM t WHERE a > 1", dialect=dialect, namespace="n",
        default_database="db", columns=KNOWN,
    )  # fmt: skip
    assert lateral.coverage == "complete"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("SELECT sum(max(b)) FROM t GROUP BY a", "sum cannot hold an aggregate (max)"),
        ("SELECT count(max(b)) FROM t GROUP BY a", "count cannot hold an aggregate (max)"),
        ("SELECT max(sum(b) OVER ()) FROM t", "max cannot hold a window function"),
        ("SELECT row_number() FROM t", "row_number has no OVER"),
        ("SELECT lag(a) FROM t", "lag has no OVER"),
    ],
)
@pytest.mark.parametrize("dialect", ["spark", "duckdb", "trino", "postgres", "mysql", "sqlite"])
def test_aggregates_and_windows_inside_each_other(text: str, reason: str, dialect: str) -> None:
    """Over a window an aggregate may hold one of the groups; in Oracle it may hold another anywhere."""
    assert reasons(f"INSERT INTO o {text}", dialect) == [reason]
    over = "INSERT INTO o SELECT sum(sum(b)) OVER (ORDER BY a), lag(max(b)) OVER (ORDER BY a) FROM t GROUP BY a"
    assert reasons(over, dialect) == []
    assert reasons("INSERT INTO o SELECT max(sum(b)) FROM t GROUP BY a", "oracle") == []


def test_ranks_within_a_group_have_no_window() -> None:
    """Hypothetical ones of the standard."""
    assert reasons("INSERT INTO o SELECT rank(3) WITHIN GROUP (ORDER BY a) FROM t", "postgres") == []
    assert reasons("INSERT INTO o SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY a) FROM t", "postgres") == []


def test_a_clause_is_reported_once() -> None:
    """With its first aggregate or window function; of HAVING only the second kind is out of place."""
    bound = Bound("t")
    nodes = [bound.tree("SELECT sum(a) + max(b)").expressions[0], bound.tree("SELECT avg(c)").expressions[0]]

    check_clause(bound.walk, nodes, bound.scope, "HAVING", aggregates=False)
    assert not bound.walk.problems
    check_clause(bound.walk, nodes, bound.scope, "WHERE")
    assert [problem.detail for problem in bound.walk.problems] == ["WHERE cannot hold an aggregate (sum)"]
