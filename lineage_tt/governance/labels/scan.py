"""Labels that lost their level: a node whose level is below that of what it is made of, because somebody decided so.

Without decisions, blocks and stops a node's level is at least that of its sources. So what a scan finds are edges over
which a level falls: each with the way from the source of the higher level, the owners, and since when it is so.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from lineage_tt.governance.labels.labelled import Labelled
from lineage_tt.model.edges import DIRECT, dataset_of
from lineage_tt.model.facts import OWNER
from lineage_tt.model.times import format_instant


class Falls(NamedTuple):
    """An edge over which a level falls; ``since`` is the valid time from which source, target and edge are so."""

    source: str
    target: str
    task_id: str
    level: str
    target_level: str | None
    because: str
    owners: tuple[str, ...]
    since: int

    def to_json(self) -> dict[str, Any]:
        """Return it as an object."""
        return self._asdict() | {"owners": list(self.owners), "since": format_instant(self.since)}


def scan(labelled: Labelled) -> list[Falls]:
    """Return the DIRECT edges whose target has a lower level than their source, in order of source and target."""
    point, levels = labelled.point, labelled.lattice.levels
    if not levels:
        return []
    mask = np.uint64((1 << len(levels)) - 1)
    level = labelled.have[0] & mask
    owners: dict[str, set[str]] = {}
    for fact in point.facts(OWNER):
        owners.setdefault(fact.node, set()).add(fact.value)
    wanted = np.array([kind == DIRECT for kind, _ in point.kinds] + [False])[point.kind]
    edges = np.flatnonzero(wanted & (level[point.source] > level[point.target]))
    result = []
    for edge in edges.tolist():
        source, target = point.node_texts([point.source[edge], point.target[edge]])
        (task,) = point.task_texts([point.task[edge]])
        here, there = (int(level[node]) for node in (point.source[edge], point.target[edge]))
        why = _because(labelled, edge, here & ~there)
        persons = owners.get(target, set()) | owners.get(dataset_of(target), set())
        decided = [fact.valid_from for fact in labelled.stated.decisions.get(target, ())]
        since = max([int(point.valid_from[edge]), *decided])
        result.append(
            Falls(source, target, task, levels[here.bit_length() - 1],
                  levels[there.bit_length() - 1] if there else None, why, tuple(sorted(persons)), since)
        )  # fmt: skip
    return sorted(result)


def _because(labelled: Labelled, edge: int, lost: int) -> str:
    """Say why bits do not go over an edge."""
    target = int(labelled.point.target[edge])
    if labelled.kept_out.get(target, 0) & lost:
        (node,) = labelled.point.node_texts([target])
        return "decision" if node in labelled.stated.decisions else "stopped node"
    if labelled.blocked.get(edge, 0) & lost:
        return "blocked edge"
    if not labelled.carries[edge]:
        return "masked" if labelled.point.masking[edge] or labelled.scene.stop_functions else "not carried"
    return "too far" if labelled.scene.depth is not None else "direction"
