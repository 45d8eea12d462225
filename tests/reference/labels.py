"""Labels in the naive model: repeats over all edges until nothing changes. Tests compare the engine with it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from reference import dataset


def spread(
    edges: Collection[tuple[str, str]], stated: Mapping[str, Collection[str]], kept_out: Collection[tuple[str, str]],
    named: Collection[str] = (),
) -> dict[str, set[str]]:  # fmt: skip
    """Return the labels of each node: stated, or derived over an edge or from its dataset, except ``kept_out``.

    ``named`` are further nodes, without labels or edges that carry them: a column also has the labels of its dataset.
    """
    nodes = {end for edge in edges for end in edge} | {*stated, *named}
    have = {node: set(stated.get(node, ())) for node in nodes | {dataset(node) for node in nodes}}
    more = True
    while more:
        more = False
        ways = [*edges, *((dataset(node), node) for node in have if dataset(node) != node)]
        for source, target in ways:
            fresh = {label for label in have[source] - have[target] if (target, label) not in kept_out}
            have[target] |= fresh
            more = more or bool(fresh)
    return have


def levels(order: Iterable[str], stated: Mapping[str, str], edges: Collection[tuple[str, str]],
           most: Mapping[str, str]) -> dict[str, str]:  # fmt: skip
    """Return the level of each node: the highest of its own and the derived levels, which are at most ``most``."""
    rank = {level: place for place, level in enumerate(order)}
    names = list(rank)
    nodes = {end for edge in edges for end in edge} | {*stated}
    have = {node: rank[stated[node]] if node in stated else -1 for node in nodes}
    more = True
    while more:
        more = False
        for source, target in edges:
            come = min(have[source], rank[most[target]]) if target in most else have[source]
            if come > have[target]:
                have[target], more = come, True
    return {node: names[at] for node, at in have.items() if at >= 0}
