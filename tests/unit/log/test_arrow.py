"""Rows of the log as Arrow and Parquet, and back."""

from __future__ import annotations

import io

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lineage_tt.log.arrow import MAX_ONE_GROUP, REQUIRED, SCHEMA, batches, from_table, parquet_bytes, some_of, to_table
from lineage_tt.model.format import LogRow
from lineage_tt.model.messages import Problem

EDGE = ("n:a#x", "n:b#y", "DIRECT", "IDENTITY", "")
FULL = LogRow(
    1, 2**50, "accepted", event_id="e", task_id="t", effective_at=-1, problems=[Problem("syntax", "d", "", 3, 4)],
    outputs=[("n:b", ["y"])], edges=[EDGE], changes=[(1, *EDGE, -5, None), (-1, *EDGE, 0, 253402300799999999)],
    facts=[("n:a", "label", "pii")], fact_changes=[(1, "n:a", "label", "pii", 0, None)],
    stars=[("n:a", None), ("n:c", "ff")], content_sha256=b"\x00\xff", checksum=bytes(32),
)  # fmt: skip


def row(version: int) -> LogRow:
    """A row with nothing but what is required."""
    return LogRow(version, version, "accepted", checksum=b"c")


def read(data: bytes) -> pq.ParquetFile:
    """Return a file's bytes as a Parquet file."""
    return pq.ParquetFile(io.BytesIO(data))


def test_rows_come_back_as_they_were_written() -> None:
    """Instants before 1970 and in the year 9999, open ends, nested lists and bytes; what is empty stays empty."""
    [full, bare] = from_table(read(parquet_bytes([FULL, row(2)])).read())

    assert full == FULL
    assert [*bare] == [[] if value == () else value for value in row(2)]


def test_no_rows_make_an_empty_table_of_the_schema() -> None:
    """A commit that adds no version has no rows, and its file the same columns."""
    assert to_table([]).schema == SCHEMA
    assert list(from_table(to_table([]))) == []


def test_only_the_required_columns_cannot_be_null() -> None:
    """Readers rely on it; a new column must be nullable, so that older files have it."""
    assert {field.name for field in SCHEMA if not field.nullable} == REQUIRED


@pytest.mark.parametrize(("rows", "groups"), [(1, 1), (MAX_ONE_GROUP, 1), (MAX_ONE_GROUP + 1, 2)])
def test_further_rows_join_a_small_group_and_follow_a_large_one(rows: int, groups: int) -> None:
    """What rides along with a few rows is in their row group; otherwise it gets its own, and is never lost."""
    file = read(parquet_bytes([row(n) for n in range(rows)], lambda: [row(rows)]))

    assert file.num_row_groups == groups
    assert file.read(columns=["version"])["version"].to_pylist() == list(range(rows + 1))


def test_rows_of_a_clustered_file_come_in_order_of_version() -> None:
    """Compaction clusters by task; who reads the log still sees versions in order, in batches of the size asked for."""
    file = read(parquet_bytes([row(n) for n in (3, 1, 5, 2, 4)]))
    found = [batch.column("version").to_pylist() for batch in batches(file, 2, ["version"])]

    assert found == [[1, 2], [3, 4], [5]]


def test_some_columns_make_rows_with_the_others_empty() -> None:
    """The columns that were not read have their defaults."""
    table = to_table([FULL]).select(["version", "system_time", "status", "outputs", "edges"])
    [found] = some_of(table, table.column_names)

    assert found == LogRow(1, 2**50, "accepted", outputs=[("n:b", ["y"])], edges=[EDGE])


def test_a_column_that_is_missing_is_an_error() -> None:
    """A table of another schema is not read as if its column were empty."""
    with pytest.raises(KeyError):
        list(from_table(pa.table({"version": [1]})))
