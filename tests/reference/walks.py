"""Walks in the naive model: star edges, aliases and rejected edges by their definitions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from reference.model import EdgeValue, TaskEdge


def as_edge(fields: Sequence[Any]) -> TaskEdge:
    """Return the first six fields of a store's edge as an edge of the model."""
    task, source, target, kind, subtype, expression = fields[:6]
    return task, source, target, kind, subtype, expression


def dataset(node: str) -> str:
    """Return the dataset of a node."""
    return node.split("#")[0]


def is_star(node: str) -> bool:
    """Return whether a node is a star node: the unknown columns of its dataset."""
    return node == dataset(node) + "#*"


def is_column(node: str) -> bool:
    """Return whether a node is a column with a name."""
    return "#" in node and not is_star(node)


def leaves(edge: TaskEdge, node: str) -> bool:
    """Return whether an edge begins at a node; a dataset or a star node includes all columns of the dataset."""
    return edge[1] == node or dataset(edge[1]) == node or (is_star(node) and _beside(edge[1], node))


def enters(edge: TaskEdge, node: str) -> bool:
    """Return whether an edge ends at a node, at one of its columns, or at the dataset of the node."""
    if is_star(node) and _beside(edge[2], node):
        return True
    return edge[2] == node or dataset(edge[2]) == node or edge[2] == dataset(node)


def _beside(end: str, star: str) -> bool:
    return "#" in end and dataset(end) == dataset(star)


def joined(edges: Iterable[TaskEdge], edge: TaskEdge, column: str, near: int) -> TaskEdge | None:
    """Return a star edge joined to a column at its near end (1 source, 2 target); None if it does not join it.

    A star edge is not joined to a column for which the task has another DIRECT edge, or to a column that it leaves out
    (``* EXCEPT (a, b)``).
    """
    if not is_column(column) or edge[near] != dataset(column) + "#*":
        return None
    name = column.split("#", 1)[1]
    if edge[5].startswith("* EXCEPT (") and name in edge[5][len("* EXCEPT (") : -1].split(", "):
        return None
    ends = [f"{dataset(end)}#{name}" if is_star(end) else end for end in edge[1:3]]
    if is_star(edge[2]) and any(o[0] == edge[0] and o[2] == ends[1] and o[3] == "DIRECT" for o in edges):
        return None
    return (edge[0], *ends, *edge[3:])  # type: ignore[return-value]


#: an edge of a walk, and whether it is a star edge that was joined to a column
ShownEdge = tuple[str, str, str, str, str, str, bool]


def next_edges(edges: list[TaskEdge], node: str, direction: str, first: bool) -> set[ShownEdge]:
    """Return the edges of a walk from a node; upstream, a dataset includes its columns only at the first step."""
    if direction == "down":
        plain, near = {edge for edge in edges if leaves(edge, node)}, 1
    elif first or is_star(node):
        plain, near = {edge for edge in edges if enters(edge, node)}, 2
    else:
        plain, near = {edge for edge in edges if edge[2] in (node, dataset(node))}, 2
    stars = {joined(edges, edge, node, near) for edge in edges}
    return {(*edge, False) for edge in plain} | {(*edge, True) for edge in stars if edge}


def walk(edges: Iterable[TaskEdge], starts: Iterable[str], direction: str, depth: int = 10**6) -> dict[ShownEdge, int]:
    """Return the edges reached from some nodes, each with its minimum steps; direction ``up`` or ``down``."""
    given = list(edges)
    out = rejected(given)
    everything = [edge for edge in given if edge[4] != "REJECTED"]
    frontier, seen = set(starts), set(starts)
    result: dict[ShownEdge, int] = {}
    for step in range(1, depth + 1):
        edges_on = [e for node in frontier for e in next_edges(everything, node, direction, step == 1)]
        edges_on = [edge for edge in edges_on if not out.covers(edge[1], edge[2])]
        for edge in edges_on:
            result.setdefault(edge, step)
        frontier = {edge[2] if direction == "down" else edge[1] for edge in edges_on} - seen
        seen |= frontier
        if not frontier:
            break
    return result


