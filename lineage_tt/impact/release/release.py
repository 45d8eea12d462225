"""The release as it would be deployed: the lineage of each candidate, and of readers whose sources' columns change."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from lineage_tt.impact.base.inferring import TypesOf
from lineage_tt.impact.base.port import Base, TaskText
from lineage_tt.impact.release.candidates import Candidate
from lineage_tt.impact.texts import TextDifference
from lineage_tt.model.edges import EdgeTuple, TaskEdge, dataset_of
from lineage_tt.model.facts import Shape, Types
from lineage_tt.model.messages import Lineage
from lineage_tt.model.redaction.texts import text_digests

#: Problems because of which a text has no lineage.
UNREADABLE: Final = frozenset(
    [
        *("syntax", "too-large", "too-many-tokens", "too-nested", "too-long-chain", "too-many-queries", "too-deep"),
        *("timeout", "crash", "worker-died", "extractor-fault"),
        *("unsupported-statement", "opaque-call", "unsupported-dialect"),
    ]
)


def _is_unread(lineage: Lineage) -> bool:
    """Return whether nothing can be determined from the text of which this is the lineage."""
    return lineage.coverage == "opaque" or any(problem.code in UNREADABLE for problem in lineage.problems)


@dataclass(slots=True)
class Change:
    """One task of the release: what it did, what it would do, and how its texts differ.

    ``known`` is false if the store never saw the task: its text at the base revision then says what it did. ``unseen``
    says, for a task or dataset that ends without such a text, that nothing is known of it; it is empty otherwise.
    ``positions`` are the names that its text in force gives to the positions that it fills in tables with unknown
    columns.
    """

    candidate: Candidate
    before: TaskText | None
    before_edges: tuple[EdgeTuple, ...]
    lineage: Lineage
    old: Lineage | None = None
    difference: TextDifference | None = None
    known: bool = True
    unseen: str = ""
    positions: Mapping[str, Shape] = field(default_factory=dict)

    @property
    def edges(self) -> Sequence[EdgeTuple]:
        """The edges of the task after the release."""
        return self.lineage.ordered_edges()

    @property
    def unreadable(self) -> bool:
        """Whether nothing can be determined from the candidate's text."""
        if self.candidate.sql is None or self.is_same:
            return False
        return _is_unread(self.lineage)

    @property
    def was_unreadable(self) -> bool:
        """Whether what its text in force did cannot be determined, so nobody can say what ends with it."""
        if self.old is not None:
            return _is_unread(self.old)
        return self.before is not None and self.before.coverage == "opaque"

    @property
    def declares(self) -> bool:
        """Whether it only declares the columns of datasets: a change of a dataset itself, or DDL that fills nothing."""
        if self.candidate.dataset is not None:
            return True
        filled = self.difference is not None and (
            bool(self.difference.fills) or any(kind != "other" for _, kind in self.difference.writes)
        )
        return bool(self.lineage.outputs) and not self.edges and not self.before_edges and not filled

    @property
    def declared(self) -> dict[str, Types]:
        """The types that it states for columns, by dataset, if it only declares them."""
        return {dataset: tuple(types) for dataset, types in self.lineage.types} if self.declares else {}

    @property
    def is_same(self) -> bool:
        """Whether a text existed before, and the new one differs in nothing that counts or that is still known."""
        had = self.before is not None and (self.before.sql is not None or self._is_known_by_digest)
        return had and self.difference is not None and self.difference.same

    @property
    def lacks_text_before(self) -> bool:
        """Whether a text existed before that the store does not keep."""
        return self.before is not None and self.before.sql is None and self.before.text_sha256 is not None

    @property
    def _is_known_by_digest(self) -> bool:
        sql = self.candidate.sql
        if sql is None or self.before is None or self.before.text_sha256 is None:
            return False
        return self.before.text_sha256 in text_digests(sql, self.candidate.dialect)

    @property
    def op(self) -> str:
        """The operation of the deployment's message: online, update or offline."""
        if self.candidate.op == "offline":
            return "offline"
        known = self.before is not None or self.before_edges or (self.old is not None and self.candidate.dataset)
        return "update" if known else "online"

    def writes_before(self) -> set[str]:
        """Return the datasets that it wrote."""
        writes = {dataset_of(edge[1]) for edge in self.before_edges}
        return writes | {dataset for dataset, _ in (self.old.outputs if self.old else ())}

    def writes(self) -> set[str]:
        """Return the datasets that it writes after the release; if its text cannot be read, those from before."""
        if self.unreadable:
            return self.writes_before()
        result = {dataset_of(edge[1]) for edge in self.edges} | {dataset for dataset, _ in self.lineage.outputs}
        if self.difference is not None and self.candidate.op != "offline":
            result |= {dataset for dataset, _ in self.difference.writes} | {*self.difference.fills}
        return result

    def drops(self) -> set[str]:
        """Return the datasets that it drops or renames and does not create again."""
        if self.candidate.dataset is not None:
            return {self.candidate.dataset} if self.candidate.op == "offline" else set()
        return set(self.difference.drops if self.difference is not None else ()) - self.writes()

    def empties(self) -> set[str]:
        """Return the datasets from which its text deletes rows and into which it inserts none."""
        return set(self.difference.empties if self.difference is not None else ()) - self.writes()


