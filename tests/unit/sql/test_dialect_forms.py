"""Forms of single dialects: functions over a star, streams, table functions, variables of rows."""

from __future__ import annotations

import pytest


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


def test_a_variable_that_holds_rows_is_no_table_of_that_name(lineage):
    """T-SQL's DECLARE @v TABLE: what is read from it was written to it."""
    script = """DECLARE @u TABLE (p int, q int); INSERT INTO @u SELECT a, b FROM t;
    INSERT INTO @u (q) SELECT d FROM u; INSERT INTO o (z) SELECT x.q FROM @u AS x"""
    told = lineage(script, dialect="tsql")
    assert told.names() == {"z": "t#b u#d"}
    assert told.tables() == {("t", "o"), ("u", "o")}


def test_each_branch_of_a_case_statement_is_told(lineage):
    """The procedural CASE, with or without an operand."""
    script = """CASE WHEN EXISTS (SELECT 1 FROM t) THEN INSERT INTO o (x) SELECT a FROM t; SELECT 1;
    WHEN CASE 1 WHEN 2 THEN true ELSE false END THEN INSERT INTO o (y) SELECT b FROM t;
    ELSE INSERT INTO o (z) SELECT d FROM u; END CASE"""
    told = lineage(script, dialect="bigquery")
    assert told.names() == {"x": "t#a", "y": "t#b", "z": "u#d"}
    assert told.found.coverage == "complete"
