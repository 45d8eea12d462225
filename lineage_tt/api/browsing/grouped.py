"""Walks and differences between groups: what ``lineage --level`` and ``diff --level`` print."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lineage_tt.api.reads.engine import Engine, Page, Walk, lineage_answer, page_answer
from lineage_tt.levels.changes import Side, changed_groups, parents_of
from lineage_tt.levels.groups import rolled_up as summed
from lineage_tt.levels.names import WALKED, AnyLevel, GroupLevel
from lineage_tt.levels.tasks import rolled_up as walk_rolled_up
from lineage_tt.model.answers import Basis, Lineage
from lineage_tt.model.completeness.summary import merged
from lineage_tt.read import shapes


def of_level(level: AnyLevel) -> GroupLevel:
    """Return the level of groups with this name: ``table`` is the level of datasets."""
    return "dataset" if level in ("table", "column") else level  # type: ignore[return-value]


def is_grouped(level: AnyLevel | None) -> bool:
    """Return whether a level sums up edges between groups, instead of walking from node to node."""
    return level is not None and level not in WALKED


def groups_answer(engine: Engine, nodes: Sequence[str], basis: Basis, walk: Walk, level: AnyLevel, page: Page) -> Any:
    """Return the edges that a walk from column to column meets, as edges between groups; pages count groups."""
    lineage = engine.lineage(nodes, basis, walk)
    groups = summed((step.edge for step in lineage.steps), of_level(level), engine.view(basis).facts())
    end = page.offset + page.limit
    shown = [each._asdict() for each in groups[page.offset : end]]
    result = walk.to_json() | {"level": level, "start": list(lineage.start), "groups": shown}
    return page_answer(basis, result, page, len(groups) > end, lineage.completeness)


def rolled_up_answer(engine: Engine, nodes: Sequence[str], basis: Basis, walk: Walk, page: Page) -> Any:
    """Return a walk from task to task in which sub-tasks count as the outermost task that starts them."""
    view = engine.view(basis) if engine.graph is None else engine.graph.view(basis)
    parents = parents_of(engine.view(basis).facts(key="parent"))
    lineage: Lineage = walk_rolled_up(view, parents, nodes, walk.direction, walk.depth, walk.direct_only)
    return lineage_answer(lineage, walk, page)


def diff_groups(
    engine: Engine, first: Basis, second: Basis, node: str | None, walk: Walk | None, level: AnyLevel, roll_up: bool
) -> dict[str, Any]:  # fmt: skip
    """Return the differences between two points as edges between groups.

    All edges count. With ``node``, only the edges that touch it count; with ``walk``, those that a walk from it meets.
    """
    points = {"from": first.to_json(), "to": second.to_json()}
    views = [engine.view(basis) for basis in (first, second)]
    if walk is not None and node is not None:
        walks = [engine.lineage([node], basis, walk) for basis in (first, second)]
        facts = [view.facts() for view in views]
        before, after = (
            Side([step.edge for step in lineage.steps], stated, parents_of(stated) if roll_up else None)
            for lineage, stated in zip(walks, facts, strict=True)
        )
        changed = changed_groups(before, after, of_level(level))
        nodes = len({*walks[0].nodes, *walks[1].nodes})
        result = walk.to_json() | {"level": level, "roll_up": roll_up, "nodes": nodes}
        result["groups"] = [each._asdict() for each in changed]
        return shapes.answer(points, result, merged(walks[0].completeness, walks[1].completeness))
    difference = engine.diff(first, second, node)
    before, after = (Side.of(view, roll_up=roll_up) for view in views)
    changed = changed_groups(before, after, of_level(level), node)
    result = {"level": level, "roll_up": roll_up, "groups": [each._asdict() for each in changed]}
    return shapes.answer(points, result, difference.completeness)
