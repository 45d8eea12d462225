"""Blocks of procedural languages: variables, parameters, cursors and loops hold what they were set from."""

from __future__ import annotations

import pytest

from ingest.sql import extract
from ingest.sql.jobs import ExtractionJob
from ingest.sql.statements.templated import extract_guarded

WORLD = {"n:s": ("a", "b", "c"), "n:t": ("a", "b", "c"), "n:S": ("A", "B", "C"), "n:T": ("A", "B", "C")}


def told(sql, dialect):
    """Return the pairs of nodes in lower case, without the namespace, and the codes of the problems."""
    found = extract(sql, dialect=dialect, namespace="n", columns=WORLD)
    pairs = {f"{edge.source} {edge.target}".lower().replace("n:", "") for edge in found.edges}
    return pairs, [problem.code for problem in found.problems]


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("oracle", "DECLARE BEGIN INSERT INTO t (a) SELECT a FROM s; END;"),
        ("oracle", "DECLARE BEGIN FOR r IN (SELECT a FROM s) LOOP INSERT INTO t (a) VALUES (r.a); END LOOP; END;"),
        ("postgres", "DO $$ DECLARE BEGIN INSERT INTO t (a) SELECT a FROM s; END $$"),
        ("snowflake", "DECLARE BEGIN INSERT INTO t (a) SELECT a FROM s; END;"),
    ],
)
def test_a_block_that_declares_nothing_runs(dialect, sql):
    """Its first statement was taken for a declaration, and the answer was complete without an edge."""
    assert told(sql, dialect) == ({"s#a t#a"}, [])


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        (
            "oracle",
            """CREATE OR REPLACE PROCEDURE p (p_date IN DATE, p_x OUT NUMBER) IS v_n NUMBER; BEGIN
               SELECT max(a) INTO v_n FROM s WHERE c > 1; UPDATE t SET b = v_n WHERE a = p_date; COMMIT;
               EXCEPTION WHEN OTHERS THEN INSERT INTO k (m) VALUES (SQLERRM); END;""",
            {"s#a t#b", "s#c t", "t#a t"},
        ),
        (
            "postgres",
            """CREATE PROCEDURE p(d date) LANGUAGE plpgsql AS $$ DECLARE n int; r record; BEGIN
               SELECT max(a) INTO n FROM s; INSERT INTO t (a) SELECT a FROM s WHERE b = n AND c = d;
               FOR r IN SELECT a, b FROM s LOOP INSERT INTO t (b) VALUES (r.b); END LOOP; END $$""",
            {"s#a t#a", "s#a t", "s#b t", "s#c t", "s#b t#b"},
        ),
        (
            "mysql",
            """CREATE PROCEDURE p(IN d date) BEGIN DECLARE done INT DEFAULT FALSE; DECLARE x INT;
               DECLARE cur CURSOR FOR SELECT a FROM s; DECLARE CONTINUE HANDLER FOR NOT FOUND SET done = TRUE;
               OPEN cur; FETCH cur INTO x; INSERT INTO t (a) VALUES (x); CLOSE cur; END""",
            {"s#a t#a"},
        ),
        (
            "snowflake",
            "CREATE TASK k WAREHOUSE = w WHEN f('x') AS BEGIN INSERT INTO t (a) SELECT a FROM s; END;",
            {"s#a t#a"},
        ),
    ],
)
def test_what_is_deployed_and_not_run_is_looked_into(dialect, sql, expected):
    """Parameters and variables are not columns; the one doubt is that a definition runs nothing."""
    assert (expected, ["definition-only"]) == told(sql, dialect)


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        (
            "oracle",
            "DECLARE CURSOR k IS SELECT a, b FROM s WHERE c = 1; BEGIN FOR r IN k LOOP"
            " INSERT INTO t (a) VALUES (r.b); END LOOP; END;",
            {"s#b t#a", "s#c t"},
        ),
        (
            "tsql",
            "DECLARE k CURSOR LOCAL FOR SELECT a, b FROM s WHERE c = 1 OPEN k FETCH NEXT FROM k INTO @x, @y"
            " INSERT INTO t (a, b) VALUES (@y, @x) CLOSE k DEALLOCATE k",
            {"s#b t#a", "s#a t#b", "s#c t"},
        ),
        ("tsql", "DECLARE @x int = (SELECT max(a) FROM s) UPDATE t SET b = @x", {"s#a t#b"}),
        ("mysql", "SET @x = (SELECT max(a) FROM s); UPDATE t SET b = @x", {"s#a t#b"}),
        ("oracle", "INSERT INTO t (a, b) SELECT sysdate, (SELECT max(a) FROM s) FROM dual", {"s#a t#b"}),
        ("bigquery", "BEGIN UPDATE t SET a = b WHERE TRUE; EXCEPTION WHEN ERROR THEN SELECT 1; END", {"t#b t#a"}),
        ("postgres", "INSERT INTO t (a) SELECT lower(a -> 'x' ->> 'y') FROM s", {"s#a t#a"}),
        ("duckdb", "INSERT INTO t (a) SELECT lower(a -> 'x' ->> 'y') FROM s", {"s#a t#a"}),
        ("clickhouse", "ALTER TABLE t UPDATE a = upper(b) WHERE c = 1", {"t#b t#a", "t#c t"}),
        ("clickhouse", "ALTER TABLE t ON CLUSTER k DELETE WHERE c = 1", {"t#c t"}),
        ("databricks", "USE CATALOG m; USE SCHEMA d; CREATE TABLE k AS SELECT a FROM x.s", {"m.x.s#a m.d.k#a"}),
        ("snowflake", "USE DATABASE m; CREATE TABLE k AS SELECT a FROM s", {"m.public.s#a m.public.k#a"}),
        ("hive", "USE d; INSERT INTO k SELECT a FROM s", {"d.s#a d.k#a"}),
        ("tsql", "DELETE TOP (5) FROM t WHERE c = 1", {"t#c t"}),
        (
            "tsql",
            "INSERT INTO t (a, b) SELECT a, (SELECT u.b, u.c FROM s u FOR JSON PATH) FROM s",
            {"s#a t#a", "s#b t#b", "s#c t#b"},
        ),
    ],
)
def test_values_find_their_way(dialect, sql, expected):
    """Through variables, cursors, documents and the current catalog; what filters a variable's query counts."""
    pairs, codes = told(sql, dialect)

    assert expected == pairs
    assert set(codes) <= {"unknown-columns"}


