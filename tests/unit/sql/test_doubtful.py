"""Statements whose answer is easily taken for more than it is: definitions, loads, positions that nobody told."""

from __future__ import annotations

import pytest
from steps import lines_of

from ingest.sql import extract
from ingest.sql.compare.compare import compare
from lineage_tt.impact.texts import Side


@pytest.mark.parametrize("dialect", ["bigquery", "mysql", "tsql", "oracle"])
def test_a_procedure_is_defined_and_not_run(lineage, dialect):
    """CREATE PROCEDURE … BEGIN keeps the edges of its body and says that nothing ran."""
    word = " AS" if dialect in ("tsql", "oracle") else "()"
    found = lineage(f"CREATE PROCEDURE p{word} BEGIN INSERT INTO k (x) SELECT a FROM t; END", dialect, columns={})

    assert found.found.edges
    assert found.found.coverage == "partial"
    assert "definition-only" in found.codes()


@pytest.mark.parametrize(
    ("sql", "dialect"),
    [
        ("CREATE PROCEDURE p @x int AS INSERT INTO k SELECT a FROM t", "tsql"),
        ("CREATE PROC p AS BEGIN INSERT INTO k SELECT a FROM t END", "tsql"),
        (
            "CREATE PROCEDURE p() RETURNS int LANGUAGE SQL AS $$ BEGIN INSERT INTO k SELECT a FROM t; END $$",
            "snowflake",
        ),
        ("CREATE PROCEDURE p() LANGUAGE SQL AS $$ INSERT INTO k SELECT a FROM t $$", "postgres"),
    ],
)
def test_no_form_of_a_procedure_is_complete(lineage, sql, dialect):
    """Whatever form a procedure's definition has, its answer names the procedure as a reason for doubt."""
    found = lineage(sql, dialect)

    assert found.found.coverage != "complete"
    assert "p" in {problem.subject.lower() for problem in found.found.problems if problem.code == "definition-only"}


def test_athena_has_an_answer(lineage):
    """Athena's generator only chooses between two others; expressions are written in Trino's way."""
    assert lineage("SELECT a + 1 AS z FROM t", "athena").expression("z") == "d.t.a + ?"


@pytest.mark.parametrize("source", ["@stage", "@d.stage/x.csv FILE_FORMAT = (TYPE = CSV)", "'s3://b/x'"])
def test_copy_reads_a_stage_or_files(lineage, source):
    """COPY INTO a table has an edge from the stage or the files to the table."""
    found = lineage(f"COPY INTO o FROM {source}", "snowflake")

    assert {"n:d.O"} == {edge.target for edge in found.found.edges}
    assert len(found.found.reads) == 1


def test_copy_with_a_query_says_what_it_does_not_know(lineage):
    """Positions in a staged file are no columns: the edge from the stage is there, and the doubt is reported."""
    found = lineage("COPY INTO o FROM (SELECT $1, $2 FROM @stage)", "snowflake")

    assert {("file:@stage", "n:d.O")} == {(edge.source, edge.target) for edge in found.found.edges}
    assert found.found.coverage == "partial"


def test_copy_from_the_client_has_no_source(lineage):
    """COPY … FROM STDIN writes a table from nothing that can be named, and says so."""
    found = lineage("COPY t FROM STDIN", "postgres")

    assert found.found.writes == ("n:d.t",)
    assert {"unknown-source"} == found.codes()


def test_copy_into_a_stage_reads_the_table(lineage):
    """Snowflake unloads with the same word: the table feeds the stage."""
    columns = {"n:d.T": ["A"]}
    found = lineage("COPY INTO @stage FROM t", "snowflake", columns=columns)

    assert {("n:d.T#A", "file:@stage#A")} == {(edge.source, edge.target) for edge in found.found.edges}
    assert found.found.coverage == "complete"


