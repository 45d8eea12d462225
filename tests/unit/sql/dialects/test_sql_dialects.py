"""How dialects spell the names of one script."""

from __future__ import annotations

import pytest
from sqlglot import exp, parse_one

from ingest.sql.dialects.dialects import Names, NotATableError, UnknownDialectError, path_dataset


def named(dialect: str, table: str, database: str = "d") -> str:
    """Return the node of a table that is written so."""
    return Names(dialect, "n", database).dataset(exp.to_table(table, dialect=dialect))


@pytest.mark.parametrize(
    ("dialect", "table", "database", "node"),
    [("hive", "`Ab`.C", "d", "n:ab.c"), ("snowflake", '"Ab".cD', "D", "n:Ab.CD"),
     ("postgres", '"Ab".cD', "d", "n:Ab.cd"),
     ("hive", "t", "c.d", "n:c.d.t"), ("hive", "e.t", "c.d", "n:c.e.t"), ("hive", "x.y.z", "d", "n:x.y.z"),
     ("hive", "t", "", "n:t"), ("spark", "spark_catalog.d.t", "d", "n:d.t"), ("spark", "spark_catalog.t", "d",
     "n:spark_catalog.t"), ("athena", '"AwsDataCatalog"."d"."t"', "d", "n:d.t"), ("athena", "d.t", "AwsDataCatalog.x",
     "n:awsdatacatalog.d.t"), ("athena", "awsdatacatalog.d.t", "other.x", "n:d.t"),
     ("spark", "spark_catalog.d.t", "other.x", "n:d.t"),
     ("spark", "parquet.`/x`", "d", "file:/x"), ("spark", "parquet.x", "d", "n:parquet.x"),
     ("spark", "`s3://b/k/x`", "d", "s3://b:k/x"), ("hive", "Größe", "d", "n:d.größe")],
)  # fmt: skip
def test_a_tables_node_has_the_case_and_database_of_its_dialect(
    dialect: str, table: str, database: str, node: str
) -> None:
    """Missing leading parts are the current database's; a path is a file."""
    assert named(dialect, table, database) == node


def test_a_dialect_that_is_not_known_has_no_names() -> None:
    """The error names the nearest one."""
    with pytest.raises(UnknownDialectError, match="'postgress'; did you mean postgres"):
        Names("postgress", "n", "d")


def test_use_keeps_the_catalog_that_it_does_not_name() -> None:
    """A catalog alone brings the schema that its dialect begins with."""
    names = Names("snowflake", "n", "C.D")
    names.use(["E"])
    assert names.database == ["C", "E"]
    names.use(["X"], catalog=True)
    assert names.database == ["X", "PUBLIC"]
    spark = Names("spark", "n", "d")
    spark.use(["spark_catalog"])
    assert spark.database == ["default"]


def test_use_of_more_parts_makes_names_deeper() -> None:
    """A name of two parts is then one in the catalog."""
    names = Names("hive", "n", "d")
    names.use(["x", "y"])

    assert names.dataset_of_spelt(["a", "b"]) == "n:x.a.b"


def test_a_text_for_another_database_is_kept_under_its_prefix() -> None:
    """However many parts a name has."""
    names = Names("hive", "n", "d")
    names.keep_under("p")

    assert [names.dataset_of_spelt(["a", "b", "c"]), names.dataset_of_spelt(["a"])] == ["n:p.a.b.c", "n:p.a"]


def test_datasets_that_are_asked_for_are_noted() -> None:
    """The node alone of spelt parts is not a question."""
    names = Names("hive", "n", "d")
    names.dataset_of_spelt(["a"])
    names.dataset_of_parts(["b"])

    assert (names.touched, names.looked_up) == ({"n:d.b"}, {"n:d.b"})


def test_a_messages_target_is_a_node_or_a_name() -> None:
    """A node is kept as it is, a name is spelt."""
    names = Names("hive", "n", "d")

    assert (names.target("m:X.Y"), names.target("X.Y"), names.target("Y")) == ("m:X.Y", "n:x.y", "n:d.y")


@pytest.mark.parametrize(
    "name",
    ["d.t$20240101", "bigquery:p.d.t$2024010112", "p.d.t$__UNPARTITIONED__", "d.t${{ ds_nodash }}", "d.t@-3600000",
     "bigquery:p.d.t@1-2", "d.t$20240102__sample_10"],
)  # fmt: skip
def test_a_partition_of_bigquery_is_its_table(name: str) -> None:
    """Who writes a partition writes the table that others read; elsewhere a name may have such signs."""
    plain = Names("bigquery", "bigquery", "p.d")

    assert plain.target(name) == "bigquery:p.d.t"
    assert plain.dataset(exp.to_table("`p.d.t$20240101`", dialect="bigquery")) == "bigquery:p.d.t"
    assert (plain.target("x:a@b"), plain.target("x:t$")) == ("x:a@b", "x:t$")
    assert Names("trino", "trino", "c.d").target("trino:c.d.t$partitions") == "trino:c.d.t$partitions"


@pytest.mark.parametrize(
    ("table", "node"),
    [("c.d.t.branch_audit", "n:c.d.t"), ("c.d.t.Tag_q1", "n:c.d.t"),
     ("c.d.t.snapshot_id_109", "n:c.d.t"), ("c.d.t.at_timestamp_17", "n:c.d.t"), ("c.d.branch_x", "n:c.d.branch_x"),
     ("c.d.t.snapshots", "n:c.d.t.snapshots"), ("c.d.t.branches", "n:c.d.t.branches")],
)  # fmt: skip
def test_a_branch_of_iceberg_is_its_table(table: str, node: str) -> None:
    """With a catalog in front; a name of three parts is a table's, and tables of metadata are tables."""
    assert named("spark", table) == node
    assert Names("databricks", "n", "d").target(f"n:{table.lower()}") == node


