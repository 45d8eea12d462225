"""What ``check`` verifies besides the log in force: replaced files, the snapshot's commits, the cursors of deliveries.

No new answer is read from a replaced file, but a reader that began before may still read it, and the table at an
earlier Delta version consists of such files. A file that does not exist was removed by ``vacuum``; one that exists must
match its name.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import orjson

from lineage_tt.log.commits import KEY, Commit
from lineage_tt.log.verify import verify_file
from lineage_tt.model.errors import CorruptError
from lineage_tt.read.snapshots.snapshot import FILE, HEAD_NAME, NAME

if TYPE_CHECKING:
    from lineage_tt.storage.location import Place

#: The default place of the cursors of deliveries (``subscriptions run --state``).
DELIVERIES: Final = "deliveries.sqlite"
#: What to do about a snapshot whose commits are damaged: it can be rebuilt, since the log holds everything in it.
REBUILD: Final = "; remove the folder snapshot, then run: lineage-tt compact"


def replaced_files(log: Place, chain: Sequence[Commit]) -> Iterator[tuple[str, str]]:
    """Yield (name, problem) for each replaced file of the log that still exists and does not match its name."""
    for name in sorted({name for commit in chain for name in commit.removed}):
        if (log / name).exists():
            try:
                verify_file(log / name)
            except CorruptError as error:
                yield name, f"{error.message}; it was replaced, so no answer is read from it"


def snapshot_commits(store: Place) -> Iterator[tuple[str, str]]:
    """Yield (path, problem) for the snapshot's commit files. ``check_snapshot`` reads its data files."""
    folder = store / NAME / "_delta_log"
    if not folder.is_dir():
        return
    names = {path.name: path for path in folder.iterdir()}
    versions = sorted(int(name[:20]) for name in names if name.endswith(".json") and name[:20].isdigit())
    files: set[str] = set()
    digests: dict[int, str] = {}
    for version in range(versions[-1] + 1 if versions else 1):
        name = f"{version:020d}.json"
        shown = f"{NAME}/_delta_log/{name}"
        try:
            data = names[name].read_bytes()
        except (KeyError, OSError) as error:
            yield shown, f"the snapshot's commit {version} is missing ({type(error).__name__}){REBUILD}"
            continue
        digests[version] = hashlib.sha256(data).hexdigest()
        try:
            files = _applied(data, files, digests.get(version - 1))
        except (ValueError, KeyError, TypeError, StopIteration) as error:
            yield shown, f"the snapshot's commit {version} is cut or altered: {error!r}{REBUILD}"
    yield from _head(store / NAME, digests)


def _applied(data: bytes, before: set[str], previous: str | None) -> set[str]:
    """Return the files in force after a commit; ValueError where its parts contradict each other."""
    actions = [orjson.loads(line) for line in data.splitlines()]
    meta: dict[str, Any] = next(a["commitInfo"] for a in actions if "commitInfo" in a)[KEY]
    added = {action["add"]["path"].replace("%3D", "=") for action in actions if "add" in action}
    removed = {action["remove"]["path"].replace("%3D", "=") for action in actions if "remove" in action}
    files = set(meta["files"])
    if files != (before - removed) | added or not all(map(FILE.fullmatch, files)):
        raise ValueError("the files in force are not those that it names")
    if len(bytes.fromhex(meta["checksum"])) != 32 or not isinstance(meta["version"], int):
        raise ValueError("its version or checksum is not one")
    if previous is not None and meta.get("previous", previous) != previous:
        raise ValueError("the commit before it was altered after it was written")
    return files


def _head(place: Place, digests: dict[int, str]) -> Iterator[tuple[str, str]]:
    """Yield a problem if the last commit is not the acknowledged one. Snapshots of earlier releases have no head."""
    path = place / HEAD_NAME
    if not path.exists():
        return
    try:
        stated = orjson.loads(path.read_bytes())
        version, digest = int(stated["delta_version"]), str(stated["sha256"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        yield f"{NAME}/{HEAD_NAME}", f"the snapshot's head file is cut or altered: {error!r}{REBUILD}"
        return
    if digests.get(version) != digest:
        yield (
            f"{NAME}/_delta_log/{version:020d}.json",
            f"the snapshot's commit {version} is missing or was altered{REBUILD}",
        )


def deliveries(store: Place, last_version: int) -> Iterator[tuple[str, str]]:
    """Yield (path, problem) for the cursors and undelivered events next to the log, if there are any."""
    path = store / DELIVERIES
    if not isinstance(path, Path) or not path.exists():
        return
    mode = "mode=ro" if path.with_name(f"{DELIVERIES}-wal").exists() else "immutable=1"
    try:
        database = sqlite3.connect(f"{path.resolve().as_uri()}?{mode}", uri=True, timeout=10)
        try:
            reports = [str(row[0]) for row in database.execute("PRAGMA integrity_check")]
            problems = [*_cursors(database, last_version), *_undelivered(database, last_version)]
        finally:
            database.close()
    except sqlite3.Error as error:
        yield DELIVERIES, f"it cannot be read as SQLite: {error}"
        return
    yield from ((DELIVERIES, words) for words in [*(words for words in reports if words != "ok"), *problems])


def _cursors(database: sqlite3.Connection, last: int) -> Iterator[str]:
    for name, version in database.execute("SELECT subscription, version FROM cursors"):
        if not isinstance(name, str) or not isinstance(version, int) or not 0 <= version <= last:
            yield f"the cursor of {name!r} is at {version!r}, which is not a version of this store"


def _undelivered(database: sqlite3.Connection, last: int) -> Iterator[str]:
    for name, version, event in database.execute("SELECT subscription, version, event FROM undelivered"):
        try:
            stated = orjson.loads(event)
            sound = stated["subscription"] == name and stated["data"]["version"] == version and 0 < version <= last
        except (ValueError, KeyError, TypeError):
            sound = False
        if not sound:
            yield f"the undelivered event of {name!r} at version {version!r} is not the one that was kept"
