"""Snapshots of small stores, made row by row without Spark, for tests of readers."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from lineage_tt import Store
from lineage_tt.log.arrow import from_table
from lineage_tt.read.snapshots.commit import Staged, commit, place_files
from lineage_tt.read.snapshots.snapshot import COLUMNS, NAME, ORDER, Snapshot

_ARROW = {"INTEGER": pa.int32(), "BIGINT": pa.int64(), "VARCHAR": pa.string(), "TIMESTAMPTZ": pa.timestamp("us", "UTC")}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def _instant(at: int | None) -> datetime | None:
    return None if at is None else _EPOCH + timedelta(microseconds=at)


def _numbers(names: set[Any]) -> dict[Any, int]:
    return {name: number for number, name in enumerate(sorted(names))}


def rows_of(store: Store) -> dict[str, list[tuple[Any, ...]]]:
    """Return the rows of each partition: every rectangle with the versions that opened and closed it."""
    rows = [row for path in store.opened_log.files() for row in from_table(pq.read_table(str(path), partitioning=None))]
    opened: dict[tuple[Any, ...], list[list[int | None]]] = {}
    for row in sorted(rows):
        subject = (row.kind, row.task_id or row.subject)
        changes: list[tuple[tuple[Any, ...], int]] = [
            (("edge", row.task_id, *change[1:]), change[0]) for change in row.changes
        ]
        changes += [(("fact", *subject, *change[1:]), change[0]) for change in row.fact_changes]
        for key, sign in changes:
            if sign > 0:
                opened.setdefault(key, []).append([row.version, None])
            else:
                opened[key][-1][1] = row.version
    held = [(key, began, ended) for key, spans in opened.items() for began, ended in spans]
    edges = [(key[1:], began, ended) for key, began, ended in held if key[0] == "edge"]
    nodes = _numbers({end for key, *_ in edges for end in key[1:3]})
    tasks, labels = _numbers({key[0] for key, *_ in edges}), _numbers({key[3:6] for key, *_ in edges})
    rectangles = [
        (nodes[key[1]], nodes[key[2]], tasks[key[0]], labels[key[3:6]], *map(_instant, key[6:]), began, ended)
        for key, began, ended in edges
    ]
    return {
        "source": rectangles,
        "target": rectangles,
        "nodes": [(number, name) for name, number in nodes.items()],
        "tasks": [(number, name) for name, number in tasks.items()],
        "labels": [(number, *label) for label, number in labels.items()],
        "versions": [(row.version, _instant(row.system_time)) for row in rows],
        "facts": [(*key[1:6], *map(_instant, key[6:]), b, e) for key, b, e in held if key[0] == "fact"],
    }


def staged(folder: Path, rows: dict[str, list[tuple[Any, ...]]]) -> list[Staged]:
    """Write a sorted file for each partition into a folder."""
    folder.mkdir(exist_ok=True)
    files = []
    for direction, columns in COLUMNS.items():
        schema = pa.schema([(name, _ARROW[kind]) for name, kind in columns.items()])
        made = pa.Table.from_pylist([dict(zip(columns, row, strict=True)) for row in rows[direction]], schema)
        made = made.sort_by([(name, "ascending") for name in ORDER[direction]])
        pq.write_table(made, folder / f"{direction}.parquet")
        files.append(Staged(direction, folder / f"{direction}.parquet", made.num_rows))
    return files


def meta_of(store: Store) -> dict[str, Any]:
    """Return the metadata of a snapshot of the whole log."""
    log = store.opened_log
    meta = {"version": log.version, "system_time": log.system_time, "checksum": log.checksum.hex()}
    return meta | {"texts_epoch": log.texts.epoch}


def compacted(store: Store, folder: Path) -> Snapshot:
    """Commit a full snapshot of the store in ``folder``."""
    files = place_files(folder / NAME, staged(folder / "staged", rows_of(store)), 1, store.version)
    return commit(folder, Snapshot.open(folder), files, meta_of(store), full=True)
