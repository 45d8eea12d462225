"""Words that are one slip away from a keyword: nothing of what they were to say is lost without a word."""

from __future__ import annotations

import pytest

from ingest.sql import extract
from ingest.sql.text.misspelt import misspelt

WORLD = {"n:d.s": ("a", "b", "xs"), "n:d.u": ("a", "c"), "n:D.S": ("A", "B", "TS"), "n:D.U": ("A", "C")}


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("spark", "INSERT INTO d.t SELECT a FROM d.s WEHRE b > 1"),
        ("spark", "INSERT INTO d.t SELECT s.a, u.c FROM d.s s LEFT JION d.u u ON s.a = u.a"),
        ("spark", "INSERT INTO d.t SELECT a FROM d.s UNOIN ALL SELECT a FROM d.u"),
        ("spark", "CREATE TABLE d.t AS SELECT a, x FROM d.s LATERLA VIEW explode(xs) e AS x"),
        ("spark", "INSERT INTO d.t SELECT a FROM d.s NATRAL JOIN d.u"),
        ("spark", "INSERT INTO d.t SELECT a FROM d.s INSERT INTO d.w SELECT c FROM d.u"),
        ("databricks", "INSERT INTO d.t SELECT * FROM d.s PIVIT (sum(v) FOR q IN ('a'))"),
        ("databricks", "CREATE TABLE d.t SHALOW CLONE d.s"),
        ("hive", "INSERT OVERWRITE TABLE d.t PARITION (dt = '1') SELECT a FROM d.s"),
        ("hive", "INSERT OVERWRITE TABLE d.t SELECT a FROM d.s ODER BY b"),
        ("hive", "CREATE TABLE d.t LIEK d.s"),
        ("mysql", "INSERT INTO d.t SELECT b, c FROM d.s JOIN d.u USNG (a)"),
        ("mysql", "INSERT INTO d.t SELECT a, SUM(b) FROM d.s GROUP BY a HAVNG SUM(b) > 1"),
        ("mysql", "DELTE FROM d.s WHERE a IN (SELECT a FROM d.u)"),
        ("oracle", "MERGE INTO d.s s USING d.u u ON (s.a = u.a) WHEN MACTHED THEN UPDATE SET s.b = u.c"),
        (
            "oracle",
            "MERGE INTO d.s USING d.u ON (d.s.a = c) WHEN MATCHED THNE UPDATE SET b = 1 DELETE WHERE b = 0",
        ),
        ("postgres", "WITH x AS (DELETE FROM d.s WHERE b < 1 RETURNIN a) INSERT INTO d.t (a) SELECT a FROM x"),
        ("postgres", "CREATE TABLE d.t FOO d.s BAR"),
        ("snowflake", "create table d.t as select a, b from d.s qualfy row_number() over (order by ts) = 1"),
        ("snowflake", "create table d.t clon d.s"),
        ("bigquery", "CREATE TABLE `d.o` AS WITH x AS (SELECT a FORM `d.s`) SELECT a FROM x"),
        ("clickhouse", "INSERT INTO d.t (a) SELECT a FROM d.s PREWHRE b = 1"),
        ("trino", "INSERT INTO d.t SELECT a FROM d.s WHRE b = 1"),
        ("tsql", "INSERT INTO d.t (a) SELECT a FORM d.s WHERE b > 1"),
        ("starrocks", "INSERT OVERWIRTE d.t SELECT a FROM d.s"),
        ("flink", "INSERT INTO d.t SELECT a FROM d.s FOR SYTEM_TIME AS OF b"),
        ("maxcompute", "INSERT OVERWRITE TABLE d.t SELECT a FROM d.s DISTRBUTE BY b"),
        ("postgres", "DO $$ BEGIN FOR r IN SELECT a FRMO d.s LOOP INSERT INTO d.t (a) VALUES (r.a); END LOOP; END $$"),
        ("tsql", "DECLARE @x date = '2024-01-01'\nSELCET a INTO #k FROM d.s\nINSERT INTO d.t SELECT a FROM #k"),
        ("tsql", "DECLARE @x INT = 5\nPRINT 'go'\nINESRT INTO d.t (a) SELECT a FROM d.s"),
        ("tsql", "DECLARE @a int\nDECLARE c CURSOR FOR SELECT a FROM d.s\nOPEN c\nFETCH NEXT FROM c ITNO @a"),
        ("clickhouse", "ALTER TABLE d.s UPDAET b = lower(b) WHERE a = 1"),
        ("redshift", "ALTER TABLE d.t APPEND FRMO d.s"),
        ("tsql", "DELETE FRMO d.s WHERE a > 1"),
        ("databricks", "CREATE TABLE d.t AS SELECT * FROM d.s JOIN d.u USIGN (a)"),
        ("trino", "ALTER TBALE d.t EXECUTE add_files(location => 's3://b/x', format => 'ORC')"),
        ("duckdb", "CREATE TABLE d.t AS SELECT * EXLUDE (b) FROM d.s"),
    ],
)
def test_a_slip_is_never_complete(dialect: str, sql: str) -> None:
    """A filter, a join's condition or a source that a misspelt word hides was told as if it were not there."""
    found = extract(sql, dialect=dialect, namespace="n", columns=WORLD)

    assert found.coverage != "complete"
    assert found.problems


@pytest.mark.parametrize("alias", ["orders", "wheres", "users", "usage", "w", "naturals", "lefty", "o"])
def test_an_ordinary_alias_is_no_slip(alias: str) -> None:
    """An alias that only resembles a keyword leaves the answer complete."""
    sql = f"INSERT INTO d.t SELECT {alias}.a FROM d.s {alias}, d.u"
    assert extract(sql, dialect="mysql", namespace="n", columns=WORLD).coverage == "complete"


@pytest.mark.parametrize("kind", ["INT", "INT2", "INT4", "INT8"])
@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("oracle", "ALTER TABLE d.t MODIFY (a {})"),
        ("oracle", "ALTER TABLE d.t FROBNICATE a {}"),
        ("postgres", "ALTER TABLE d.t ALTER COLUMN a SET DEFAULT 3::{}, SET (x = 1)"),
        ("postgres", "ALTER DOMAIN d ADD CONSTRAINT c CHECK (value::{} > 0)"),
    ],
)
def test_a_type_is_no_slip(dialect: str, sql: str, kind: str) -> None:
    """INT alone was taken for a misspelt INTO."""
    assert extract(sql.format(kind), dialect=dialect, namespace="n", columns=WORLD).coverage == "complete"


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("WEHRE", "where"), ("usng", "using"), ("wher", "where"), ("uisng", "using"), ("ussing", "using"),
        ("where", ""), ("wheres", ""), ("here", ""), ("usage", ""), ("w", ""), ("", ""),
    ],
)  # fmt: skip
def test_one_slip_is_recognized(word: str, meant: str) -> None:
    """Two letters swapped, one left out, one replaced, one too many; not a word with an ending of its own."""
    assert misspelt(word, ("where", "using")) == meant