@pytest.mark.parametrize(
    ("dialect", "table", "database", "node"),
    [("tsql", "db..t", "", "n:db.dbo.t"), ("tsql", "db..t", "other.x", "n:db.dbo.t"),
     ("tsql", "db..t", "db.x", "n:db.x.t"), ("tsql", "db..t", "db", "n:db.t"),
     ("tsql", "srv.db..t", "", "n:srv.db.dbo.t"), ("snowflake", "db..t", "", "n:DB.PUBLIC.T"),
     ("tsql", "tempdb..#t", "db.x", "n:db.x.%23t"), ("mysql", "db..t", "", "n:db.t")],
)  # fmt: skip
def test_a_schema_that_a_name_leaves_out_is_the_default_one(dialect: str, table: str, database: str, node: str) -> None:
    """Or the current one, where the current database is that one; ``db.dbo.t`` is the same table."""
    given = parse_one(f"SELECT * FROM {table}", dialect=dialect).find(exp.Table)

    assert given is not None
    assert Names(dialect, "n", database).dataset(given) == node


def test_what_is_no_table_is_refused() -> None:
    """The error says what is there."""
    with pytest.raises(NotATableError, match="Subquery in the place"):
        Names("hive", "n", "d").parts(exp.Subquery())


def test_unnamed_columns_are_called_as_the_dialect_does() -> None:
    """By place, by number, or by their text where that is no longer than 128 characters."""
    assert Names("hive", "n", "d").unnamed(2, 0, "a + 1") == "_c2"
    assert Names("bigquery", "n", "d").unnamed(2, 0, "a + 1") == "f0_"
    assert Names("spark", "n", "d").unnamed(2, 0, "x" * 128) == "x" * 128
    assert Names("spark", "n", "d").unnamed(2, 0, "x" * 129) == "_c2"
    assert (Names("postgres", "n", "d").of_values(0), Names("trino", "n", "d").of_values(0)) == ("column1", "_col0")


@pytest.mark.parametrize(
    ("path", "node"),
    [("s3://b/k/x", "s3://b:k/x"), ("S3://b//k", "S3://b:k"), ("/x/y", "file:/x/y"), ("hdfs://h:8020/x", "hdfs://h:8020:x")],
)  # fmt: skip
def test_a_path_is_a_node_of_its_store(path: str, node: str) -> None:
    """Without a scheme it is a file."""
    assert path_dataset(path) == node


@pytest.mark.parametrize(
    ("dialect", "sql", "table", "node"),
    [("databricks", "CREATE  LIVE\nTABLE a AS SELECT 1", "LIVE.t", "n:c.d.t"),
     ("databricks", "CREATE OR REFRESH MATERIALIZED VIEW a AS SELECT b FROM live.t", "live.t", "n:c.d.t"),
     ("databricks", "CREATE OR REPLACE VIEW a AS SELECT b FROM live.t", "live.t", "n:c.live.t"),
     ("databricks", "CREATE LIVE TABLE a AS SELECT b FROM c.live.t", "c.live.t", "n:c.live.t"),
     ("databricks", "SELECT a /* a live table */ FROM live.t -- create or refresh", "live.t", "n:c.live.t"),
     ("databricks", "SELECT a FROM live.t WHERE b = 'live table' OR refresh", "live.t", "n:c.live.t"),
     ("databricks", "SELECT a FROM live TABLESAMPLE (1 ROWS) JOIN live.t USING (b)", "live.t", "n:c.live.t"),
     ("spark", "CREATE LIVE TABLE a AS SELECT b FROM live.t", "live.t", "n:c.live.t"),
     ("bigquery", "SELECT a FROM `_SESSION.t`", "_SESSION.t", "n:c.d.t"),
     ("bigquery", "SELECT a FROM _SESSION.t", "_SESSION.t", "n:c.d.t")],
)  # fmt: skip
def test_a_schema_may_mean_the_scripts_own_tables(dialect: str, sql: str, table: str, node: str) -> None:
    """A pipeline's tables and a session's temporary ones were other datasets where they are read than where written."""
    names = Names(dialect, "n", "c.d")
    names.begin(names.dialect.tokenize(sql))

    assert names.dataset(exp.to_table(table, dialect=dialect)) == node
    names.begin([])
    assert names.dataset(exp.to_table("live.t", dialect=dialect)) == "n:c.live.t"


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [("databricks", "CREATE LIVE TABLE o AS SELECT LIVE.t.a, live.u.e FROM LIVE.t JOIN live.u ON LIVE.t.c = live.u.d"),
     ("bigquery", "INSERT INTO o SELECT _SESSION.t.a, u.e FROM _SESSION.t JOIN _SESSION.u ON t.c = _SESSION.u.d")],
)  # fmt: skip
def test_a_column_may_be_written_with_that_schema(lineage, dialect, sql):
    """It was a field ``live.t.a`` of some column of the table."""
    result = lineage(sql, dialect, target=None)

    assert result.names() == {"a": "t#a", "e": "u#e"}
    assert result.found.coverage == "complete"


def test_names_have_as_many_parts_after_a_use_with_the_sessions_catalog():
    """After ``USE spark_catalog.d``, ``t`` kept its own name alone."""
    names = Names("spark", "n", "")
    names.use(["spark_catalog", "d"])

    assert names.dataset(exp.to_table("t")) == "n:d.t"
