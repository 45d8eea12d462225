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


def test_unnamed_columns_of_hive(lineage):
    """Hive calls an unnamed column of CREATE TABLE AS cN, one that a star brings out of a subquery _cN."""
    found = lineage("CREATE TABLE k AS SELECT a, b + 1 FROM t", "hive")
    starred = lineage("CREATE TABLE k AS SELECT * FROM (SELECT a, b + 1 FROM t) q", "hive")

    assert found.names("d.k") == {"a": "t#a", "c1": "t#b"}
    assert starred.names("d.k") == {"a": "t#a", "_c1": "t#b"}


@pytest.mark.parametrize(
    ("ddl", "expected"),
    [
        ("CREATE TABLE k (x int, y int)", "x y"),
        ("CREATE TABLE k (x int) PARTITIONED BY (y int)", "x y"),
        ("CREATE TABLE k (x int) PARTITIONED BY (y int); ALTER TABLE k ADD COLUMNS (z int)", "x z y"),
        ("CREATE TABLE k (x int, y int); ALTER TABLE k CHANGE x z int", "z y"),
        ("CREATE TABLE k (x int, y int); ALTER TABLE k REPLACE COLUMNS (z int)", "z"),
        ("CREATE TABLE q (x int, y int); ALTER TABLE q RENAME TO k", "x y"),
        ("CREATE TABLE q (x int, y int); CREATE TABLE k LIKE q", "x y"),
        ("CREATE TABLE k (x uniontype<int, array<string>>, y int) SKEWED BY (x) ON (1) STORED AS DIRECTORIES", "x y"),
    ],
)
def test_ddl_makes_columns_known(lineage, ddl, expected):
    """What CREATE and ALTER say in a script is what a later insert is mapped to, and comes back as outputs."""
    found = lineage(f"{ddl}; INSERT INTO k SELECT * FROM w", "hive")

    names = expected.split()
    assert tuple(names) == dict(found.found.outputs)["n:d.k"]
    assert dict(zip(names, ["w#x", "w#y", "w#arr"], strict=False)) == found.names("d.k")


def test_a_dropped_table_is_forgotten(lineage):
    """After DROP nothing is known of a table's columns."""
    assert "unknown-columns" in lineage("DROP TABLE t; SELECT * FROM t").codes()


def test_use_changes_the_database(lineage):
    """USE moves the names that follow into another database."""
    assert {("n:x.k", "o")} == lineage("USE x; SELECT a FROM k").tables()


def test_update_from(lineage):
    """UPDATE … FROM: assignments are values, the condition filters."""
    found = lineage("UPDATE t SET b = u.d, c = t.c + 1 FROM u WHERE t.a = u.a", "postgres")

    assert found.names("d.t") == {"b": "u#d", "c": "t#c"}
    assert found.decisions("d.t") == {"FILTER": "t#a u#a"}


def test_update_of_an_alias(lineage):
    """The target of UPDATE may be an alias of a table in FROM."""
    found = lineage("UPDATE z SET z.b = u.d FROM t z JOIN u ON z.a = u.a", "tsql")

    assert found.names("d.t") == {"b": "u#d"}


def test_merge(lineage):
    """MERGE: both branches' values, the join condition and the branch conditions."""
    found = lineage(
        "MERGE INTO t USING (SELECT * FROM u) s ON t.a = s.a WHEN MATCHED AND s.e > 1 THEN UPDATE SET b = s.d "
        "WHEN NOT MATCHED THEN INSERT (a, c) VALUES (s.a, s.e)"
    )

    assert found.names("d.t") == {"a": "u#a", "b": "u#d", "c": "u#e"}
    assert found.decisions("d.t") == {"JOIN": "t#a u#a", "FILTER": "u#e"}


def test_merge_with_a_star(lineage):
    """UPDATE SET * and INSERT * take the source's columns by name."""
    found = lineage(
        "MERGE INTO t USING t2 ON t.a = t2.a WHEN MATCHED THEN UPDATE SET *", columns={"n:d.t2": ["a", "b"]}
    )

    assert found.names("d.t") == {"a": "t2#a", "b": "t2#b"}


def test_an_upsert_assigns_from_the_row_not_inserted(lineage):
    """ON CONFLICT DO UPDATE: excluded.x is the value that was to be inserted."""
    found = lineage("INSERT INTO t (a, b) SELECT a, d FROM u ON CONFLICT (a) DO UPDATE SET b = excluded.b", "postgres")

    assert found.names("d.t") == {"a": "u#a", "b": "u#d"}


