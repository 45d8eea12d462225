"""Which row of the log states a task's edges from an instant on: what an edge in force is attributed to.

A rectangle's ``opened`` says when it was put in place, which a later message may have done that only moved its end.
The edge itself was begun by the message in force at the first instant of its stretch (``read.macros.statements`` has
the same in SQL). So every accepted message of a task is a row here, some 28 bytes, sorted by task and time and looked
up by binary search. Messages taken in later make a short second run that is merged into the first when it has grown.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from lineage_tt.graph.arrays.compiled import jit
from lineage_tt.graph.arrays.dictionary import Dictionary
from lineage_tt.graph.arrays.loading import numbers
from lineage_tt.graph.arrays.names import Ints, Longs
from lineage_tt.log import verify
from lineage_tt.model.completeness.gaps import Said, resolved
from lineage_tt.model.errors import CorruptError
from lineage_tt.timeline import NO_SOURCE_VERSION, state_at

if TYPE_CHECKING:
    from lineage_tt.log.log import Log

_COLUMNS: Final = ["version", "status", "task_id", "op", "effective_at", "source_version", "derived_from", "retracts"]
#: A later run longer than this, and than this part of the first, is merged into it.
MAX_LATER: Final = 1 << 12
LATER_SHARE: Final = 256


class Run(NamedTuple):
    """Messages sorted by task, time and version; ``base`` is the version that one was derived of, 0 for none."""

    task: Ints
    effective: Longs
    version: Ints
    rank: Longs
    base: Ints

    def take(self, places: Longs) -> Run:
        """Return the messages at some places."""
        return Run(
            self.task[places], self.effective[places], self.version[places], self.rank[places], self.base[places]
        )


class Retract(NamedTuple):
    """A retract, and the version of the task's message that it withdraws."""

    version: int
    withdraws: int


@jit
def behind(task: Ints, effective: Longs, wanted: int, at: int) -> Any:
    """Return the place behind a task's messages that take effect up to an instant."""
    low, high = 0, len(task)
    while low < high:
        middle = (low + high) >> 1
        if task[middle] < wanted or (task[middle] == wanted and effective[middle] <= at):
            low = middle + 1
        else:
            high = middle
    return low


@jit
def stating(
    task: Ints, effective: Longs, version: Ints, rank: Longs, base: Ints, wanted: int, at: int, upto: int
) -> Any:  # fmt: skip
    """Return the place of a task's message in force at an instant, -1 for none; derived ones are passed by."""
    found = -1
    place = behind(task, effective, wanted, at) - 1
    while place >= 0 and task[place] == wanted and (found < 0 or effective[place] == effective[found]):
        if base[place] == 0 and version[place] <= upto:
            above = found < 0 or rank[place] > rank[found]
            if above or (rank[place] == rank[found] and version[place] > version[found]):
                found = place
        place -= 1
    return found


@jit
def derived(task: Ints, effective: Longs, version: Ints, base: Ints, wanted: int, at: int, upto: int, of: int) -> Any:
    """Return the last version derived of a message from just this instant on, 0 for none."""
    found = 0
    place = behind(task, effective, wanted, at) - 1
    while place >= 0 and task[place] == wanted and effective[place] == at:
        if base[place] == of and version[place] <= upto and version[place] > found:
            found = version[place]
        place -= 1
    return found


@jit
def began(
    tasks: Ints, since: Longs, upto: int, task_a: Ints, effective_a: Longs, version_a: Ints, rank_a: Longs,
    base_a: Ints, task_b: Ints, effective_b: Longs, version_b: Ints, rank_b: Longs, base_b: Ints, out: Ints,
) -> None:  # fmt: skip
    """Write the version that states each task's edges from each instant on; what is there stays where none does."""
    for i in range(len(tasks)):
        one, at = tasks[i], since[i]
        a = stating(task_a, effective_a, version_a, rank_a, base_a, one, at, upto)
        b = stating(task_b, effective_b, version_b, rank_b, base_b, one, at, upto)
        if a < 0 and b < 0:
            continue
        if b < 0 or (a >= 0 and effective_a[a] > effective_b[b]):
            later = False
        elif a < 0 or effective_b[b] > effective_a[a] or rank_b[b] != rank_a[a]:
            later = a < 0 or effective_b[b] > effective_a[a] or rank_b[b] > rank_a[a]
        else:
            later = version_b[b] > version_a[a]
        stated = version_b[b] if later else version_a[a]
        again = max(
            derived(task_a, effective_a, version_a, base_a, one, at, upto, stated),
            derived(task_b, effective_b, version_b, base_b, one, at, upto, stated),
        )
        if again > 0:
            out[i] = again
        elif (effective_b[b] if later else effective_a[a]) == at:
            out[i] = stated


@jit
def merge(
    task_a: Ints, effective_a: Longs, version_a: Ints, task_b: Ints, effective_b: Longs, version_b: Ints, out: Longs
) -> None:
    """Write the order of two runs as one: places in the first, and behind its length those in the second."""
    a, b = 0, 0
    for i in range(len(out)):
        if b == len(task_b):
            first = True
        elif a == len(task_a):
            first = False
        elif task_a[a] != task_b[b]:
            first = task_a[a] < task_b[b]
        elif effective_a[a] != effective_b[b]:
            first = effective_a[a] < effective_b[b]
        else:
            first = version_a[a] < version_b[b]
        if first:
            out[i] = a
            a += 1
        else:
            out[i] = len(task_a) + b
            b += 1


