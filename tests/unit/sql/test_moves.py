"""Rows that go from one table to another without a query."""

from __future__ import annotations

import pytest

from ingest.sql import extract

ONE_WAY = {("s", "t")}
BOTH = {("s", "t"), ("t", "s")}


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        ("snowflake", "ALTER TABLE t SWAP WITH s", BOTH),
        ("starrocks", "ALTER TABLE t SWAP WITH s", BOTH),
        ("doris", "ALTER TABLE t REPLACE WITH TABLE s", BOTH),
        ("doris", "ALTER TABLE t REPLACE WITH TABLE s PROPERTIES('swap' = 'false')", ONE_WAY),
        ("clickhouse", "EXCHANGE TABLES t AND s", BOTH),
        ("clickhouse", "ALTER TABLE t REPLACE PARTITION '2020' FROM s", ONE_WAY),
        ("clickhouse", "ALTER TABLE t ATTACH PARTITION '2020' FROM s", ONE_WAY),
        ("clickhouse", "ALTER TABLE s MOVE PARTITION '2020' TO TABLE t", ONE_WAY),
        ("mysql", "ALTER TABLE t EXCHANGE PARTITION p WITH TABLE s", BOTH),
        ("oracle", "ALTER TABLE t EXCHANGE PARTITION p WITH TABLE s INCLUDING INDEXES", BOTH),
        ("hive", "ALTER TABLE t EXCHANGE PARTITION (ds = '1') WITH TABLE s", ONE_WAY),
        ("postgres", "ALTER TABLE t ATTACH PARTITION s FOR VALUES FROM (1) TO (2)", ONE_WAY),
        ("postgres", "ALTER TABLE s DETACH PARTITION t", ONE_WAY),
        ("postgres", "ALTER TABLE s INHERIT t", ONE_WAY),
        ("postgres", "CREATE TABLE s () INHERITS (t)", ONE_WAY),
        ("tsql", "ALTER TABLE s SWITCH PARTITION 1 TO t PARTITION 1", ONE_WAY),
        ("tsql", "ALTER TABLE s SWITCH TO t", ONE_WAY),
        ("redshift", "ALTER TABLE t APPEND FROM s", ONE_WAY),
    ],
)
def test_every_column_goes_to_the_one_of_its_name(dialect, sql, expected):
    """Each engine's words for it, with the direction that they have there."""
    columns = ("a", "b")
    world = {f"n:{name}": columns for name in "st"} | {f"n:{name}": ("A", "B") for name in "ST"}
    found = extract(sql, dialect=dialect, namespace="n", columns=world)
    edges = {(edge.source.lower(), edge.target.lower(), edge.subtype) for edge in found.edges}

    assert {(f"n:{one}#{c}", f"n:{two}#{c}", "IDENTITY") for one, two in expected for c in columns} == edges
    assert found.coverage == "complete"


@pytest.mark.parametrize(
    "sql",
    [
        "ALTER TABLE t REPLACE PARTITION (p1) WITH TEMPORARY PARTITION (tp1)",
        "ALTER TABLE t ADD PARTITION p2 VALUES LESS THAN (3)",
        "ALTER TABLE t DROP PARTITION p2",
    ],
)
def test_a_tables_own_partitions_have_no_lineage(sql):
    """What stays inside one table moves nothing between tables."""
    assert (extract(sql, dialect="doris", namespace="n").coverage) == "complete"


def test_what_a_text_writes_goes_on_to_the_new_name():
    """The usual exchange by renaming: the rows of the new table are found under the old one's name."""
    sql = "CREATE TABLE k AS SELECT a FROM s; RENAME TABLE t TO gone, k TO t; DROP TABLE gone"
    found = extract(sql, dialect="mysql", namespace="n", columns={"n:s": ("a",), "n:t": ("a",)})

    assert {("n:s#a", "n:k#a"), ("n:k#a", "n:t#a")} == {(edge.source, edge.target) for edge in found.edges}
    assert found.coverage == "complete"


@pytest.mark.parametrize(
    ("dialect", "sql", "pair"),
    [
        ("postgres", "ALTER TABLE t RENAME TO u", ("n:t", "n:u")),
        ("trino", "ALTER TABLE a.b.c RENAME TO d", ("n:a.b.c", "n:a.b.d")),
        ("mysql", "RENAME TABLE t TO u", ("n:t", "n:u")),
        ("postgres", "ALTER TABLE t SET SCHEMA x", ("n:t", "n:x.t")),
        ("tsql", "ALTER SCHEMA x TRANSFER dbo.t", ("n:dbo.t", "n:x.t")),
    ],
)
def test_rows_of_others_go_on_under_the_new_name(dialect, sql, pair):
    """A table that others wrote feeds what it is called from now on, column by column, or by a star."""
    unknown = extract(sql, dialect=dialect, namespace="n")
    known = extract(sql, dialect=dialect, namespace="n", columns={pair[0]: ("a", "b")})

    assert [(e.source, e.target, e.subtype) for e in unknown.edges] == [(f"{pair[0]}#*", f"{pair[1]}#*", "IDENTITY")]
    assert [problem.code for problem in unknown.problems] == ["unknown-columns"]
    assert {(e.source, e.target) for e in known.edges} == {(f"{pair[0]}#{c}", f"{pair[1]}#{c}") for c in "ab"}
    assert known.coverage == "complete"
