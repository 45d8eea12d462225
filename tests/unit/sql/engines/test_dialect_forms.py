"""Forms of single dialects: functions over a star, streams, table functions, variables of rows."""

from __future__ import annotations

import pytest


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
