"""CREATE FUNCTION and CREATE PROCEDURE: what a routine's body says, and that its definition runs nothing."""

from __future__ import annotations

import pytest
from scripted import pairs, ran, reasons, running, tree

from ingest.sql import extract
from ingest.sql.statements.routines import create_function, create_procedure

TABLES = {"n:s": ("a", "b", "c"), "n:t": ("a", "b", "c")}


@pytest.mark.parametrize(
    ("head", "body", "expected"),
    [
        ("f(x int, y int) RETURNS int", "SELECT x + 1", {"o#z": "t#a"}),
        ("f(x int, y int) RETURNS int", "SELECT y", {"o#z": "t#b"}),
        ("f(x int, y int) RETURNS int", "SELECT $2 + 1", {"o#z": "t#a t#b"}),
        ("f(x int, y int) RETURNS int", "SELECT (", {"o#z": "t#a t#b"}),
        ("f(x int, y int) RETURNS int", "SELECT 1; SELECT x", {"o#z": "t#a t#b"}),
        ("f(x int, y int) RETURNS int", "SELECT max(d) FROM u", {"o": "t", "o#z": "u#d"}),
    ],
)
def test_a_body_in_quotes_is_what_calls_become(head: str, body: str, expected: dict[str, str]) -> None:
    """One query with its arguments by name; of any other body all arguments count."""
    run = running("postgres")
    ran(run, f"CREATE FUNCTION {head} AS $$ {body} $$ LANGUAGE sql; INSERT INTO o (z) SELECT f(a, b) FROM t")

    assert pairs(ran(run, "INSERT INTO o (z) SELECT f(a, b) FROM t").edges) == expected


def test_a_function_of_another_language_is_not_read_as_sql() -> None:
    """What looks like a query in it is none."""
    run = running("postgres")
    ran(run, "CREATE FUNCTION f(x int, y int) RETURNS int AS $$ SELECT y $$ LANGUAGE plpython3u")

    assert pairs(ran(run, "INSERT INTO o (z) SELECT f(a, b) FROM t").edges) == {"o#z": "t#a t#b"}


def test_a_function_that_gives_rows_is_a_source() -> None:
    """``RETURNS TABLE``: its query's columns by name."""
    run = running("postgres")
    ran(run, "CREATE FUNCTION f(x int) RETURNS TABLE (z int) AS $$ SELECT d AS z FROM u WHERE e = x $$ LANGUAGE sql")

    assert pairs(ran(run, "INSERT INTO o (z) SELECT z FROM f(1)").edges) == {"o": "u#e", "o#z": "u#d"}


@pytest.mark.parametrize(
    ("body", "reported"),
    [
        ("BEGIN DELETE FROM u; END", [("definition-only", "f")]),
        ("BEGIN UPDATE u SET d = 1; END", [("definition-only", "f")]),
        ("BEGIN RETURN 1; END", []),
        ("BEGIN RETURN updated; END", []),
    ],
)
def test_a_body_that_changes_tables_is_reported_and_not_looked_into(body: str, reported: list[tuple[str, str]]) -> None:
    """Whoever calls the function runs the change."""
    run = running("postgres")
    done = create_function(run, tree(run, f"CREATE FUNCTION f() RETURNS int AS $$ {body} $$ LANGUAGE plv8"))

    assert (done.kind, done.edges, reasons(run)) == ("ddl", [], reported)


def test_a_procedure_is_defined_even_where_its_body_is_not_read() -> None:
    """The reason names it, and a text of another language is left alone."""
    run = running("snowflake")
    done = create_procedure(run, tree(run, "CREATE PROCEDURE p() RETURNS int LANGUAGE JAVASCRIPT AS 'DELETE FROM t'"))

    assert (done.edges, reasons(run)) == ([], [("definition-only", "p")])


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE TEMP FUNCTION f(x ARRAY<INT64>) AS ((SELECT max(e) FROM UNNEST(x) AS e)); SELECT f([1]) AS m FROM s",
        "CREATE TEMP FUNCTION f(x ARRAY<INT64>) AS (ARRAY(SELECT e FROM UNNEST(x) AS e)); SELECT f([1]) AS m FROM s",
        "CREATE TABLE FUNCTION d.f(x INT64) AS SELECT a FROM s WHERE b = x; SELECT c FROM s",
        "CREATE FUNCTION d.f(x INT64) RETURNS INT64 LANGUAGE js AS 'return 1'; SELECT c FROM s",
    ],
)
def test_a_functions_definition_has_no_lineage_of_its_own(sql):
    """Its name is not a table's, and what it reads is read by whoever calls it."""
    found = extract(sql, dialect="bigquery", namespace="n", target="n:o", columns=TABLES)

    assert (found.coverage, found.problems) == ("complete", ())


