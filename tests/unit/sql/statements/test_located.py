"""A table and the folder of its files are one thing: LOCATION gives an alias, for as long as a task says so."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from scripted import ran, running, tree

from ingest.messages.native import parse_message
from ingest.resolve.resolver import SqlResolver
from ingest.sql import extract
from ingest.sql.statements.located import MAX_LENGTH, of_create
from lineage_tt import Store
from lineage_tt.curation.statements import aliases
from lineage_tt.model.messages import TaskChange

START = 1_767_225_600_000_000


def test_the_last_place_of_a_table_counts() -> None:
    """A slash at the end says nothing; another table has a place of its own."""
    run = running("hive")
    ran(run, "CREATE TABLE k (x INT) LOCATION 's3://b/old'; CREATE TABLE j (x INT) LOCATION '/j/'")
    ran(run, "ALTER TABLE k SET LOCATION 's3://b/new//'")

    assert run.places == {"n:d.k": "s3://b:new", "n:d.j": "file:/j"}


@pytest.mark.parametrize("extra", [0, 1])
def test_a_very_long_place_is_no_name(extra: int) -> None:
    """A message could hold megabytes of it."""
    run = running("hive")
    place = "s3://b/" + "x" * (MAX_LENGTH - len("s3://b/") + extra)
    of_create(run, tree(run, f"CREATE TABLE k (x INT) LOCATION '{place}'"))

    assert ("n:d.k" in run.places) is (extra == 0)


@pytest.mark.parametrize(
    ("sql", "located"),
    [
        ("ALTER TABLE t SET LOCATION '/x'", True),
        ("ALTER TABLE t PARTITION (dt = '1') SET LOCATION '/x/dt=1'", False),
        ("ALTER TABLE t ADD COLUMNS (x INT)", False),
        ("ALTER TABLE t SET LOCATION '{root}/x'", False),
        ("ALTER TABLE t SET LOCATION '/x/*'", False),
    ],
)
def test_only_the_place_of_the_whole_table_is_its_name(sql: str, located: bool) -> None:
    """Not that of a partition, nor a pattern."""
    run = running("hive")
    run.run(tree(run, sql))

    assert run.places == ({"n:d.t": "file:/x"} if located else {})


def test_a_table_that_the_script_drops_has_no_place() -> None:
    """Nothing of it is left."""
    run = running("hive")
    run.short_lived = frozenset(["n:d.k"])
    of_create(run, tree(run, "CREATE TABLE k (x INT) LOCATION '/x'"))

    assert run.places == {}


@pytest.fixture
def resolver() -> Iterator[SqlResolver]:
    """One that reads SQL in this process."""
    with closing(SqlResolver(0)) as made:
        yield made


def alias_of(resolver: SqlResolver, sql: str, dialect: str = "hive") -> set[tuple[str, str]]:
    """The pairs of datasets that a text says are one, table first."""
    change = TaskChange("1", "t", "update", 0, sql=sql, dialect=dialect, namespace="hive")
    (lineage,) = resolver([(change, {})])
    return {(s, t) for s, t, _, kind, _ in lineage.edges if kind == "ALIAS" and s.startswith("hive:") and "#" not in s}


WITH_EXTERNAL = ("snowflake", "bigquery", "greenplum")
TABLE, PLACE = "hive:dw.a", "s3://lake:dw/a"


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("hive", "create external table dw.a (x int) stored as parquet location 's3://lake/dw/a'"),
        ("hive", "create external table if not exists dw.a (x int) location 's3://lake/dw/a/'"),
        ("hive", "create table dw.a (x int) partitioned by (dt string) location 's3://lake/dw/a'"),
        ("spark", "create table dw.a using parquet location 's3://lake/dw/a' as select x from ods.b"),
        ("spark", "create table dw.a (x int) using delta location 's3://lake/dw/a'"),
        ("athena", "create external table dw.a (x int) location 's3://lake/dw/a'"),
        ("trino", "create table dw.a with (external_location = 's3://lake/dw/a') as select 1 x"),
        ("trino", "create table dw.a (x int) with (location = 's3://lake/dw/a', format = 'ORC')"),
        ("hive", "alter table dw.a set location 's3://lake/dw/a'"),
        ("hive", "create table dw.a (x int) location 's3://lake/old'; alter table dw.a set location 's3://lake/dw/a'"),
    ],
)
def test_a_location_is_another_name(resolver: SqlResolver, dialect: str, sql: str) -> None:
    """Each dialect's way to say it; a slash at the end says nothing."""
    assert alias_of(resolver, sql, dialect) == {(TABLE, PLACE)}


