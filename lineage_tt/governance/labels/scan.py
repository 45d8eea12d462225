"""Labels that lost their level: a node whose level is below that of what it is made of, because somebody decided so.

Without decisions, blocks and stops a node's level is at least that of its sources. So what a scan finds are edges over
which a level falls: each with the way of the higher level, from where it is stated, the owners, and since when.

*Since* is when the last part of it began: the level's way, the edge, or the decision. If the level fell there just
before, too, the parts as of then are looked at; whether it fell from then on is looked at as well.
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
    """An edge over which a level falls; ``since`` is the valid time from which it is so, ``exact`` if that is certain.

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
    """Return the DIRECT edges whose target has a lower level than their source, in order of source and target.

    At most ``MAX_BACK`` earlier points are examined; what was not settled by then is not ``exact``.
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
            if key not in then:  # what else came to the target ended later
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
    """Return the falls at one point, ``since`` the last of their parts there began; ``only`` those over some edges."""
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
    """Return since when decisions on the target, and blocks and masks of the edge, hold."""
    facts = list(labelled.stated.decisions.get(target, ()))
    for ends in ((source, target), (dataset_of(source), dataset_of(target))):
        facts += labelled.stated.blocks.get(ends, ())
    facts += [fact for fact in labelled.point.facts(MASKED) if (fact.value, fact.node) == (source, target)]
    return [fact.valid_from for fact in facts]


def _because(labelled: Labelled, edge: int, lost: int) -> str:
    """Return why bits do not go over an edge."""
    target = int(labelled.point.target[edge])
    if labelled.kept_out.get(target, 0) & lost:
        (node,) = labelled.point.node_texts([target])
        return "decision" if node in labelled.stated.decisions else "stopped node"
    if labelled.blocked.get(edge, 0) & lost:
        return "blocked edge"
    if not labelled.carries[edge]:
        return "masked" if labelled.point.masking[edge] or labelled.scene.stop_functions else "not carried"
    return "too far" if labelled.scene.depth is not None else "direction"
