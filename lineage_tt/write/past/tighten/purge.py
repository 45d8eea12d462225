"""Permanently removes what still holds texts from before a policy was tightened for history; may be called any time.

Replaced data files, and what killed writers left (files, and tickets with offers), are removed at once, whatever
``compact --grace`` says: a reader that finds a file gone reads its replacement, and a reader that has it open can read
it to its end. A file that no writer may commit any more can be recognized: the new files hold its versions, and it is
older than the commit.
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
from lineage_tt.model.os_errors import files_below
from lineage_tt.model.redaction.documents import redacted_bytes
from lineage_tt.model.redaction.policy import TextState
from lineage_tt.model.redaction.texts import redacted_words
from lineage_tt.read.snapshots import commit as snapshot_commit
from lineage_tt.read.snapshots.snapshot import FILE, NAME, Snapshot
from lineage_tt.storage import durable, failpoints, write_queue

if TYPE_CHECKING:
    from lineage_tt.log.log import Log
    from lineage_tt.storage.location import Place

#: Where subscriptions keep, by default, events that they could not deliver (``subscriptions run --state``).
DELIVERIES: Final = "deliveries.sqlite"


def purge(log: Log) -> int:
    """Remove or rewrite all old copies, other than the log's files in force; return how many files were removed.

    Does nothing where no policy was tightened for history. Raises UnavailableError where a file is in use or the disk
    fails; then call it again.
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
    """Yield the data files in the log's folder that may hold texts from before the log was tightened."""
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
    """Take a snapshot with old texts out of force; remove its files and those that compactions had not committed."""
    assert log.texts.tightened is not None
    tightened_at = _modified(commits.commit_path(log.path, log.texts.tightened.commit))
    place = store / NAME
    if isinstance(place, Path):
        for folder in place.glob(f"{STAGING}*"):
            if folder.stat().st_mtime < tightened_at:
                shutil.rmtree(folder, ignore_errors=True)
    try:
        snapshot = Snapshot.open(store)
    except CorruptError:  # ``check`` reports this; its files are removed all the same
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
    """Permanently remove files, given by name, and this machine's copies of them; return how many.

    The copies are removed first, so that after a killed call the next one finds the files and removes both. Copies that
    a reader made meanwhile are removed at the end.
    """
    forget(gone)
    for path in gone.values():
        path.unlink(missing_ok=True)
    forget(gone)
    return len(gone)


def forget(names: Iterable[str]) -> None:
    """Drop the local copies of objects with these names, which contain the SHA-256 of the content."""
    from lineage_tt.storage import cache

    digests = [stated.group(3) for name in names if (stated := commits.DATA_FILE.fullmatch(name))]
    digests += [stated.group(5) for name in names if (stated := FILE.fullmatch(name))]
    cache.drop(digests)


def tighten_deliveries(path: Path, state: TextState) -> None:
    """Rewrite undelivered events so that they follow the policy for which their store was tightened.

    No old text is left in the file, which notes that this was done. Does nothing if the file does not exist. Raises
    UnavailableError where others use the file.
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
    """Erase deleted and replaced content from a database's files; sqlite3.Error where others use them."""
    database.execute("VACUUM")
    (busy, _, _) = database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        raise sqlite3.OperationalError("others read it")


def _entries(place: Place) -> Iterator[tuple[str, float]]:
    """Yield the files below a folder: their relative names, and when each was written, in seconds."""
    if not isinstance(place, Path):
        yield from ((entry.name.replace("%3D", "="), entry.modified.timestamp()) for entry in place.below())
        return
    for path in files_below(place):
        try:
            yield path.relative_to(place).as_posix(), path.stat().st_mtime
        except FileNotFoundError:
            continue


def _modified(path: Place) -> float:
    """Return when a file was written, in seconds by the clock of its file system or object store."""
    return path.stat().st_mtime if isinstance(path, Path) else path.read().modified.timestamp()
