"""What governance needs from a store: the lineage as of a point as arrays, and what people and messages say.

``PointGraph`` is a value: the same basis gives the same edges. Nodes, tasks and expressions are numbers; texts are made
only for what is shown. Rejected edges, and the marks that reject them, are left out. A star edge ``X#* -> Y#*`` is
present as it is stored, and also joined to each column that X or Y is known to have (``by_star``).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from lineage_tt.graph.arrays.names import Ints, Longs
from lineage_tt.graph.arrays.rows import Adjacency, adjacency, columns_of
from lineage_tt.graph.walks.columns import Columns
from lineage_tt.model.answers import Basis, FactAsOf, TaskAsOf
from lineage_tt.model.completeness.summary import Completeness, GapsAt, summed
from lineage_tt.model.edges import ALIAS, DIRECT

Bools = npt.NDArray[np.bool_]
#: The end of an interval without an end, as a valid time.
FOREVER: Final = 2**63 - 1
#: The key of a fact in which a task's message says that a column gets the value of a source (the fact's value) masked.
MASKED: Final = "masked"


class MessageRecord(NamedTuple):
    """The message of a version: when the store recorded it, its task, and what its author says about it."""

    version: int
    system_time: int
    task_id: str | None
    op: str | None
    effective_at: int | None
    actor: str | None
    reason: str | None
    cause: str | None
    evidence: str | None


class Texts(Protocol):
    """Names by number."""

    def texts(self, numbers: list[int]) -> list[str]:
        """Return the names with these numbers."""

    def find(self, name: str) -> int:
        """Return a name's number, -1 if it has none."""


class Named(Texts, Protocol):
    """Names by number, with look-ups of many at once."""

    def find_all(self, names: Sequence[str]) -> Ints:
        """Return the numbers of many names, -1 for a name that has none."""


class Beside(Protocol):
    """What is known at a point apart from its edges."""

    def facts(self, key: str | None = None) -> Sequence[FactAsOf]:
        """Return the facts in force under a key; with None all except the columns of datasets."""

    def messages_of(self, versions: Collection[int]) -> dict[int, MessageRecord]:
        """Return the messages of these versions."""

    def tasks(self) -> Sequence[TaskAsOf]:
        """Return the tasks in force, ordered by id, without the tasks of people's statements."""

    def sourceless(self, others: Collection[str]) -> Sequence[str]:
        """Return the tasks in force, except ``others``, that read nothing and whose lineage is complete; by id."""

    def gaps(self) -> GapsAt:
        """Return the tasks in force whose lineage is not complete."""

    def began(self, tasks: Ints, since: Longs, versions: Ints) -> Ints:
        """Return the versions of the messages that began edges, from the edges' tasks, starts and versions."""


class Edges(NamedTuple):
    """Edges as columns; ``kind`` is an index into ``PointGraph.kinds``, ``version`` put the rectangle in place."""

    source: Ints
    target: Ints
    task: Ints
    kind: Ints
    expression: Ints
    valid_from: Longs
    valid_to: Longs
    version: Ints
    by_star: Bools

    @classmethod
    def of(cls, edges: Edges | Columns) -> Edges:
        """Return all columns of some edges."""
        return cls(*(getattr(edges, name) for name in cls._fields))

    @property
    def starts(self) -> Ints | None:
        """None: the edges are in no particular order."""
        return None

    def take(self, places: npt.NDArray[Any]) -> Edges:
        """Return the edges at some places."""
        return Edges(*(column[places] for column in self))

    def joined(self, others: Edges) -> Edges:
        """Return these edges, followed by others."""
        pairs: list[Any] = list(zip(self, others, strict=True))
        return Edges(*map(np.concatenate, pairs))


class ChangedEdges(NamedTuple):
    """Edges in force at only one of two points, as columns; ``added``: at the second. Nodes are the store's numbers."""

    added: Bools
    source: Ints
    target: Ints
    kind: Ints
    expression: Ints


def _column(name: str) -> cached_property[Any]:
    return cached_property(lambda point: getattr(point._edges, name))  # made on first access


