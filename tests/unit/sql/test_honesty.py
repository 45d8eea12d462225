"""What an extraction says about itself: problems, names, and how far it goes."""

from __future__ import annotations

import pytest

from ingest.sql import extract


def test_a_syntax_error_tells_where(lineage):
    """A statement that does not parse comes back with line, column and the text around."""
    found = lineage("SELECT a\nFROM t\nWHERE b = = 1").found
    problem = next(problem for problem in found.problems if problem.code == "syntax")

    assert problem.line == 3
    assert problem.column is not None
    assert "b =" in problem.detail


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("SELECT if( ) FROM t", "IF lacks an operand"),  # three are missing: which one is named must not be by chance
        ("SELECT a FROM", "Expected table name but got the end"),
        ("SELECT a FROM ,x", "Expected table name but got ','"),
    ],
)
def test_a_syntax_error_is_told_without_the_parsers_own_terms(sql, words):
    """What it says is the same in every process, and nothing that only who knows the parser understands."""
    (problem,) = extract(sql, dialect="hive", namespace="n").problems
    assert problem.detail == f"{words}, near: {sql}"


def test_a_column_that_the_store_does_not_know_is_kept_and_said(lineage):
    """A statement may be newer than what is known of its one table: the edge stays, the problem names the table."""
    found = lineage("SELECT fresh AS z FROM t")

    assert found.names() == {"z": "t#fresh"}
    assert {"unknown-column"} == found.codes()


@pytest.mark.parametrize(
    ("dialect", "database", "sql", "reads"),
    [
        ("hive", "default", "SELECT 1 FROM DB.Tab", "n:db.tab"),
        ("hive", "default", "SELECT 1 FROM Tab", "n:default.tab"),
        ("trino", "cat.sch", "SELECT 1 FROM x.tab", "n:cat.x.tab"),
        ("bigquery", "proj", "SELECT 1 FROM Ds.Tab", "n:proj.Ds.Tab"),
        ("bigquery", "proj.ds", "SELECT 1 FROM Tab", "n:proj.ds.Tab"),
        ("bigquery", "proj", "SELECT 1 FROM `p-x.ds.events_*`", "n:p-x.ds.events_*"),
        ("bigquery", "proj", "SELECT 1 FROM proj.INFORMATION_SCHEMA.TABLES", "n:proj.INFORMATION_SCHEMA.TABLES"),
        ("snowflake", "DB.PUBLIC", "SELECT 1 FROM tab", "n:DB.PUBLIC.TAB"),
        ("snowflake", "DB.PUBLIC", 'SELECT 1 FROM "tab"', "n:DB.PUBLIC.tab"),
        ("postgres", "public", 'SELECT 1 FROM Tab, "Tab"', "n:public.Tab n:public.tab"),
    ],
)
def test_names_are_spelt_as_the_dialect_resolves_them(dialect, database, sql, reads):
    """Letter case follows the dialect, and missing leading parts come from the default database."""
    found = extract(sql, dialect=dialect, namespace="n", default_database=database, target="n:o")

    assert tuple(reads.split()) == found.reads


def test_columns_take_the_sources_spelling_in_bigquery():
    """BigQuery's columns match in any case and are told as the source spells them."""
    found = extract(
        "SELECT USERID AS id FROM t",
        dialect="bigquery",
        namespace="n",
        default_database="p.d",
        target="n:o",
        columns={"n:p.d.t": ("userId",)},
    )

    assert [edge.source for edge in found.edges] == ["n:p.d.t#userId"]


def test_long_flat_chains_are_no_nesting(lineage):
    """Thousands of conditions in a row are resolved without deep recursion."""
    found = lineage("SELECT a FROM t WHERE " + " AND ".join(["b = 1"] * 4000))

    assert found.decisions() == {"FILTER": "t#b"}


def test_a_wide_insert_is_resolved_in_one_walk(lineage):
    """Two thousand columns give their edges at once, each its own."""
    names = [f"c{place}" for place in range(2000)]
    found = lineage("INSERT INTO o SELECT " + ", ".join(names) + " FROM wide", columns={"n:d.wide": names})

    assert {name: f"wide#{name}" for name in names} == found.names()


@pytest.mark.parametrize("sql", ["INSERT INTO SELECT a FROM t", "FROM t INSERT OVERWRITE TABLE SELECT a"])
def test_an_insert_without_a_table_is_not_understood(lineage, sql):
    """The parser takes the query for the target; nothing told without a reason would say that nothing is written."""
    assert lineage(sql, "hive").codes() == {"unsupported-statement"}


@pytest.mark.parametrize("sql", ["CREATE TABLE k éAS SELECT a FROM t", "CREATE DATABASE k AS SELECT a FROM t"])
def test_a_query_is_not_dropped_with_what_is_not_known(lineage, sql):
    """Clauses of CREATE that nobody knows are left out, but not one that reads a table."""
    found = lineage(sql, "hive").found

    assert found.coverage != "complete"
    assert found.problems


@pytest.mark.parametrize(
    "sql", ["WITH q AS (SELECT * FROM t) INSERT OVERWRITE o SELECT ", "INSERT INTO o SELECT FROM t"]
)
def test_a_select_without_columns_is_told(lineage, sql):
    """Cut off, or damaged; PostgreSQL allows it, and means rows without columns."""
    assert "syntax" in lineage(sql, dialect="spark").codes()
    assert "syntax" not in lineage("SELECT a FROM t WHERE EXISTS (SELECT FROM u)", dialect="postgres").codes()