def test_load_and_exchange(lineage):
    """LOAD DATA ties a file to a table, EXCHANGE PARTITION one table's columns to the other's."""
    loaded = lineage("LOAD DATA INPATH '/in/x' INTO TABLE t", "hive")
    moved = lineage("ALTER TABLE t EXCHANGE PARTITION (ds = '1') WITH TABLE u", "hive")

    assert {("file:/in/x", "t")} == {(s.removeprefix("n:d."), t) for s, t in loaded.tables()}
    assert moved.names("d.t") == {"a": "u#a", "d": "u#d", "e": "u#e"}


def test_hive_export_and_import_move_tables_and_files(lineage):
    """EXPORT TABLE copies columns to a path; IMPORT TABLE fills a table from one."""
    out = lineage("EXPORT TABLE t PARTITION (c = '1') TO 'hdfs://h/x'", "hive").found
    back = lineage("IMPORT EXTERNAL TABLE k FROM '/tmp/x'", "hive").found

    assert {(e.source, e.target) for e in out.edges} == {(f"n:d.t#{c}", f"hdfs://h:x#{c}") for c in "abc"}
    assert {(e.source, e.target) for e in back.edges} == {("file:/tmp/x", "n:d.k")}


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        ("mysql", "INSERT INTO u (a, d) VALUES (1, 2) ON DUPLICATE KEY UPDATE d = d + e", {"d": "u#d u#e"}),
        ("mysql", "INSERT INTO u (a, d) SELECT a, b FROM t ON DUPLICATE KEY UPDATE d = c + d",
         {"a": "t#a", "d": "t#b t#c u#d"}),
        ("mysql",
         "INSERT INTO u (a, d) SELECT a, sum(b) FROM t GROUP BY a ON DUPLICATE KEY UPDATE d = d + VALUES(d), e = a",
         {"a": "t#a", "d": "t#b u#d", "e": "u#a"}),
        ("mysql", "INSERT INTO u (a, d) VALUES (1, 2) AS new (p, q) ON DUPLICATE KEY UPDATE d = p + q + e",
         {"d": "u#e"}),
        ("duckdb", "INSERT INTO u SELECT a, b, c FROM t ON CONFLICT (a) DO UPDATE SET d = d + excluded.e",
         {"a": "t#a", "d": "t#b t#c u#d", "e": "t#c"}),
        ("sqlite", "INSERT INTO u SELECT a, b, c FROM t WHERE true ON CONFLICT (a) DO UPDATE SET d = d + 1",
         {"a": "t#a", "d": "t#b u#d", "e": "t#c"}),
    ],
)  # fmt: skip
def test_a_name_alone_in_what_a_conflict_updates_is_the_targets(lineage, dialect, sql, expected):
    """So say MariaDB, DuckDB and SQLite; MySQL's may be a column of the query's own sources."""
    told = lineage(sql, dialect=dialect)
    assert told.names("d.u") == expected
    assert told.found.coverage == "complete"


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("postgres", "INSERT INTO u SELECT a, b, c FROM t ON CONFLICT (a) DO UPDATE SET d = d + 1"),
        ("mysql", "INSERT INTO u (a, d) SELECT a, b FROM t ON DUPLICATE KEY UPDATE d = a"),
    ],
)
def test_a_name_that_the_engine_refuses_there_is_told(lineage, dialect, sql):
    """Postgres has both rows in sight, MySQL the target's and the sources'."""
    assert lineage(sql, dialect=dialect).codes() == {"ambiguous-column"}


@pytest.mark.parametrize("dialect", ["bigquery", "spark", "tsql"])
def test_a_branch_of_merge_sees_the_rows_that_are_there(lineage, dialect):
    """Not matched by the source: the target's alone; not matched at all: the source's."""
    sql = (
        "MERGE INTO t USING u ON t.a = u.a"
        " WHEN NOT MATCHED BY SOURCE AND a > 1 THEN UPDATE SET b = a"
        " WHEN NOT MATCHED AND a > 3 THEN INSERT (a, c) VALUES (a, e);"
    )
    told = lineage(sql, dialect=dialect)
    assert told.names("d.t") == {"a": "u#a", "b": "t#a", "c": "u#e"}
    assert told.decisions("d.t") == {"FILTER": "t#a u#a", "JOIN": "t#a u#a"}
    assert told.found.coverage == "complete"
    both = lineage("MERGE INTO t USING u ON t.a = u.a WHEN MATCHED AND a > 1 THEN UPDATE SET b = e", dialect=dialect)
    assert both.codes() == {"ambiguous-column"}
