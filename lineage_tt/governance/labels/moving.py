"""Labels at two points: which nodes gained or lost labels between them.

Where possible, the labels at the second point are those at the first, updated by what changed (``following``): the work
is proportional to the changes. Otherwise both are computed. The results are the same, except that only the second
method reports a node that nothing names any more, and a column that is named for the first time and only has the labels
of its dataset.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from lineage_tt.governance.labels.following import Changed, Ends, Following
from lineage_tt.governance.labels.labelled import Labelled, stops
from lineage_tt.governance.labels.propagation_rules import is_masked, masked_spans
from lineage_tt.governance.labels.scene import Scene
from lineage_tt.governance.labels.statements import Lattice, Stated, stated_of
from lineage_tt.governance.points.stars import star_nodes
from lineage_tt.governance.ports import MASKED, ChangedEdges, PointGraph, PointSource
from lineage_tt.graph.arrays.rows import ends_of, keys_of
from lineage_tt.model.answers import Basis, Difference, FactAsOf
from lineage_tt.model.edges import ALIAS, DIRECT, REJECTED, TaskEdge, column_of, is_star


def difference(first: PointGraph, second: PointGraph, scene: Scene) -> list[Changed]:
    """Return the nodes whose labels differ between two points, ordered by name."""
    before, after = dict(Labelled(first, scene).all()), dict(Labelled(second, scene).all())
    return [
        Changed(node, before.get(node, ()), after.get(node, ()))
        for node in sorted({*before, *after})
        if before.get(node) != after.get(node)
    ]


def moved(labelled: Labelled, changes: Difference, facts: Sequence[FactAsOf]) -> list[Changed] | None:
    """Return the nodes whose labels differ after these changes, with these facts; None if they must be computed.

    ``changes`` are the edges in force at only one of the two points. Labels must be computed in a scene with a depth or
    with both directions, and where stars, rejections, blocks or masked edges are involved.
    """
    edges = [*changes.removed, *changes.added]
    if any(each[4] == REJECTED or _has_star(each) for each in edges):
        return None
    begun = _begun(labelled, facts)
    if begun is None:
        return None
    following, stated, kept_out = begun
    scene = labelled.scene
    return following.apply(
        list(_carried(changes.removed, scene)), list(_carried(changes.added, scene)), stated, kept_out
    )


def moved_to(points: PointSource, labelled: Labelled, basis: Basis, facts: Sequence[FactAsOf]) -> list[Changed] | None:
    """Return the same for the labels as of another point, with the facts in force there, using only numbers."""
    changes = points.changed(labelled.point.basis, basis)
    begun = None if changes is None else _begun(labelled, facts)
    if changes is None or begun is None:
        return None
    following, stated, kept_out = begun
    carrying = _carrying(labelled, changes)
    if carrying is None:
        return None
    near, far = changes.source[carrying], changes.target[carrying]
    near, far = (near, far) if labelled.scene.direction == "down" else (far, near)
    pairs, place = np.unique(keys_of(near, far), return_inverse=True)
    counts = np.bincount(place, np.where(changes.added[carrying], 1, -1), len(pairs)).astype(np.int64)
    pairs, counts = pairs[counts != 0], counts[counts != 0]
    ends = np.stack(ends_of(pairs)).astype(np.int64)
    new = np.unique(ends[ends >= labelled.point.stored])
    if len(new):  # from there on, numbers of the point are its own and not those of the store
        numbers = np.array([following.add(name) for name in points.names_of(new.tolist())], np.int64)
        ends = np.where(ends < labelled.point.stored, ends, numbers[np.searchsorted(new, ends) % len(new)])
    return following.apply_net(keys_of(*ends), counts, stated, kept_out)


def _carrying(labelled: Labelled, changes: ChangedEdges) -> npt.NDArray[np.bool_] | None:
    """Return which of the changed edges carry labels; None where a rejection changes."""
    scene, kinds = labelled.scene, labelled.point.kinds
    if len(changes.kind) and int(changes.kind.max()) >= len(kinds):
        return None  # kinds that the first point did not know
    if (np.array([subtype == REJECTED for _, subtype in kinds] + [False])[changes.kind]).any():
        return None
    carried_kinds = [
        kind in scene.carry and not (scene.stop_aggregation and subtype == "AGGREGATION") for kind, subtype in kinds
    ]
    carries: npt.NDArray[np.bool_] = np.array([*carried_kinds, False], np.bool_)[changes.kind]
    if scene.stop_functions:
        texts = labelled.point.expression_texts(np.unique(changes.expression))
        if any(masked_spans(text, scene.stop_functions) for text in texts):
            return None
    return carries


def _begun(
    labelled: Labelled, facts: Sequence[FactAsOf]
) -> tuple[Following, dict[str, int], dict[str, int]] | None:  # fmt: skip
    """Return labels to update, and the bits stated and kept out where facts changed; None if this is impossible."""
    scene, before = labelled.scene, labelled.stated
    current = labelled.point.facts()
    after = before if current is facts or list(current) == list(facts) else stated_of(facts)
    if scene.depth is not None or scene.direction == "both" or before.blocks or after.blocks:
        return None
    point = labelled.point
    if point.live[star_nodes(point)].any():  # a star edge that joins no column yet may join a new one
        return None
    if (DIRECT, REJECTED) in point.kinds or point.facts(MASKED):
        return None
    if after is not before and any(fact.key == MASKED for fact in facts):
        return None
    if any(scene.spreads(word) and not labelled.lattice.bits(word) for word in after.words):
        labelled = Labelled(labelled.point, scene, Lattice(scene, [*before.words, *after.words]))
    following = Following(labelled)
    if after is before:
        return following, {}, {}
    stated, kept_out = _changed_facts(labelled.lattice, before, after)
    return following, stated, {node: bits | _stopped(labelled, node) for node, bits in kept_out.items()}


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
    """Return the bits stated and kept out, for the nodes where they changed."""

    def stated(source: Stated, node: str) -> int:
        bits = 0
        for fact in source.labels.get(node, ()):
            bits |= lattice.bits(fact.value)
        return bits

    def withheld(source: Stated, node: str) -> int:
        return lattice.kept_out(source.decisions.get(node, ()))

    labels = {node: stated(after, node) for node in _differ(before.labels, after.labels)}
    decisions = {node: withheld(after, node) for node in _differ(before.decisions, after.decisions)}
    return (
        {node: bits for node, bits in labels.items() if bits != stated(before, node)},
        {node: bits for node, bits in decisions.items() if bits != withheld(before, node)},
    )


def _differ(before: Mapping[str, list[FactAsOf]], after: Mapping[str, list[FactAsOf]]) -> list[str]:
    """Return the nodes whose stated facts differ."""
    return [node for node in {*before, *after} if before.get(node) != after.get(node)]
