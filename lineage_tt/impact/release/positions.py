"""Inserts by position into tables whose columns nobody knows: the text in force says what each position is called.

An alias in such a text names nothing outside of it: with another alias the same column of the table is filled.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from lineage_tt.impact.base.port import TaskText
from lineage_tt.impact.texts import Analyst, Side
from lineage_tt.model.edges import EdgeTuple, dataset_of
from lineage_tt.model.facts import Shape

#: By task and dataset, the names of what is filled, in order.
Positions = Mapping[str, Mapping[str, Shape]]


def positions_of(
    texts: Mapping[str, TaskText],
    edges: Mapping[str, Iterable[EdgeTuple]],
    columns: Mapping[str, Shape],
    analyst: Analyst,
) -> dict[str, dict[str, Shape]]:
    """Return what each text in force calls the positions that it fills in tables of unknown columns."""
    sides = {}
    for task, text in texts.items():
        mine = list(edges.get(task, ()))
        if text.sql is not None and any(dataset_of(edge[1]) not in columns for edge in mine):
            sources = {dataset_of(edge[0]) for edge in mine}
            sides[task] = _side(text, {d: known for d in sources if (known := columns.get(d))})
    positions: dict[str, dict[str, Shape]] = defaultdict(dict)
    answers = analyst.compare([(side, side) for side in sides.values()]) if sides else []
    for task, difference in zip(sides, answers, strict=True):
        for dataset, names in difference.positions:
            if dataset not in columns:
                positions[task][dataset] = names
    return dict(positions)


def _side(text: TaskText, columns: Mapping[str, Shape]) -> Side:
    known = text.dialect or "", text.namespace or "", text.default_database or ""
    return Side(text.sql or "", *known, text.target, text.params, columns)
