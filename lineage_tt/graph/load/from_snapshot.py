"""The graph from the snapshot, which stores rectangles as numbers: they are read column by column."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from lineage_tt.graph.arrays.dictionary import Dictionary
from lineage_tt.graph.arrays.loading import numbers, unpaired
from lineage_tt.graph.arrays.names import Ints, Longs
from lineage_tt.graph.arrays.pairing import Changes
from lineage_tt.graph.arrays.rows import NEVER, Rectangles
from lineage_tt.graph.arrays.state import State, build
from lineage_tt.graph.load.tail import closed_in_place
from lineage_tt.model.errors import CorruptError
from lineage_tt.read.snapshots.snapshot import REBUILD, Snapshot

_COLUMNS: Final = ["source", "target", "task", "label", "valid_from", "valid_to", "opened", "closed"]


class Loaded(NamedTuple):
    """What is loaded from a snapshot."""

    state: State
    system_times: Longs


class Labels(NamedTuple):
    """The kind and the expression of each label, by number."""

    kind: Ints
    expression: Ints


def load(snapshot: Snapshot, names: Dictionary) -> Loaded:
    """Return the state at the snapshot's version, and the system times up to it; names are added to ``names``."""
    opened, closing = [], []
    paths = iter(snapshot.files("source"))
    with ThreadPoolExecutor(2) as beside:  # Arrow and compiled code run without the interpreter lock
        coming = _begin(paths, beside)
        labels = _names(snapshot, names, beside)
        while coming is not None:
            table, coming = coming.result(), _begin(paths, beside)
            alone = table.column("opened").null_count
            if alone < len(table):
                opened.append(
                    _rectangles(table.filter(pc.is_valid(table.column("opened"))) if alone else table, labels, names)
                )
            if alone:
                closing.append(_rectangles(table.filter(pc.is_null(table.column("opened"))), labels, names))
    state = build(_joined(opened), names, snapshot.version)
    if closing:
        state = _closed(state, _joined(closing))
    times = numbers(_table(snapshot, "versions").sort_by("version").column("system_time"))
    if len(times) != snapshot.version:
        raise CorruptError(
            f"the snapshot covers version {snapshot.version} and names {len(times)} versions", hint=REBUILD
        )
    return Loaded(state, times)


def _begin(paths: Iterator[Path], beside: Executor) -> Future[pa.Table] | None:
    """Start to read the next file, if there is one."""
    path = next(paths, None)
    return None if path is None else beside.submit(_read, path)


def _names(snapshot: Snapshot, names: Dictionary, beside: Executor) -> Labels:
    """Add the names of nodes, tasks and labels; they keep the numbers of the snapshot."""
    table = _table(snapshot, "labels")
    text = {name: table.column(name).combine_chunks() for name in ("type", "subtype", "expression")}
    expressions = beside.submit(names.expressions.intern, text["expression"])
    for direction, known in (("nodes", names.nodes), ("tasks", names.tasks)):
        table = _table(snapshot, direction)
        text_of = table.column("name").combine_chunks()
        if not len(known):
            known.reserve(len(text_of), text_of.nbytes)
        if not np.array_equal(known.intern(text_of), table.column("id").to_numpy()):
            raise CorruptError(f"the snapshot's {direction} are not numbered one by one", hint=REBUILD)
    names.note_datasets()
    return Labels(names.kinds(text["type"], text["subtype"]), expressions.result())


def _table(snapshot: Snapshot, direction: str) -> pa.Table:
    tables = [_read(path, None) for path in snapshot.files(direction)]
    table = pa.concat_tables(tables) if tables else snapshot.table(direction)
    return table.sort_by("id") if "id" in table.column_names and len(tables) > 1 else table


def _read(path: Path, columns: list[str] | None = _COLUMNS) -> pa.Table:
    try:
        return pq.read_table(path, columns=columns, partitioning=None)
    except (OSError, pa.ArrowException) as error:
        raise CorruptError(f"the snapshot's file {path.name} cannot be read: {error}", hint=REBUILD) from None


def _rectangles(table: pa.Table, labels: Labels, names: Dictionary) -> Rectangles:
    column = {name: table.column(name) for name in _COLUMNS}
    label = numbers(column["label"])
    return Rectangles(
        _small(column["source"]),
        _small(column["target"]),
        names.payloads_of(_small(column["task"]), labels.kind[label], labels.expression[label]),
        numbers(column["valid_from"]),
        numbers(column["valid_to"]),
        _small(column["opened"]),
        _small(column["closed"]),
    )


def _small(column: pa.ChunkedArray) -> Ints:
    """Return numbers below 2**31 as int32, with nulls as ``NEVER``."""
    plain = pc.fill_null(column, NEVER) if column.null_count else column
    result: Ints = plain.to_numpy().astype(np.int32)
    return result


def _joined(parts: list[Rectangles]) -> Rectangles:
    if len(parts) == 1:
        return parts[0]
    none = np.zeros(0, np.int32)
    nothing = Rectangles(none, none, none, none.astype(np.int64), none.astype(np.int64), none, none)
    return Rectangles(*(np.concatenate(columns) for columns in zip(nothing, *parts, strict=True)))


def _closed(state: State, closing: Rectangles) -> State:
    """Return the state with rectangles of older levels closed by the closing rows of later ones, oldest first."""
    order = np.argsort(closing.closed, kind="stable").astype(np.int32)
    sign = np.full(len(order), -1, np.int8)
    source, target, payload, since, until, _, versions = closing
    state, wrong = closed_in_place(state, Changes(sign, source, target, payload, since, until, versions).take(order))
    if wrong is not None:
        raise unpaired(wrong)
    return state