def alias(one: str, other: str) -> frozenset[EdgeValue]:
    """Return the edges of an alias between two datasets."""
    pairs = [(one, other), (other, one)]
    ends = [*pairs, *((f"{a}#*", f"{b}#*") for a, b in pairs)]
    return frozenset((a, b, "DIRECT", "ALIAS", "") for a, b in ends)


def rejection(source: str, target: str) -> frozenset[EdgeValue]:
    """Return the marks of a rejection between two nodes; between two datasets, also between their star nodes."""
    pairs = {(source, target)}
    if "#" not in source + target:
        pairs.add((f"{source}#*", f"{target}#*"))
    return frozenset((a, b, "DIRECT", "REJECTED", "") for a, b in pairs)


class Rejected(NamedTuple):
    """The rejections in a state: pairs of nodes, and pairs of datasets."""

    pairs: frozenset[tuple[str, str]]
    datasets: frozenset[tuple[str, str]]

    def covers(self, source: str, target: str) -> bool:
        """Return whether an edge between two nodes is rejected."""
        return (source, target) in self.pairs or (dataset(source), dataset(target)) in self.datasets


def rejected(edges: Iterable[TaskEdge]) -> Rejected:
    """Return the rejections in a state; the task of a mark names the two nodes."""
    stated = [edge[0].removeprefix("edge:").split(" -> ") for edge in edges if edge[4] == "REJECTED"]
    pairs = {(a, b) for a, b in stated}
    return Rejected(frozenset(pairs), frozenset(pair for pair in pairs if "#" not in pair[0] + pair[1]))


def shown(found: dict[ShownEdge, int], starts: Iterable[str], direction: str) -> dict[ShownEdge, int]:
    """Return the edges that an answer shows: no reverse alias edge, unless it is the shortest way to its end."""
    over = {edge[:3]: step for edge, step in found.items() if edge[4] == "ALIAS"}
    back = {e for e, step in found.items() if e[4] == "ALIAS" and over.get((e[0], e[2], e[1]), step) < step}

    def is_reached(node: str, step: int) -> bool:
        return node in starts or any(
            far_end(e, direction) == node and at <= step for e, at in found.items() if e not in back
        )

    return {e: step for e, step in found.items() if e not in back or not is_reached(far_end(e, direction), step)}


def near_end(edge: ShownEdge, direction: str) -> str:
    """Return the node at which a walk in a direction enters an edge."""
    return edge[1] if direction == "down" else edge[2]


def far_end(edge: ShownEdge, direction: str) -> str:
    """Return the node at which a walk in a direction leaves an edge."""
    return edge[2] if direction == "down" else edge[1]


def merged(edges: Iterable[TaskEdge]) -> tuple[frozenset[TaskEdge], dict[str, str]]:
    """Return the edges with aliases replaced by one name, and that name by dataset."""
    everything = list(edges)
    name = {dataset(end): dataset(end) for edge in everything for end in edge[1:3]}
    for edge in everything:
        if edge[4] == "ALIAS":
            one, other = sorted((name[dataset(edge[1])], name[dataset(edge[2])]))
            name = {each: one if of == other else of for each, of in name.items()}
    plain = [edge for edge in everything if edge[4] != "ALIAS"]
    return frozenset((e[0], renamed(e[1], name), renamed(e[2], name), *e[3:]) for e in plain), name


def renamed(node: str, name: dict[str, str]) -> str:
    """Return a node with the one name of its dataset."""
    return name.get(dataset(node), dataset(node)) + node[len(dataset(node)) :]


def table_level(edges: Iterable[TaskEdge]) -> set[TaskEdge]:
    """Return the edges at table level: DIRECT if any is, the subtype if all agree, no expression."""
    groups: dict[tuple[str, str, str], list[TaskEdge]] = {}
    for edge in edges:
        groups.setdefault((edge[0], dataset(edge[1]), dataset(edge[2])), []).append(edge)
    result = set()
    for (task, source, target), members in groups.items():
        kinds, subtypes = {m[3] for m in members}, {m[4] for m in members}
        kind = "DIRECT" if "DIRECT" in kinds else "INDIRECT"
        result.add((task, source, target, kind, subtypes.pop() if len(subtypes) == 1 else "", ""))
    return result
