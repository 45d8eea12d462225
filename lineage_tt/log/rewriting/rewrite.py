"""Replacing small files of the log by larger ones, without changing what it says.

A file that replaces others holds exactly their versions, a contiguous range, and its name has the same form, so readers
verify it in the same way. Its rows are clustered by task. Its commit adds no version: it repeats the last version, and
the chain of commits continues after it. After a concurrent append the rewrite is retried; after a concurrent rewrite of
the same files it is given up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from typing import TYPE_CHECKING, Final, NamedTuple

import orjson
from deltalake.transaction import AddAction, RemoveAction, Transaction

from lineage_tt.log import commits, retention
from lineage_tt.log.commit_file import replacing_bytes
from lineage_tt.model.clock import SystemClock, unique_name
from lineage_tt.model.errors import ConflictError
from lineage_tt.storage import failpoints

if TYPE_CHECKING:
    from pathlib import Path

    from lineage_tt.log.log import Log
    from lineage_tt.log.retention import Horizon

#: A file below this size is small: two or more consecutive small files become one of up to ``TARGET`` bytes.
SMALL: Final = 512 << 10
TARGET: Final = 16 << 20
MAX_ATTEMPTS: Final = 100


class Run(NamedTuple):
    """Consecutive files of the log that become one: their names, and the versions they hold."""

    names: tuple[str, ...]
    first: int
    last: int
    size: int


def runs(log: Log, horizon: int = 0) -> list[Run]:
    """Return what to rewrite: runs of small files, and every file that holds versions up to ``horizon``."""
    result: list[Run] = []
    current: list[tuple[str, int, int, int]] = []

    def close() -> None:
        if len(current) > 1 or (current and current[0][1] <= horizon):
            names = tuple(name for name, _, _, _ in current)
            result.append(Run(names, current[0][1], current[-1][2], sum(size for *_, size in current)))
        current.clear()

    sizes = log.sizes()
    for path in log.files():
        stated = commits.DATA_FILE.fullmatch(path.name)
        if stated is None:
            close()
            continue
        first, last, size = int(stated.group(1)), int(stated.group(2)), sizes[path.name]
        if size >= SMALL and first > horizon:
            close()
            continue
        if sum(each for *_, each in current) + size > TARGET:
            close()
        current.append((path.name, first, last, size))
    close()
    return result


def replace(log: Log, rewritten: Iterable[tuple[Run, Path]], horizon: Horizon | None = None, changing: int = 0) -> int:
    """Replace each run by its file, all in one commit; return how many files were replaced.

    The commit states ``horizon`` if one is given, and ``changing``, the last version up to it that changed anything.
    Raises ConflictError where another process rewrote one of the runs.
    """
    listed = [(run, path.read_bytes()) for run, path in rewritten]
    writer = unique_name()
    names = [commits.data_file_name(run.first, run.last, data, writer) for run, data in listed]
    failpoints.reach("r1:log")
    for name, (_, data) in zip(names, listed, strict=True):
        log.write(log.path / name, data)
    added = [(name, run, len(data)) for name, (run, data) in zip(names, listed, strict=True)]
    gone = [name for run, _ in listed for name in run.names]
    try:
        _check(gone, {path.name for path in log.files()})
        with log.turn(1, lambda: _follow(log, gone)):  # a short turn: it writes one commit file, and is rare
            _commit(log, added, gone, horizon, changing)
    except BaseException:
        log.refresh()
        if not set(names) <= {path.name for path in log.files()}:
            for name in names:
                (log.path / name).unlink(missing_ok=True)
        raise
    log.acknowledge()
    failpoints.reach("r2:log")
    return len(gone)


def _check(gone: Sequence[str], there: Set[str]) -> None:
    if not set(gone) <= there:
        raise ConflictError("another compaction rewrote the log's files first", hint="nothing is left to do")


def _follow(log: Log, gone: Sequence[str]) -> None:
    """Move to the newest commit; ConflictError if a commit since then removed any of these files."""
    for commit in log.refresh():
        _check(gone, set(gone).difference(commit.removed))


def _commit(
    log: Log, added: Sequence[tuple[str, Run, int]], gone: Sequence[str], horizon: Horizon | None, changing: int
) -> None:
    for _ in range(MAX_ATTEMPTS):
        _follow(log, gone)
        now = SystemClock().now() // 1000
        meta = log.meta_of_rewriting([name for name, _, _ in added])
        if horizon is not None:
            meta |= {retention.META: list(horizon), retention.META_CHANGING: changing}
        files = [(name, size, statistics_of(run)) for name, run, size in added]
        last = {f"{commits.KEY}.log": log.version}
        try:
            if not log.put(replacing_bytes(files, gone, meta, last, now), meta["writer"], []):
                adds = [AddAction(name, size, {}, now, False, stated) for name, size, stated in files]
                removes = [RemoveAction(name, False, now) for name in gone]
                log.transact([*removes, *adds], meta, [Transaction(*noted) for noted in last.items()], [])
        except ConflictError:
            log.back_off()
            continue
        return
    raise ConflictError(f"gave up after {MAX_ATTEMPTS} commit conflicts", hint="run the same command again")


def statistics_of(run: Run) -> str:
    """Return, as JSON, Delta's statistics of the file that replaces a run."""
    least, greatest = {"version": run.first}, {"version": run.last}
    stated = {"numRecords": run.last - run.first + 1, "minValues": least, "maxValues": greatest, "nullCount": {}}
    return orjson.dumps(stated).decode()