class PointGraph:
    """The lineage as of one point. Nodes are numbered from 0, and the dataset of each column is a node, too."""

    source: cached_property[Ints] = _column("source")
    target: cached_property[Ints] = _column("target")
    task: cached_property[Ints] = _column("task")
    kind: cached_property[Ints] = _column("kind")
    expression: cached_property[Ints] = _column("expression")
    valid_from: cached_property[Longs] = _column("valid_from")
    valid_to: cached_property[Longs] = _column("valid_to")
    version: cached_property[Ints] = _column("version")
    by_star: cached_property[Bools] = _column("by_star")

    def __init__(
        self, basis: Basis, edges: Edges | Columns, dataset: Ints, live: Bools, kinds: Sequence[tuple[str, str]],
        names: Named, task_names: Texts, expressions: Texts, beside: Beside,
    ) -> None:  # fmt: skip
        self.basis = basis
        self._edges = edges
        #: by node: the number of its dataset; a dataset has its own
        self.dataset = dataset
        #: by node: whether an edge in force or a fact names it, or a column of it
        self.live = live
        self.kinds = tuple(kinds)
        self.nodes = len(dataset)
        self._names, self._tasks, self._expressions, self.beside = names, task_names, expressions, beside
        #: what questions compute from this point's edges alone, kept with it
        self.derived: dict[Any, Any] = {}
        #: numbers below this one are those of the store; numbers from it on are valid only at this point
        self.stored = self.nodes
        #: where the edges of each source begin, and the end of the last; None if edges are not ordered by source
        self.starts = edges.starts if edges.starts is not None and len(edges.starts) == self.nodes + 1 else None

    # --- texts ------------------------------------------------------------------------------------------------

    def number(self, node: str) -> int:
        """Return the number of a node, -1 if this point does not have it."""
        number = self._names.find(node)
        return number if number < self.nodes else -1

    def numbers(self, nodes: Sequence[str]) -> Ints:
        """Return the numbers of many nodes, -1 for a node that this point does not have."""
        numbers = self._names.find_all(nodes)
        return np.where(numbers < self.nodes, numbers, -1).astype(np.int32)

    def node_texts(self, numbers: Sequence[int] | npt.NDArray[Any]) -> list[str]:
        """Return the names of nodes."""
        return self._names.texts([int(each) for each in numbers])

    def task_texts(self, numbers: Sequence[int] | npt.NDArray[Any]) -> list[str]:
        """Return the ids of tasks."""
        return self._tasks.texts([int(each) for each in numbers])

    def task_number(self, task_id: str) -> int:
        """Return the number of a task, -1 where there is none."""
        return self._tasks.find(task_id)

    def expression_texts(self, numbers: Sequence[int] | npt.NDArray[Any]) -> list[str]:
        """Return normalised expressions, empty where there is none."""
        return self._expressions.texts([int(each) for each in numbers])

    # --- edges ------------------------------------------------------------------------------------------------

    @cached_property
    def direct(self) -> Bools:
        """By edge: whether it carries values (type DIRECT, including aliases)."""
        return self._of_kind([kind == DIRECT for kind, _ in self.kinds])

    @cached_property
    def alias(self) -> Bools:
        """By edge: whether it joins two names of one thing; such edges exist in both directions."""
        return self._of_kind([subtype == ALIAS for _, subtype in self.kinds])

    @cached_property
    def masking(self) -> Bools:
        """By edge: whether its producer says that the transformation masks the value."""
        result = np.zeros(len(self.source), np.bool_)
        masked = {(self.task_number(f.subject), self.number(f.value), self.number(f.node)) for f in self.facts(MASKED)}
        for task, source, target in masked:
            if min(task, source, target) >= 0:
                at = self.into.at(target)
                result[at[(self.source[at] == source) & (self.task[at] == task)]] = True
        return result

    def _of_kind(self, flags: list[bool]) -> Bools:
        result: Bools = np.array([*flags, False], np.bool_)[self.kind]
        return result

    @cached_property
    def out(self) -> Adjacency:
        """Edges by source."""
        if self.starts is not None:
            return Adjacency(self.starts.astype(np.int64), np.arange(len(self.target), dtype=np.int32))
        return adjacency(self.source, self.nodes)

    @cached_property
    def into(self) -> Adjacency:
        """Edges by target."""
        return adjacency(self.target, self.nodes)

    @cached_property
    def members(self) -> Adjacency:
        """The live columns of each dataset: ``members.at(dataset)`` are numbers of nodes."""
        columns = np.flatnonzero((self.dataset != np.arange(self.nodes)) & self.live).astype(np.int32)
        by_dataset = adjacency(self.dataset[columns], self.nodes)
        return Adjacency(by_dataset.starts, columns[by_dataset.order])

    @cached_property
    def columns(self) -> Adjacency:
        """All columns of each dataset, whether anything in force names them or not."""
        return columns_of(self.dataset)

    @cached_property
    def wholes(self) -> Bools:
        """By node: whether it is a dataset that has columns."""
        return self.columns.filled

    def began(self, edges: npt.NDArray[Any]) -> Ints:
        """Return the version of the message that began each of these edges, as blame does."""
        return self.beside.began(self.task[edges], self.valid_from[edges], self.version[edges])

    # --- beside the edges -------------------------------------------------------------------------------------

    def facts(self, key: str | None = None) -> Sequence[FactAsOf]:
        """Return the facts in force under a key; with None all but the columns of datasets."""
        return self.beside.facts(key)

    def messages_of(self, versions: Collection[int]) -> dict[int, MessageRecord]:
        """Return the messages of these versions."""
        return self.beside.messages_of(versions)

    @cached_property
    def task_list(self) -> Sequence[TaskAsOf]:
        """The tasks in force, including those without edges, but not the tasks of people's statements."""
        return self.beside.tasks()

    @cached_property
    def gaps(self) -> GapsAt:
        """The tasks in force whose lineage is not complete."""
        return self.beside.gaps()

    def completeness(self, tasks: Collection[str] | None = None, by_star: int = 0) -> Completeness:
        """Return how complete an answer over these tasks (None: all in force) is."""
        if not self.gaps:
            return summed((), (), by_star)
        return summed(self.gaps.all() if tasks is None else self.gaps.of(tasks), (), by_star)


class PointSource(Protocol):
    """The source of points."""

    def basis(self, valid_at: Any = None, system_at: Any = None, version: int | None = None) -> Basis:
        """Return the point for a valid time and a system time or version (default: now, as known now)."""

    def at(self, basis: Basis) -> PointGraph:
        """Return the lineage as of a point; the last few are kept."""

    def fetch(self, query: str, **parameters: Any) -> list[tuple[Any, ...]]:
        """Run one of the product's own queries over the store's views and macros."""

    def changed(self, first: Basis, second: Basis) -> ChangedEdges | None:
        """Return the edges in force at only one of two points; None where star edges would have to be joined."""

    def names_of(self, numbers: Sequence[int]) -> list[str]:
        """Return the names of nodes by the store's numbers."""

    def uses(self, basis: Basis) -> list[tuple[str, bool, int, int]]:
        """Return when each dataset was read (true) and fed up to a point: last and first, in UTC microseconds."""