@pytest.mark.parametrize("dialect", ["hive", "spark"])
def test_added_columns_of_a_table_known_from_outside_are_in_doubt(lineage, dialect):
    """Nothing tells whether the caller's table has partition columns, before which new ones go: the table is named."""
    found = lineage("ALTER TABLE t ADD COLUMNS (z int)", dialect).found

    assert [(problem.code, problem.subject) for problem in found.problems] == [("column-order", "n:d.t")]
    assert found.coverage == "partial"
    assert dict(found.outputs)["n:d.t"] == ("a", "b", "c", "z")


@pytest.mark.parametrize(
    ("sql", "dialect"),
    [
        ("CREATE TABLE k (x int) PARTITIONED BY (ds string); ALTER TABLE k ADD COLUMNS (z int)", "hive"),
        (
            "CREATE TABLE IF NOT EXISTS t (a int, b int) PARTITIONED BY (c string); ALTER TABLE t ADD COLUMNS (z int)",
            "hive",
        ),
        ("CREATE TABLE IF NOT EXISTS t (a int, b int, c int); ALTER TABLE t ADD COLUMNS (z int)", "hive"),
        ("ALTER TABLE t ADD COLUMNS (b int)", "hive"),
        ("ALTER TABLE t ADD COLUMN z int AFTER a", "spark"),
        ("ALTER TABLE t ADD COLUMN z int", "postgres"),
        ("ALTER TABLE t RENAME COLUMN a TO z", "spark"),
        ("ALTER TABLE t CHANGE COLUMN a z int", "hive"),
    ],
)
def test_where_the_place_of_a_column_is_told_there_is_no_doubt(lineage, sql, dialect):
    """A table that the text made, a stated place, another dialect and another action leave nothing open."""
    assert lineage(sql, dialect).found.coverage == "complete"


def test_a_repeated_declaration_says_the_partition_columns(lineage):
    """IF NOT EXISTS of a table that is there, with its partition columns: a new column goes before them."""
    sql = "CREATE TABLE IF NOT EXISTS t (a int, b int) PARTITIONED BY (c string); ALTER TABLE t ADD COLUMNS (z int)"

    assert dict(lineage(sql, "hive").found.outputs)["n:d.t"] == ("a", "b", "z", "c")


@pytest.mark.parametrize(
    "declared", ["(a int, b int)", "(b int, c int) PARTITIONED BY (a string)", "(x int) PARTITIONED BY (y string)"]
)
def test_a_declaration_that_differs_from_the_known_table_says_nothing(lineage, declared):
    """The table there is not the declared one: whether it has partition columns stays open."""
    found = lineage(f"CREATE TABLE IF NOT EXISTS t {declared}; ALTER TABLE t ADD COLUMNS (z int)", "hive").found

    assert {"column-order"} == {problem.code for problem in found.problems}


def test_a_script_without_semicolons_is_no_product_of_its_tables():
    """Where thousands of tables are in one unreadable statement, none is said to feed all the others."""
    sql = "\n".join(f"INSERT INTO w.t{i} SELECT a FROM w.s{i}" for i in range(600))
    found = extract(sql, dialect="hive", namespace="n")

    assert not found.edges
    assert (len(found.reads), len(found.writes)) == (600, 600)
    assert found.coverage == "opaque"


def test_work_is_linear_in_the_number_of_statements():
    """Four times as many INSERTs run about four times as many lines; sixteen times would be a square."""

    def ran(count: int) -> int:
        sql = ";\n".join(f"INSERT INTO w.t{i} SELECT a, b + 1 AS c FROM w.s{i} WHERE d > {i}" for i in range(count))
        return lines_of(lambda: extract(sql, dialect="hive", namespace="n"))

    ran(2)  # what is made once
    assert 3.5 < ran(240) / ran(60) < 4.5


def test_a_statement_that_cannot_be_written_again_is_never_called_the_same():
    """The parser takes the damaged type, the generator refuses it: the text counts as not read."""
    side = Side("CREATE TABLE u (a INT, b DECIMAL(5f(f(,3))))", "hive", "n")
    found = compare(side, side)
    assert (found.same, found.failure) == (False, "not read")
