"""A point made from a list of edges: for tests, and for lineage that no graph holds."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from lineage_tt.governance.points.building import NodeTable, built
from lineage_tt.governance.ports import FOREVER, Edges, MessageRecord, PointGraph
from lineage_tt.graph.arrays.names import Ints, Longs
from lineage_tt.model.answers import Basis, FactAsOf, TaskAsOf
from lineage_tt.model.completeness.gaps import NO_GAPS
from lineage_tt.model.completeness.summary import GapsAt
from lineage_tt.model.edges import EdgeAsOf, is_star

#: The basis of a point that belongs to no store.
NOWHERE: Final = Basis(0, 0, 0)


class Words:
    """Names numbered in the order in which they come."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._numbers: dict[str, int] = {}
        self.listed: list[str] = []
        for name in names:
            self.add(name)

    def add(self, name: str) -> int:
        """Return a name's number; a new name is added."""
        result = self._numbers.setdefault(name, len(self.listed))
        if result == len(self.listed):
            self.listed.append(name)
        return result

    def find(self, name: str) -> int:
        """Return a name's number, -1 where there is none."""
        return self._numbers.get(name, -1)

    def find_all(self, names: Sequence[str]) -> Ints:
        """Return the numbers of many names, -1 where there is none."""
        return np.array([self._numbers.get(name, -1) for name in names], np.int32)

    def texts(self, numbers: list[int]) -> list[str]:
        """Return the names with these numbers."""
        return [self.listed[number] for number in numbers]


@dataclass(frozen=True)
class PlainBeside:
    """What a point has apart from edges."""

    all_facts: Sequence[FactAsOf] = ()
    messages: Mapping[int, MessageRecord] = field(default_factory=dict)
    all_tasks: Sequence[TaskAsOf] = ()
    at: Basis = NOWHERE

    def facts(self, key: str | None = None) -> Sequence[FactAsOf]:
        """Return the facts under a key; with None all but the columns of datasets."""
        return [fact for fact in self.all_facts if (fact.key != "column" if key is None else fact.key == key)]

    def messages_of(self, versions: Collection[int]) -> dict[int, MessageRecord]:
        """Return the messages of these versions."""
        return {version: self.messages[version] for version in sorted(versions) if version in self.messages}

    def tasks(self) -> Sequence[TaskAsOf]:
        """Return the tasks."""
        return self.all_tasks

    def sourceless(self, others: Collection[str]) -> Sequence[str]:
        """Return the tasks that read nothing, and whose lineage is complete."""
        complete = [task for task in self.all_tasks if task.coverage in (None, "complete") and not task.edges]
        return [task.task_id for task in complete if task.task_id not in others]

    def gaps(self) -> GapsAt:
        """Return no gaps: the given edges count as complete."""
        return NO_GAPS.at(self.at.valid_at, self.at.version)

    def began(self, tasks: Ints, since: Longs, versions: Ints) -> Ints:
        """Return the versions as they are given."""
        return versions


def plain_point(
    edges: Iterable[EdgeAsOf], facts: Sequence[FactAsOf] = (), *, basis: Basis = NOWHERE,
    messages: Mapping[int, MessageRecord] | None = None, tasks: Sequence[TaskAsOf] = (),
) -> PointGraph:  # fmt: skip
    """Return the point at which these edges and facts are in force; marks of rejections may be among the edges."""
    listed = list(edges)
    words, ids, texts = Words(), Words(), Words([""])
    kinds: dict[tuple[str, str], int] = {}
    table = NodeTable(words, np.zeros(0, np.int32))
    rows = [
        (
            table.add(edge.source), table.add(edge.target), ids.add(edge.task_id),
            kinds.setdefault((edge.type, edge.subtype), len(kinds)), texts.add(edge.expression), edge.valid_from,
            FOREVER if edge.valid_to is None else edge.valid_to, edge.version,
        )
        for edge in listed
    ]  # fmt: skip
    columns = np.array(rows, np.int64).reshape(-1, 8).T
    source, target, task, kind, text = (column.astype(np.int32) for column in columns[:5])
    version = columns[7].astype(np.int32)
    unjoined = np.zeros(len(rows), np.bool_)
    arrays = Edges(source, target, task, kind, text, columns[5], columns[6], version, unjoined)
    has_stars = any(is_star(edge.source) or is_star(edge.target) for edge in listed)
    beside = PlainBeside(facts, messages or {}, tasks, basis)
    return built(basis, arrays, tuple(kinds), table, ids, texts, beside, has_stars)
