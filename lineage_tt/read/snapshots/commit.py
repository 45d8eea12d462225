"""Committing a compaction: files that carry their SHA-256 in their names, and one Delta commit for all of them.

Until that commit, nothing of a compaction is visible; a process that is killed before it leaves files that no commit
names and that ``vacuum`` removes. Two concurrent compactions commit at the same version, after the one that they read:
the second one fails and changes nothing.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import deltalake
import orjson
from deltalake.exceptions import CommitFailedError, DeltaError
from deltalake.transaction import AddAction, CommitProperties, PostCommitHookProperties, RemoveAction, Transaction

from lineage_tt.log.commits import KEY
from lineage_tt.log.stores.local import unavailable
from lineage_tt.model.clock import SystemClock, unique_name
from lineage_tt.model.errors import ConflictError, UnavailableError
from lineage_tt.read.snapshots.snapshot import COLUMNS, FILE, HEAD_NAME, NAME, SNAPSHOT_FORMAT, Snapshot
from lineage_tt.storage import durable, failpoints, location
from lineage_tt.storage.location import Place

_TYPES: Final = {"INTEGER": "integer", "BIGINT": "long", "VARCHAR": "string", "TIMESTAMPTZ": "timestamp"}
_NO_HOOKS: Final = PostCommitHookProperties(create_checkpoint=False, cleanup_expired_logs=False)


class Staged(NamedTuple):
    """A file that is written but not yet in force."""

    direction: str
    path: Path
    rows: int


class Placed(NamedTuple):
    """A file at its final place in the snapshot's folder, named after its content."""

    direction: str
    name: str
    size: int
    rows: int


def place_files(place: Place, staged: Sequence[Staged], first: int, last: int) -> list[Placed]:
    """Move files to their final place in the table, under names that state their versions, order and SHA-256."""
    writer, files = unique_name(), []
    try:
        for number, file in enumerate(staged):
            digest, size = durable.sha256_file(file.path), file.path.stat().st_size
            name = f"direction={file.direction}/{first:020d}-{last:020d}-{number:05d}-{digest}-{writer}.parquet"
            _move(file.path, place / f"direction={file.direction}", place / name)
            files.append(Placed(file.direction, name, size, file.rows))
        for direction in {file.direction for file in staged}:
            durable.sync(place / f"direction={direction}")
        durable.sync(place)
    except OSError as error:
        raise unavailable("write the snapshot", error) from error
    return files


def _move(path: Path, folder: Place, target: Place) -> None:
    if not isinstance(target, Path):
        durable.write_new(target, path.read_bytes())
        return
    durable.make_folder(folder)
    shutil.move(path, target)
    durable.sync(target)


def commit(
    store: Place, base: Snapshot | None, placed: Sequence[Placed], meta: Mapping[str, Any], *, full: bool
) -> Snapshot:
    """Put files in force in one commit: ``full`` replaces all other files, otherwise they are added as a level.

    ``base`` is the snapshot that this compaction read, None where there was none. Raises ConflictError where another
    compaction committed meanwhile.
    """
    place, carried = store / NAME, [] if full or base is None else list(base.names)
    rows = dict(base.meta["rows"]) if base and not full else {}
    for file in placed:
        rows[file.direction] = rows.get(file.direction, 0) + file.rows
    writer = unique_name()
    metadata = {"format": SNAPSHOT_FORMAT, "writer": writer, **meta, "rows": rows}
    metadata["files"] = sorted([*carried, *(file.name for file in placed)])
    table = _table(place, base)
    metadata["previous"] = durable.sha256_file(_commit_path(place, int(table.version())))
    there = _in_force(table)
    if base is not None and set(base.names) != there and not full:
        raise _second()
    now = SystemClock().now() // 1000
    gone = [RemoveAction(name, True, now, None, _value(name)) for name in sorted(there - set(carried))]
    added = [AddAction(file.name, file.size, _value(file.name), now, True, _statistics(file.rows)) for file in placed]
    version = int(table.version()) + 1
    failpoints.reach("r2:before")
    try:
        table.create_write_transaction(
            [*gone, *added],
            "append",
            _schema(),
            partition_by=["direction"],
            commit_properties=CommitProperties(
                custom_metadata={KEY: metadata},
                max_commit_retries=0,
                app_transactions=[Transaction(f"{KEY}.snapshot", int(meta["version"]))],
            ),
            post_commithook_properties=_NO_HOOKS,
        )
    except CommitFailedError:
        raise _second() from None
    except (DeltaError, OSError) as error:
        raise unavailable("commit the snapshot", error) from error
    path = _commit_path(place, version)
    if writer.encode() not in path.read_bytes():  # an object store may let one commit overwrite another
        raise UnavailableError("the snapshot's commit was overwritten", hint="run the same command again")
    durable.sync(path)
    durable.sync(place / "_delta_log")
    _note_head(place, version)
    failpoints.reach("r2:after")
    return Snapshot(place, version, metadata, metadata["files"])


