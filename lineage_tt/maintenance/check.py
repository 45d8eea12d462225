"""Check everything that is stored against everything that is stated about it. Reads only; reports every problem.

It costs one pass over all bytes of the log and about 20 µs per row; it is safe while others write and read. It checks
the commit files (complete, chained, none missing, the last acknowledged one present), the checkpoints, every data
file's bytes, and in them versions without a gap, strictly increasing system times and the chain of row checksums;
replaced files, the snapshot's commits and rectangles, and the cursors of deliveries (``check_files``). Files that
belong to nothing are garbage: killed processes leave them, and they are never read as data.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from lineage_tt.log import commits, retention
from lineage_tt.log.commits import Commit, Head
from lineage_tt.log.log import Log
from lineage_tt.log.verify import verify_file
from lineage_tt.maintenance.check_files import deliveries, replaced_files, snapshot_commits
from lineage_tt.model.errors import CorruptError, LineageError, UnavailableError
from lineage_tt.model.format import GENESIS, chain_checksum
from lineage_tt.model.os_errors import system_errors
from lineage_tt.model.redaction.policy import TextState
from lineage_tt.storage import durable, write_queue
from lineage_tt.write.past.tighten import purge

if TYPE_CHECKING:
    from lineage_tt.storage.location import Place


@dataclass(frozen=True, slots=True)
class Finding:
    """One problem: damage (an answer can no longer be trusted) or garbage (a file that may be removed)."""

    kind: Literal["damage", "garbage"]
    path: str
    message: str
    first_version: int | None = None
    last_version: int | None = None


@system_errors("check the store")
def check(store: Place, progress: Callable[[int, int], None] | None = None) -> list[Finding]:
    """Return what is wrong with the store at the place ``store``, worst first; empty for a sound store.

    ``progress`` is called with (data files checked, data files in total). Raises UnavailableError where there is
    no store.
    """
    log = store / "log"
    if not (log / "_delta_log").is_dir():
        raise UnavailableError(f"there is no store at {store}", hint="create one with: lineage-tt ingest FILE")
    while True:
        result, newest = _findings(store, log, progress)
        # a commit since then may have removed files, and other files now have their content
        if not any(finding.kind == "damage" for finding in result) or not _replaced_since(log, newest):
            return sorted(result, key=lambda finding: (finding.kind, finding.path))


def _replaced_since(log: Place, newest: int) -> bool:
    """Return whether a commit after ``newest`` removed data files."""
    try:
        return any(commits.read_commit(log, each).removed for each in commits.listed_commits(log) if each > newest)
    except CorruptError:
        return False


def _findings(store: Place, log: Place, progress: Callable[[int, int], None] | None) -> tuple[list[Finding], int]:
    """Return what is wrong with a store, and the last Delta commit that was checked."""
    result: list[Finding] = []
    head = _head(log, result)
    chain = _commits(log, result)
    _chained(log, chain, head, result)
    _checkpoints(log, head, result)
    _rows(log, chain, result, progress)
    result.extend(Finding("damage", name, words) for name, words in replaced_files(log, chain))
    result.extend(Finding("damage", name, words) for name, words in snapshot_commits(store))
    last = chain[-1].meta["last_version"] if chain else 0
    result.extend(Finding("damage", name, words) for name, words in deliveries(store, last))
    if not result:
        from lineage_tt.maintenance.check_snapshot import contradictions

        problems, version = contradictions(store)
        result.extend(Finding("damage", "snapshot", words, 1, version) for words in problems)
        result.extend(Finding("garbage", path.name, _OLD_TEXTS) for path in purge.old_files(Log.open(log)))
    named = {finding.path for finding in result}
    result.extend(finding for finding in _garbage(log, chain) if finding.path not in named)
    return result, chain[-1].delta_version if chain else -1


def _head(log: Place, findings: list[Finding]) -> Head | None:
    try:
        head = commits.read_head(log)
    except CorruptError as error:
        findings.append(Finding("damage", commits.HEAD_NAME, error.message))
        return None
    if head is None:
        findings.append(
            Finding(
                "damage",
                commits.HEAD_NAME,
                "the head file is missing: whether the last commit is there cannot be verified",
            )
        )
    return head


def _commits(log: Place, findings: list[Finding]) -> list[Commit]:
    """Return the sound commits in order."""
    listed = commits.listed_commits(log)
    sound = []
    for delta_version in range(listed[-1] + 1 if listed else 1):
        try:
            sound.append(commits.read_commit(log, delta_version))
        except CorruptError as error:
            findings.append(Finding("damage", commits.commit_path(log, delta_version).name, error.message))
    return sound


def _chained(log: Place, chain: Sequence[Commit], head: Head | None, findings: list[Finding]) -> None:
    """Compare each commit with what the next commit, or the head, states about its bytes and versions."""
    by_version = {commit.delta_version: commit for commit in chain}
    for commit in chain[1:]:
        before = by_version.get(commit.delta_version - 1)
        if before is not None:
            try:
                commits.verify_chain([before, commit])
            except CorruptError as error:
                name = commits.commit_path(log, before.delta_version).name
                versions = before.meta.get("first_version"), before.meta.get("last_version")
                findings.append(Finding("damage", name, error.message, *versions))
    if head is not None and chain:
        try:
            commits.verify_head(head, [by_version.get(head.delta_version, chain[-1])])
        except CorruptError as error:
            findings.append(Finding("damage", commits.commit_path(log, head.delta_version).name, error.message))


def _checkpoints(log: Place, head: Head | None, findings: list[Finding]) -> None:
    """Compare the checkpoint files with the hashes of them in the head."""
    try:
        newest = commits.last_checkpoint(log)
    except CorruptError as error:
        findings.append(Finding("damage", commits.LAST_CHECKPOINT, error.message))
        return
    if newest >= 0 and not any((log / "_delta_log").glob(f"{newest:020d}.checkpoint*.parquet")):
        findings.append(Finding("damage", commits.LAST_CHECKPOINT, f"there is no checkpoint at commit {newest}"))
    noted_last = [int(name.partition("@")[2]) for name in (head.checkpoints if head else {}) if "@" in name]
    if newest < max(noted_last, default=-1):
        findings.append(
            Finding(
                "damage", commits.LAST_CHECKPOINT, f"it names commit {newest}, not {max(noted_last)} as the head file"
            )
        )
    for noted, digest in (head.checkpoints if head else {}).items():
        name, _, at = noted.partition("@")
        if at and int(at) != newest:
            continue  # the note of an earlier checkpoint, replaced by that of a later one
        path = log / "_delta_log" / name
        if not path.exists():
            findings.append(Finding("damage", name, "the checkpoint file is missing"))
        elif durable.sha256_file(path) != digest:
            findings.append(Finding("damage", name, "the checkpoint file was cut or altered"))


def _rows(
    log: Place, chain: Sequence[Commit], findings: list[Finding], progress: Callable[[int, int], None] | None
) -> None:
    """Verify each data file, and every row in sound files; the chain continues after a damaged file."""
    replaced = {name for commit in chain for name in commit.removed}
    names = sorted({name for commit in chain for name in commit.added} - replaced)
    horizon = retention.in_meta(chain[-1].meta) if chain else None
    pruned = horizon.version if horizon else 0
    epoch = TextState.of_meta(chain[-1].meta).epoch if chain else 0  # since then, rows have other checksums
    stated = {
        commit.meta["last_version"]: bytes.fromhex(commit.meta["checksum"])
        for commit in chain
        if commit.delta_version >= epoch
    }
    checksum, time = GENESIS, 0
    expected = 1
    for done, name in enumerate(names):
        first, last = _versions(name)
        try:
            verify_file(log / name)
            if first != expected:
                raise CorruptError(f"versions {expected} to {first - 1} are in no data file")
            checksum, time = _verify_rows(log / name, first, last, checksum, time, pruned)
            if stated.get(last, checksum) != checksum:
                raise CorruptError(f"version {last} does not have the checksum that its commit states")
        except LineageError as error:
            findings.append(Finding("damage", name, error.message, first, last))
            checksum, time = stated.get(last, checksum), 0
        expected = last + 1
        if progress:
            progress(done + 1, len(names))


def _verify_rows(path: Place, first: int, last: int, checksum: bytes, time: int, pruned: int) -> tuple[bytes, int]:
    """Return the last row's checksum and system time; CorruptError at the first row that does not follow.

    Rows up to version ``pruned`` have lost changes to a horizon: their file's hash protects their content, and the
    chain continues from their stored checksums, which can no longer be recomputed.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    from lineage_tt.log.arrow import batches, from_table

    expected = first
    try:
        source = path if isinstance(path, Path) else pa.BufferReader(path.read_bytes())
        for batch in batches(pq.ParquetFile(source), 1024):
            for row in from_table(batch):
                if row.version != expected or row.system_time <= time:
                    raise CorruptError(f"version {row.version} is out of order, or its system time does not increase")
                if row.version > pruned and chain_checksum(checksum, row) != row.checksum:
                    raise CorruptError(f"version {row.version} does not have the content it was written with")
                checksum, time, expected = row.checksum, row.system_time, expected + 1
    except (OSError, ValueError) as error:
        raise CorruptError(f"the file cannot be read as Parquet: {error}") from None
    if expected != last + 1:
        raise CorruptError(f"the file ends at version {expected - 1}, not {last}")
    return checksum, time


