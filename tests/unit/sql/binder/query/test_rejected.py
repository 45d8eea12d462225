"""Forms that the parser reads in every dialect and only some engines take; DuckDB itself says which it takes."""

from __future__ import annotations

import duckdb
import pytest
from bound import Bound

from ingest.sql.binder.query.rejected import check_select, check_set_operations

NEEDS = "QUALIFY needs a window function, in it or in the select list"
WINDOW = "row_number() OVER (ORDER BY b)"


@pytest.mark.parametrize(
    ("dialect", "sql", "words"),
    [
        ("bigquery", "SELECT DISTINCT ON (a) a, b FROM t", "DISTINCT ON"),
        ("trino", "SELECT DISTINCT ON (a) a, b FROM t", "DISTINCT ON"),
        ("athena", "SELECT * EXCEPT (a) FROM t", "star"),
        ("trino", "SELECT t.* REPLACE (1 AS a) FROM t", "star"),
        ("spark", "SELECT explode(arr), posexplode(arr) FROM w", "several functions that make rows"),
        ("spark", "SELECT explode(arr) AS e, inline(st) FROM w", "several functions that make rows"),
        *((dialect, "SELECT a FROM t QUALIFY b > 3", NEEDS) for dialect in ("bigquery", "snowflake", "databricks")),
        ("bigquery", "SELECT a, sum(b) FROM t GROUP BY a QUALIFY sum(b) > 3", NEEDS),
        ("bigquery", f"SELECT a FROM t QUALIFY (SELECT {WINDOW} FROM t) = 1", NEEDS),
        ("trino", "SELECT a FROM t UNION ALL BY NAME SELECT a FROM u", "BY NAME"),
        ("bigquery", "SELECT a FROM t UNION ALL SELECT a FROM u UNION DISTINCT SELECT a FROM u", "brackets"),
        ("bigquery", "SELECT a FROM t UNION ALL SELECT a FROM u EXCEPT DISTINCT SELECT a FROM u", "brackets"),
    ],
)
def test_what_the_engine_has_not_is_reported(lineage, dialect: str, sql: str, words: str) -> None:
    """Once, and whatever else the statement means."""
    found = lineage(sql, dialect=dialect).found
    said = [problem.detail for problem in found.problems if problem.code == "syntax"]

    assert len(said) == 1
    assert words in said[0]
    assert found.coverage != "complete"


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("postgres", "SELECT DISTINCT ON (a) a, b FROM t"),
        ("duckdb", "SELECT DISTINCT ON (a) a, b FROM t"),
        ("bigquery", "SELECT DISTINCT a, b FROM t"),
        ("bigquery", "SELECT * EXCEPT (a) FROM t"),
        ("trino", "SELECT * FROM t EXCEPT (SELECT * FROM u)"),
        ("spark", "SELECT explode(arr), x FROM w"),
        ("spark", "SELECT explode(arr) FROM w LATERAL VIEW explode(m) AS k, v"),
        ("databricks", "SELECT explode(arr), explode(arr) FROM w"),
        ("bigquery", f"SELECT a FROM t QUALIFY {WINDOW} = 1"),
        ("snowflake", f"SELECT a, {WINDOW} AS n FROM t QUALIFY n = 1"),
        ("databricks", f"SELECT a, 1 + {WINDOW} AS n FROM t QUALIFY b > 3"),
        ("bigquery", "SELECT a, sum(b) OVER w AS n FROM t WINDOW w AS (ORDER BY b) QUALIFY n = 1"),
        ("clickhouse", "SELECT a FROM t QUALIFY b > 3"),
        ("duckdb", "SELECT a FROM t UNION ALL BY NAME SELECT a FROM u"),
        ("bigquery", "SELECT a FROM t UNION ALL SELECT a FROM u UNION ALL SELECT a FROM u"),
        ("bigquery", "SELECT a FROM t UNION ALL (SELECT a FROM u UNION DISTINCT SELECT a FROM u)"),
        ("bigquery", "(SELECT a FROM t UNION ALL SELECT a FROM u) EXCEPT DISTINCT SELECT a FROM u"),
        ("bigquery", "SELECT a FROM t UNION ALL SELECT q.a FROM (SELECT a FROM u UNION DISTINCT SELECT a FROM t) AS q"),
        ("bigquery", "FROM t |> SELECT a |> UNION ALL (SELECT a FROM u) |> UNION DISTINCT (SELECT a FROM u)"),
        ("postgres", "SELECT a FROM t UNION ALL SELECT a FROM u UNION SELECT a FROM u"),
    ],
)
def test_what_the_engine_takes_is_no_problem(lineage, dialect: str, sql: str) -> None:
    """Forms of its own, and other ones that look like those it has not."""
    assert "syntax" not in lineage(sql, dialect=dialect).codes()


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT a FROM t QUALIFY b > 3",
        f"SELECT a FROM t QUALIFY {WINDOW} > 0",
        f"SELECT a, {WINDOW} AS n FROM t QUALIFY b > 3",
        f"SELECT a FROM (SELECT a, {WINDOW} AS n FROM t) QUALIFY n = 1",
        f"SELECT a FROM t QUALIFY (SELECT max(n) FROM (SELECT {WINDOW} AS n FROM t)) > 0",
        "SELECT a, sum(b) AS s FROM t GROUP BY a QUALIFY s > 1",
        "SELECT a, sum(sum(b)) OVER () AS s FROM t GROUP BY a QUALIFY s > 1",
    ],
)
def test_duckdb_says_where_its_qualify_needs_a_window(lineage, sql: str) -> None:
    """What it rejects for that reason is reported, and nothing else is."""
    with duckdb.connect() as session:
        session.execute("CREATE TABLE t (a INT, b INT, c INT)")
        try:
            session.execute(sql)
            refused = False
        except duckdb.Error as reason:
            refused = "window function must appear" in str(reason)

    assert ("syntax" in lineage(sql, dialect="duckdb").codes()) is refused


@pytest.mark.parametrize(
    "sql",
    ["SELECT a FROM t QUALIFY rn(a) = 1", "SELECT a, rn(b) AS n FROM t QUALIFY n = 1",
     "SELECT a FROM t QUALIFY main.rn(a) + 1 = 2"],
)  # fmt: skip
def test_a_macro_may_be_a_window_function(lineage, sql: str) -> None:
    """DuckDB takes it for one; another engine's functions of users hold no window of the query."""
    with duckdb.connect() as session:
        session.execute("CREATE TABLE t (a INT, b INT)")
        session.execute("CREATE MACRO rn(a) AS row_number() OVER (PARTITION BY a)")
        session.execute(sql)

    assert "syntax" not in lineage(sql, dialect="duckdb").codes()
    assert "syntax" in lineage(sql, dialect="databricks").codes()


def test_each_part_of_a_query_is_looked_at_alone() -> None:
    """A SELECT by itself, and a row of set operations with those beside it."""
    bound = Bound("t", "bigquery")
    check_select(bound.walk, bound.tree("SELECT DISTINCT ON (a) a FROM t"))
    union = bound.tree("SELECT 1 UNION ALL SELECT 2 UNION DISTINCT SELECT 3")
    check_set_operations(bound.walk, [union])
    assert [code for code, _ in bound.problems()] == ["syntax"]

    check_set_operations(bound.walk, [union, union.this])
    assert [code for code, _ in bound.problems()] == ["syntax", "syntax"]
