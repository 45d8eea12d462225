"""Plans against an empty log, for tests of how messages become rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from stars import star_resolver

from lineage_tt.model.facts import Field
from lineage_tt.model.messages import Change, Message, NodeChange, RejectedMessage, Subject, TaskChange
from lineage_tt.model.redaction.policy import TextState
from lineage_tt.write.catalog.catalog import Catalog
from lineage_tt.write.catalog.dependencies import StarIndex
from lineage_tt.write.catalog.lineages import Lineages
from lineage_tt.write.planning.log_queries import Past
from lineage_tt.write.planning.plan import Plan
from lineage_tt.write.subjects.tasks import TaskHistory


class Planner:
    """Makes plans that follow each other, as if each were committed."""

    def __init__(self, resolver: Callable[..., Any] = star_resolver) -> None:
        self.catalog, self.stars = Catalog(), StarIndex()
        self.known: dict[Subject, TaskHistory] = {}
        self.statement_of: dict[int, TaskChange] = {}
        self.version = 0
        self.resolver = resolver

    def plan(self, *messages: Message, order: Any = None, texts: TextState | None = None) -> Plan:
        """A plan of these messages after the ones before."""
        for message in messages:
            if not isinstance(message, RejectedMessage):
                self.known.setdefault(message.subject, TaskHistory())
        made = Plan(
            self.version, self.known, self.catalog, self.stars, self.log, {}, "src", order, texts or TextState()
        )
        lineages = Lineages(self.resolver)
        lineages.prepare(filter(made.is_new, messages), self.catalog)
        for message in messages:
            made.add(message, lineages)
        for message, receipt in zip(messages, made.receipts, strict=True):
            if isinstance(message, TaskChange) and receipt.status == "accepted":
                self.statement_of[receipt.version] = message
        self.version += len(made.rows)
        return made

    @property
    def log(self) -> Past:
        """What plans ask of the log: this planner has it all."""
        return self

    def histories(self, subjects: Iterable[Subject]) -> dict[Subject, TaskHistory]:
        """The histories of these subjects."""
        return {subject: self.known.setdefault(subject, TaskHistory()) for subject in subjects}

    def statements(self, versions: Iterable[int]) -> Mapping[int, TaskChange]:
        """The messages of these versions."""
        return {version: self.statement_of[version] for version in versions}


def define(event_id: str, at: int, *columns: str, dataset: str = "n:a") -> NodeChange:
    """A message that declares columns."""
    return NodeChange(event_id, "dataset", dataset, "define", at, fields=[Field(name) for name in columns])


def star(task: str, at: int, dataset: str = "n:a") -> TaskChange:
    """A message of a task that reads all columns of a dataset."""
    return TaskChange(f"{task}/{at}", task, "update", at, sql=dataset)


def retract(of: Change) -> TaskChange:
    """A message that withdraws another of a task."""
    assert isinstance(of, TaskChange)
    return TaskChange(f"no {of.event_id}", of.task_id, "retract", retracts=of.event_id)
