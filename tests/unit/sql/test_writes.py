"""Which target column each output goes to, and what DDL makes known."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("INSERT INTO t SELECT d, e, a FROM u", {"a": "u#d", "b": "u#e", "c": "u#a"}),
        ("INSERT INTO t (c, a) SELECT d, e FROM u", {"c": "u#d", "a": "u#e"}),
        ("INSERT OVERWRITE TABLE t SELECT a AS b, b AS a, c FROM t", {"a": "t#a", "b": "t#b", "c": "t#c"}),
    ],
)
def test_inserts_map_by_position(lineage, sql, expected):
    """Without a column list the target's columns take the outputs in order, whatever the SELECT calls them."""
    assert expected == lineage(sql).names("d.t")


@pytest.mark.parametrize(
    ("partition", "outputs", "expected"),
    [
        ("PARTITION (ds = '1', hr = '2')", "a, b", {"v1": "t#a", "v2": "t#b"}),
        ("PARTITION (ds = '1', hr)", "a, b, c", {"v1": "t#a", "v2": "t#b", "hr": "t#c"}),
        ("PARTITION (ds, hr)", "a, b, c, a + 1", {"v1": "t#a", "v2": "t#b", "ds": "t#c", "hr": "t#a"}),
        ("", "a, b, c, a", {"v1": "t#a", "v2": "t#b", "ds": "t#c", "hr": "t#a"}),
    ],
)
def test_static_partitions_take_no_place_and_dynamic_ones_come_last(lineage, partition, outputs, expected):
    """A static partition column gets its constant; dynamic ones are filled by the last outputs."""
    found = lineage(f"INSERT OVERWRITE TABLE p {partition} SELECT {outputs} FROM t", "hive")

    assert expected == found.names("d.p")


@pytest.mark.parametrize("dialect", ["bigquery", "mysql"])
@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("INSERT INTO t (C, a) SELECT u.d, u.e FROM u", {"c": "u#d", "a": "u#e"}),
        ("UPDATE t SET B = u.d FROM u WHERE t.a = u.a", {"b": "u#d"}),
        ("INSERT INTO t (New) SELECT u.d FROM u", {"New": "u#d"}),
    ],
)
def test_columns_written_in_another_case_are_those_of_the_table(lineage, dialect, sql, expected):
    """Where names stay as written a column was fed under a name that the table does not have."""
    if dialect == "mysql" and sql.startswith("UPDATE"):
        sql = "UPDATE t JOIN u ON t.a = u.a SET B = u.d"

    assert expected == lineage(sql, dialect).names("d.t")


def test_equal_output_names_are_kept_apart(lineage):
    """Two outputs of one name go to two columns: position decides, not the name."""
    found = lineage("INSERT INTO t SELECT x.a, y.a, y.d FROM u x JOIN u y ON x.e = y.e WHERE x.a = y.d")

    assert found.names("d.t") == {"a": "u#a", "b": "u#a", "c": "u#d"}


def test_multi_insert_shares_its_source(lineage):
    """FROM-first multi-insert: each branch has its own columns and filter over the one source."""
    found = lineage(
        "FROM t JOIN u ON t.a = u.a LATERAL VIEW explode(c) l AS k "
        "INSERT OVERWRITE TABLE o1 SELECT t.b, k WHERE d > 1 INSERT INTO TABLE o2 SELECT e",
        "hive",
    )

    assert found.names("d.o1") == {"b": "t#b", "k": "t#c"}
    assert found.names("d.o2") == {"e": "u#e"}
    assert found.decisions("d.o1") == {"JOIN": "t#a u#a", "FILTER": "u#d"}
    assert found.decisions("d.o2") == {"JOIN": "t#a u#a"}


def test_conditional_multi_insert(lineage):
    """Snowflake's INSERT ALL: the condition filters its own branch."""
    found = lineage('INSERT ALL WHEN "a" > 1 THEN INTO "o1" ("x") VALUES ("b") SELECT "a", "b" FROM "t"', "snowflake")

    assert found.names("d.o1") == {"x": "t#b"}
    assert found.decisions("d.o1") == {"FILTER": "t#a"}


@pytest.mark.parametrize(
    ("dialect", "sql", "table"),
    [
        ("spark", "CREATE TABLE k AS SELECT a AS x, b + 1 AS y FROM t", "d.k"),
        ("spark", "CREATE VIEW k (x, y) AS SELECT a, b + 1 FROM t", "d.k"),
        ("hive", "CREATE VIEW k PARTITIONED ON (y) AS SELECT a AS x, b AS y FROM t", "d.k"),
        ("hive", "ALTER VIEW k AS SELECT a AS x, b AS y FROM t", "d.k"),
        ("hive", "CREATE TABLE k SKEWED BY (x) ON ('1') AS SELECT a AS x, b AS y FROM t", "d.k"),
        ("tsql", "SELECT a AS x, b AS y INTO k FROM t", "d.k"),
        ("duckdb", "INSERT INTO k BY NAME SELECT b AS y, a AS x FROM t", "d.k"),
        ("hive", "FROM t INSERT INTO k SELECT a AS x, b AS y", "d.k"),
        ("mysql", "REPLACE INTO k (x, y) SELECT a, b FROM t", "d.k"),
    ],
)
def test_every_form_that_writes_a_query(lineage, dialect, sql, table):
    """CTAS, views, SELECT INTO, FROM-first, BY NAME, REPLACE: all give the same two column edges."""
    assert lineage(sql, dialect).names(table) == {"x": "t#a", "y": "t#b"}


def test_a_directory_is_a_dataset_of_files(lineage):
    """INSERT OVERWRITE DIRECTORY writes a dataset named after the path."""
    found = lineage("INSERT OVERWRITE DIRECTORY 's3://bucket/key' SELECT a FROM t", "hive")

    assert found.found.writes == ("s3://bucket:key",)


def test_use_changes_the_database(lineage):
    """USE moves the names that follow into another database."""
    assert {("n:x.k", "o")} == lineage("USE x; SELECT a FROM k").tables()
