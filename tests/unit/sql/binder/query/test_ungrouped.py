"""Columns of a grouped query outside of aggregates: what engines reject is reported, and nothing that they take."""

from __future__ import annotations

import pytest
from bound import Bound

from ingest.sql import extract
from ingest.sql.binder.query.ungrouped import check_grouped

KNOWN = {"n:db.t": ("a", "b", "c"), "n:db.u": ("a", "x")}


def columns(text: str, dialect: str = "spark") -> list[str]:
    """Return the columns that are reported as not grouped by."""
    made = extract(text, dialect=dialect, namespace="n", default_database="db", columns=KNOWN)
    return [problem.subject for problem in made.problems if problem.code == "ungrouped-column"]


STRICT = ["spark", "databricks", "hive", "trino", "athena", "duckdb", "bigquery", "redshift", "clickhouse", "tsql"]
WRONG = [
    ("SELECT a, sum(b) FROM t", "a"),
    ("SELECT a, b, count(*) FROM t GROUP BY a", "b"),
    ("SELECT coalesce(c, 0) + max(b) FROM t GROUP BY a", "c"),
    ("SELECT a, CASE WHEN c > 1 THEN sum(b) END FROM t GROUP BY a", "c"),
    ("SELECT count(*) FROM t GROUP BY a HAVING b > 1", "b"),
    ("SELECT t.a, u.a, sum(x) FROM t JOIN u ON t.b = u.x GROUP BY t.a", "a"),
    ("SELECT a FROM t HAVING count(*) > 1", "a"),
    ("SELECT a, sum(b) FROM t GROUP BY a ORDER BY c", "c"),
    ("SELECT a FROM t ORDER BY sum(b)", "a"),
    ("SELECT * FROM t GROUP BY a, b", "c"),
    ("SELECT *, count(*) FROM t", "a"),
]


@pytest.mark.parametrize("dialect", STRICT)
@pytest.mark.parametrize(("text", "column"), WRONG)
def test_a_column_outside_of_aggregates_is_reported(text: str, column: str, dialect: str) -> None:
    """Until now such a text was complete, and the gate called it safe."""
    assert columns(f"INSERT INTO o {text}", dialect) == [column]


@pytest.mark.parametrize(("text", "column"), [each for each in WRONG if "GROUP BY" not in each[0]])
def test_in_postgres_a_query_of_one_group_has_no_key(text: str, column: str) -> None:
    """A column may depend on a key only where that is grouped by."""
    assert columns(f"INSERT INTO o {text}", "postgres") == [column]


@pytest.mark.parametrize("dialect", ["mysql", "sqlite", "postgres"])
def test_where_a_column_may_depend_on_a_key_nothing_is_claimed(dialect: str) -> None:
    """Keys are not known here; SQLite takes any row's value."""
    assert columns("INSERT INTO o SELECT a, b, sum(c) FROM t GROUP BY a", dialect) == []


@pytest.mark.parametrize(
    "text",
    [
        "SELECT a, sum(b) FROM t GROUP BY a",
        "SELECT t.a, sum(b) FROM t GROUP BY a",
        "SELECT a, sum(b) FROM t GROUP BY t.a",
        "SELECT A, sum(b) FROM t GROUP BY a",
        "SELECT a + 1, upper(a), sum(b) / max(c) FROM t GROUP BY a",
        "SELECT substr(a, 1, 2), sum(b) FROM t GROUP BY substr(a, 1, 2)",
        "SELECT date(a), sum(b) FROM t GROUP BY cast(a AS date)",
        "SELECT 1, 'x', current_date, sum(b) FROM t",
        "SELECT sum(b) OVER (PARTITION BY a), a, c FROM t",
        "SELECT a, sum(sum(b)) OVER (ORDER BY a) FROM t GROUP BY a",
        "SELECT a, (SELECT max(x) FROM u WHERE u.a = t.a) FROM t",
        "SELECT a, (SELECT max(x) FROM u WHERE u.a = t.a) AS m, sum(b) FROM t GROUP BY a",
        "SELECT a, c FROM t WHERE b > (SELECT avg(x) FROM u)",
        "SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u GROUP BY u.a HAVING max(u.x) > t.b)",
        "SELECT a, sum(b) FROM t JOIN u USING (a) GROUP BY a",
        "SELECT t.a, sum(b) FROM t JOIN u USING (a) GROUP BY a",
        "SELECT a, my_aggregate(b) FROM t GROUP BY a",
        "SELECT a, percentile_approx(b, 0.5) FROM t GROUP BY a",
        "SELECT a, c, sum(b) FROM t GROUP BY a, c WITH ROLLUP",
        "SELECT a, c, sum(b) FROM t GROUP BY GROUPING SETS ((a), (c))",
        "SELECT a, count(*) AS n FROM t GROUP BY a HAVING n > 1 AND max(b) > 0",
        "SELECT q.a FROM (SELECT a, max(b) AS b FROM t GROUP BY a) AS q WHERE q.b > 1",
        "SELECT * FROM t GROUP BY a, b, c",
        "SELECT a, max(b) AS b FROM t GROUP BY a ORDER BY b, a, max(c)",
        "SELECT a, max(b) AS m FROM t GROUP BY a ORDER BY m DESC, 1",
        "SELECT a FROM t ORDER BY b",
        "SELECT a AS k, sum(b) FROM t GROUP BY k",
        "SELECT a + c AS k, sum(b) FROM t GROUP BY k",
        "SELECT a, c, sum(b) FROM t GROUP BY 1, 2",
        "SELECT a, c, sum(b) FROM t GROUP BY ALL",
        "SELECT a, sum(b) FROM t GROUP BY CUBE (a)",
    ],
)
@pytest.mark.parametrize("dialect", ["spark", "duckdb"])
def test_what_engines_take_is_no_problem(text: str, dialect: str) -> None:
    """A column counts as grouped by where any expression of GROUP BY has it."""
    assert columns(f"INSERT INTO o {text}", dialect) == []


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * EXCEPT (b), sum(b) FROM t GROUP BY a, c",
        "SELECT e.a, count(*) FROM t, UNNEST(t.items) AS e GROUP BY a",
        "SELECT far.k, sum(b) FROM t JOIN far ON t.a = far.a GROUP BY k",
    ],
)
def test_stars_elements_and_unknown_tables_are_not_judged(text: str) -> None:
    """A column that a star leaves out is read by nothing; a bare name may be an item's."""
    assert columns(f"INSERT INTO o {text}", "bigquery") == []