@dataclass(slots=True)
class Reread:
    """A task that nobody edits, resolved under the columns before and after the release."""

    text: TaskText
    old: Lineage
    new: Lineage
    difference: TextDifference
    because: frozenset[str]
    sources: frozenset[str]


class Dropped(NamedTuple):
    """A dataset that candidates drop and tasks that nobody edits still write.

    ``makers`` are those of the ``writers`` whose text creates it, so it exists again after they run.
    """

    by: frozenset[str]
    writers: tuple[str, ...]
    makers: frozenset[str]


@dataclass(slots=True)
class Release:
    """Everything after the release that differs from the base."""

    base: Base
    at: int
    changes: dict[str, Change]
    before: Mapping[str, Shape]
    after: Mapping[str, Shape]
    gone: dict[str, frozenset[str]] = field(default_factory=dict)
    dropped: dict[str, Dropped] = field(default_factory=dict)
    readers: dict[str, Reread] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    types: dict[str, dict[str, str]] = field(default_factory=dict)
    types_of: TypesOf | None = None
    renames: dict[str, str] = field(default_factory=dict)
    _index: tuple[dict[str, list[TaskEdge]], dict[str, list[TaskEdge]]] | None = None

    def types_before(self, datasets: Iterable[str]) -> dict[str, dict[str, str]]:
        """Return the types of datasets' columns before the release."""
        return self.types_of(datasets) if self.types_of is not None else {}

    def types_after(self, datasets: Iterable[str]) -> dict[str, dict[str, str]]:
        """Return the types of datasets' columns after the release."""
        names = set(datasets)
        return {**self.types_before(names), **{d: self.types[d] for d in names if d in self.types}}

    def edges_from(self, datasets: Iterable[str]) -> list[TaskEdge]:
        """Return the edges that leave these datasets after the release."""
        names = set(datasets)
        return self._after(self.base.edges_from(names), self._released()[0], names)

    def edges_into(self, datasets: Iterable[str]) -> list[TaskEdge]:
        """Return the edges that end at these datasets after the release."""
        names = set(datasets)
        return self._after(self.base.edges_into(names), self._released()[1], names)

    def edges_of(self, tasks: Iterable[str]) -> list[TaskEdge]:
        """Return the edges of these tasks after the release."""
        names = set(tasks)
        released = [
            TaskEdge(task, *edge)
            for task, edges in (
                *((task, change.edges) for task, change in self.changes.items()),
                *((task, reread.new.edges) for task, reread in self.readers.items()),
            )
            if task in names
            for edge in edges
        ]
        rest = names - self.changes.keys() - self.readers.keys()
        return [*released, *(self.base.edges_of(rest) if rest else ())]

    def _after(
        self, before: Iterable[TaskEdge], released: Mapping[str, list[TaskEdge]], datasets: Iterable[str]
    ) -> list[TaskEdge]:
        unchanged = [edge for edge in before if edge.task_id not in self.changes and edge.task_id not in self.readers]
        return unchanged + [edge for dataset in sorted(datasets) for edge in released.get(dataset, ())]

    def _released(self) -> tuple[dict[str, list[TaskEdge]], dict[str, list[TaskEdge]]]:
        """Return the edges that the release makes, by the dataset that they leave and by that at which they end."""
        if self._index is None:
            self._index = defaultdict(list), defaultdict(list)
            edges_by_task = [(task, change.edges) for task, change in self.changes.items()]
            edges_by_task += [(task, reread.new.edges) for task, reread in self.readers.items()]
            for task, edges in edges_by_task:
                for edge in edges:
                    task_edge = TaskEdge(task, *edge)
                    self._index[0][dataset_of(task_edge.source)].append(task_edge)
                    self._index[1][dataset_of(task_edge.target)].append(task_edge)
        return self._index

    def note_reader(self, task: str, reread: Reread) -> None:
        """Add a reader that was resolved again."""
        self.readers[task] = reread
        self._index = None

    def fetch_readers(self) -> None:
        """Query the edges out of everything that the release writes in one call; the base caches them."""
        self.base.edges_from(
            {d for change in self.changes.values() for d in (*change.writes(), *change.writes_before())}
        )
