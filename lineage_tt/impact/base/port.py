"""What the impact diff asks about the state before a release: a port, and the values that it returns.

A base is read at one basis and never changes. Datasets are nodes (``hive:dw.orders``); edges carry their task.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from lineage_tt.impact.base.names import Names
from lineage_tt.model.answers import Basis, FactAsOf
from lineage_tt.model.completeness.summary import GapsAt
from lineage_tt.model.edges import EdgeTuple, TaskEdge
from lineage_tt.model.facts import LABEL, OWNER, PRIORITY, Shape
from lineage_tt.model.format import ChangeTuple
from lineage_tt.model.redaction.policy import TextPolicy


class TaskText(NamedTuple):
    """A task in force: the message that says what it does.

    ``policy`` says how much of its text the store keeps, and ``text_sha256`` is the digest of the text as received.
    """

    task_id: str
    version: int
    effective_at: int
    event_id: str
    sql: str | None = None
    dialect: str | None = None
    namespace: str | None = None
    default_database: str | None = None
    target: str | None = None
    params: Mapping[str, str] = {}
    coverage: str | None = None
    text_sha256: str | None = None
    policy: TextPolicy = TextPolicy.KEEP


class Facts(NamedTuple):
    """What is known about nodes apart from edges: owners, labels, priorities, by node (a dataset, column or task)."""

    owners: Mapping[str, tuple[str, ...]] = {}
    labels: Mapping[str, tuple[str, ...]] = {}
    priorities: Mapping[str, str] = {}

    @classmethod
    def of(cls, rows: Iterable[FactAsOf]) -> Facts:
        """Return the owners, labels and priorities among facts in force."""
        several: dict[str, dict[str, tuple[str, ...]]] = {OWNER: {}, LABEL: {}}
        priorities: dict[str, str] = {}
        for row in rows:
            if row.key == PRIORITY:
                priorities[row.node] = row.value
            elif (known := several.get(row.key)) is not None:
                known[row.node] = (*known.get(row.node, ()), row.value)
        return cls(several[OWNER], several[LABEL], priorities)

    def owners_of(self, *nodes: str | None) -> tuple[str, ...]:
        """Return the owners of any of these nodes, in order, each once."""
        return tuple(dict.fromkeys(owner for node in nodes if node for owner in self.owners.get(node, ())))

    def priority_of(self, *nodes: str | None) -> str | None:
        """Return the priority of the first node that has one."""
        return next((self.priorities[node] for node in nodes if node and node in self.priorities), None)


class Base(Protocol):
    """The state before a release, at one basis."""

    @property
    def basis(self) -> Basis:
        """The point it is read at."""
        ...

    @property
    def text_policy(self) -> TextPolicy:
        """How much the store keeps of texts now."""
        ...

    def tasks(self, task_ids: Iterable[str]) -> Mapping[str, TaskText]:
        """Return those of these tasks that are in force."""
        ...

    def next_changes(self, task_ids: Iterable[str]) -> Mapping[str, int]:
        """Return when the next known message about each of these tasks takes effect, for those that have one."""
        ...

    def rejected(self, task_ids: Iterable[str]) -> Mapping[str, int]:
        """Return the version of the last message about each of these tasks, for those whose last one was rejected."""
        ...

    def is_empty(self) -> bool:
        """Return whether no message at all was accepted."""
        ...

    def seen(self, task_ids: Iterable[str]) -> set[str]:
        """Return those of these tasks that any accepted message was ever about."""
        ...

    def edges_of(self, task_ids: Iterable[str]) -> Sequence[TaskEdge]:
        """Return the edges of these tasks."""
        ...

    def edges_from(self, datasets: Iterable[str]) -> Sequence[TaskEdge]:
        """Return the edges that leave these datasets or any of their columns."""
        ...

    def edges_into(self, datasets: Iterable[str]) -> Sequence[TaskEdge]:
        """Return the edges that end at these datasets or any of their columns."""
        ...

    def columns(self) -> Mapping[str, Shape]:
        """Return the columns of every dataset of which they are known."""
        ...

    def types(self, datasets: Iterable[str]) -> Mapping[str, Mapping[str, str]]:
        """Return the types of these datasets' columns, as far as they are known."""
        ...

    def declared_by(self, datasets: Iterable[str]) -> Mapping[str, TaskText]:
        """Return, for those of these datasets that a text gave their columns, that text."""
        ...

    def is_closed(self, namespace: str) -> bool:
        """Return whether a namespace has sources in force, and each is written by some task or has known columns."""
        ...

    def gaps(self) -> GapsAt:
        """Return the tasks in force whose lineage is not complete."""
        ...

    def facts(self) -> Facts:
        """Return the owners, labels and priorities of nodes."""
        ...

    def ever_named(self, datasets: Iterable[str]) -> set[str]:
        """Return those of these datasets that any edge ever named, in force or not."""
        ...

    def names(self) -> Names:
        """Return all tasks and nodes that any accepted message ever named."""
        ...

    def later_readers(self, datasets: Iterable[str]) -> Sequence[tuple[TaskEdge, int]]:
        """Return edges out of these datasets that come in force only later, each with the instant."""
        ...

    def placed(self, placements: Mapping[str, tuple[int, Sequence[EdgeTuple]]]) -> Mapping[str, Sequence[ChangeTuple]]:
        """Return, netted, the signed changes that messages with these edges would make, each the next of its task."""
        ...