def test_a_stream_shows_its_table():
    """Snowflake's stream has the table's columns; a pipe runs its COPY."""
    stream = extract("CREATE STREAM k ON TABLE s APPEND_ONLY = TRUE", dialect="snowflake", namespace="n", columns=WORLD)
    pipe = extract("CREATE PIPE p AS COPY INTO t FROM @k", dialect="snowflake", namespace="n", columns=WORLD)

    assert {("n:S#A", "n:K#A"), ("n:S#B", "n:K#B"), ("n:S#C", "n:K#C")} == {(e.source, e.target) for e in stream.edges}
    assert [(edge.source, edge.target) for edge in pipe.edges] == [("file:@k", "n:T")]


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("doris", "CREATE JOB k ON SCHEDULE EVERY 1 DAY DO INSERT INTO t (a) SELECT a FROM s"),
        ("mysql", "CREATE EVENT k ON SCHEDULE EVERY 1 DAY DO INSERT INTO t (a) SELECT a FROM s"),
        ("starrocks", "SUBMIT TASK k AS INSERT INTO t (a) SELECT a FROM s"),
    ],
)
def test_what_runs_on_a_schedule_is_looked_into(dialect, sql):
    """The definition of a job, an event or a task runs nothing, and says what will run."""
    assert ({"s#a t#a"}, ["definition-only"]) == told(sql, dialect)


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        ("tsql", "MERGE t WITH (HOLDLOCK) AS x USING s AS y ON x.a = y.a WHEN MATCHED THEN UPDATE SET b = y.b"
                 " OUTPUT $action;", {"s#a t", "t#a t", "s#b t#b"}),
        ("tsql", "INSERT INTO t WITH (TABLOCK) (a) SELECT a FROM s", {"s#a t#a"}),
        ("oracle", "BEGIN EXECUTE IMMEDIATE 'TRUNCATE TABLE t'; INSERT INTO t (a) SELECT a FROM s; END;", {"s#a t#a"}),
        ("mysql", "SELECT a FROM s WHERE b = 1 INTO OUTFILE '/x'", {"s#a file:/x#a", "s#b file:/x"}),
        ("mysql", "SELECT a INTO OUTFILE '/x' FROM s", {"s#a file:/x#a"}),
        ("trino", "CREATE TABLE k AS SELECT a FROM s WITH NO DATA", set()),
        ("postgres", "CREATE TABLE k PARTITION OF t FOR VALUES FROM (1) TO (2)", {f"k#{c} t#{c}" for c in "abc"}),
        ("databricks", "CREATE MATERIALIZED VIEW k SCHEDULE CRON '0 0 * * * ?' AS SELECT a FROM s", {"s#a k#a"}),
    ],
)  # fmt: skip
def test_hints_and_options_leave_nothing_in_doubt(dialect, sql, expected):
    """They are in everyday statements, and are not a reason for doubt."""
    found = extract_guarded(ExtractionJob(sql, dialect, "n", columns=WORLD))
    pairs = {f"{edge.source} {edge.target}".lower().replace("n:", "") for edge in found.edges}

    assert (expected, "complete", ()) == (pairs, found.coverage, found.problems)


