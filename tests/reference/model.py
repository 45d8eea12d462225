"""The naive model of messages: accepts them, and computes what is in force at a point, from lists.

Instants are integers. A message is accepted or rejected when it is received; everything else is computed on request
from the list of accepted records. ``upto`` is a version: what was known at a system time is what the versions up to
that time state (``version_at``). Later messages do not change what is visible at a version, or its rectangles, so the
model computes them once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

#: source, target, type, subtype, expression
EdgeValue = tuple[str, str, str, str, str]
#: task, then the edge
TaskEdge = tuple[str, str, str, str, str, str]
#: a task's edge on [valid_from, valid_to); None: without end
Rectangle = tuple[TaskEdge, int, int | None]


class Unsure(NamedTuple):
    """The coverage of an incomplete message; problems are (code, subject), outputs (dataset, columns)."""

    coverage: str
    problems: frozenset[tuple[str, str]]
    outputs: frozenset[tuple[str, frozenset[str]]] = frozenset()
    target: str | None = None


class Sent(NamedTuple):
    """A message as it was sent."""

    task: str
    event: str
    op: str
    effective_at: int
    source_version: int | None = None
    edges: frozenset[EdgeValue] = frozenset()
    retracts: str | None = None
    unsure: Unsure | None = None


class Record(NamedTuple):
    """An accepted message."""

    version: int
    system_time: int
    sent: Sent


class Belief(NamedTuple):
    """A rectangle and the versions between which the store believed it."""

    edge: TaskEdge
    valid_from: int
    valid_to: int | None
    opened: int
    closed: int | None


@dataclass
class Model:
    """All messages received; accepted and rejected messages share one dense sequence of versions."""

    accepted: list[Record] = field(default_factory=list)
    rejected: list[tuple[int, Sent]] = field(default_factory=list)
    system_times: list[int] = field(default_factory=list)
    _visible: dict[int, list[Record]] = field(default_factory=dict, repr=False, compare=False)
    _rectangles: dict[int, frozenset[Rectangle]] = field(default_factory=dict, repr=False, compare=False)

    # --- messages -------------------------------------------------------------------------------------------------

    def receive(self, sent: Sent, system_time: int) -> tuple[int, str]:
        """Accept or reject a message; return (version, status): a new version, or the one that it repeats."""
        for record in self.accepted:
            if (record.sent.task, record.sent.event) == (sent.task, sent.event):
                if record.sent == sent:
                    return record.version, "duplicate"
                return self._reject(sent, system_time)
        if sent.op == "retract" and not any(
            r.sent.task == sent.task and r.sent.event == sent.retracts for r in self.accepted
        ):
            return self._reject(sent, system_time)
        self.system_times.append(system_time)
        self.accepted.append(Record(self.version, system_time, sent))
        return self.version, "accepted"

    def _reject(self, sent: Sent, system_time: int) -> tuple[int, str]:
        for version, earlier in self.rejected:
            if earlier == sent:
                return version, "duplicate"
        self.system_times.append(system_time)
        self.rejected.append((self.version, sent))
        return self.version, "rejected"

    @property
    def version(self) -> int:
        """The latest version."""
        return len(self.system_times)

    def next_system_time(self, now: int) -> int:
        """Return the system time of a version that is recorded at ``now``."""
        return max(now, self.system_times[-1] + 1) if self.system_times else max(now, 1)

    def version_at(self, system_time: int) -> int:
        """Return the latest version at a system time, 0 before the first."""
        return sum(1 for time in self.system_times if time <= system_time)

    # --- what is in force -----------------------------------------------------------------------------------------

    def visible(self, upto: int) -> list[Record]:
        """Return the statements that count: no retracts, and not withdrawn by a retract that is itself in force."""
        if upto in self._visible:
            return self._visible[upto]
        known = [r for r in self.accepted if r.version <= upto]
        retracts = [r for r in known if r.sent.op == "retract"]

        def withdrawn(record: Record) -> bool:
            return any(
                other.sent.task == record.sent.task
                and other.sent.retracts == record.sent.event
                and not withdrawn(other)
                for other in retracts
            )

        visible = [r for r in known if r.sent.op != "retract" and not withdrawn(r)]
        if upto <= self.version:
            self._visible[upto] = visible
        return visible

    def winner(self, task: str, valid_at: int, visible: list[Record]) -> Record | None:
        """Return the statement in force for a task: the latest effective_at, then source_version, then version."""
        candidates = [r for r in visible if r.sent.task == task and r.sent.effective_at <= valid_at]
        if not candidates:
            return None
        latest = max(r.sent.effective_at for r in candidates)

        def rank(record: Record) -> tuple[bool, int, int]:
            given = record.sent.source_version
            return (given is not None, given or 0, record.version)

        return max((r for r in candidates if r.sent.effective_at == latest), key=rank)

    def tasks(self) -> list[str]:
        """Return all tasks that ever had an accepted message."""
        return sorted({r.sent.task for r in self.accepted})

    def tasks_in_force(self, valid_at: int, upto: int) -> dict[str, int]:
        """Return the version of the statement in force for each task that is not offline."""
        visible = self.visible(upto)
        tasks = {task: self.winner(task, valid_at, visible) for task in self.tasks()}
        return {task: record.version for task, record in tasks.items() if record and record.sent.op != "offline"}

    def state(self, valid_at: int, upto: int) -> frozenset[TaskEdge]:
        """Return the edges in force at a point."""
        result: set[TaskEdge] = set()
        visible = self.visible(upto)
        for task in self.tasks():
            record = self.winner(task, valid_at, visible)
            if record:
                result |= {(task, *edge) for edge in record.sent.edges}
        return frozenset(result)

    def rectangles(self, upto: int) -> frozenset[Rectangle]:
        """Return the maximal intervals of each edge, as known at a version."""
        if upto in self._rectangles:
            return self._rectangles[upto]
        result: set[Rectangle] = set()
        for task in self.tasks():
            visible = [r for r in self.visible(upto) if r.sent.task == task]
            starts = sorted({r.sent.effective_at for r in visible})
            pieces: dict[EdgeValue, list[tuple[int, int | None]]] = {}
            for start, end in zip(starts, [*starts, None][1:], strict=True):
                record = self.winner(task, start, visible)
                for edge in record.sent.edges if record else ():
                    pieces.setdefault(edge, []).append((start, end))
            for edge, intervals in pieces.items():
                result |= {((task, *edge), a, b) for a, b in join_touching(intervals)}
        if upto <= self.version:
            self._rectangles[upto] = frozenset(result)
        return frozenset(result)

    def attributed(self, upto: int) -> list[tuple[TaskEdge, int, int, int | None]]:
        """Return (edge, version, valid_from, valid_to) for each interval, with the statement in force at its start."""
        visible = self.visible(upto)
        result = []
        for edge, since, until in self.rectangles(upto):
            began = self.winner(edge[0], since, visible)
            assert began is not None
            result.append((edge, began.version, since, until))
        return result

    # --- over time ------------------------------------------------------------------------------------------------

    def diff(self, first: tuple[int, int], second: tuple[int, int]) -> tuple[frozenset[TaskEdge], frozenset[TaskEdge]]:
        """Return (removed, added) between two points, each (valid_at, version)."""
        before, after = self.state(*first), self.state(*second)
        return before - after, after - before

    def beliefs(self) -> list[Belief]:
        """Return every rectangle ever believed, with the versions that opened and closed it."""
        result: list[Belief] = []
        open_since: dict[Rectangle, int] = {}
        for version in range(1, self.version + 1):
            now = self.rectangles(version)
            for gone in set(open_since) - now:
                result.append(Belief(*gone, open_since.pop(gone), version))
            for come in now - set(open_since):
                open_since[come] = version
        result += [Belief(*still, since, None) for still, since in open_since.items()]
        return result

    def net_changes(self, version: int) -> frozenset[tuple[int, TaskEdge, int, int | None]]:
        """Return what a version added (+1) and removed (−1), as maximal intervals, compared with the version before."""
        before, after = self.rectangles(version - 1), self.rectangles(version)
        edges = {edge for edge, _, _ in before | after}
        changes: set[tuple[int, TaskEdge, int, int | None]] = set()
        for edge in edges:
            old, new = ([(a, b) for e, a, b in side if e == edge] for side in (before, after))
            ends = {end for interval in old + new for end in interval}
            cuts: list[int | None] = [*sorted(end for end in ends if end is not None), None]
            for sign, inside, outside in ((1, new, old), (-1, old, new)):
                stretches = [
                    (a, b) for a, b in pairwise(cuts) if a is not None and covers(inside, a) and not covers(outside, a)
                ]
                changes |= {(sign, edge, a, b) for a, b in join_touching(stretches)}
        return frozenset(changes)

    def boundaries(self) -> list[int]:
        """Return all valid times at which anything may change."""
        return sorted({r.sent.effective_at for r in self.accepted if r.sent.op != "retract"})


def covers(intervals: Iterable[tuple[int, int | None]], at: int) -> bool:
    """Return whether any half-open interval contains ``at``."""
    return any(a <= at and (b is None or at < b) for a, b in intervals)


def join_touching(intervals: Iterable[tuple[int, int | None]]) -> list[tuple[int, int | None]]:
    """Join touching intervals, which must be ordered and must not overlap."""
    joined: list[tuple[int, int | None]] = []
    for start, end in intervals:
        if joined and joined[-1][1] == start:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined
