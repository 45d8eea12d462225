"""What still holds texts from before a policy was tightened for history, removed for good; may be called any time.

Replaced data files, and what killed writers left (files, and tickets with offers), are removed at once, whatever
``compact --grace`` says: readers that find one gone read the file in its place, and one that has it open reads it to
its end. A file that nobody may commit any more is known by its versions, which the new files hold, and by its age: it
is older than the commit.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lineage_tt.log import commits
from lineage_tt.log.rewriting.vacuum import STAGING
from lineage_tt.model.errors import CorruptError, UnavailableError
from lineage_tt.model.redaction.documents import redacted_bytes
from lineage_tt.model.redaction.policy import TextState
from lineage_tt.model.redaction.texts import redacted_words
from lineage_tt.read.snapshots import commit as snapshot_commit
from lineage_tt.read.snapshots.snapshot import FILE, NAME, Snapshot
from lineage_tt.storage import durable, failpoints, write_queue

if TYPE_CHECKING:
    from lineage_tt.log.log import Log
    from lineage_tt.storage.location import Place

#: Where subscriptions keep by default what they could not deliver (``subscriptions run --state``).
DELIVERIES: Final = "deliveries.sqlite"


def purge(log: Log) -> int:
    """Remove and rewrite all copies beside the log in force; return how many files were removed.

    Does nothing where no policy was tightened for history. Raises UnavailableError where a file is in use or the disk
    fails: call it again then.
    """
    if log.texts.tightened is None:
        return 0
    failpoints.reach("t2:log")
    gone = [*old_files(log), *(write_queue.leftovers(log.path) if isinstance(log.path, Path) else ())]
    removed = _remove({path.name: path for path in gone})
    store = log.path.parent
    failpoints.reach("t2:snapshot")
    removed += _purge_snapshot(store, log)
    failpoints.reach("t2:deliveries")
    path = store / DELIVERIES
    if isinstance(path, Path):
        tighten_deliveries(path, log.texts)
    durable.sync(log.path)
    failpoints.reach("t2:after")
    return removed


def old_files(log: Log) -> Iterator[Place]:
    """Yield the data files in the log's folder that may hold texts from before it was tightened."""
    tightened = log.texts.tightened
    if tightened is None:
        return
    commit = commits.read_commit(log.path, tightened.commit)
    tightened_at = _modified(commits.commit_path(log.path, tightened.commit))
    in_force = {path.name for path in log.files()}
    for name, modified in _entries(log.path):
        stated = commits.DATA_FILE.fullmatch(name)
        if stated is None or name in in_force or int(stated.group(1)) > tightened.upto:
            continue
        if name in commit.removed or modified < tightened_at:
            yield log.path / name


def _purge_snapshot(store: Place, log: Log) -> int:
    """Take a snapshot of old texts out of force, and remove its files and what compactions had not committed."""
    assert log.texts.tightened is not None
    tightened_at = _modified(commits.commit_path(log.path, log.texts.tightened.commit))
    place = store / NAME
    if isinstance(place, Path):
        for folder in place.glob(f"{STAGING}*"):
            if folder.stat().st_mtime < tightened_at:
                shutil.rmtree(folder, ignore_errors=True)
    try:
        snapshot = Snapshot.open(store)
    except CorruptError:  # check says so; its files go with it all the same
        snapshot = None
    stale = set(snapshot.names) if snapshot is not None and snapshot.epoch < log.texts.epoch else set()
    if stale:
        snapshot_commit.clear(store)
        failpoints.reach("t2:cleared")
    in_force = set(snapshot.names) - stale if snapshot is not None else set()
    return _remove({
        name: place / name for name, modified in _entries(place)
        if FILE.fullmatch(name) and name not in in_force and (name in stale or modified < tightened_at)
    })  # fmt: skip


def _remove(gone: Mapping[str, Place]) -> int:
    """Remove files for good, by their names, and this machine's copies of them; return how many.

    The copies go first: where a call is killed, the next one finds the files and does both again. Then those copies go
    that a reader made meanwhile.
    """
    forget(gone)
    for path in gone.values():
        path.unlink(missing_ok=True)
    forget(gone)
    return len(gone)


def forget(names: Iterable[str]) -> None:
    """Drop the local copies of objects with these names, which state the SHA-256 of what they hold."""
    from lineage_tt.storage import cache

    digests = [stated.group(3) for name in names if (stated := commits.DATA_FILE.fullmatch(name))]
    digests += [stated.group(5) for name in names if (stated := FILE.fullmatch(name))]
    cache.drop(digests)


def tighten_deliveries(path: Path, state: TextState) -> None:
    """Rewrite the events that could not be delivered as their store was tightened for history.

    Nothing of the old is left in the file, which notes that it was done. One that is not there is none. Raises
    UnavailableError where others use it.
    """
    if state.tightened is None or not path.exists():
        return
    policy = state.tightened.policy
    try:
        database = sqlite3.connect(path, isolation_level=None, timeout=30)
        try:
            rows = database.execute("SELECT subscription, version, problem, event FROM undelivered").fetchall()
            redacted = [(redacted_words(row[2], policy), redacted_bytes(row[3], policy), *row[:2]) for row in rows]
            noted = database.execute("PRAGMA application_id").fetchone()[0] == state.epoch
            if noted and [each[:2] for each in redacted] == [row[2:] for row in rows]:
                return
            database.execute("PRAGMA secure_delete = ON")
            database.execute("BEGIN IMMEDIATE")
            database.executemany(
                "UPDATE undelivered SET problem = ?, event = ? WHERE subscription = ? AND version = ?", redacted
            )
            database.execute("COMMIT")
            clean(database)
            database.execute(f"PRAGMA application_id = {state.epoch}")
        finally:
            database.close()
    except sqlite3.Error as error:
        raise UnavailableError(
            f"{path.name} cannot be rewritten: {error}",
            hint="stop subscriptions run, then run the same command again",
        ) from None


def clean(database: sqlite3.Connection) -> None:
    """Leave nothing of what was deleted or replaced in a database's files; sqlite3.Error where others use them."""
    database.execute("VACUUM")
    (busy, _, _) = database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        raise sqlite3.OperationalError("others read it")


def _entries(place: Place) -> Iterator[tuple[str, float]]:
    """Yield the files below a folder, by their names from there, and when each was written, in seconds."""
    if not isinstance(place, Path):
        yield from ((entry.name.replace("%3D", "="), entry.modified.timestamp()) for entry in place.below())
        return
    for path in place.rglob("*") if place.is_dir() else ():
        try:
            if path.is_file():
                yield path.relative_to(place).as_posix(), path.stat().st_mtime
        except FileNotFoundError:
            continue


def _modified(path: Place) -> float:
    """Return when a file was written, in seconds of the clock of its file system or object store."""
    return path.stat().st_mtime if isinstance(path, Path) else path.read().modified.timestamp()
