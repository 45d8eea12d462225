"""Which row of the log states a task's edges from an instant on: the message to which an edge in force is attributed.

A rectangle's ``opened`` says which version added it; this may be a later message that only moved its end. The edge
itself was begun by the message in force at the first instant of its interval (``read.macros.statements`` does the same
in SQL). So every accepted message of a task is a row here, of about 28 bytes, sorted by task and time and found by
binary search. Later messages make a short second run, which is merged into the first when it has grown.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from lineage_tt.graph.arrays.dictionary import Dictionary
from lineage_tt.graph.arrays.loading import numbers, within
from lineage_tt.graph.arrays.names import Ints, Longs
from lineage_tt.graph.load.attribution import began, merge
from lineage_tt.log import verify
from lineage_tt.log.arrow import read_columns
from lineage_tt.model.completeness.gaps import CoverageRow, resolved
from lineage_tt.storage import durable
from lineage_tt.timeline import NO_SOURCE_VERSION, state_at

if TYPE_CHECKING:
    from lineage_tt.log.log import Log

_COLUMNS: Final = ["version", "status", "task_id", "op", "effective_at", "source_version", "derived_from", "retracts"]
#: A second run that is longer than this, and than this fraction of the first, is merged into the first.
MAX_LATER: Final = 1 << 12
LATER_SHARE: Final = 256


class Run(NamedTuple):
    """Messages sorted by task, time and version; ``base`` is the version from which each was derived, 0 for none."""

    task: Ints
    effective: Longs
    version: Ints
    rank: Longs
    base: Ints

    def take(self, places: Longs) -> Run:
        """Return the messages at these positions."""
        return Run(
            self.task[places], self.effective[places], self.version[places], self.rank[places], self.base[places]
        )


class Retract(NamedTuple):
    """A retract, and the version of the task's message that it withdraws."""

    version: int
    withdraws: int


class Statements:
    """The messages of all tasks up to a version. It is immutable: later messages make a new one."""

    def __init__(
        self, first: Run, later: Run, retracts: Mapping[int, tuple[Retract, ...]], starts: Ints | None = None
    ) -> None:
        self.first, self.later = first, later
        self._retracts = retracts  # by task; rarely any
        self._withdrawing = np.array(sorted(retracts), np.int32)
        self._starts = starts if starts is not None else _starts(first.task)

    @property
    def nbytes(self) -> int:
        """The memory in use."""
        return sum(int(column.nbytes) for column in (*self.first, *self.later, self._starts))

    def attribute(self, numbers: Ints, valid: Longs, payloads: Ints, supposed: int, upto: int) -> None:
        """Give each edge the version of the message in force where it begins, as known at ``upto``.

        ``numbers`` are (source, target, payload, version); ``payloads`` begin with the task. Payloads from ``supposed``
        on belong to no message.
        """
        stated = numbers[:, 3].copy() if len(self._withdrawing) else None
        began(numbers, valid, payloads, supposed, upto, self._starts, *self.first, *self.later)
        if stated is None:
            return
        places = numbers[:, 2] >> 1
        tasks, since = payloads[places, 0], valid[:, 0]
        for at in np.flatnonzero(np.isin(tasks, self._withdrawing) & (places < supposed)).tolist():
            step = state_at(resolved(self._messages(int(tasks[at]), upto)), int(since[at]))
            numbers[at, 3] = step.version if step is not None and step.at == int(since[at]) else stated[at]

    def versions_of(self, tasks: Ints, since: Longs, upto: int, versions: Ints) -> Ints:
        """Return the version of the message in force for each task at an instant; ``versions`` where there is none."""
        numbers = np.zeros((len(tasks), 4), np.int32)
        numbers[:, 2], numbers[:, 3] = np.arange(len(tasks)) << 1, versions
        self.attribute(numbers, since.reshape(-1, 1).copy(), tasks.reshape(-1, 1).copy(), len(tasks), upto)
        return numbers[:, 3].copy()

    def versions_stated(self, tasks: Ints, upto: int) -> list[int]:
        """Return the versions up to ``upto`` at which these tasks themselves stated something, retracts included."""
        known = tasks[(tasks >= 0) & (tasks < len(self._starts) - 1)]
        spans = [np.arange(self._starts[task], self._starts[task + 1]) for task in known.tolist()]
        places = np.concatenate(spans) if spans else np.empty(0, np.int64)
        stated = [self.first.version[places[self.first.base[places] == 0]]]
        stated.append(self.later.version[np.isin(self.later.task, tasks) & (self.later.base == 0)])
        withdrawals = [retract.version for task in tasks.tolist() for retract in self._retracts.get(task, ())]
        versions = np.concatenate([*stated, np.array(withdrawals, np.int32)])
        return sorted(versions[versions <= upto].tolist())

    def _messages(self, task: int, upto: int) -> list[CoverageRow]:
        """Return a task's messages, retracts included, in order of versions."""
        rows = []
        for run in (self.first, self.later):
            for at in np.flatnonzero(run.task == task).tolist():
                version, base = int(run.version[at]), int(run.base[at])
                effective, rank = int(run.effective[at]), int(run.rank[at])
                rows.append(CoverageRow(version, "", str(version), None, effective, rank, base or None, None))
        for version, withdraws in self._retracts.get(task, ()):
            rows.append(CoverageRow(version, "retract", str(version), str(withdraws), None, None, None, None))
        return sorted(row for row in rows if row.version <= upto)

    def extended(self, log: Log, after: int, upto: int, names: Dictionary) -> Statements:
        """Return these messages together with those of the versions in (after, upto]."""
        fresh, withdrawals = _read(verify.verified_files(log, after), after, upto, names)
        if not len(fresh.task) and not withdrawals:
            return self
        later = _merged(self.later, fresh)
        first, starts = self.first, self._starts
        if len(later.task) > max(MAX_LATER, len(first.task) // LATER_SHARE):
            first, later = _merged(first, later), _NOTHING
            starts = _starts(first.task)
        retracts = _with_targets(self._retracts, withdrawals, log, names) if withdrawals else self._retracts
        return Statements(first, later, retracts, starts)


def read(log: Log, upto: int, names: Dictionary) -> Statements:
    """Return the messages of all tasks up to a version; new tasks are added to the dictionary."""
    run, withdrawals = _read(verify.verified_files(log), 0, upto, names)
    return Statements(run, _NOTHING, _with_targets({}, withdrawals, log, names) if withdrawals else {})


def _read(files: Sequence[Path], after: int, upto: int, names: Dictionary) -> tuple[Run, list[tuple[int, int, str]]]:
    """Return the messages of the versions in (after, upto], and (task, version, event) of each retract."""
    runs, withdrawals = [_NOTHING], []
    for _, table in durable.side_by_side(lambda path: read_columns(path, _COLUMNS), files):
        accepted = pc.and_(pc.equal(table.column("status"), "accepted"), within(table.column("version"), after, upto))
        table = table.filter(pc.and_(accepted, pc.is_valid(table.column("task_id"))))
        if not len(table):
            continue
        tasks = names.tasks.intern(table.column("task_id"))
        retract = pc.equal(table.column("op"), "retract").to_numpy()
        version = numbers(table.column("version")).astype(np.int32)
        for at in np.flatnonzero(retract).tolist():
            withdrawals.append((int(tasks[at]), int(version[at]), table.column("retracts")[at].as_py() or ""))
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
    return whole.take(np.lexsort((whole.version, whole.effective, whole.task))), withdrawals


def _with_targets(
    known: Mapping[int, tuple[Retract, ...]], withdrawals: Sequence[tuple[int, int, str]], log: Log, names: Dictionary
) -> dict[int, tuple[Retract, ...]]:
    """Return the retracts with these added, each with the version of the message that it withdraws."""
    event_ids = pa.array(sorted({event for _, _, event in withdrawals}))
    events: dict[tuple[str, str], list[int]] = defaultdict(list)
    for path in verify.verified_files(log):
        table = read_columns(path, ["version", "status", "task_id", "event_id"])
        withdrawn = pc.and_(pc.equal(table.column("status"), "accepted"), pc.is_in(table.column("event_id"), event_ids))
        for row in table.filter(withdrawn).to_pylist():
            events[row["task_id"] or "", row["event_id"]].append(row["version"])
    result = defaultdict(tuple, known)
    for task, version, event in withdrawals:
        targets = [each for each in events[names.tasks[task], event] if each < version]
        result[task] = (*result[task], Retract(version, max(targets, default=0)))
    return dict(result)


def _starts(task: Ints) -> Ints:
    """Return where the messages of each task begin, and after the last where they end."""
    return np.searchsorted(task, np.arange(int(task[-1]) + 2 if len(task) else 1)).astype(np.int32)


def _merged(one: Run, other: Run) -> Run:
    order = np.empty(len(one.task) + len(other.task), np.int64)
    merge(*one[:3], *other[:3], order)
    return _end_to_end([one, other]).take(order)


def _end_to_end(runs: Sequence[Run]) -> Run:
    return Run(*map(np.concatenate, zip(*runs, strict=True)))


_NO_INTS: Final[Ints] = np.zeros(0, np.int32)
_NO_LONGS: Final[Longs] = np.zeros(0, np.int64)
_NOTHING: Final = Run(_NO_INTS, _NO_LONGS, _NO_INTS, _NO_LONGS, _NO_INTS)
