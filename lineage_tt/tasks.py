"""What the writer must know of a task to place its next message: its timeline, numbered edges and seen events.

``TaskHistory`` is rebuilt from the task's rows in the log at any time; ``Tasks`` keeps the recently used ones, up to a
bound on memory, so that a long stream costs no more than a short one.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from operator import itemgetter, or_
from typing import Final, NamedTuple

from lineage_tt.edges import EdgeTuple
from lineage_tt.format import ChangeTuple
from lineage_tt.timeline import NO_SOURCE_VERSION, Record, SignedChange, Step, numbers, resolve, signed_changes

#: Distinct edges and messages kept in memory, at some 200 bytes each.
MOST_KEPT: Final = 2_000_000


class PastMessage(NamedTuple):
    """The columns of an accepted row from which a task's history is rebuilt."""

    version: int
    task_id: str
    event_id: str
    op: str
    effective_at: int | None
    source_version: int | None
    retracts: str | None
    content_sha256: bytes
    edges: Iterable[EdgeTuple]


class TaskHistory:
    """One task's accepted messages and the timeline they make."""

    __slots__ = ("_bits", "_edges", "_records", "_retracts", "_steps", "events")

    def __init__(self) -> None:
        #: event_id → (version, digest of the content)
        self.events: dict[str, tuple[int, bytes]] = {}
        self._edges: list[EdgeTuple] = []
        self._bits: dict[EdgeTuple, int] = {}
        self._records: dict[int, Record] = {}
        self._retracts: list[tuple[int, int]] = []
        self._steps: list[Step] = []

    @classmethod
    def rebuild(cls, messages: Iterable[PastMessage]) -> TaskHistory:
        """Return the history that these messages of one task, in version order, make."""
        history = cls()
        for past in messages:
            history.events[past.event_id] = (past.version, past.content_sha256)
            if past.op == "retract":
                history._retracts.append((past.version, history.events[past.retracts or ""][0]))
            else:
                record = history._record(past.version, past.effective_at or 0, past.source_version, past.edges)
                history._records[past.version] = record
        history._steps = resolve(history._visible())
        return history

    @property
    def weight(self) -> int:
        """How much memory it takes, in edges and messages."""
        return len(self._edges) + 2 * len(self.events)

    def place(
        self, version: int, effective_at: int, source_version: int | None, edges: Iterable[EdgeTuple]
    ) -> list[ChangeTuple]:
        """Add an online, update or offline message; return what it changes."""
        record = self._record(version, effective_at, source_version, edges)
        self._records[version] = record
        if not self._steps or effective_at > self._steps[-1].at:
            step = Step(effective_at, record.edges, version)
            changes = appended_changes(self._steps, step)
            self._steps = [*self._steps, step]
            return self._named(changes)
        return self._become(resolve(self._visible()))

    def withdraw(self, version: int, event_id: str) -> list[ChangeTuple]:
        """Add a retract of the event ``event_id`` (KeyError if it never came); return what it changes."""
        self._retracts.append((version, self.events[event_id][0]))
        return self._become(resolve(self._visible()))

    def visible_versions(self) -> set[int]:
        """Return the versions whose statements count: those that no retract in force withdraws."""
        return {record.version for record in self._visible()}

    def versions(self) -> set[int]:
        """Return the versions of all online, update and offline messages."""
        return set(self._records)

    def _record(
        self, version: int, effective_at: int, source_version: int | None, edges: Iterable[EdgeTuple]
    ) -> Record:
        edges, bits = list(edges), self._bits
        for edge in [edge for edge in edges if edge not in bits]:
            if edge not in bits:
                bits[edge] = 1 << len(self._edges)
                self._edges.append(edge)
        mask = reduce(or_, map(bits.__getitem__, edges), 0)
        return Record(effective_at, NO_SOURCE_VERSION if source_version is None else source_version, version, mask)

    def _visible(self) -> list[Record]:
        """Return the records that no retract in force withdraws; a retract may itself be withdrawn by a later one."""
        withdrawn: set[int] = set()
        for version, target in reversed(self._retracts):
            if version not in withdrawn:
                withdrawn.add(target)
        return [record for version, record in self._records.items() if version not in withdrawn]

    def _become(self, steps: list[Step]) -> list[ChangeTuple]:
        changes = signed_changes(self._steps, steps)
        self._steps = steps
        return self._named(changes)

    def _named(self, changes: Iterable[SignedChange]) -> list[ChangeTuple]:
        edges = self._edges
        return [(sign, *edges[number], valid_from, valid_to) for sign, number, valid_from, valid_to in changes]


class Tasks:
    """The histories of recently used tasks; others are read from the log when a message needs them."""

    def __init__(self, load: Callable[[set[str]], Mapping[str, TaskHistory]]) -> None:
        self._known: set[str] = set()
        self._load = load
        self._kept: OrderedDict[str, TaskHistory] = OrderedDict()
        self._weight = 0

    def fetch(self, wanted: Iterable[str]) -> dict[str, TaskHistory]:
        """Return the histories of these tasks, empty ones for tasks never seen. They may be changed in place.

        Call ``keep`` with them once what they hold is committed, ``forget`` if it was not.
        """
        found = {task: self._take(task) for task in dict.fromkeys(wanted)}
        missing = {task for task, history in found.items() if history is None and task in self._known}
        loaded = self._load(missing) if missing else {}
        return {
            task: history if history is not None else loaded.get(task) or TaskHistory()
            for task, history in found.items()
        }

    def keep(self, histories: Mapping[str, TaskHistory]) -> None:
        """Remember histories that agree with the log, dropping the longest unused beyond the bound."""
        for task, history in histories.items():
            self._known.add(task)
            self._kept[task] = history
            self._weight += history.weight
        while self._weight > MOST_KEPT and len(self._kept) > 1:
            _, dropped = self._kept.popitem(last=False)
            self._weight -= dropped.weight

    def forget(self, tasks: Iterable[str]) -> None:
        """Note that the log may hold more of these tasks than is remembered, or less."""
        for task in tasks:
            self._known.add(task)
            self._take(task)

    def _take(self, task: str) -> TaskHistory | None:
        history = self._kept.pop(task, None)
        if history is not None:
            self._weight -= history.weight
        return history


def appended_changes(steps: Sequence[Step], step: Step) -> list[SignedChange]:
    """Return the changes that ``step`` makes behind all ``steps``: those of ``signed_changes``, in a third of the time.

    An edge that ends was in force without end, from the step that brought it: only that rectangle is looked for.
    """
    held = steps[-1].edges if steps else 0
    minus: list[SignedChange] = []
    plus: list[SignedChange] = []
    for edge in numbers(held & ~step.edges):
        first = len(steps) - 1
        while first and steps[first - 1].edges >> edge & 1:
            first -= 1
        minus.append((-1, edge, steps[first].at, None))
        plus.append((1, edge, steps[first].at, step.at))
    plus.extend((1, edge, step.at, None) for edge in numbers(step.edges & ~held))
    plus.sort(key=itemgetter(1))  # an edge is there once
    return minus + plus
