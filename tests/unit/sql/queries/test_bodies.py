"""Statements that another one holds as a text or in a block: DO, procedures, loops."""

from __future__ import annotations

import pytest

from ingest.sql import extract


def test_what_a_do_runs_is_told(lineage):
    """PostgreSQL's anonymous block: declarations, branches, loops over a query, what is raised."""
    script = """DO $do$ DECLARE v int := 1; r record; BEGIN
    IF v > 1 THEN INSERT INTO o (x) SELECT a FROM t; ELSE INSERT INTO o (y) SELECT b FROM t; END IF;
    FOR r IN SELECT d FROM u LOOP INSERT INTO o (z) VALUES (r.d); END LOOP;
    EXCEPTION WHEN others THEN RAISE NOTICE 'x'; END $do$ LANGUAGE plpgsql;
    INSERT INTO o (k) SELECT c FROM t"""
    told = lineage(script, dialect="postgres")
    assert told.names() == {"x": "t#a", "y": "t#b", "z": "u#d", "k": "t#c"}
    assert told.found.coverage == "complete"


def test_what_a_block_calls_is_said_not_to_be_looked_into(lineage):
    """A function that PERFORM calls may write anything."""
    assert lineage("DO $$ BEGIN PERFORM f(1); END $$", dialect="postgres").codes() == {"opaque-call"}


def test_a_text_that_is_executed_may_stand_between_dollars(lineage):
    """Snowflake's EXECUTE IMMEDIATE."""
    text = 'EXECUTE IMMEDIATE $$ BEGIN INSERT INTO "o" ("z") SELECT "a" FROM "t"; END $$'
    assert lineage(text, dialect="snowflake").names() == {"z": "t#a"}


@pytest.mark.parametrize("word", ["BREAK", "LEAVE", "CONTINUE", "ITERATE", "RETURN"])
def test_words_that_leave_a_loop_change_nothing(lineage, word):
    """They are not columns."""
    told = lineage(f"LOOP INSERT INTO o (z) SELECT a FROM t; {word}; END LOOP", dialect="bigquery")
    assert told.names() == {"z": "t#a"}
    assert told.found.coverage == "complete"


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        ("postgres", "CREATE MATERIALIZED VIEW o AS SELECT a AS z FROM t WITH NO DATA", {"z": "t#a"}),
        ("postgres", "CREATE MATERIALIZED VIEW o AS SELECT a AS z FROM t WITH DATA", {"z": "t#a"}),
        ("postgres", "UPDATE o SET z[1] = t.a, y.f[2] = t.b FROM t", {"z": "t#a", "y.f": "t#b"}),
        ("postgres", "SELECT x.p AS z FROM json_to_recordset((SELECT a FROM t)) AS x(p int, q text)", {"z": "t#a"}),
        ("redshift", "ALTER TABLE o APPEND FROM t IGNOREEXTRA", {"a": "t#a", "b": "t#b", "c": "t#c"}),
    ],
)
def test_other_forms_that_lost_their_columns(lineage, dialect, sql, expected):
    """Views without data yet, places in arrays, a query as a function's argument, rows moved between tables."""
    told = lineage(sql, dialect=dialect)
    assert told.names() == expected
    assert told.codes() <= {"unknown-columns"}  # of the table that is written


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("spark", "SELECT a FROM IDENTIFIER('`a')"),
        ("athena", "UNLOAD ('SELECT \" FROM t') TO 's3://b/x'"),
        ("bigquery", "SELECT * FROM EXTERNAL_QUERY('p.us.c', 'SELECT ? FROM x ??')"),
        ("postgres", "DO $$ BEGIN SELECT ' END $$"),
        ("mysql", "REPLACE INTO o SELECT 'x"),
    ],
)
def test_a_damaged_text_inside_a_statement_is_told(lineage, dialect, sql):
    """Whatever the tokenizer or the parser makes of it."""
    assert lineage(sql, dialect=dialect).found.problems


HEAD = "CREATE OR REPLACE FUNCTION d.f(p date, n int DEFAULT 3) RETURNS"
BODY = "$x$ DECLARE v int; BEGIN DELETE FROM t WHERE a = p; INSERT INTO t (a) SELECT b FROM s WHERE c > n; END $x$"


@pytest.mark.parametrize("text", [f"{HEAD} void LANGUAGE plpgsql AS {BODY}", f"{HEAD} int AS {BODY} LANGUAGE plpgsql"])
def test_a_function_that_changes_tables_is_read_as_a_procedure(text):
    """PostgreSQL had no procedures for long; what such a function does was not looked into."""
    found = extract(text, dialect="postgres", namespace="n")

    assert {(e.source, e.target) for e in found.edges} == {("n:s#b", "n:t#a"), ("n:s#c", "n:t"), ("n:t#a", "n:t")}
    assert [(problem.code, problem.subject) for problem in found.problems] == [("definition-only", "f")]


@pytest.mark.parametrize(
    "text",
    [
        f"{HEAD} trigger LANGUAGE plpgsql AS {BODY}",
        f"{HEAD} int LANGUAGE plpython3u AS {BODY}",
        f"{HEAD} int LANGUAGE plpgsql AS $$ BEGIN RETURN (SELECT max(a) FROM s); END $$",
    ],
)
def test_another_function_is_not_looked_into(text):
    """One of a trigger runs for rows that it does not name, one in another language is no SQL, one changes nothing."""
    assert extract(text, dialect="postgres", namespace="n").edges == ()


@pytest.mark.parametrize(
    "routine",
    [
        "CREATE FUNCTION f(a int) RETURNS void AS $$ DECLARE b int; BEGIN {} END $$ LANGUAGE plpgsql;",
        "CREATE PROCEDURE f(a int) LANGUAGE plpgsql AS $$ DECLARE b int; BEGIN {} END $$;",
        "DO $$ DECLARE a int; b int; BEGIN {} END $$;",
    ],
)
def test_the_variables_of_a_body_end_with_it(lineage, routine):
    """Columns that are called as they are had no edges in the statements after it."""
    body = "INSERT INTO o (x) SELECT c FROM t WHERE d = a;"
    result = lineage(f"{routine.format(body)} INSERT INTO o (y, z) SELECT a, b FROM t", dialect="postgres")

    assert result.names() == {"x": "t#c", "y": "t#a", "z": "t#b"}