def _versions(name: str) -> tuple[int, int]:
    stated = commits.DATA_FILE.fullmatch(name)
    return (int(stated.group(1)), int(stated.group(2))) if stated else (0, 0)


_OLD_TEXTS: Final = (
    "it may hold texts from before the policy was tightened for history: run the same lineage-tt policy set again"
)
_OURS = re.compile(r"\d{20}\.json|\d{20}\.checkpoint.*\.parquet|_last_checkpoint")


def _garbage(log: Place, chain: Sequence[Commit]) -> Iterator[Finding]:
    """Yield the files that belong to no commit."""
    used = {name for commit in chain for name in commit.added}
    for path in _files(log):
        if path.name not in used and path.name != commits.HEAD_NAME:
            yield Finding("garbage", path.name, "no commit adds this file: left by a writer that was killed")
    for path in _files(log / "_delta_log"):
        if not _OURS.fullmatch(path.name):
            yield Finding("garbage", path.name, "not a file of the Delta log: left by a writer that was killed")
    for path in write_queue.leftovers(log) if isinstance(log, Path) else ():
        yield Finding("garbage", path.name, "a ticket in the queue of writers: left by a writer that was killed")


def _files(folder: Place) -> list[Place]:
    """Return the files in a folder, by name."""
    files: list[Place] = [path for path in folder.iterdir() if not isinstance(path, Path) or path.is_file()]
    return sorted(files, key=lambda path: path.name)
