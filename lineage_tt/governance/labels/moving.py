"""Labels at two points: which nodes gained and lost some between them.

Where it can be, the labels at the second point are those at the first, moved on by what changed (``following``): it
costs what changed. Otherwise both are computed. Both give the same, but that a node which nothing names any more is
told of only by the second way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from lineage_tt.governance.labels.following import Changed, Ends, Following
from lineage_tt.governance.labels.labelled import Labelled, stops
from lineage_tt.governance.labels.propagation_rules import is_masked
from lineage_tt.governance.labels.scene import Scene
from lineage_tt.governance.labels.statements import Lattice, Stated, stated_of
from lineage_tt.governance.ports import MASKED, PointGraph
from lineage_tt.model.answers import Difference, FactAsOf
from lineage_tt.model.edges import ALIAS, DIRECT, REJECTED, TaskEdge, column_of, is_star


def difference(first: PointGraph, second: PointGraph, scene: Scene) -> list[Changed]:
    """Return the nodes whose labels differ between two points, in order of names."""
    before, after = dict(Labelled(first, scene).all()), dict(Labelled(second, scene).all())
    return [
        Changed(node, before.get(node, ()), after.get(node, ()))
        for node in sorted({*before, *after})
        if before.get(node) != after.get(node)
    ]


def moved(labelled: Labelled, changes: Difference, facts: Sequence[FactAsOf]) -> list[Changed] | None:
    """Return the nodes whose labels differ after these changes, with these facts; None where that has to be computed.

    ``changes`` are the edges in force at one of the two points only. It has to be computed in a scene with a depth, and
    where stars, rejections, blocks or masked edges are concerned.
    """
    scene, before, after = labelled.scene, labelled.stated, stated_of(facts)
    edges = [*changes.removed, *changes.added]
    if scene.depth is not None or scene.direction == "both" or before.blocks or after.blocks:
        return None
    if labelled.point.by_star.any() or any(each[4] == REJECTED or _has_star(each) for each in edges):
        return None
    if (DIRECT, REJECTED) in labelled.point.kinds or labelled.point.facts(MASKED):
        return None
    if any(fact.key == MASKED for fact in facts):
        return None
    if any(scene.spreads(word) and not labelled.lattice.bits(word) for word in after.words):
        labelled = Labelled(labelled.point, scene, Lattice(scene, [*before.words, *after.words]))
    following = Following(labelled)
    stated, kept_out = _changed_facts(labelled.lattice, before, after)
    return following.apply(
        list(_carried(changes.removed, scene)), list(_carried(changes.added, scene)), stated,
        {node: bits | _stopped(labelled, node) for node, bits in kept_out.items()},
    )  # fmt: skip


def _has_star(edge: Sequence[str]) -> bool:
    return is_star(edge[1]) or is_star(edge[2])


def _carried(edges: Iterable[Sequence[str]], scene: Scene) -> Iterable[Ends]:
    for each in edges:
        edge = TaskEdge(*each[:6])
        if edge.type not in scene.carry or (scene.stop_aggregation and edge.subtype == "AGGREGATION"):
            continue
        masked = scene.stop_functions and edge.expression and edge.subtype != ALIAS
        if masked and is_masked(edge.expression, column_of(edge.source), scene.stop_functions):
            continue
        yield (edge.source, edge.target) if scene.direction == "down" else (edge.target, edge.source)


def _stopped(labelled: Labelled, node: str) -> int:
    return (1 << (64 * labelled.lattice.words)) - 1 if stops(labelled.scene, node) else 0


def _changed_facts(lattice: Lattice, before: Stated, after: Stated) -> tuple[dict[str, int], dict[str, int]]:
    """Return the bits stated and kept out at the nodes where these changed."""

    def stated(held: Stated, node: str) -> int:
        bits = 0
        for fact in held.labels.get(node, ()):
            bits |= lattice.bits(fact.value)
        return bits

    def kept(held: Stated, node: str) -> int:
        return lattice.kept_out(held.decisions.get(node, ()))

    labels = {node: stated(after, node) for node in _differ(before.labels, after.labels)}
    decisions = {node: kept(after, node) for node in _differ(before.decisions, after.decisions)}
    return (
        {node: bits for node, bits in labels.items() if bits != stated(before, node)},
        {node: bits for node, bits in decisions.items() if bits != kept(before, node)},
    )


def _differ(before: Mapping[str, list[FactAsOf]], after: Mapping[str, list[FactAsOf]]) -> list[str]:
    """Return the nodes of which not the same facts are stated."""
    return [node for node in {*before, *after} if before.get(node) != after.get(node)]