@pytest.mark.parametrize(
    ("dialect", "definition"),
    [
        ("bigquery", "CREATE TEMP FUNCTION f(x INT64, y INT64) AS (x + 1)"),
        ("spark", "CREATE TEMPORARY FUNCTION f(x INT, y INT) RETURNS INT RETURN x + 1"),
        ("duckdb", "CREATE MACRO f(x, y) AS x + 1"),
        ("hive", "CREATE TEMPORARY MACRO f(x INT, y INT) x + 1"),
    ],
)
def test_functions_in_sql_are_looked_through(lineage, dialect, definition):
    """An argument that the body of a registered function does not use feeds nothing."""
    found = lineage(f"{definition}; SELECT f(a, b) AS z FROM t", dialect)

    assert found.columns() == {"z": {"t#a": "TRANSFORMATION"}}


def test_functions_of_another_language_pass_their_arguments_through(lineage):
    """Of a function whose body is not SQL every argument counts."""
    sql = "CREATE TEMP FUNCTION f(x INT64) RETURNS INT64 LANGUAGE js AS 'return x'; SELECT f(a) AS z FROM t"

    assert lineage(sql, "bigquery").names() == {"z": "t#a"}


def test_a_table_function_is_no_table(lineage):
    """A table function defined in SQL gives its query's columns; its name is not among the tables read."""
    sql = "CREATE MACRO g(k) AS TABLE SELECT a, b FROM t WHERE c = k; SELECT b FROM g(1)"

    found = lineage(sql, "duckdb")

    assert found.names() == {"b": "t#b"}
    assert found.found.reads == ("n:d.t",)


def test_a_function_that_changes_tables_is_not_complete(lineage):
    """A body in another language is not looked into; where it would change something, that is reported."""
    body = "CREATE FUNCTION f() RETURNS {} AS $$ {} $$ LANGUAGE plv8"
    changing = lineage(body.format("void", "BEGIN INSERT INTO o SELECT a FROM t; END"), "postgres")
    plain = lineage(body.format("int", "BEGIN RETURN 1; END"), "postgres")

    assert (changing.found.coverage, changing.codes()) == ("opaque", {"definition-only"})
    assert plain.found.coverage == "complete"


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


@pytest.mark.parametrize(
    ("dialect", "body"),
    [
        ("postgres", "LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN INSERT INTO o (z) SELECT a FROM t; END $$"),
        ("postgres", "LANGUAGE sql AS $x$ INSERT INTO o (z) SELECT a FROM t $x$"),
        ("redshift", "AS $$ BEGIN INSERT INTO o (z) SELECT a FROM t; END; $$ LANGUAGE plpgsql"),
        (
            "snowflake",
            'RETURNS VARCHAR LANGUAGE SQL AS $$ BEGIN INSERT INTO "o" ("z") SELECT "a" FROM "t"; RETURN 1; END $$',
        ),
    ],
)
def test_what_a_procedure_holds_is_reported_as_if_it_ran(lineage, dialect, body):
    """And the answer says that defining it runs nothing."""
    result = lineage(f"CREATE PROCEDURE p() {body}", dialect=dialect)
    assert result.names() == {"z": "t#a"}
    assert result.codes() == {"definition-only"}


def test_a_procedure_in_another_language_is_not_read_as_sql(lineage):
    """Python between the dollars is not a syntax error of SQL's."""
    result = lineage("CREATE PROCEDURE p() RETURNS int LANGUAGE PYTHON AS $$ import os; x = 1 $$", dialect="snowflake")
    assert result.names() == {}
    assert "syntax" not in result.codes()


@pytest.mark.parametrize(
    ("called", "reported"),
    [
        ("pkg.run_it(3)", ["pkg.run_it"]),
        ("s.pkg.run_it", ["s.pkg.run_it"]),
        ("run_it(1, x => 2)", ["run_it"]),
        ("run_it", ["run_it"]),
        ("DBMS_OUTPUT.PUT_LINE(SQLERRM)", []),
        ("SYS.DBMS_STATS.GATHER_TABLE_STATS('A', 'B')", []),
        ("RAISE_APPLICATION_ERROR(-20001, 'x')", []),
        ("l.EXTEND", []),
        ("l.DELETE(1)", []),
        ("NULL", []),
    ],
)
def test_a_block_may_call_a_procedure_by_its_name(called: str, reported: list[str]) -> None:
    """What it does is not known, unless it moves no rows; the rest of the block is read as ever."""
    sql = f"DECLARE l t_list; BEGIN {called}; INSERT INTO u (d) SELECT a FROM t; END;"
    found = extract(sql, dialect="oracle", namespace="n")

    assert [(problem.code, problem.subject) for problem in found.problems] == [
        ("opaque-call", name) for name in reported
    ]
    assert [(edge.source, edge.target) for edge in found.edges] == [("n:T#A", "n:U#D")]


def test_elsewhere_a_name_alone_is_no_statement() -> None:
    """Procedures are called by CALL or EXECUTE there."""
    found = extract("run_it(3)", dialect="postgres", namespace="n")

    assert [problem.code for problem in found.problems] == ["unsupported-statement"]
