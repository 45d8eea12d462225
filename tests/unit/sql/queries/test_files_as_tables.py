"""Files where a table stands: each engine's way to name them, and all of them."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("dialect", "source", "expected"),
    [
        ("duckdb", "'x/y.parquet'", {"file:x/y.parquet#a"}),
        ("duckdb", "'s3://b/y.json.gz'", {"s3://b:y.json.gz#a"}),
        ("duckdb", "read_parquet('x/*.parquet', union_by_name = true)", {"file:x/*.parquet#a"}),
        ("duckdb", "iceberg_scan('s3://b/x', allow_moved_paths = true)", {"s3://b:x#a"}),
        ("duckdb", "delta_scan('s3://b/x/y')", {"s3://b:x/y#a"}),
        ("duckdb", "read_json(['p.json', 'q.json'], format = 'array')", {"file:p.json#a", "file:q.json#a"}),
        ("duckdb", "read_csv(['p.csv', 's3://b/q'], delim = ';')", {"file:p.csv#a", "s3://b:q#a"}),
        ("spark", "parquet.`s3://b/x/y`", {"s3://b:x/y#a"}),
        ("spark", "csv.`/x/y`", {"file:/x/y#a"}),
        ("databricks", "read_files('s3://b/x', format => 'csv')", {"s3://b:x#a"}),
        ("clickhouse", "s3('s3://b/x.csv', 'CSV')", {"s3://b:x.csv#a"}),
    ],
)
def test_a_file_in_from_is_a_dataset_of_its_own(lineage, dialect, source, expected):
    """Called as OpenLineage calls files; what else the function is given names none."""
    told = lineage(f"SELECT a AS z FROM {source} AS f", dialect=dialect)
    assert set(told.columns()["z"]) == expected


@pytest.mark.parametrize("sql", ["SELECT a FROM json.t", "SELECT a FROM `x.parquet`"])
def test_a_table_called_like_a_format_is_a_table(lineage, sql):
    """Only a path after it makes it one."""
    assert "file:" not in str(lineage(sql, dialect="spark").tables())


@pytest.mark.parametrize(
    "place",
    [
        "'/out' USING parquet",
        "'/out' USING csv OPTIONS (sep ';', k 1)",
        "USING parquet OPTIONS (path '/out', 'k' 1)",
        "USING parquet OPTIONS ('path' = '/out')",
        "'/out' STORED AS orc",
    ],
)
@pytest.mark.parametrize("local", ["", "LOCAL "])
def test_what_is_written_to_a_directory_goes_there(lineage, local, place):
    """Spark's INSERT OVERWRITE DIRECTORY with a data source, and Hive's."""
    told = lineage(f"INSERT OVERWRITE {local}DIRECTORY {place} WITH q AS (SELECT a FROM t) SELECT a FROM q")
    assert told.tables() == {("t", "file:/out")}
    assert told.found.coverage == "complete"


def test_a_struct_laid_out_whose_fields_are_not_known_is_a_star(lineage):
    """Spark's inline makes as many columns as the struct has."""
    told = lineage("SELECT x, inline(arr) FROM w")
    assert told.names() == {"x": "w#x", "*": "w#arr"}
    assert "unknown-columns" in told.codes()


@pytest.mark.parametrize(
    "source", ["@st/p/x.csv", "@st/x.csv.gz", "@~/x.csv", "@%t/x.csv", "@d.s.st/x.csv", "'@st/x.csv'"]
)
@pytest.mark.parametrize("more", ["", " f", " AS f", " (FILE_FORMAT => d.s.csv) f"])
def test_a_file_of_a_stage_is_named_by_its_path(lineage, source, more):
    """``x.csv`` was said to be named in no clause that is understood, unless options came after it."""
    told = lineage(f"INSERT INTO o (a) SELECT $1 FROM {source}{more}", dialect="snowflake", target=None)
    path = source.strip("'")

    assert [(edge.source, edge.target) for edge in told.found.edges] == [(f"file:{path}#$1", "n:d.O#A")]
    assert told.found.coverage == "complete"


@pytest.mark.parametrize("dialect", ["snowflake", "databricks"])
@pytest.mark.parametrize(
    "path", ["from.x", "a.from.b", "join.x", "table.from", "into[0].x", "using.x", "not.x", "on::string"]
)
def test_a_key_of_a_document_may_be_a_keyword(lineage, dialect, path):
    """``v:from.email`` was a FROM whose name begins with a dot."""
    told = lineage(f"CREATE TABLE k AS SELECT a:{path} AS z FROM t WHERE b:{path} = 1", dialect=dialect, target=None)
    edges = {(edge.source.lower(), edge.target.lower()) for edge in told.found.edges}

    assert edges == {("n:d.t#a", "n:d.k#z"), ("n:d.t#b", "n:d.k")}
    assert told.found.coverage == "complete"