def test_hive_may_group_by_places() -> None:
    """By a setting; without it the number is a constant, so that nothing is sure."""
    assert columns("INSERT INTO o SELECT a, count(*) FROM t GROUP BY 1", "hive") == []


def test_only_the_first_is_reported() -> None:
    """Of a SELECT that is not grouped, none."""
    bound = Bound("t")
    grouped, plain = bound.tree("SELECT a, b, max(c)"), bound.tree("SELECT a, b")

    check_grouped(bound.walk, plain, bound.scope, [])
    assert not bound.walk.problems
    check_grouped(bound.walk, grouped, bound.scope, [])
    assert [(problem.code, problem.subject) for problem in bound.walk.problems] == [("ungrouped-column", "a")]


SORTING = ["spark", "databricks", "hive", "trino", "bigquery", "postgres", "redshift", "tsql"]


@pytest.mark.parametrize("dialect", SORTING)
@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("SELECT DISTINCT a FROM t ORDER BY c", "c"),
        ("SELECT DISTINCT a, sum(b) AS n FROM t GROUP BY a, c ORDER BY c", "c"),
        ("SELECT DISTINCT upper(a) AS x FROM t ORDER BY upper(c)", "c"),
        ("SELECT DISTINCT t.a FROM t JOIN u ON t.a = u.a ORDER BY u.x DESC", "x"),
    ],
)
def test_distinct_rows_are_not_sorted_by_what_is_not_selected(text: str, column: str, dialect: str) -> None:
    """Of several rows that become one, each may have another value."""
    assert columns(text, dialect) == [column]


@pytest.mark.parametrize("dialect", ["snowflake", "oracle"])
def test_names_in_upper_case_are_found_among_the_items(dialect: str) -> None:
    """These engines make names without quotes upper case."""
    known = {"n:DB.T": ("A", "C")}
    texts = ["SELECT DISTINCT a FROM t ORDER BY c", "SELECT DISTINCT a, c FROM t ORDER BY C"]
    made = [extract(each, dialect=dialect, namespace="n", default_database="DB", columns=known) for each in texts]

    assert [[problem.code for problem in each.problems] for each in made] == [["ungrouped-column"], []]


@pytest.mark.parametrize("dialect", [*SORTING, "duckdb", "clickhouse", "mysql", "sqlite"])
@pytest.mark.parametrize(
    "text",
    [
        "SELECT DISTINCT a FROM t ORDER BY a",
        "SELECT DISTINCT t.a AS x, b FROM t ORDER BY x, 2",
        "SELECT DISTINCT * FROM t ORDER BY c",
        "SELECT DISTINCT a, c + 1 AS d FROM t ORDER BY d",
        "SELECT DISTINCT a FROM missing ORDER BY c",
        "SELECT DISTINCT a, row_number() OVER (ORDER BY c) AS n FROM t ORDER BY n",
        "SELECT a FROM (SELECT DISTINCT a, b FROM t) AS k ORDER BY b",
    ],
)
def test_distinct_rows_are_sorted_by_what_is_selected(text: str, dialect: str) -> None:
    """By name, place or expression; where it is not known whose column it is, nothing is claimed."""
    assert columns(text, dialect) == []


@pytest.mark.parametrize("dialect", ["duckdb", "clickhouse", "sqlite"])
def test_some_engines_sort_distinct_rows_by_any_column(dialect: str) -> None:
    """They take the value of one of the rows."""
    assert columns("SELECT DISTINCT a FROM t ORDER BY c", dialect) == []


def test_distinct_on_may_sort_by_other_columns() -> None:
    """That is how it chooses the row that stays."""
    assert columns("SELECT DISTINCT ON (a) a, b FROM t ORDER BY a, c", "postgres") == []