def clear(store: Place) -> None:
    """Take all files out of force: the log's texts were rewritten, and the snapshot still has the old texts.

    A compaction that read this snapshot will fail to commit. Does nothing where there is no snapshot.
    """
    base = Snapshot.open(store)
    if base is not None:
        commit(store, base, [], {name: _empty()[name] for name in ("version", "system_time", "checksum")}, full=True)


def _commit_path(place: Place, version: int) -> Place:
    return place / "_delta_log" / f"{version:020d}.json"


def _note_head(place: Place, version: int) -> None:
    """Note the last commit and the digest of its file; the next commit notes that too, as ``previous``."""
    head = {"delta_version": version, "sha256": durable.sha256_file(_commit_path(place, version))}
    try:
        durable.replace(place / HEAD_NAME, orjson.dumps(head, option=orjson.OPT_SORT_KEYS))
    except OSError as error:
        raise unavailable("write the snapshot's head", error) from error


def _second() -> ConflictError:
    return ConflictError("another compaction committed first", hint="it has done the work: nothing is left to do")


def _value(name: str) -> dict[str, str | None]:
    stated = FILE.fullmatch(name)
    return {"direction": stated.group(1) if stated else None}


def _in_force(table: deltalake.DeltaTable) -> set[str]:
    return {"/".join(uri.rsplit("/", 2)[-2:]).replace("%3D", "=") for uri in table.file_uris()}


def _table(place: Place, base: Snapshot | None) -> deltalake.DeltaTable:
    """Return the table at the commit that was read; create an empty one where there is none."""
    if base is not None:
        return location.delta_table(place, base.delta_version)
    if isinstance(place, Path):
        durable.make_folder(place)
    try:
        return deltalake.DeltaTable.create(
            place if isinstance(place, Path) else str(place),
            schema=_schema(),
            name=f"{KEY}.snapshot",
            description="the log, compacted: docs/reference/format.md",
            partition_by=["direction"],
            commit_properties=CommitProperties(max_commit_retries=0, custom_metadata={KEY: _empty()}),
            post_commithook_properties=_NO_HOOKS,
            storage_options=location.delta_options(place),
        )
    except DeltaError:
        return location.delta_table(place)


def _empty() -> dict[str, Any]:
    return {"format": SNAPSHOT_FORMAT, "version": 0, "system_time": 0, "checksum": bytes(32).hex(), "files": [],
            "rows": {}}  # fmt: skip


def _schema() -> deltalake.Schema:
    """Return the table's columns: those of all partitions, each once, and the partition column."""
    names: dict[str, str] = {"direction": "string"}
    for columns in COLUMNS.values():
        names |= {name: _TYPES[kind] for name, kind in columns.items()}
    fields = [{"name": name, "type": kind, "nullable": True, "metadata": {}} for name, kind in names.items()]
    return deltalake.Schema.from_json(orjson.dumps({"type": "struct", "fields": fields}).decode())


def _statistics(rows: int) -> str:
    return orjson.dumps({"numRecords": rows, "minValues": {}, "maxValues": {}, "nullCount": {}}).decode()


def discard(place: Place, placed: Iterable[Placed]) -> None:
    """Remove files that will not be put in force."""
    for file in placed:
        (place / file.name).unlink(missing_ok=True)
