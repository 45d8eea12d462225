"""Verification of the log's commit files. deltalake does not verify them: it opens a truncated one as an empty version.

Each commit of ours carries, in its ``commitInfo``, what it adds and the SHA-256 of the commit file before it; the head
file, written before an append is acknowledged, holds the SHA-256 of the last one. A commit file that is cut, altered,
missing or foreign is detected when the store is opened; so is the loss of the last acknowledged commit.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import orjson

from lineage_tt.model.errors import CorruptError, InvalidRequestError
from lineage_tt.model.format import FORMAT_VERSION
from lineage_tt.model.os_errors import of_system
from lineage_tt.storage import durable

if TYPE_CHECKING:
    from lineage_tt.storage.location import Place

KEY: Final = "lineage_tt"
HEAD_NAME: Final = "_head.json"
#: Separates a file's name from a number while the file is being written, as in deltalake.
IN_FLIGHT: Final = "#"
#: Delta's note of the last checkpoint. The head keeps its hash under this name, ``@`` and the checkpoint's version,
#: since a writer may not know yet of another writer's checkpoint.
LAST_CHECKPOINT: Final = "_last_checkpoint"
_META: Final = {
    "writer": str, "previous": str, "first_version": int, "last_version": int, "system_time": int, "checksum": str,
    "files": list, "sources": dict,
}  # fmt: skip
_COMMIT = re.compile(r"(\d{20})\.json")
#: First version, last version, SHA-256 of the bytes, writer: a data file's name says what it must hold. The writer is
#: part of it because two writers that import the same history at once write the same bytes, and the one that loses
#: removes its own file.
DATA_FILE: Final = re.compile(r"(\d{20})-(\d{20})-([0-9a-f]{64})-[0-9a-f]{32}\.parquet")


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit file of the log, as verified: Delta version, our metadata, SHA-256 of its bytes.

    ``made_at`` is when it was made by its writer's clock, in UTC microseconds; None where the commit does not say.
    """

    delta_version: int
    sha256: str
    meta: dict[str, Any]
    added: tuple[str, ...]
    removed: tuple[str, ...] = ()
    made_at: int | None = None

    @property
    def adds_no_version(self) -> bool:
        """Whether it only replaces files, or moves the horizon."""
        return bool(self.meta["first_version"] > self.meta["last_version"])


@dataclass(frozen=True, slots=True)
class Head:
    """The end of the log as last acknowledged: written, and forced to disk, after every append."""

    delta_version: int
    commit_sha256: str
    version: int = 0
    system_time: int = 0
    checksum: str = bytes(32).hex()
    checkpoints: dict[str, str] = field(default_factory=dict)  # checkpoint files and their SHA-256
    sources: dict[str, tuple[int, str]] = field(default_factory=dict)  # source → (offset, digest of what was read)

    def to_bytes(self) -> bytes:
        """Return the head file's bytes, which end with their own digest."""
        body = orjson.dumps(
            {name: getattr(self, name) for name in self.__dataclass_fields__}, option=orjson.OPT_SORT_KEYS
        )
        return body + b"\n" + hashlib.sha256(body).hexdigest().encode() + b"\n"


def commit_path(log: Place, delta_version: int) -> Place:
    """Return the path of a commit file."""
    return log / "_delta_log" / f"{delta_version:020d}.json"


def data_file_name(first: int, last: int, data: bytes, writer: str) -> str:
    """Return the name of the data file in which ``writer`` stores versions ``first`` to ``last``."""
    return f"{first:020d}-{last:020d}-{hashlib.sha256(data).hexdigest()}-{writer}.parquet"


def listed_commits(log: Place, after: int = -1) -> list[int]:
    """Return, in order, the Delta versions after ``after`` whose commit files exist."""
    folder = log / "_delta_log"
    if isinstance(folder, Path):
        names = [entry.name for entry in (folder.iterdir() if folder.is_dir() else ())]
    else:  # the object store starts the listing there
        names = [entry.name for entry in folder.below(f"{after:020d}.json" if after >= 0 else "")]
    versions = sorted(int(match.group(1)) for match in map(_COMMIT.fullmatch, names) if match)
    return [version for version in versions if version > after]


def checksum_at(log: Place, version: int, upto: int) -> bytes | None:
    """Return the checksum of the row ``version``, None where no commit up to Delta version ``upto`` ends there."""
    first = bisect_left(range(upto), version, key=lambda at: int(read_commit(log, at).meta["last_version"]))
    meta = read_commit(log, first).meta
    return bytes.fromhex(meta["checksum"]) if meta["last_version"] == version else None


def last_checkpoint(log: Place) -> int:
    """Return the Delta version of the last checkpoint, -1 where there is none."""
    path = log / "_delta_log" / LAST_CHECKPOINT
    try:
        return int(orjson.loads(path.read_bytes())["version"])
    except FileNotFoundError:
        return -1
    except OSError as error:
        raise of_system(f"read the checkpoint note {path.name}", error) from error
    except (ValueError, KeyError, TypeError) as error:
        raise CorruptError(f"the checkpoint note {path.name} cannot be read: {error}") from None


def read_commit(log: Place, delta_version: int) -> Commit:
    """Return a commit file, verified by itself; CorruptError names the version if it is incomplete or not one of ours.

    Raises InvalidRequestError where a newer release wrote it.
    """
    path = commit_path(log, delta_version)
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise CorruptError(f"commit {delta_version} of the log is missing ({path.name})") from None
    except OSError as error:
        raise of_system(f"read commit {delta_version} of the log", error) from error
    return parse_commit(data, delta_version)


