"""The log's rows as Arrow, the form in which they are stored in Parquet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import accumulate, chain, pairwise
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from lineage_tt.model.edges import Edge
from lineage_tt.model.errors import CorruptError
from lineage_tt.model.format import LogRow
from lineage_tt.model.messages import Problem

INSTANT = pa.timestamp("us", tz="UTC")
EDGE_FIELDS: Final = [pa.field(name, pa.string()) for name in Edge._fields]
EDGE = pa.struct(EDGE_FIELDS)
CHANGE = pa.struct(
    [pa.field("sign", pa.int8()), *EDGE_FIELDS, pa.field("valid_from", INSTANT), pa.field("valid_to", INSTANT)]
)
PROBLEM = pa.struct(
    [
        pa.field("code", pa.string()),
        pa.field("detail", pa.string()),
        pa.field("subject", pa.string()),
        pa.field("line", pa.int32()),
        pa.field("column", pa.int32()),
    ]
)
FACT_FIELDS: Final = [pa.field(name, pa.string()) for name in ("node", "key", "value")]
FACT = pa.struct(FACT_FIELDS)
FACT_CHANGE = pa.struct(
    [pa.field("sign", pa.int8()), *FACT_FIELDS, pa.field("valid_from", INSTANT), pa.field("valid_to", INSTANT)]
)
STAR = pa.struct([pa.field("dataset", pa.string()), pa.field("columns_digest", pa.string())])
OUTPUT = pa.struct([pa.field("dataset", pa.string()), pa.field("columns", pa.list_(pa.field("element", pa.string())))])


class ColumnTooLargeError(ValueError):
    """A column of the rows given does not fit in one Arrow array."""


def _list(element: pa.DataType) -> pa.DataType:
    return pa.list_(pa.field("element", element))


_TYPES: Final[dict[str, pa.DataType]] = {
    "version": pa.int64(),
    "system_time": INSTANT,
    "effective_at": INSTANT,
    "source_version": pa.int64(),
    "produced_at": INSTANT,
    "recorded_at": INSTANT,
    "source_position": pa.int64(),
    "problems": _list(PROBLEM),
    "outputs": _list(OUTPUT),
    "edges": _list(EDGE),
    "changes": _list(CHANGE),
    "facts": _list(FACT),
    "fact_changes": _list(FACT_CHANGE),
    "stars": _list(STAR),
    "derived_from": pa.int64(),
    "content_sha256": pa.binary(),
    "rejected_bytes": pa.binary(),
    "checksum": pa.binary(),
}
REQUIRED: Final = frozenset({"version", "system_time", "status", "content_sha256", "checksum"})
SCHEMA: Final = pa.schema(
    [pa.field(name, _TYPES.get(name, pa.string()), nullable=name not in REQUIRED) for name in LogRow._fields]
)
_LISTS: Final = {
    "problems": PROBLEM,
    "edges": EDGE,
    "changes": CHANGE,
    "facts": FACT,
    "fact_changes": FACT_CHANGE,
    "stars": STAR,
}
#: Columns with few distinct values. For other columns, a dictionary makes files a third larger and slower to write.
_REPEATED: Final = [
    *("status", "task_id", "op", "actor", "reason", "source", "dialect", "namespace", "parser", "coverage", "kind"),
    *(f"{name}.list.element.{leaf}" for name in ("edges", "changes") for leaf in ("type", "subtype", "expression")),
    *(f"{name}.list.element.key" for name in ("facts", "fact_changes")),
    *("changes.list.element.sign", "changes.list.element.valid_from", "changes.list.element.valid_to"),
]
#: Columns that queries filter by value or range: files have minimum and maximum statistics for them.
_WITH_STATISTICS: Final = ["version", "system_time", "task_id", "event_id"]
#: Up to this many rows, a second row group costs more than it is worth.
MAX_ONE_GROUP: Final = 64
_INSTANTS: Final = tuple(name for name in LogRow._fields if _TYPES.get(name) == INSTANT)


def to_table(rows: Sequence[LogRow]) -> pa.Table:
    """Return the rows as an Arrow table of ``SCHEMA``."""
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(SCHEMA)
    arrays = []
    for column, arrow in zip(columns, SCHEMA, strict=True):
        if arrow.name in _LISTS:
            arrays.append(_list_of_structs(column, _LISTS[arrow.name]))
        elif arrow.name == "outputs":
            arrays.append(pa.array([[dict(zip(("dataset", "columns"), o, strict=True)) for o in v] for v in column],
                                   arrow.type))  # fmt: skip
        else:
            arrays.append(_array(column, arrow.type))
    return pa.Table.from_arrays(arrays, schema=SCHEMA)


@cache
def warm() -> None:
    """Load what writing the first file needs: pyarrow then looks for other packages, for 0.2 s of processor time."""
    parquet_bytes([])


def parquet_bytes(rows: Sequence[LogRow], more: Callable[[], Sequence[LogRow]] = tuple) -> bytes:
    """Return the rows as a Parquet file: zstd, page checksums, one row group unless they are uncommonly large.

    ``more`` is called for further rows as late as possible. They share the row group of ``rows`` if these are at most
    ``MAX_ONE_GROUP``; otherwise they get a row group of their own.
    """

    def tables() -> Iterator[pa.Table]:
        if len(rows) <= MAX_ONE_GROUP:
            yield from _tables([*rows, *more()])
            return
        yield from _tables(rows)
        if further := more():
            yield from _tables(further)

    return bytes_of(tables())


def bytes_of(tables: Iterable[pa.Table]) -> bytes:
    """Return tables of ``SCHEMA`` as a Parquet file with one row group per table."""
    sink = pa.BufferOutputStream()
    with pq.ParquetWriter(
        sink, SCHEMA, compression="zstd", compression_level=1, write_page_checksum=True,
        use_dictionary=_REPEATED, write_statistics=_WITH_STATISTICS,
    ) as writer:  # fmt: skip
        for table in tables:
            writer.write_table(table)
    return bytes(sink.getvalue())


def _tables(rows: Sequence[LogRow]) -> Iterator[pa.Table]:
    """Yield the rows in one table, or in several where one column of all rows would not fit in 2 GiB."""
    try:
        yield to_table(rows)
    except ColumnTooLargeError:
        if len(rows) == 1:
            raise
        yield from _tables(rows[: len(rows) // 2])
        yield from _tables(rows[len(rows) // 2 :])


def _array(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    array = pa.array(values, kind)
    if isinstance(array, pa.ChunkedArray):  # pyarrow returns chunks where the text is longer than an offset can reach
        raise ColumnTooLargeError("more than 2 GiB of text in one column of one row group")
    return array


def _list_of_structs(column: Sequence[Sequence[tuple[Any, ...]]], struct: pa.StructType) -> pa.Array:
    """Build a list<struct> column field by field, which is several times faster than from dictionaries."""
    offsets = [0] * (len(column) + 1) if not any(column) else [0, *accumulate(map(len, column))]
    values = list(chain.from_iterable(chain.from_iterable(column)))
    width = struct.num_fields
    assert len(values) == width * offsets[-1], struct
    children = [_array(values[place::width], field.type) for place, field in enumerate(struct)]
    return pa.ListArray.from_arrays(
        pa.array(offsets, pa.int32()), pa.StructArray.from_arrays(children, fields=list(struct)), type=_list(struct)
    )


def batches(file: pq.ParquetFile, size: int, columns: list[str] | None = None) -> Iterator[pa.RecordBatch]:
    """Yield a data file's rows in order of version; ``columns`` must include ``version``.

    Appends write rows in this order; a file that compaction made from several is clustered by task.
    """
    version = file.read(columns=["version"])["version"].combine_chunks()
    if len(version) < 2 or pc.all(pc.greater(version[1:], version[:-1])).as_py():
        yield from file.iter_batches(size, columns=columns, use_threads=False)
        return
    table = file.read(columns=columns)
    yield from table.take(pc.sort_indices(version)).to_batches(max_chunksize=size)


def read_columns(path: Path, columns: Sequence[str]) -> pa.Table:
    """Return some columns of a data file; CorruptError where it cannot be read.

    Does not use ``pq.read_table``, which makes a data set of the file and so takes twice as long.
    """
    try:
        with pq.ParquetFile(path) as file:
            return file.read(columns=list(columns))
    except (OSError, pa.ArrowException) as error:
        raise CorruptError(f"the data file {path.name} cannot be read: {error}") from None


def from_table(table: pa.Table | pa.RecordBatch) -> Iterable[LogRow]:
    """Yield the rows of a table in ``SCHEMA``, instants as integers, checksums as stored."""
    whole = pa.Table.from_batches([table]) if isinstance(table, pa.RecordBatch) else table
    for batch in whole.select(LogRow._fields).cast(_PLAIN).to_batches(max_chunksize=4096):
        values = {name: batch.column(name).to_pylist() for name in LogRow._fields if name not in _LISTS}
        for name, struct in _LISTS.items():
            values[name] = _tuples(batch.column(name), struct)
        values["problems"] = [[Problem(*p) for p in v] for v in values["problems"]]
        values["outputs"] = [[(o["dataset"], o["columns"]) for o in v] for v in values["outputs"]]
        for row in zip(*(values[name] for name in LogRow._fields), strict=True):
            yield LogRow(*row)


def some_of(table: pa.Table, names: Sequence[str]) -> Iterable[LogRow]:
    """Yield the rows of a table that has only these columns; the others are empty. Required columns must be present."""
    kinds = {field.name: field.type for field in _PLAIN}
    values: list[list[Any]] = []
    for name in names:
        column = table.column(name).cast(kinds[name]).combine_chunks()
        if name in _LISTS:
            values.append(_tuples(column, _LISTS[name]))
        elif name == "outputs":
            values.append([[(o["dataset"], o["columns"]) for o in v] for v in column.to_pylist()])
        else:
            values.append(column.to_pylist())
    for row in zip(*values, strict=True):
        yield LogRow(**dict(zip(names, row, strict=True)))


def _tuples(column: pa.ListArray, struct: pa.StructType) -> list[list[tuple[Any, ...]]]:
    flat = column.flatten()
    items = list(zip(*(flat.field(i).to_pylist() for i in range(struct.num_fields)), strict=True))
    ends = [0, *_running(column.value_lengths().to_pylist())]
    return [items[a:b] for a, b in pairwise(ends)]


def _running(lengths: Iterable[int]) -> Iterable[int]:
    total = 0
    for length in lengths:
        total += length
        yield total


def _integer_instants(schema: pa.Schema) -> pa.Schema:
    """Return the schema with instants as int64: Python's datetime cannot represent every instant that Arrow can."""

    def plain(kind: pa.DataType) -> pa.DataType:
        if kind == INSTANT:
            return pa.int64()
        if pa.types.is_list(kind):
            return pa.list_(pa.field("element", plain(kind.value_type)))
        if pa.types.is_struct(kind):
            return pa.struct([pa.field(f.name, plain(f.type)) for f in kind])
        return kind

    return pa.schema([pa.field(f.name, plain(f.type), f.nullable) for f in schema])


_PLAIN: Final = _integer_instants(SCHEMA)
