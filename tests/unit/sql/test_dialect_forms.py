"""Forms of single dialects: changed named queries, functions over a star, rows put into files."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("sql", "columns", "decisions"),
    [
        (
            "WITH q AS (SELECT a, row_number() OVER (ORDER BY b) AS rn FROM t) DELETE FROM q WHERE rn > 1",
            {},
            {"FILTER": "t#b"},
        ),
        ("WITH q AS (SELECT a, b FROM t WHERE c > 1) UPDATE q SET a = b + 1", {"a": "t#b"}, {"FILTER": "t#c"}),
    ],
)
def test_a_change_of_a_named_query_changes_the_table_that_it_reads(lineage, sql, columns, decisions):
    """T-SQL's way to take out rows that are there twice."""
    told = lineage(sql, dialect="tsql")
    assert columns == told.names("d.t")
    assert decisions == told.decisions("d.t")
    assert told.found.writes == ("n:d.t",)


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        (
            "WITH q AS (SELECT a FROM t), n AS (INSERT INTO u (d) SELECT a FROM q RETURNING d) SELECT d FROM n",
            "t#a u#d",
        ),
        (
            "WITH q AS (SELECT a FROM t), n AS (DELETE FROM u USING q WHERE u.a = q.a RETURNING d) SELECT d FROM n",
            "u#d",
        ),
    ],
)
def test_a_change_in_a_with_clause_sees_the_queries_before_it(lineage, sql, expected):
    """PostgreSQL's, with what it returns."""
    told = lineage(sql, dialect="postgres")
    sources = {
        source for names in (told.names(), told.names("d.u")) for each in names.values() for source in each.split()
    }
    assert expected == " ".join(sorted(sources))
    assert told.found.coverage == "complete"


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT * EXCEPT (a) APPLY(sum) FROM t", {"sum(b)": {"t#b": "AGGREGATION"}, "sum(c)": {"t#c": "AGGREGATION"}}),
        ("SELECT COLUMNS('b') APPLY(toString) FROM t", {"toString(b)": {"t#b": "TRANSFORMATION"}}),
    ],
)
def test_a_function_applied_to_a_star_makes_a_column_of_each(lineage, sql, expected):
    """ClickHouse's APPLY."""
    told = lineage(sql, dialect="clickhouse")
    assert expected == told.columns()
    assert told.found.coverage == "complete"


def test_a_tuples_parts_may_be_named_by_their_place(lineage):
    """ClickHouse's ``x.2``: known, where the tuple is."""
    told = lineage("SELECT x.2 AS z FROM (SELECT (a, b) AS x FROM t)", dialect="clickhouse")
    assert "t#b" in told.names()["z"]
    assert told.found.coverage == "complete"
    assert "unknown-column" in lineage("SELECT x.3 AS z FROM (SELECT (a, b) AS x FROM t)", dialect="clickhouse").codes()


@pytest.mark.parametrize("source", ["STREAM(t) AS s", "STREAM t AS s"])
def test_a_stream_of_a_table_is_the_table(lineage, source):
    """Databricks' streaming tables read so."""
    assert lineage(f"SELECT s.a, s.b FROM {source}", dialect="databricks").names() == {"a": "t#a", "b": "t#b"}


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("redshift", "UNLOAD ('SELECT a, b FROM t WHERE c = ''x''') TO 's3://out/x' IAM_ROLE 'r' PARQUET"),
        ("athena", "UNLOAD (SELECT a, b FROM t WHERE c = 'x') TO 's3://out/x' WITH (format = 'json')"),
    ],
)
def test_unloaded_rows_go_to_their_files(lineage, dialect, sql):
    """A query in quotes or not."""
    told = lineage(sql, dialect=dialect, target=None)
    assert {("t", "s3://out:x")} == told.tables()
    assert {("n:d.t#a", "s3://out:x#a"), ("n:d.t#b", "s3://out:x#b"), ("n:d.t#c", "s3://out:x")} == {
        (edge.source, edge.target) for edge in told.found.edges
    }


