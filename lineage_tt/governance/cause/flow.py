"""How much of a node's value comes from where: shares and distances over what feeds it.

At each column its share is divided evenly among the columns whose values it is made from. What decides about rows
(filters, joins) has its own part, ``ROW_PART``: it makes no value, but it can still make a number wrong.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from lineage_tt.model.answers import Step
from lineage_tt.model.edges import DIRECT, dataset_of

#: The part of a column's share that each group of what decides about its rows gets, in addition to its values' share.
ROW_PART: Final = 0.4
#: The most rounds in which shares are passed on: this ends circles.
_ROUNDS: Final = 64
_LEAST: Final = 1e-6


class Part(NamedTuple):
    """How a node relates to the node asked for: its share in (0, 1], and the least number of steps between them."""

    share: float
    steps: int


class Flow(NamedTuple):
    """The nodes that feed one node, including itself, and the tasks on the way with their targets."""

    parts: dict[str, Part]
    targets: dict[str, frozenset[str]]
    paths: dict[str, Step]

    def of(self, node: str) -> Part | None:
        """Return the part of a node; for a column that is not known by name, the part of its dataset."""
        return self.parts.get(node) or (self.parts.get(dataset_of(node)) if "#" in node else None)

    def path(self, node: str) -> list[Step]:
        """Return the steps from a node down to the node asked for, by a shortest path."""
        result = []
        seen = set()
        while node in self.paths and node not in seen:
            seen.add(node)
            result.append(self.paths[node])
            node = self.paths[node].edge.target
        return result


def flow_of(start: str, steps: Sequence[Step]) -> Flow:
    """Return the flow into ``start`` over the steps of a walk upstream."""
    into: dict[str, list[Step]] = defaultdict(list)
    members: dict[str, set[str]] = defaultdict(set)
    distance = {start: 0}
    members[dataset_of(start)].add(start)
    paths: dict[str, Step] = {}
    targets: dict[str, set[str]] = defaultdict(set)
    for step in sorted(steps, key=lambda each: (each.steps, each.edge.type != DIRECT, each.edge)):
        edge = step.edge
        into[edge.target].append(step)
        targets[edge.task_id].add(edge.target)
        for end in (edge.source, edge.target):
            members[dataset_of(end)].add(end)
        if edge.source not in distance:
            distance[edge.source] = step.steps
            paths[edge.source] = step
    shares = _shares(start, into, members)
    parts = {node: Part(min(1.0, shares.get(node, _LEAST)), at) for node, at in distance.items()}
    # whatever decides about the rows of a dataset does so for each of its columns
    for dataset, inside in members.items():
        near = [parts[node] for node in inside if node in parts]
        if near and dataset not in parts:
            parts[dataset] = Part(max(part.share for part in near), min(part.steps for part in near))
    return Flow(parts, {task: frozenset(nodes) for task, nodes in targets.items()}, paths)


def _shares(start: str, into: dict[str, list[Step]], members: dict[str, set[str]]) -> dict[str, float]:
    """Pass the share of ``start`` upstream along the edges, round by round."""
    total: dict[str, float] = defaultdict(float)
    now = {start: 1.0}
    for _ in range(_ROUNDS):
        if not now:
            break
        following: dict[str, float] = defaultdict(float)
        for node, share in now.items():
            total[node] += share
            values = {step.edge.source for step in into.get(node, ()) if step.edge.type == DIRECT}
            whole = {dataset_of(node), node} if "#" in node else {node, *members.get(node, ())}
            rows = {step.edge.source for at in whole for step in into.get(at, ()) if step.edge.type != DIRECT}
            for sources, part in ((values, 1.0), (rows, ROW_PART)):
                for source in sources:
                    following[source] += share * part / len(sources)
        now = {node: share for node, share in following.items() if share > _LEAST and total[node] < 4}
    return total


def merged(flows: Iterable[Flow]) -> Flow:
    """Return the flow over several points: for each node the greatest share and the least distance."""
    parts: dict[str, Part] = {}
    targets: dict[str, set[str]] = defaultdict(set)
    paths: dict[str, Step] = {}
    for flow in flows:
        for node, part in flow.parts.items():
            known = parts.get(node, part)
            parts[node] = Part(max(known.share, part.share), min(known.steps, part.steps))
        for task, nodes in flow.targets.items():
            targets[task] |= nodes
        for node, step in flow.paths.items():
            paths.setdefault(node, step)
    return Flow(parts, {task: frozenset(nodes) for task, nodes in targets.items()}, paths)