@pytest.mark.parametrize(
    ("dialect", "sql", "place"),
    [
        ("snowflake", "(id INT AS (value:c1::int)) LOCATION = @st/p/ FILE_FORMAT = (TYPE = PARQUET)", "file:@st/p"),
        ("snowflake", "(a INT) WITH LOCATION = @db.sch.st/p FILE_FORMAT = (TYPE = CSV)", "file:@db.sch.st/p"),
        ("bigquery", "OPTIONS (format = 'CSV', uris = ['gs://b/x.csv'])", "gs://b:x.csv"),
        ("bigquery", "(a INT64) WITH CONNECTION `p.us.c` OPTIONS (uris = ['gs://b/x.csv'])", "gs://b:x.csv"),
        ("greenplum", "(a INT) LOCATION ('gpfdist://h:8081/x.csv') FORMAT 'CSV'", "gpfdist://h:8081:x.csv"),
        ("databricks", "USING csv OPTIONS (path 's3://b/x/', header 'true')", "s3://b:x"),
        ("spark", "USING jdbc OPTIONS (url 'jdbc:postgresql://u:s3cret@h:5432/db', dbtable 'hr.emp')",
         "external:h:5432/db.hr.emp"),
        ("flink", "(a INT) WITH ('connector' = 'kafka', 'topic' = 'x', 'properties.bootstrap.servers' = 'b:9092,c:1')",
         "kafka://b:9092:x"),
        ("clickhouse", "(a Int64) ENGINE = S3('https://b/x.csv', 'AKEY', 's3cret', 'CSV')", "https://b:x.csv"),
        ("clickhouse", "(a Int64) ENGINE = MySQL('h:3306', 'db', 'tb', 'u', 's3cret')", "external:h:3306.db.tb"),
        ("clickhouse", "(a Int64) ENGINE = Kafka('b:9092', 'x', 'g', 'JSON')", "kafka://b:9092:x"),
        ("clickhouse", "(a Int64) ENGINE = Kafka SETTINGS kafka_broker_list = 'b:9092', kafka_topic_list = 'x'",
         "kafka://b:9092:x"),
        ("mysql", "(a INT) ENGINE=FEDERATED CONNECTION='mysql://u:s3cret@h:3306/db/tb'", "external:h:3306.db.tb"),
        ("postgres", "(a INT) SERVER srv OPTIONS (schema_name 'hr', table_name 'emp')", "external:srv.hr.emp"),
        ("postgres", "(a INT) SERVER srv", "external:srv.dw.a"),
        ("postgres", "(a INT) SERVER srv OPTIONS (filename '/data/x.csv', format 'csv')", "file:/data/x.csv"),
        ("hive", "(a INT) LOCATION 's3://akey:s3cret@b/x'", "s3://akey:s3cret@b:x"),
        ("trino", "(a INT) WITH (external_location = 's3a://akey:s3cret@b/x')", "s3a://akey:s3cret@b:x"),
        ("clickhouse", "(a Int64) ENGINE = URL('https://h/x.csv', 'CSV')", "https://h:x.csv"),
    ],
)  # fmt: skip
def test_where_the_rows_of_a_table_are_is_another_name(dialect: str, sql: str, place: str) -> None:
    """Of files, of a topic, of a table elsewhere: it was lost without a word. The store masks secrets in names."""
    kind = "FOREIGN TABLE" if "SERVER" in sql else "EXTERNAL TABLE" if dialect in WITH_EXTERNAL else "TABLE"
    found = extract(f"CREATE {kind} dw.a {sql}", dialect=dialect, namespace="n")

    assert [(dataset.lower(), other) for dataset, other in found.places] == [("n:dw.a", place)]
    assert found.coverage == "complete"


@pytest.mark.parametrize(
    ("dialect", "sql", "files"),
    [
        ("bigquery", "CREATE EXTERNAL TABLE dw.a OPTIONS (uris = ['gs://b/x', 'gs://b/y'])", {"gs://b:x", "gs://b:y"}),
        ("bigquery", "CREATE EXTERNAL TABLE dw.a OPTIONS (uris = ['gs://b/*.csv'])", {"gs://b:*.csv"}),
        (
            "clickhouse",
            "CREATE TABLE dw.a (x Int64) ENGINE = S3('https://u:s3cret@b/*.csv')",
            {"https://u:s3cret@b:*.csv"},
        ),
    ],
)
def test_a_table_over_several_files_takes_its_rows_from_them(dialect: str, sql: str, files: set[str]) -> None:
    """None of them is another name of all of it."""
    found = extract(sql, dialect=dialect, namespace="n")

    assert ({edge.source for edge in found.edges}, found.places) == (files, ())


