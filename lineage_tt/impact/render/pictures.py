"""The pictures of a release that a page draws: what each task reads and writes, and the datasets that it touches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from lineage_tt.graph.pictures.picture import MAX_BOXES, MAX_LINES, Picture, marked_tables, picture
from lineage_tt.impact.render.mermaid_page import touched
from lineage_tt.impact.report import EdgeChange, Report, TaskImpact
from lineage_tt.model.answers import Basis, EdgeAsOf, Lineage, Step
from lineage_tt.model.edges import TaskEdge, dataset_of

#: The most datasets that are drawn: the worst ones, with a note on how many are left out.
MAX_DRAWN: Final = 200


def pictures(report: Report, before: Iterable[TaskEdge]) -> dict[str, Any]:
    """Return ``own``, a picture of each task that marks what the release adds and removes, and ``touched``.

    ``before`` are the edges of these tasks before the release. The format is that of ``/v1/layout``; boxes of
    ``touched`` have their class as ``mark``. A task without edges has no picture; ``undrawn`` are those with too many
    datasets or edges to draw, and how many edges these are.
    """
    edges_of: dict[str, list[TaskEdge]] = {}
    for edge in before:
        edges_of.setdefault(edge.task_id, []).append(edge)
    own: dict[str, Mapping[str, Any]] = {}
    undrawn: dict[str, int] = {}
    for task in report.tasks:
        old, new = _own(task, edges_of.get(task.task_id, ()))
        if drawing := _drawn(old, new):
            own[task.task_id] = drawing
        elif old or new:
            undrawn[task.task_id] = len({*old, *new})
    classes, links, left_out = touched(report, MAX_DRAWN)
    drawn = None
    if classes:
        marked = marked_tables(classes, links)
        drawn = _plain(marked) | {"left_out": left_out}
        for box, mark in zip(drawn["boxes"], (box.mark for box in marked.boxes), strict=True):
            box["mark"] = mark
    return {"own": own, "undrawn": undrawn, "touched": drawn}


def _own(task: TaskImpact, before: Iterable[TaskEdge]) -> tuple[list[EdgeAsOf], list[EdgeAsOf]]:
    """Return a task's edges before and after the release."""
    old = [_edge(task.task_id, each.source, each.target, each.type, each.subtype, each.expression) for each in before]
    gone = {(each.source, each.target, each.before) for each in task.edges if each.before is not None}
    stay = [edge for edge in old if (edge.source, edge.target, _words(edge)) not in gone]
    return old, stay + [_come(task.task_id, each) for each in task.edges if each.after is not None]


def _drawn(old: Sequence[EdgeAsOf], new: Sequence[EdgeAsOf]) -> Mapping[str, Any] | None:
    """Return the picture of edges before and after; None where there are none, or too many."""
    datasets = {dataset_of(node) for edge in (*old, *new) for node in (edge.source, edge.target)}
    if not datasets or len(datasets) > MAX_BOXES or len(old) + len(new) > MAX_LINES:
        return None
    return _plain(picture(*(Lineage(Basis(0, 0, 0), (), tuple(Step("up", 1, e) for e in es)) for es in (old, new))))


def _edge(task: str, source: str, target: str, kind: str, subtype: str, expression: str) -> EdgeAsOf:
    return EdgeAsOf(task, source, target, kind, subtype, expression, 0, 0, None)


def _come(task: str, change: EdgeChange) -> EdgeAsOf:
    kind, _, rest = (change.after or "").partition(" ")
    subtype, _, expression = rest.partition(" ")
    return _edge(task, change.source, change.target, kind, subtype, expression)


def _words(edge: EdgeAsOf) -> str:
    """Return an edge's type, subtype and expression as the report writes them."""
    return " ".join(filter(None, (edge.type, edge.subtype, edge.expression)))


def _plain(drawn: Picture) -> dict[str, Any]:
    fields = drawn.to_json()
    del fields["points"], fields["incomplete"]
    return fields
