"""Levels that fall: nodes whose level is below that of their sources, because of a decision, a block or a rule.

Without decisions, blocks and stops, a node's level is at least that of its sources. So a scan finds the edges over
which a level falls: each with the path of the higher level from where it is stated, the owners, and since when.

*Since* is when the last of its parts began: the level's path, the edge, or the decision. If the level also fell just
before that, the parts as of then are examined; the scan also checks that it fell from that time on.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np

from lineage_tt.governance.labels.labelled import Labelled
from lineage_tt.governance.labels.why import MAX_BACK, way_of
from lineage_tt.governance.ports import MASKED, PointSource
from lineage_tt.model.edges import DIRECT, dataset_of
from lineage_tt.model.facts import OWNER
from lineage_tt.model.times import format_instant


class Falls(NamedTuple):
    """An edge over which a level falls; ``since`` is the valid time from which it falls, ``exact`` if that is certain.

    ``path`` are the nodes from where the source's level is stated to the target.
    """

    source: str
    target: str
    task_id: str
    level: str
    target_level: str | None
    because: str
    owners: tuple[str, ...]
    since: int
    path: tuple[str, ...] = ()
    exact: bool = True

    def to_json(self) -> dict[str, Any]:
        """Return it as an object."""
        return {
            "source": self.source, "target": self.target, "task_id": self.task_id, "level": self.level,
            "target_level": self.target_level, "because": self.because, "owners": list(self.owners),
            "since": format_instant(self.since), "since_exact": self.exact, "path": list(self.path),
        }  # fmt: skip


def scan(points: PointSource, labelled: Labelled) -> list[Falls]:
    """Return the DIRECT edges whose target has a lower level than their source, ordered by source and target.

    At most ``MAX_BACK`` earlier points are examined; a fall that is not settled after them is not ``exact``.
    """
    falls = _by_edge(falls_at(labelled))
    waiting, seen = set(falls), 0
    while waiting:
        at = max(falls[key].since for key in waiting)
        here = {key for key in waiting if falls[key].since == at}
        if seen >= MAX_BACK:
            falls |= {key: falls[key]._replace(exact=False) for key in waiting}
            break
        seen += 1
        then, before = (_by_edge(falls_at(_at(points, labelled, moment), here)) for moment in (at, at - 1))
        for key in here:
            earlier = before.get(key)
            if key not in then:  # another level reached the target then, and ended later
                falls[key] = falls[key]._replace(exact=False)
            if key not in then or earlier is None or earlier.since >= at:
                waiting.discard(key)
            else:
                falls[key] = falls[key]._replace(since=earlier.since)
    return sorted(falls.values())


def _by_edge(falls: list[Falls]) -> dict[tuple[str, str, str], Falls]:
    return {(fall.source, fall.target, fall.task_id): fall for fall in falls}


def _at(points: PointSource, labelled: Labelled, valid_at: int) -> Labelled:
    return Labelled(points.at(labelled.point.basis._replace(valid_at=valid_at)), labelled.scene)


def falls_at(labelled: Labelled, only: Collection[tuple[str, str, str]] | None = None) -> list[Falls]:
    """Return the falls at one point, each since the last of its parts began; with ``only``, those over these edges."""
    point, levels = labelled.point, labelled.lattice.levels
    if not levels:
        return []
    level = labelled.have[0].astype(np.uint64) & np.uint64((1 << len(levels)) - 1)
    owners: dict[str, set[str]] = {}
    for fact in point.facts(OWNER):
        owners.setdefault(fact.node, set()).add(fact.value)
    direct = np.array([kind == DIRECT for kind, _ in point.kinds] + [False])[point.kind]
    edges = np.flatnonzero(direct & (level[point.source] > level[point.target]))
    result = []
    for edge in edges.tolist():
        source, target = point.node_texts([point.source[edge], point.target[edge]])
        (task,) = point.task_texts([point.task[edge]])
        if only is not None and (source, target, task) not in only:
            continue
        here, there = (int(level[node]) for node in (point.source[edge], point.target[edge]))
        why = _because(labelled, edge, here & ~there)
        notified = owners.get(target, set()) | owners.get(dataset_of(target), set())
        top = levels[here.bit_length() - 1]
        path, came = _path(labelled, source, top)
        since = max([int(point.valid_from[edge]), came, *_parts(labelled, source, target)])
        result.append(
            Falls(source, target, task, top, levels[there.bit_length() - 1] if there else None, why,
                  tuple(sorted(notified)), since, (*path, target))
        )  # fmt: skip
    return sorted(result)


def _path(labelled: Labelled, node: str, level: str) -> tuple[tuple[str, ...], int]:
    """Return the nodes over which a level reaches a node, and when the last part of the path began."""
    way = way_of(labelled, node, level) or ()
    nodes = (way[0].source, *(hop.target for hop in way)) if way else (node,)
    bit = labelled.lattice.own_bit(level)
    stated = [
        fact.valid_from
        for fact in labelled.stated.labels.get(nodes[0], ())
        if labelled.lattice.bits(fact.value) & bit
    ]  # fmt: skip
    return nodes, max([min(stated, default=-(2**63)), *(hop.valid_from for hop in way if hop.task_id)])


def _parts(labelled: Labelled, source: str, target: str) -> list[int]:
    """Return since when the decisions on the target, and the blocks and masks of the edge, are in force."""
    facts = list(labelled.stated.decisions.get(target, ()))
    for ends in ((source, target), (dataset_of(source), dataset_of(target))):
        facts += labelled.stated.blocks.get(ends, ())
    facts += [fact for fact in labelled.point.facts(MASKED) if (fact.value, fact.node) == (source, target)]
    return [fact.valid_from for fact in facts]


def _because(labelled: Labelled, edge: int, lost: int) -> str:
    """Return why bits do not pass over an edge."""
    target = int(labelled.point.target[edge])
    if labelled.kept_out.get(target, 0) & lost:
        (node,) = labelled.point.node_texts([target])
        return "decision" if node in labelled.stated.decisions else "stopped node"
    if labelled.blocked.get(edge, 0) & lost:
        return "blocked edge"
    if not labelled.carries[edge]:
        return "masked" if labelled.point.masking[edge] or labelled.scene.stop_functions else "not carried"
    return "too far" if labelled.scene.depth is not None else "direction"
