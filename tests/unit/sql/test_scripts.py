"""Scripts: several statements, temporary tables, variables, functions, procedural words."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("hive", "CREATE TEMPORARY TABLE k AS SELECT a AS x FROM t WHERE b = 1; INSERT INTO o SELECT x FROM k"),
        ("tsql", "SELECT a AS x INTO #k FROM t WHERE b = 1; INSERT INTO o SELECT x FROM #k"),
        ("spark", "CACHE TABLE k AS SELECT a AS x FROM t WHERE b = 1; INSERT INTO o SELECT x FROM k"),
        ("spark", "CREATE TEMPORARY VIEW k AS SELECT a AS x FROM t WHERE b = 1; INSERT INTO o SELECT x FROM k"),
        ("hive", "CREATE TABLE k AS SELECT a AS x FROM t WHERE b = 1; INSERT INTO o SELECT x FROM k; DROP TABLE k"),
        (
            "hive",
            "CREATE TEMPORARY TABLE k (x int); INSERT INTO k SELECT a FROM t WHERE b = 1; "
            "INSERT INTO o SELECT x FROM k",
        ),
    ],
)
def test_temporary_tables_vanish(lineage, dialect, sql):
    """What passes through a table that does not outlive the script is reported from its real source."""
    found = lineage(sql, dialect)

    assert found.columns() == {"x": {"t#a": "IDENTITY"}}
    assert found.decisions() == {"FILTER": "t#b"}
    assert found.found.reads == ("n:d.t",)
    assert found.found.writes == ("n:d.o",)


def test_two_inserts_fill_one_temporary_table(lineage):
    """A temporary table holds what all inserts so far brought; an overwrite starts over."""
    both = "CREATE TEMPORARY TABLE k (x int); INSERT INTO k SELECT a FROM t; INSERT {} k SELECT d FROM u; "

    added = lineage(both.format("INTO") + "INSERT INTO o SELECT x FROM k", "hive")
    replaced = lineage(both.format("OVERWRITE TABLE") + "INSERT INTO o SELECT x FROM k", "hive")

    assert added.names() == {"x": "t#a u#d"}
    assert replaced.names() == {"x": "u#d"}


def test_a_stored_table_between_two_statements_stays(lineage):
    """A table that the script leaves behind is a node of its own."""
    found = lineage("CREATE TABLE k AS SELECT a FROM t; INSERT INTO o SELECT a FROM k")

    assert {("t", "k"), ("k", "o")} == found.tables()
    assert found.found.reads == ("n:d.t",)


def test_the_last_select_writes_the_target(lineage):
    """A script's last bare SELECT is its result, unless a statement names the target itself."""
    assert lineage("SELECT a FROM t; SELECT d FROM u").names() == {"d": "u#d"}
    assert lineage("INSERT INTO o (x) SELECT a FROM t; SELECT count(*) FROM o").names() == {"x": "t#a"}


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


@pytest.mark.parametrize(
    "script",
    [
        "BEGIN INSERT INTO k (x) SELECT a FROM t; END",
        "IF (SELECT count(*) FROM u) > 1 THEN INSERT INTO k (x) SELECT a FROM t; END IF",
        "IF true THEN SELECT 1; ELSE INSERT INTO k (x) SELECT a FROM t; END IF",
        "WHILE true DO INSERT INTO k (x) SELECT a FROM t; END WHILE",
        "CREATE PROCEDURE f() BEGIN INSERT INTO k (x) SELECT a FROM t; END",
        "EXECUTE IMMEDIATE 'INSERT INTO k (x) SELECT a FROM t'",
    ],
)
def test_procedural_words_hide_no_statement(lineage, script):
    """What a branch, loop or procedure holds is reported as if it ran."""
    assert lineage(script, "bigquery").names("d.k") == {"x": "t#a"}