def test_files_that_are_not_looked_into_are_said() -> None:
    """Oracle's name no folder, but an object that has one."""
    sql = "CREATE TABLE dw.a (x NUMBER) ORGANIZATION EXTERNAL (DEFAULT DIRECTORY d LOCATION ('x.csv'))"
    found = extract(sql, dialect="oracle", namespace="n")

    assert [problem.code for problem in found.problems] == ["not-understood"]


def test_a_password_in_a_place_is_not_kept(tmp_path: Path, resolver: SqlResolver) -> None:
    """Neither in the name of a place nor in the masked text, which is dropped where it would need it."""
    store = Store.create(tmp_path)
    store.set_text_policy("mask-literals", "privacy")
    sql = "create table dw.a location 's3://akey:s3cret@lake/dw/a' as select x from ods.b"
    store.append([parse_message(message(1, "2026-01-01T00:00:00Z", sql).encode())], resolver=resolver)

    assert {a.alias for a in aliases(store.fetch, store.basis("2026-02-01T00:00:00Z"))} <= {
        TABLE,
        PLACE.replace("//", "//akey:***@"),
    }
    assert "s3cret" not in str(store.as_of("2026-02-01T00:00:00Z").sql_of("load"))


@pytest.mark.parametrize(
    "sql",
    [
        "create temporary table dw.a (x int) location 's3://lake/dw/a'",
        "create table dw.a (x int) location 's3://lake/dw/a'; drop table dw.a",
        "alter table dw.a partition (dt = '1') set location 's3://lake/dw/a/dt=1'",
        "create table dw.a (x int) location '${place}'",
        "create table dw.a (x int) location 's3://lake/{env}/a'",
        "create table dw.a (x int) location 'relative/path'",
        "create table dw.a (x int) location ''",
        "create table dw.a (x int) location '/'",
        "create table dw.a (x int) location 's3://'",
        "create table dw.a (x int) tblproperties ('location' = 'here')",
        "create database d location 's3://lake/d'",
        f"create table dw.a (x int) location 's3://lake/{'a' * 2000}'",
    ],
)
def test_what_is_no_other_name_of_a_table(resolver: SqlResolver, sql: str) -> None:
    """Tables that do not stay, partitions, variables, and what is not a place."""
    assert alias_of(resolver, sql) == set()


def message(number: int, at: str, sql: str, task: str = "load") -> str:
    """A task change with SQL of Hive."""

    return json.dumps({
        "event_id": str(number), "task_id": task, "op": "update", "effective_at": at, "sql": sql, "dialect": "hive",
        "namespace": "hive",
    })  # fmt: skip


def test_lineage_goes_from_the_folder_to_the_table_while_the_task_says_so(
    tmp_path: Path, resolver: SqlResolver
) -> None:
    """A job writes files, a table reads them: before and after, the two are strangers."""
    store = Store.create(tmp_path)
    made = "create external table dw.a (x int) location 's3://lake/dw/a'"
    lines = [
        message(1, "2026-01-01T00:00:00Z", "insert overwrite directory 's3://lake/dw/a' select x from ods.b", "write"),
        message(2, "2026-02-01T00:00:00Z", made), message(3, "2026-03-01T00:00:00Z", "select 1"),
        message(4, "2026-01-01T00:00:00Z", "insert into dw.c select x from dw.a", "read"),
    ]  # fmt: skip
    store.append([parse_message(line.encode()) for line in lines], resolver=resolver)

    def upstream(at: str) -> set[str]:
        return {node.partition("#")[0] for node in store.as_of(at).upstream("hive:dw.c").nodes}

    assert "hive:ods.b" not in upstream("2026-01-15T00:00:00Z")
    assert "hive:ods.b" in upstream("2026-02-15T00:00:00Z")
    assert "hive:ods.b" not in upstream("2026-03-15T00:00:00Z")
    (alias,) = aliases(store.fetch, store.basis("2026-02-15T00:00:00Z"))
    assert ({alias.dataset, alias.alias}, alias.task_id) == ({TABLE, PLACE}, "load")


def test_a_masked_text_says_the_same_place(tmp_path: Path, resolver: SqlResolver) -> None:
    """A place is a name: masked, the statement would lose the alias when it is read again."""
    store = Store.create(tmp_path)
    store.set_text_policy("mask-literals", "privacy")
    sql = "create table dw.a location 's3://lake/dw/a' as select x from ods.b where name = 'Ana'"
    store.append([parse_message(message(1, "2026-01-01T00:00:00Z", sql).encode())], resolver=resolver)

    kept = store.as_of("2026-02-01T00:00:00Z").sql_of("load")
    assert kept is not None
    assert "s3://lake/dw/a" in kept
    assert "Ana" not in kept
    assert len(aliases(store.fetch, store.basis("2026-02-01T00:00:00Z"))) == 1