def test_an_unload_that_is_damaged_is_said_not_to_be_understood(lineage):
    """Without its TO."""
    assert lineage("UNLOAD ('SELECT a FROM t') 's3://out/x'", dialect="redshift").found.coverage != "complete"


@pytest.mark.parametrize(
    ("inserted", "assigned", "expected"),
    [
        ("SELECT a, b FROM t", "e = VALUES(d) + t.c", "t#a t#b t#c"),
        ("SELECT a, b FROM t", "e = values(`d`)", "t#a t#b"),
        ("SELECT a, b FROM t AS new", "e = new.c", "t#b t#c"),
        ("VALUES ((SELECT max(a) FROM t), 1) AS new", "e = new.d + u.a", "t#a u#a"),
        ("VALUES ((SELECT max(a) FROM t), 1) AS new(p, q)", "e = new.p + q", "t#a"),
    ],
)
def test_what_is_written_on_a_conflict_may_come_from_the_row_that_is_not(lineage, inserted, assigned, expected):
    """MySQL's ON DUPLICATE KEY UPDATE: VALUES(d), a name for the row, and the sources of the query."""
    told = lineage(f"INSERT INTO u (d, e) {inserted} ON DUPLICATE KEY UPDATE {assigned}", dialect="mysql")
    assert told.names("d.u")["e"] == expected
    assert told.found.coverage == "complete"


def test_a_variable_that_holds_rows_is_no_table_of_that_name(lineage):
    """T-SQL's DECLARE @v TABLE: what is read from it was written to it."""
    script = """DECLARE @u TABLE (p int, q int); INSERT INTO @u SELECT a, b FROM t;
    INSERT INTO @u (q) SELECT d FROM u; INSERT INTO o (z) SELECT x.q FROM @u AS x"""
    told = lineage(script, dialect="tsql")
    assert told.names() == {"z": "t#b u#d"}
    assert told.tables() == {("t", "o"), ("u", "o")}


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        ("mysql", "CREATE TABLE o (k INT) SELECT a AS k, b FROM t", {"k": "t#a", "b": "t#b"}),
        ("mysql", "CREATE TABLE o (x INT) SELECT a AS k, b FROM t", {"k": "t#a", "b": "t#b"}),
        ("postgres", "CREATE TABLE o (k) AS SELECT a, b FROM t", {"k": "t#a", "b": "t#b"}),
        ("trino", "CREATE TABLE o (k, l) AS SELECT a, b FROM t", {"k": "t#a", "l": "t#b"}),
    ],
)
def test_columns_that_a_create_does_not_name_are_the_querys(lineage, dialect, sql, expected):
    """PostgreSQL names the first ones; MySQL adds those it lists, by name."""
    assert lineage(sql, dialect=dialect).names() == expected


@pytest.mark.parametrize("more", ["", "LOCAL ", "LOW_PRIORITY LOCAL "])
def test_a_file_loaded_into_a_table_is_its_source(lineage, more):
    """MySQL's LOAD DATA INFILE."""
    sql = f"LOAD DATA {more}INFILE '/in/x.csv' REPLACE INTO TABLE o FIELDS TERMINATED BY ',' (a, b) SET c = 1"
    assert lineage(sql, dialect="mysql").tables() == {("file:/in/x.csv", "o")}


def test_each_branch_of_a_case_statement_is_told(lineage):
    """The procedural CASE, with or without an operand."""
    script = """CASE WHEN EXISTS (SELECT 1 FROM t) THEN INSERT INTO o (x) SELECT a FROM t; SELECT 1;
    WHEN CASE 1 WHEN 2 THEN true ELSE false END THEN INSERT INTO o (y) SELECT b FROM t;
    ELSE INSERT INTO o (z) SELECT d FROM u; END CASE"""
    told = lineage(script, dialect="bigquery")
    assert told.names() == {"x": "t#a", "y": "t#b", "z": "u#d"}
    assert told.found.coverage == "complete"
