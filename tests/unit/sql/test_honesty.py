"""What an extraction says about itself: coverage, problems, lookups, names."""

from __future__ import annotations

import pickle

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


def test_a_syntax_error_keeps_the_tables(lineage):
    """Of a statement that does not parse the tables are told as far as keywords show them."""
    found = lineage("INSERT INTO o SELECT a b c FROM t JOIN u ON t.a = u.a WHERE (")

    assert {("t", "o"), ("u", "o")} == found.tables()
    assert found.found.coverage == "partial"


def test_one_bad_statement_does_not_spoil_the_others(lineage):
    """Each statement of a script is parsed on its own."""
    found = lineage("INSERT INTO o (x) SELECT a FROM t; SELEC nonsense FROM; INSERT INTO o (y) SELECT d FROM u")

    assert found.names() == {"x": "t#a", "y": "u#d"}
    assert found.found.coverage == "partial"


@pytest.mark.parametrize(
    ("sql", "coverage"),
    [
        ("SELECT a FROM t", "complete"),
        ("SELECT 1 AS one", "complete"),
        ("SELECT a FROM nowhere", "complete"),
        ("SELECT * FROM nowhere", "partial"),
        ("SELECT nothing FROM t", "partial"),
        ("CALL something()", "opaque"),
        ("FROBNICATE THE TABLE", "opaque"),
        ("-- nothing", "opaque"),
    ],
)
def test_coverage(lineage, sql, coverage):
    """An answer is complete only where it depends on no unknown column and every statement is understood."""
    assert coverage == lineage(sql).found.coverage


def test_a_column_that_the_store_does_not_know_is_kept_and_said(lineage):
    """A statement may be newer than what is known of its one table: the edge stays, the problem names the table."""
    found = lineage("SELECT fresh AS z FROM t")

    assert found.names() == {"z": "t#fresh"}
    assert {"unknown-column"} == found.codes()


def test_lookups_are_everything_that_was_asked(lineage):
    """With the lookups alone as the known columns, the same text gives the same extraction."""
    sql = "INSERT INTO p SELECT t.a, t.b, k.x, 1 FROM t JOIN k ON t.a = k.a"
    first = lineage(sql).found
    known = {dataset: columns for dataset, columns in first.lookups if columns is not None}

    assert ("n:d.k", None) in first.lookups
    assert first == lineage(sql, columns=known).found


def test_an_unknown_dialect_is_a_problem():
    """A dialect that the parser does not have makes the answer opaque, not an error."""
    found = extract("SELECT 1", dialect="klingon", namespace="n")

    assert (found.coverage, found.problems[0].code) == ("opaque", "unsupported-dialect")


def test_an_extraction_crosses_process_borders(lineage):
    """An extraction survives pickling as it is."""
    found = lineage("SELECT a + 1 AS z FROM t WHERE b = 1; SELECT x FROM nowhere").found

    assert found == pickle.loads(pickle.dumps(found))


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


def test_deep_nesting_is_a_problem_not_a_crash(lineage):
    """A statement nested beyond what the parser takes comes back with a problem and its tables."""
    found = lineage("SELECT " + "(" * 3000 + "a" + ")" * 3000 + " FROM t")

    assert found.tables() == {("t", "o")}
    assert found.found.coverage == "partial"


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