def test_what_a_cursor_found_is_no_column():
    """``SQL%ROWCOUNT`` and ``c%NOTFOUND``, which most procedures of Oracle hold, were unknown columns."""
    sql = """DECLARE v_n NUMBER := 0; x t.a%TYPE; BEGIN
        UPDATE t SET a = 1; v_n := v_n + SQL%ROWCOUNT + SQL%BULK_ROWCOUNT(1);
        INSERT INTO k (n) VALUES (SQL%ROWCOUNT);
        IF SQL%NOTFOUND OR p.c%ISOPEN THEN INSERT INTO t (b) SELECT b FROM s WHERE c = v_n; END IF;
        DBMS_OUTPUT.PUT_LINE('rows ' || SQL%ROWCOUNT); END;"""

    assert told(sql, "oracle") == ({"s#b t#b", "s#c t"}, [])
    assert told("SELECT b % found AS x FROM s", "mysql")[1] == ["unknown-column"]


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("oracle", """DECLARE CURSOR c (p DATE, q NUMBER DEFAULT 1) IS SELECT a FROM far WHERE c = p AND b > q;
         BEGIN FOR r IN c(SYSDATE) LOOP INSERT INTO t (a) VALUES (r.a); END LOOP; END;"""),
        ("postgres", """DO $$ DECLARE c CURSOR (p int, q int) FOR SELECT a FROM far WHERE c = p AND b > q; r record;
         BEGIN FOR r IN c(3, 4) LOOP INSERT INTO t (a) VALUES (r.a); END LOOP; END $$"""),
    ],
)  # fmt: skip
def test_a_parameter_of_a_cursor_is_no_column(dialect, sql):
    """``p`` was a column of the table that the cursor goes over, where its columns are not known."""
    assert told(sql, dialect) == ({"far#a t#a", "far#b t", "far#c t"}, [])


@pytest.mark.parametrize(
    ("head", "body", "codes"),
    [
        ("CREATE OR REPLACE FORCE EDITIONABLE VIEW t", "(a) AS SELECT b FROM s WITH READ ONLY;", []),
        ("CREATE NO FORCE VIEW t", "(a) AS SELECT b FROM s;", []),
        ("CREATE OR REPLACE NONEDITIONABLE PROCEDURE p",
         "IS BEGIN INSERT INTO t (a) SELECT b FROM s; END;", ["definition-only"]),
        ("CREATE EDITIONABLE PACKAGE BODY k",
         "AS PROCEDURE p IS BEGIN INSERT INTO t (a) SELECT b FROM s; END; END;", ["definition-only"]),
    ],
)  # fmt: skip
def test_words_about_editions_are_passed_over(head, body, codes):
    """Oracle writes them itself where it shows a definition; the view was not understood."""
    assert told(f"{head} {body}", "oracle") == ({"s#b t#a"}, codes)
