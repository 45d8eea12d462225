"""Functions with a package in front of their name, and functions called on a value."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT p.ds.f(a) AS z FROM t", {"z": "t#a"}),
        ("SELECT ds.f(a, b).field AS z FROM t", {"z": "t#a t#b"}),
        ("SELECT ds.f(a).x.y AS z FROM t", {"z": "t#a"}),
        ("SELECT ds.f(arr)[OFFSET(0)].y AS z FROM w", {"z": "w#arr"}),
        ("SELECT ds.f(ds.g(a), ds.h(b)) AS z FROM t", {"z": "t#a t#b"}),
        ("SELECT ds.f(a) OVER (PARTITION BY b) AS z FROM t", {"z": "t#a t#b"}),
        ("SELECT ARRAY_AGG(ds.f(st.k) RESPECT NULLS ORDER BY x)[SAFE_OFFSET(0)] AS z FROM w", {"z": "w#st.k w#x"}),
        ("SELECT SAFE.SUBSTR(a, 1) AS z, NET.HOST(b) AS y FROM t", {"z": "t#a", "y": "t#b"}),
        ("SELECT (a).concat(b) AS z FROM t", {"z": "t#a t#b"}),
        ("SELECT a FROM t WHERE ds.f(b) > 1 GROUP BY a, ds.g(c)", {"a": "t#a"}),
    ],
)
def test_a_function_in_a_dataset_takes_its_value_from_its_arguments(lineage, sql, expected):
    """BigQuery's ``project.dataset.f(x)`` is a call whatever stands around it, and no path to a field."""
    assert expected == lineage(sql, dialect="bigquery").names()


@pytest.mark.parametrize("dialect", ["bigquery", "postgres", "spark", "trino"])
@pytest.mark.parametrize("call", ["s.f(a)", "s.p.f(a)"])
def test_a_star_over_a_call_is_of_its_unknown_fields(lineage, dialect, call):
    """``pkg.f(x).*`` says nothing about a table called f: columns that are not known, made of the arguments."""
    told = lineage(f"SELECT {call}.* FROM t", dialect=dialect)
    assert told.names() == {"*": "t#a"}
    assert "unknown-columns" in told.codes()


def test_the_columns_of_who_selects_a_star_over_a_call_are_not_known(lineage):
    """Not the list of those that have a name: who reads another column of it is not wrong."""
    told = lineage("CREATE TABLE d.o AS SELECT a, ds.f(b).* FROM d.t", dialect="bigquery", default_database="")
    assert told.names() == {"a": "t#a", "*": "t#b"}
    assert told.found.outputs == ()


@pytest.mark.parametrize("name", ["ds.twice", "p.ds.twice", "twice"])
def test_a_function_that_the_script_defines_is_looked_through_by_its_last_name(lineage, name):
    """A definition and its calls may name more or less of the package."""
    told = lineage(
        f"CREATE FUNCTION ds.twice(v INT64, w INT64) AS (v + v); SELECT {name}(a, b) AS z FROM t", dialect="bigquery"
    )
    assert told.names() == {"z": "t#a"}


def test_a_package_that_is_called_like_an_aggregate_is_none(lineage):
    """``glam.percentile(x)`` is somebody's function of one row; HLL_COUNT.MERGE is BigQuery's own, over many."""
    told = lineage("SELECT glam.percentile(a) AS y, hll_count.merge(b) AS z FROM t", dialect="bigquery")
    assert told.columns() == {"y": {"t#a": "TRANSFORMATION"}, "z": {"t#b": "AGGREGATION"}}


@pytest.mark.parametrize(
    ("sql", "pairs"),
    [
        ("INSERT INTO d.o (x, y) SELECT a, b FROM d.t", {("t", "o")}),
        ("INSERT d.o (x, y) SELECT a, b FROM d.t", {("t", "o")}),
        ("CREATE TABLE d.o (x INT64) AS SELECT a FROM d.t", {("t", "o")}),
        ("CREATE VIEW IF NOT EXISTS d.o (x) AS SELECT a FROM d.t", {("t", "o")}),
        (
            "MERGE d.o USING d.t ON d.f(o.x) = t.a WHEN NOT MATCHED THEN INSERT (x) VALUES (d.f(t.a))",
            {("t", "o"), ("o", "o")},
        ),
    ],
)
def test_a_table_in_front_of_its_columns_is_no_function(lineage, sql, pairs):
    """The same dots and bracket, after INTO, TABLE, VIEW and the like."""
    assert pairs == lineage(sql, dialect="bigquery", default_database="", target=None).tables()


def test_a_table_function_behind_a_comma_is_named_whole(lineage):
    """Its rows come from its arguments; which tables it reads nobody knows, and that is reported."""
    told = lineage("SELECT f.z FROM d.t, ds.f(t.a) AS f", dialect="bigquery", default_database="")
    assert told.names() == {"z": "t#a"}
    assert {"ds.f"} == {problem.subject for problem in told.found.problems if problem.code == "opaque-call"}


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (
            "ARRAY_AGG(a RESPECT NULLS ORDER BY b DESC LIMIT 3)",
            "ARRAY_AGG(d.t.a RESPECT NULLS ORDER BY d.t.b DESC LIMIT ?)",
        ),
        ("ARRAY_AGG(a IGNORE NULLS LIMIT 2)", "ARRAY_AGG(d.t.a IGNORE NULLS LIMIT ?)"),
        ("ARRAY_AGG(DISTINCT a IGNORE NULLS)", "ARRAY_AGG(DISTINCT d.t.a IGNORE NULLS)"),
    ],
)
def test_what_an_ordered_aggregate_takes_is_shown_resolved(lineage, call, text):
    """NULLS in front of the order, as it was written, and the names as the sources that they resolve to."""
    assert lineage(f"SELECT {call} AS z FROM t", dialect="bigquery").expression("z") == text


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE VIEW v AS SELECT * .from src",
        "SELECT * .a b FROM t",
        "CREATE TABLE `x.`y` AS SELECT * FROM src LIMIT 1 ` 1",
    ],
)
def test_a_damaged_text_is_never_complete(lineage, sql):
    """A name after a star, and a query between two quotes that are not a pair."""
    assert lineage(sql, dialect="hive").found.coverage != "complete"
