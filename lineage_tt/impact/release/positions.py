"""Inserts by position into tables with unknown columns: the text in force determines the name of each position.

An alias in such a text has no meaning outside of it: with another alias, it fills the same column of the table.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from lineage_tt.impact.base.port import TaskText
from lineage_tt.impact.texts import Analyst, Side
from lineage_tt.model.edges import EdgeTuple, dataset_of
from lineage_tt.model.facts import Shape

#: By task and dataset, the names of the filled positions, in order.
Positions = Mapping[str, Mapping[str, Shape]]


def positions_of(
    texts: Mapping[str, TaskText],
    edges: Mapping[str, Iterable[EdgeTuple]],
    columns: Mapping[str, Shape],
    analyst: Analyst,
) -> dict[str, dict[str, Shape]]:
    """Return the names that each text in force gives to the positions that it fills in tables with unknown columns."""
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
