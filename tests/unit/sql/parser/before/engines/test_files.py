"""ClickHouse's functions of files, with words for texts."""

from __future__ import annotations

import pytest
from token_texts import text_of, tokens_in

from ingest.sql import extract
from ingest.sql.parser.before.engines.files import with_formats


@pytest.mark.parametrize(
    ("call", "source"),
    [
        ("file('x.csv', CSV)", "file:x.csv"),
        ("file('x.csv.gz', CSVWithNames, 'a Int32', gzip)", "file:x.csv.gz"),
        ("file('x.json', JSON)", "file:x.json"),
        ("url('https://b/x.csv', CSV, 'a Int')", "https://b:x.csv"),
        ("s3('https://b/x.csv', CSV)", "https://b:x.csv"),
        ("s3('https://b/x.csv', NOSIGN, CSV)", "https://b:x.csv"),
        ("s3('https://b/x.csv', 'key', 'secret', CSVWithNames)", "https://b:x.csv"),
        ("gcs('https://b/x.csv', CSV) AS f", "https://b:x.csv"),
        ("hdfs('hdfs://h:1/x', TSV, 'a Int')", "hdfs://h:1:x"),
        ("s3Cluster('c', 'https://b/x.csv', CSV)", "https://b:x.csv"),
        ("fileCluster(c, 'x.csv', CSV)", "file:x.csv"),
    ],
)
def test_a_bare_word_says_the_format(call: str, source: str) -> None:
    """``CSV`` was said to be named in no clause that is understood; in quotes it was complete."""
    for sql in (
        f"INSERT INTO o SELECT a FROM {call}",
        f"INSERT INTO o WITH q AS (SELECT a FROM {call}) SELECT a FROM q",
    ):
        found = extract(sql, dialect="clickhouse", namespace="n")

        assert [(edge.source, edge.target) for edge in found.edges] == [(f"{source}#a", "n:o#a")]
        assert found.coverage == "complete"


def test_rows_in_a_text_have_a_format_too() -> None:
    """``format(CSV, '1,2')`` reads nothing."""
    found = extract("INSERT INTO o SELECT c1 FROM format(CSV, '1,2')", dialect="clickhouse", namespace="n")

    assert (found.edges, found.coverage) == ((), "complete")


def test_a_file_of_the_client_fills_a_table() -> None:
    """INFILE was a table."""
    sql = "INSERT INTO t (a, b) FROM INFILE 'x.csv' COMPRESSION 'gzip' FORMAT CSV"
    found = extract(sql, dialect="clickhouse", namespace="n")

    assert {edge.source.partition("#")[0] for edge in found.edges} == {"file:x.csv"}


@pytest.mark.parametrize(
    "sql",
    [
        "select file ( a , b ) from t",
        "select a from s3 ( creds , filename = x )",
        "select a from file ( path )",
        "select a from file ( x . y , concat ( a , b ) )",
        "select a from file (",
        "select file from url , s3",
        "insert into t ( a ) select infile from u",
        "insert into t select a from infile",
    ],
)
def test_other_arguments_stay(sql: str) -> None:
    """A function of values has columns, and the first argument may name a collection of settings."""
    assert text_of(with_formats(tokens_in(sql, "clickhouse"))) == sql
