"""The log as columns of numbers: its files are read with Arrow and its texts interned, without Python code per row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from lineage_tt.graph.arrays.dictionary import Dictionary
from lineage_tt.graph.arrays.names import Longs
from lineage_tt.graph.arrays.pairing import Changes
from lineage_tt.graph.arrays.rows import FOREVER
from lineage_tt.log.arrow import read_columns
from lineage_tt.model.errors import CorruptError

_COLUMNS: Final = ["version", "system_time", "task_id", "changes"]


class Piece(NamedTuple):
    """Some rows of the log: their changes, and the system time of every version from ``first`` on."""

    first: int
    system_times: Longs
    changes: Changes


def read(files: Iterable[Path], after: int, names: Dictionary) -> Iterator[Piece]:
    """Yield, file by file, what the versions after ``after`` say; new texts are added to the dictionary."""
    for path in files:
        table = read_columns(path, _COLUMNS)
        version = table.column("version")
        if len(version) > 1 and not pc.all(pc.greater(version[1:], version[:-1])).as_py():
            table = table.take(pc.sort_indices(version))  # compaction clustered this file by task
            version = table.column("version")
        if after and pc.min(version).as_py() <= after:
            table = table.filter(pc.greater(version, after))
        if len(table):
            yield piece(table, names)


def piece(table: pa.Table, names: Dictionary) -> Piece:
    """Return some rows of the log as numbers."""
    version = numbers(table.column("version"))
    column = table.column("changes").combine_chunks()
    lengths = pc.fill_null(pc.list_value_length(column), 0).to_numpy(zero_copy_only=False)
    flat = column.flatten()
    fields = dict(zip([field.name for field in flat.type], flat.flatten(), strict=True))
    text = {name: _text(fields[name]) for name in ("source", "target", "type", "subtype", "expression")}
    source, target = names.nodes.intern(text["source"]), names.nodes.intern(text["target"])
    names.note_datasets()
    kinds = names.kinds(text["type"], text["subtype"])
    tasks = table.column("task_id").combine_chunks().filter(pa.array(lengths > 0))
    by_change = np.repeat(names.tasks.intern(tasks), lengths[lengths > 0])
    payload = names.payloads_of(by_change, kinds, names.expressions.intern(text["expression"]))
    return Piece(
        int(version[0]),
        numbers(table.column("system_time")),
        Changes(
            fields["sign"].to_numpy(zero_copy_only=False),
            source,
            target,
            payload,
            numbers(fields["valid_from"]),
            numbers(fields["valid_to"]),
            np.repeat(version.astype(np.int32), lengths),
        ),
    )


def joined(pieces: Sequence[Piece]) -> tuple[Changes, Longs]:
    """Return the changes of several pieces as one, and all their system times."""
    none = np.zeros(0, np.int32)
    nothing = Changes(np.zeros(0, np.int8), none, none, none, none.astype(np.int64), none.astype(np.int64), none)
    columns: list[Any] = [
        np.concatenate(column) for column in zip(nothing, *(piece.changes for piece in pieces), strict=True)
    ]
    return Changes(*columns), np.concatenate([np.zeros(0, np.int64), *(piece.system_times for piece in pieces)])


def _text(values: pa.Array) -> pa.Array:
    return pc.fill_null(values, "") if values.null_count else values


def numbers(values: pa.Array | pa.ChunkedArray) -> Longs:
    """Return instants or integers as int64, no value as ``FOREVER``."""
    plain = values.cast(pa.int64())
    if plain.null_count:
        plain = pc.fill_null(plain, FOREVER)
    result: Longs = plain.to_numpy() if isinstance(plain, pa.ChunkedArray) else plain.to_numpy(zero_copy_only=False)
    return result.copy()  # Arrow's array is read-only, which is another type for numba


def within(version: pa.ChunkedArray, after: int, upto: int) -> pa.ChunkedArray:
    """Return which versions are in (after, upto]."""
    return pc.and_(pc.greater(version, after), pc.less_equal(version, upto))


def unpaired(version: int) -> CorruptError:
    """Return the error for a minus without an earlier plus."""
    return CorruptError(f"version {version} removes an edge that no earlier version added")