class Statements:
    """The messages of all tasks up to a version; a value: what is taken in later makes another one."""

    def __init__(self, first: Run, later: Run, retracts: Mapping[int, tuple[Retract, ...]]) -> None:
        self.first, self.later = first, later
        self._retracts = retracts  # by task: seldom any
        self._withdrawing = np.array(sorted(retracts), np.int32)

    @property
    def nbytes(self) -> int:
        """The memory in use."""
        return sum(int(column.nbytes) for column in (*self.first, *self.later))

    def attribute(self, tasks: Ints, since: Longs, upto: int, versions: Ints) -> None:
        """Replace ``versions`` by those of the messages in force for ``tasks`` at ``since``, as known at ``upto``."""
        given = versions.copy() if len(self._withdrawing) else versions
        began(tasks, since, upto, *self.first, *self.later, versions)
        for at in np.flatnonzero(np.isin(tasks, self._withdrawing)).tolist() if len(self._withdrawing) else ():
            step = state_at(resolved(self._said(int(tasks[at]), upto)), int(since[at]))
            versions[at] = step.version if step is not None and step.at == int(since[at]) else given[at]

    def _said(self, task: int, upto: int) -> list[Said]:
        """Return a task's messages, retracts among them, in order of versions."""
        rows = []
        for run in (self.first, self.later):
            for at in np.flatnonzero(run.task == task).tolist():
                version, base = int(run.version[at]), int(run.base[at])
                effective, rank = int(run.effective[at]), int(run.rank[at])
                rows.append(Said(version, "", str(version), None, effective, rank, base or None, None))
        for version, withdraws in self._retracts.get(task, ()):
            rows.append(Said(version, "retract", str(version), str(withdraws), None, None, None, None))
        return sorted(row for row in rows if row.version <= upto)

    def extended(self, log: Log, after: int, names: Dictionary) -> Statements:
        """Return the messages with those behind ``after``."""
        fresh, asked = _read(verify.verified_files(log, after), after, names)
        if not len(fresh.task) and not asked:
            return self
        later = _merged(self.later, fresh)
        first = self.first
        if len(later.task) > max(MAX_LATER, len(first.task) // LATER_SHARE):
            first, later = _merged(first, later), _NOTHING
        return Statements(first, later, _with_targets(self._retracts, asked, log, names) if asked else self._retracts)


def read(log: Log, names: Dictionary) -> Statements:
    """Return the messages of all tasks that the log holds; tasks that are new join the dictionary."""
    files = verify.verified_files(log)
    run, asked = _read(files, 0, names)
    return Statements(run, _NOTHING, _with_targets({}, asked, log, names) if asked else {})


def _read(files: Iterable[Path], after: int, names: Dictionary) -> tuple[Run, list[tuple[int, int, str]]]:
    """Return the messages behind ``after``, and (task, version, event) of the retracts among them."""
    runs, asked = [_NOTHING], []
    for path in files:
        table = _table(path, _COLUMNS)
        kept = pc.and_(pc.equal(table.column("status"), "accepted"), pc.greater(table.column("version"), after))
        table = table.filter(pc.and_(kept, pc.is_valid(table.column("task_id"))))
        if not len(table):
            continue
        tasks = names.tasks.intern(table.column("task_id"))
        retract = pc.equal(table.column("op"), "retract").to_numpy()
        version = numbers(table.column("version")).astype(np.int32)
        for at in np.flatnonzero(retract).tolist():
            asked.append((int(tasks[at]), int(version[at]), table.column("retracts")[at].as_py() or ""))
        rank = pc.fill_null(table.column("source_version"), NO_SOURCE_VERSION)
        base = pc.fill_null(table.column("derived_from"), 0)
        run = Run(
            tasks,
            numbers(table.column("effective_at")),
            version,
            numbers(rank),
            numbers(base).astype(np.int32),
        )
        runs.append(run.take(np.flatnonzero(~retract)))
    whole = _end_to_end(runs)
    return whole.take(np.lexsort((whole.version, whole.effective, whole.task))), asked


def _with_targets(
    known: Mapping[int, tuple[Retract, ...]], asked: Sequence[tuple[int, int, str]], log: Log, names: Dictionary
) -> dict[int, tuple[Retract, ...]]:
    """Return the retracts with these, each with the version of the message that it withdraws."""
    wanted = pa.array(sorted({event for _, _, event in asked}))
    events: dict[tuple[str, str], list[int]] = defaultdict(list)
    for path in verify.verified_files(log):
        table = _table(path, ["version", "status", "task_id", "event_id"])
        kept = pc.and_(pc.equal(table.column("status"), "accepted"), pc.is_in(table.column("event_id"), wanted))
        for row in table.filter(kept).to_pylist():
            events[row["task_id"] or "", row["event_id"]].append(row["version"])
    found = defaultdict(tuple, known)
    for task, version, event in asked:
        targets = [each for each in events[names.tasks[task], event] if each < version]
        found[task] = (*found[task], Retract(version, max(targets, default=0)))
    return dict(found)


def _table(path: Path, columns: list[str]) -> pa.Table:
    try:
        return pq.read_table(path, columns=columns, partitioning=None)
    except (OSError, pa.ArrowException) as error:
        raise CorruptError(f"the data file {path.name} cannot be read: {error}") from None


def _merged(one: Run, other: Run) -> Run:
    order = np.empty(len(one.task) + len(other.task), np.int64)
    merge(*one[:3], *other[:3], order)
    return _end_to_end([one, other]).take(order)


def _end_to_end(runs: Sequence[Run]) -> Run:
    return Run(*map(np.concatenate, zip(*runs, strict=True)))


_NO_INTS: Final[Ints] = np.zeros(0, np.int32)
_NO_LONGS: Final[Longs] = np.zeros(0, np.int64)
_NOTHING: Final = Run(_NO_INTS, _NO_LONGS, _NO_INTS, _NO_LONGS, _NO_INTS)