def parse_commit(data: bytes, delta_version: int) -> Commit:
    """Return the commit in these bytes; see ``read_commit``."""
    try:
        actions = [orjson.loads(line) for line in data.splitlines()]
        info = next(action["commitInfo"] for action in actions if "commitInfo" in action)
        added = tuple(action["add"]["path"] for action in actions if "add" in action)
        removed = tuple(action["remove"]["path"] for action in actions if "remove" in action)
        meta = info[KEY]
        if meta["format"] > FORMAT_VERSION:
            raise InvalidRequestError(
                f"the store has format {meta['format']}, this release reads up to {FORMAT_VERSION}",
                hint="use a newer release of lineage_tt",
            )
        _complete(meta)
        if delta_version:
            _agree(meta, actions, added)
    except (ValueError, KeyError, TypeError, StopIteration, IndexError) as error:
        raise CorruptError(
            f"commit {delta_version} of the log ({delta_version:020d}.json, {len(data)} bytes) is cut or altered: "
            f"{type(error).__name__} {error}"
        ) from None
    stamp = info.get("timestamp")  # of Delta, in milliseconds
    made_at = stamp * 1000 if isinstance(stamp, int) else None
    return Commit(delta_version, hashlib.sha256(data).hexdigest(), meta, added, removed, made_at)


def _complete(meta: dict[str, Any]) -> None:
    """Raise ValueError where metadata of a commit is missing or has a wrong type."""
    for name, kind in _META.items():
        if not isinstance(meta.get(name), kind):
            raise ValueError(f"{name} is missing or invalid")
    if len(bytes.fromhex(meta["checksum"])) != 32:
        raise ValueError("its checksum is invalid")


def _agree(meta: dict[str, Any], actions: list[dict[str, Any]], added: tuple[str, ...]) -> None:
    """Raise ValueError where the parts of a commit contradict each other."""
    if sorted(meta["files"]) != sorted(added):
        raise ValueError("the files added are not those the commit was made for")
    for name in added:
        if not DATA_FILE.fullmatch(name):
            raise ValueError(f"{name} is not named as a data file of the log")
    transactions = {a["txn"]["appId"]: a["txn"]["version"] for a in actions if "txn" in a}
    if transactions.get(f"{KEY}.log") != meta["last_version"]:
        raise ValueError("its application transaction does not hold its last version")


def read_tail(log: Place) -> list[Commit]:
    """Return the commits from the last checkpoint (or the first commit) to the newest, verified as a chain."""
    start = max(last_checkpoint(log), 0)
    there = listed_commits(log, start - 1)
    commits = read_commits(log, range(start, (there[-1] if there else start) + 1))
    verify_chain(commits)
    return commits


def read_commits(log: Place, versions: Iterable[int]) -> list[Commit]:
    """Return these commits, each verified by itself; from an object store they are fetched in parallel."""
    if isinstance(log, Path):
        return [read_commit(log, version) for version in versions]
    return [commit for _, commit in durable.side_by_side(lambda version: read_commit(log, version), list(versions), 8)]


def verify_chain(chain: list[Commit]) -> None:
    """Raise CorruptError unless each commit follows the one before it by hash and versions, with none left out."""
    for before, commit in pairwise(chain):
        if commit.meta["previous"] != before.sha256:
            raise CorruptError(f"commit {before.delta_version} of the log was altered after it was written")
        expected = before.meta["last_version"] + 1
        if commit.meta["first_version"] != expected:
            raise CorruptError(
                f"commit {commit.delta_version} begins at version {commit.meta['first_version']}, not {expected}"
            )


def verify_head(head: Head | None, chain: list[Commit]) -> None:
    """Raise CorruptError where a commit that was acknowledged is missing from the chain or altered."""
    last = chain[-1]
    if head is None or head.delta_version < chain[0].delta_version:
        return
    if head.delta_version > last.delta_version:
        raise CorruptError(
            f"the log ends at version {last.meta['last_version']}, but version {head.version} was acknowledged: "
            f"commits {last.delta_version + 1} to {head.delta_version} are missing",
            hint="restore them from a backup; until then the store neither answers nor appends",
        )
    if head.commit_sha256 != chain[head.delta_version - chain[0].delta_version].sha256:
        raise CorruptError(f"commit {head.delta_version} of the log was altered after it was acknowledged")


def read_head(log: Place) -> Head | None:
    """Return the head file's content, None where there is no head file; CorruptError where it is damaged."""
    try:
        data = (log / HEAD_NAME).read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise of_system("read the head file", error) from error
    return parse_head(data)


def parse_head(data: bytes) -> Head:
    """Return the head in these bytes; CorruptError where they are damaged."""
    try:
        body, digest, end = data.split(b"\n")
        if end or hashlib.sha256(body).hexdigest().encode() != digest:
            raise ValueError("its digest does not fit")
        # fields of a newer release are ignored
        return Head(**{name: value for name, value in orjson.loads(body).items() if name in Head.__dataclass_fields__})
    except (ValueError, TypeError) as error:
        raise CorruptError(f"the head file {HEAD_NAME} is cut or altered: {error}") from None


def write_head(log: Place, head: Head) -> None:
    """Replace the head file and force it to disk."""
    durable.replace(log / HEAD_NAME, head.to_bytes())