def test_a_data_modifying_cte_writes_and_returns(lineage):
    """A DELETE … RETURNING in a WITH clause changes its table and feeds the query after it."""
    found = lineage("WITH q AS (DELETE FROM t WHERE a > 1 RETURNING b) INSERT INTO o SELECT b FROM q", "postgres")

    assert found.names() == {"b": "t#b"}
    assert found.found.writes == ("n:d.o", "n:d.t")


def test_a_function_that_changes_tables_is_not_complete(lineage):
    """A body in another language is not looked into; where it would change something, that is reported."""
    body = "CREATE FUNCTION f() RETURNS {} AS $$ {} $$ LANGUAGE plpgsql"
    changing = lineage(body.format("void", "BEGIN INSERT INTO o SELECT a FROM t; END"), "postgres")
    plain = lineage(body.format("int", "BEGIN RETURN 1; END"), "postgres")

    assert (changing.found.coverage, changing.codes()) == ("opaque", {"definition-only"})
    assert plain.found.coverage == "complete"


def test_blocks_and_loops_may_have_labels_and_handlers(lineage):
    """Spark's scripts, as SQL/PSM has them: what a handler does is reported as if it ran."""
    told = lineage(
        """
        BEGIN
          DECLARE n INT DEFAULT 0;
          DECLARE gone CONDITION FOR SQLSTATE '42P01';
          DECLARE EXIT HANDLER FOR SQLEXCEPTION, gone BEGIN INSERT INTO failed SELECT c FROM t; END;
          DECLARE CONTINUE HANDLER FOR NOT FOUND SET n = 1;
          outer_one: BEGIN
            FOR r AS SELECT a AS x, b FROM t DO
              INSERT INTO o SELECT r.x, r.b;
            END FOR;
            again: WHILE n < 3 DO
              SET n = n + 1;
              IF n = 2 THEN LEAVE again; END IF;
            END WHILE again;
            REPEAT
              INSERT INTO second SELECT d FROM u;
            UNTIL n > 5 END REPEAT;
            SIGNAL SQLSTATE '45000';
          END outer_one;
        END
        """,
        columns={"n:d.t": ("a", "b", "c"), "n:d.u": ("d",), "n:d.o": ("x", "b"), "n:d.failed": ("c",)},
    )
    assert told.names() == {"x": "t#a", "b": "t#b"}
    assert told.names("d.failed") == {"c": "t#c"}
    assert told.names("d.second") == {"d": "u#d"}
    assert told.found.coverage == "complete"


@pytest.mark.parametrize("condition", ["SQLEXCEPTION", "NOT FOUND", "SQLSTATE '02000'", "SQLSTATE VALUE '02000', e"])
def test_a_handler_of_one_statement(lineage, condition):
    """MySQL's and Spark's handlers need no block."""
    told = lineage(f"BEGIN DECLARE EXIT HANDLER FOR {condition} INSERT INTO o SELECT a FROM t; END", target=None)
    assert told.names() == {"a": "t#a"}


@pytest.mark.parametrize("turned", [False, True])
def test_a_star_also_fills_the_columns_that_another_statement_names(lineage, turned):
    """One statement writes a by name, another by star: the star's source has an edge of its own to that column."""
    texts = ["INSERT INTO o SELECT a FROM t", "INSERT INTO o SELECT *, upper(k) AS big FROM far"]
    found = lineage("; ".join(reversed(texts) if turned else texts), "hive")

    edges = {(edge.source, edge.target) for edge in found.found.edges}
    assert edges == {
        ("n:d.t#a", "n:d.o#a"),
        ("n:d.far#*", "n:d.o#*"),
        ("n:d.far#a", "n:d.o#a"),
        ("n:d.far#k", "n:d.o#big"),
    }


def test_a_star_does_not_fill_what_its_own_statement_makes(lineage):
    """What a statement makes of a source of its own does not come by its star, whatever else the text writes."""
    found = lineage("INSERT INTO o SELECT *, upper(k) AS a FROM far; INSERT INTO o SELECT a FROM t", "hive")

    assert ("n:d.far#a", "n:d.o#a") not in {(edge.source, edge.target) for edge in found.found.edges}
