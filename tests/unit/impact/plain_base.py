"""A state before a release as plain values (edges, columns, types, texts), and releases on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ingest.resolve.comparing import SqlAnalyst
from lineage_tt.impact.base.names import Names
from lineage_tt.impact.base.port import Facts, TaskText
from lineage_tt.impact.release.candidates import Candidate
from lineage_tt.impact.release.release import Change, Release, Reread
from lineage_tt.impact.release.resolving import resolve
from lineage_tt.impact.texts import TextDifference
from lineage_tt.model.answers import Basis
from lineage_tt.model.completeness.gaps import NO_GAPS
from lineage_tt.model.completeness.summary import Completeness, Gap, GapsAt
from lineage_tt.model.edges import Edge, EdgeTuple, TaskEdge, dataset_of
from lineage_tt.model.facts import Shape, names_of
from lineage_tt.model.format import ChangeTuple
from lineage_tt.model.messages import Lineage, Problem
from lineage_tt.model.redaction.policy import TextPolicy

AT = 1_000
COMPLETE_TEXT = TextDifference(same=True, comparable=True)


class PlainBase:
    """The port over plain values. What was asked of the edges is kept in ``asked``."""

    def __init__(
        self,
        *edges: TaskEdge,
        columns: Mapping[str, Shape] | None = None,
        types: Mapping[str, Mapping[str, str]] | None = None,
        texts: Iterable[TaskText] = (),
        declared: Mapping[str, str] | None = None,
        facts: Facts | None = None,
        gaps: GapsAt | None = None,
        later: Iterable[tuple[TaskEdge, int]] = (),
        coming: Mapping[str, int] | None = None,
        refused: Mapping[str, int] | None = None,
        empty: bool = False,
        named: Iterable[str] = (),
        closed: bool = False,
        policy: TextPolicy = TextPolicy.KEEP,
    ) -> None:
        self.basis = Basis(AT, 7, AT)
        self.text_policy = policy
        self.asked: list[set[str]] = []
        self._edges = edges
        self._columns, self._types = dict(columns or {}), dict(types or {})
        self._texts = {text.task_id: text for text in texts}
        self._declared = dict(declared or {})
        self._facts, self._gaps = facts or Facts(), gaps or NO_GAPS.at(AT, 7)
        self._later, self._named, self._closed = list(later), set(named), closed
        self._coming, self._refused, self._empty = dict(coming or {}), dict(refused or {}), empty

    def tasks(self, task_ids: Iterable[str]) -> Mapping[str, TaskText]:
        """Return those of these tasks that have a text."""
        return {task: self._texts[task] for task in sorted(set(task_ids)) if task in self._texts}

    def next_changes(self, task_ids: Iterable[str]) -> Mapping[str, int]:
        """Return what was stated to come, of these tasks."""
        return {task: self._coming[task] for task in sorted(set(task_ids)) if task in self._coming}

    def rejected(self, task_ids: Iterable[str]) -> Mapping[str, int]:
        """Return what was stated to be rejected, of these tasks."""
        return {task: self._refused[task] for task in sorted(set(task_ids)) if task in self._refused}

    def is_empty(self) -> bool:
        """Say what was stated."""
        return self._empty

    def seen(self, task_ids: Iterable[str]) -> set[str]:
        """Return those of these tasks that have a text or edges."""
        return set(task_ids) & {*self._texts, *(edge.task_id for edge in self._edges)}

    def edges_of(self, task_ids: Iterable[str]) -> Sequence[TaskEdge]:
        """Return the edges of these tasks."""
        wanted = set(task_ids)
        return [edge for edge in self._edges if edge.task_id in wanted]

    def edges_from(self, datasets: Iterable[str]) -> Sequence[TaskEdge]:
        """Return the edges that leave these datasets."""
        self.asked.append(wanted := set(datasets))
        return [edge for edge in self._edges if dataset_of(edge.source) in wanted]

    def edges_into(self, datasets: Iterable[str]) -> Sequence[TaskEdge]:
        """Return the edges that end at these datasets."""
        wanted = set(datasets)
        return [edge for edge in self._edges if dataset_of(edge.target) in wanted]

    def columns(self) -> Mapping[str, Shape]:
        """Return the columns that are known."""
        return self._columns

    def types(self, datasets: Iterable[str]) -> Mapping[str, Mapping[str, str]]:
        """Return the types that are known."""
        return {dataset: self._types[dataset] for dataset in datasets if dataset in self._types}

    def declared_by(self, datasets: Iterable[str]) -> Mapping[str, TaskText]:
        """Return the texts of the tasks that are named as those which gave the datasets their columns."""
        return {d: self._texts[self._declared[d]] for d in sorted(set(datasets)) if d in self._declared}

    def is_closed(self, namespace: str) -> bool:
        """Say what was stated, of any namespace."""
        return self._closed

    def gaps(self) -> GapsAt:
        """Return the gaps."""
        return self._gaps

    def facts(self) -> Facts:
        """Return the facts."""
        return self._facts

    def ever_named(self, datasets: Iterable[str]) -> set[str]:
        """Return those of these datasets that an edge names, or that are stated to have been named."""
        ends = {dataset_of(end) for edge in self._edges for end in (edge.source, edge.target)}
        return set(datasets) & (ends | self._named)

    def names(self) -> Names:
        """Return the tasks with a text or edges, and all nodes of edges, of columns and of what is stated as named."""
        ends = {end for edge in self._edges for end in (edge.source, edge.target)}
        columns = {f"{dataset}#{name}" for dataset, shape in self._columns.items() for name in names_of(shape)}
        tasks = {*self._texts, *(edge.task_id for edge in self._edges)}
        return Names(tasks, {*ends, *self._named, *self._columns, *columns})

    def later_readers(self, datasets: Iterable[str]) -> Sequence[tuple[TaskEdge, int]]:
        """Return the edges out of these datasets that were stated to come later."""
        wanted = set(datasets)
        return [(edge, at) for edge, at in self._later if dataset_of(edge.source) in wanted]

    def placed(self, placements: Mapping[str, tuple[int, Sequence[EdgeTuple]]]) -> Mapping[str, Sequence[ChangeTuple]]:
        """Return what goes and what comes from the instants on, as for tasks without a later message."""
        result = {}
        for task, (at, edges) in placements.items():
            old = {edge.edge for edge in self.edges_of([task])}
            gone, come = sorted(old - set(edges)), sorted(set(edges) - old)
            result[task] = [(-1, *edge, at, None) for edge in gone] + [(1, *edge, at, None) for edge in come]
        return result


class PlainGaps:
    """Gaps that are in force whenever anybody asks."""

    def __init__(self, *gaps: Gap) -> None:
        self._gaps = gaps

    def __bool__(self) -> bool:
        return bool(self._gaps)

    def all(self) -> list[Gap]:
        """Return all of them."""
        return list(self._gaps)

    def of(self, tasks: Iterable[str]) -> list[Gap]:
        """Return those of these tasks."""
        return [gap for gap in self._gaps if gap.task_id in set(tasks)]

    def writing(self, datasets: Iterable[str]) -> list[Gap]:
        """Return those of tasks that write any of these datasets."""
        return [gap for gap in self._gaps if gap.writes & set(datasets)]

    def reading(self, datasets: Iterable[str]) -> list[Gap]:
        """Return those of tasks that may read any of these datasets."""
        return [gap for gap in self._gaps if gap.unknown_reads & set(datasets)]


def edge(task: str, *ends: str) -> TaskEdge:
    """Return a task's edge: source and target, and what differs from a DIRECT IDENTITY edge without expression."""
    return TaskEdge(task, *Edge(*ends))


def text(task: str, sql: str | None = "SELECT 1", **more: Any) -> TaskText:
    """Return a Spark text in force over ``hive:dw``."""
    known = TaskText(task, 1, 0, f"{task}-1", sql, "spark", "hive", "dw")
    return known._replace(**more)


def candidate(task: str, sql: str | None = None, *edges: tuple[str, ...], **more: Any) -> Candidate:
    """Return a candidate with a Spark text over ``hive:dw``, or with edges."""
    known: dict[str, Any] = {"dialect": "spark", "namespace": "hive", "default_database": "dw"} if sql else {}
    given = tuple(Edge(*each) for each in edges) if edges or sql is None else None
    return Candidate(task, **({"sql": sql, "edges": given} | known | more))


def change(
    task: str,
    before: Iterable[tuple[str, ...]] = (),
    after: Iterable[tuple[str, ...]] = (),
    *,
    sql: str | None = None,
    had: str | None = None,
    old: Lineage | None = None,
    difference: TextDifference | None = None,
    problems: Sequence[Problem] = (),
    candidate_: Candidate | None = None,
    **lineage: Any,
) -> Change:
    """Return a task of a release with its edges before and after; ``had`` is its text in force, ``sql`` the new one.

    What else is given belongs to the new lineage.
    """
    made = Lineage.of(Edge(*each) for each in after)
    given = candidate_ or candidate(task, sql, *(() if sql else tuple(after)))
    stated = tuple(Edge(*each) for each in before)
    known = text(task, had) if had is not None else None
    return Change(given, known, stated, replace(made, problems=problems, **lineage), old, difference)


def release(base: PlainBase, *changes: Change, **more: Any) -> Release:
    """Return a release of these tasks at ``AT``; ``before`` and ``after`` are the base's columns, if not given."""
    known: dict[str, Any] = {"before": base.columns(), "after": base.columns()} | more
    return Release(base, AT, {each.candidate.task_id: each for each in changes}, **known)


def reread(
    task: str,
    before: Iterable[tuple[str, ...]] = (),
    after: Iterable[tuple[str, ...]] = (),
    *,
    because: str = "t",
    difference: TextDifference = COMPLETE_TEXT,
    old: Mapping[str, Any] | None = None,
    new: Mapping[str, Any] | None = None,
) -> Reread:
    """Return a reader with its edges under the columns before and after; ``old`` and ``new`` say more of both."""
    one, other = (Lineage.of(Edge(*each) for each in edges) for edges in (before, after))
    sources = frozenset(dataset_of(each[0]) for each in before)
    lineages = replace(one, **(old or {})), replace(other, **(new or {}))
    return Reread(text(task), *lineages, difference, frozenset([because]), sources)


def resolved(base: PlainBase, *candidates: Candidate) -> Release:
    """Return the release of candidates, their texts really read, in this process."""
    with SqlAnalyst(0) as analyst:
        return resolve(candidates, base, analyst, AT)


def incomplete(completeness: Completeness) -> list[str]:
    """Return the tasks that an answer calls incomplete."""
    return [task.task_id for task in completeness.tasks]
