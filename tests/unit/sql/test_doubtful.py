"""Statements whose answer is easily taken for more than it is: definitions, scripts without ends, damaged types."""

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
