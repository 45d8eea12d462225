"""Walks that leave out rejected edges; pure. Each step is one query to an engine, so all engines give the same answer.

A rejection is an edge of the subtype ``REJECTED`` between the same two nodes. A rejection between two datasets also has
an edge between their star nodes, so that a walk meets it at each column. Only a walk that met a rejection is repeated
in this way.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, Final

from lineage_tt.model.edges import REJECTED, dataset_of, star_of

#: direction, steps, task, source, target, type, subtype, expression, version, valid from, valid to, by star
Row = tuple[Any, ...]
#: Returns the edges one step from some nodes in one direction.
OneStep = Callable[[tuple[str, ...], Any], Iterable[Row]]
#: The prefix of the ids of tasks that hold edges stated by people.
TASK: Final = "edge:"


def meets(rows: Iterable[Sequence[Any]]) -> bool:
    """Return whether any row is a rejection."""
    return any(row[6] == REJECTED for row in rows)


class Rejections:
    """The pairs of nodes, and of datasets, that some rows reject."""

    def __init__(self, marks: Iterable[tuple[str, str, str]]) -> None:
        self._pairs: set[tuple[str, str]] = set()
        self._datasets: set[tuple[str, str]] = set()
        for task, source, target in marks:
            whole = dataset_of(source), dataset_of(target)
            if task == f"{TASK}{whole[0]} -> {whole[1]}":
                self._datasets.add(whole)
            elif task == f"{TASK}{source} -> {target}" or (source, target) != whole:
                self._pairs.add((source, target))

    def __contains__(self, ends: tuple[str, str]) -> bool:
        """Return whether an edge between two nodes is rejected."""
        return ends in self._pairs or (dataset_of(ends[0]), dataset_of(ends[1])) in self._datasets


def left_in(edges: Sequence[Any]) -> list[Any]:
    """Return the edges (with ``task_id``, ``source``, ``target``, ``subtype``) that neither reject nor are rejected."""
    marks = [(edge.task_id, edge.source, edge.target) for edge in edges if edge.subtype == REJECTED]
    if not marks:
        return list(edges)
    rejected = Rejections(marks)
    return [edge for edge in edges if edge.subtype != REJECTED and (edge.source, edge.target) not in rejected]


def walk(
    one_step: OneStep, start: Collection[str], ways: Iterable[str], depth: int | None
) -> tuple[list[Row], int]:  # fmt: skip
    """Return, in order, the edges of a walk that skips rejected edges, and how many edges it skipped."""
    rows_by_key: dict[tuple[Any, ...], Row] = {}
    left_out: set[tuple[Any, ...]] = set()
    for way in ways:
        frontier, seen, steps = set(start), set(start), 0
        while frontier and (depth is None or steps < depth):
            steps += 1
            rows = [row for row in one_step(tuple(sorted(frontier)), way) if steps == 1 or _is_near(row, frontier, way)]
            rejected = Rejections(row[2:5] for row in rows if row[6] == REJECTED)
            reached = set()
            for row in rows:
                key = way, *row[2:8], row[-1]
                if row[6] == REJECTED:
                    continue
                if row[3:5] in rejected:
                    left_out.add(key[1:])
                    continue
                rows_by_key.setdefault(key, (way, steps, *row[2:]))
                reached.add(row[4] if way == "down" else row[3])
            frontier = reached - seen
            seen |= frontier
    return sorted(rows_by_key.values(), key=lambda row: (row[:8], row[-1])), len(left_out)


def _is_near(row: Row, frontier: Collection[str], way: str) -> bool:
    """Return whether a walk from some nodes meets a row: upstream, a dataset stands for itself, not for its columns."""
    if way == "down":
        return True
    near = row[4]
    return near in frontier or star_of(near) in frontier or any(dataset_of(node) == near for node in frontier)
