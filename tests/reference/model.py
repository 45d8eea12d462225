"""Messages as a naive model takes them, and what is in force at a point, worked out of lists.

Instants are integers. A message is judged when it is received; everything else is worked out from the list of
accepted records when it is asked for. ``upto`` is a version: what was known at a system time is what the versions
with a system time not after it say (``version_at``). What is visible at a version, and the rectangles that follow from
it, stays as it is when more is received: it is worked out once.
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
#: a task's edge on [valid_from, valid_to); None is without end
Rectangle = tuple[TaskEdge, int, int | None]


class Unsure(NamedTuple):
    """What a message that is not complete says of itself: problems are (code, subject), outputs (dataset, columns)."""

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
    """Everything received so far; versions are dense over accepted and rejected messages."""

    accepted: list[Record] = field(default_factory=list)
    rejected: list[tuple[int, Sent]] = field(default_factory=list)
    system_times: list[int] = field(default_factory=list)
    _visible: dict[int, list[Record]] = field(default_factory=dict, repr=False, compare=False)
    _rectangles: dict[int, frozenset[Rectangle]] = field(default_factory=dict, repr=False, compare=False)

    # --- taking in ------------------------------------------------------------------------------------------------

    def receive(self, sent: Sent, system_time: int) -> tuple[int, str]:
        """Judge one message; return (version, status): a new version, or the one that it repeats."""
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
        """The last version."""
        return len(self.system_times)

    def next_system_time(self, now: int) -> int:
        """The system time of the next version, if it comes at ``now``."""
        return max(now, self.system_times[-1] + 1) if self.system_times else max(now, 1)

    def version_at(self, system_time: int) -> int:
        """The last version known at a system time, 0 before the first."""
        return sum(1 for time in self.system_times if time <= system_time)

    # --- what is in force -----------------------------------------------------------------------------------------

    def visible(self, upto: int) -> list[Record]:
        """The statements that count: neither retracts themselves nor withdrawn by a retract that stands."""
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
        """The statement in force for a task: of the latest effective_at, the greatest (source_version, version)."""
        candidates = [r for r in visible if r.sent.task == task and r.sent.effective_at <= valid_at]
        if not candidates:
            return None
        latest = max(r.sent.effective_at for r in candidates)

        def rank(record: Record) -> tuple[bool, int, int]:
            given = record.sent.source_version
            return (given is not None, given or 0, record.version)

        return max((r for r in candidates if r.sent.effective_at == latest), key=rank)

    def tasks(self) -> list[str]:
        """All tasks that ever had an accepted message."""
        return sorted({r.sent.task for r in self.accepted})

    def tasks_in_force(self, valid_at: int, upto: int) -> dict[str, int]:
        """Task → version of the statement in force; offline tasks are left out."""
        visible = self.visible(upto)
        tasks = {task: self.winner(task, valid_at, visible) for task in self.tasks()}
        return {task: record.version for task, record in tasks.items() if record and record.sent.op != "offline"}

    def state(self, valid_at: int, upto: int) -> frozenset[TaskEdge]:
        """The edges in force at a point."""
        result: set[TaskEdge] = set()
        visible = self.visible(upto)
        for task in self.tasks():
            record = self.winner(task, valid_at, visible)
            if record:
                result |= {(task, *edge) for edge in record.sent.edges}
        return frozenset(result)

    def rectangles(self, upto: int) -> frozenset[Rectangle]:
        """Each edge's maximal intervals, as known at a version."""
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
        """(edge, version, valid_from, valid_to) of each edge's intervals: the statement in force where one begins."""
        visible = self.visible(upto)
        result = []
        for edge, since, until in self.rectangles(upto):
            began = self.winner(edge[0], since, visible)
            assert began is not None
            result.append((edge, began.version, since, until))
        return result

    # --- over time ------------------------------------------------------------------------------------------------

    def diff(self, first: tuple[int, int], second: tuple[int, int]) -> tuple[frozenset[TaskEdge], frozenset[TaskEdge]]:
        """(removed, added) between two points, each (valid_at, version)."""
        before, after = self.state(*first), self.state(*second)
        return before - after, after - before

    def beliefs(self) -> list[Belief]:
        """Every rectangle ever believed, with the versions that opened and closed it."""
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
        """What a version added (+1) and took away (−1): maximal stretches, from the rectangles before and after."""
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
        """All valid times at which anything may change."""
        return sorted({r.sent.effective_at for r in self.accepted if r.sent.op != "retract"})


def covers(intervals: Iterable[tuple[int, int | None]], at: int) -> bool:
    """Say whether any half-open interval holds at ``at``."""
    return any(a <= at and (b is None or at < b) for a, b in intervals)


def join_touching(intervals: Iterable[tuple[int, int | None]]) -> list[tuple[int, int | None]]:
    """Join touching intervals; they come in order and don't overlap."""
    joined: list[tuple[int, int | None]] = []
    for start, end in intervals:
        if joined and joined[-1][1] == start:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined
