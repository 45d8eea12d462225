"""Edges between two nodes over a state with star nodes: the edges that a downstream and an upstream walk share.

The downstream walk may have met a star edge as stored, from a whole dataset, where the upstream walk met it joined to a
column, or vice versa. If the two agree, the edge is shown with the more specific names of both.
"""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

import numpy as np

from lineage_tt.graph.arrays.names import Ints
from lineage_tt.graph.arrays.state import State
from lineage_tt.graph.walks.edges import Part, decoded
from lineage_tt.graph.walks.unnamed import Unnamed


class _Met(NamedTuple):
    """An edge of a walk: the stored row, its place, the ends shown, and whether it was joined."""

    row: tuple[int, int, int]
    place: int
    ends: tuple[int, int]
    by_star: bool


def meet(state: State, down: Part, up: Part, first: Ints, unnamed: Unnamed) -> Part:
    """Return the downstream walk reduced to the edges of the upstream walk, with their steps from the start."""
    upward: dict[tuple[int, int, int], list[_Met]] = defaultdict(list)
    for each in _edges(state, up, unnamed):
        upward[each.row].append(each)
    common: dict[tuple[int, int, int], int] = {}  # (place, source, target) to the far end of a joined edge, or -1
    for each in _edges(state, down, unnamed):
        for other in upward.get(each.row, ()):
            ends = _definite(each, other)
            if ends is not None:
                common[each.place, *ends] = ends[1] if each.by_star or other.by_star else -1
    return _reached(state, down, common, first, unnamed)


def _edges(state: State, part: Part, unnamed: Unnamed) -> list[_Met]:
    down = part.direction == "down"
    shown, stored = decoded(state, part.edges, down), stored_ends(state, part.edges, down, unnamed)
    by_star = part.edges[:, 3] >= 0
    return [
        _Met((row[0], row[1], row[2]), place, (ends[0], ends[1]), star)
        for row, place, ends, star in zip(
            stored.tolist(), part.edges[:, 0].tolist(), shown.numbers[:, :2].tolist(), by_star.tolist(), strict=True
        )
    ]


def stored_ends(state: State, noted: Ints, down: bool, unnamed: Unnamed) -> Ints:
    """Return (source, target, payload) of the edges that a walk noted, with star edges as stored."""
    stored = decoded(state, noted[:, :3], down).numbers[:, :3].copy()
    joined, near = noted[:, 3] >= 0, 0 if down else 1
    stored[joined, near] = unnamed.star_of(stored[joined, near])
    return stored


def _definite(one: _Met, other: _Met) -> tuple[int, int] | None:
    """Return the ends of an edge met twice, columns instead of star nodes; None where the columns are not the same."""
    ends = []
    for stored, first, second in zip(one.row[:2], one.ends, other.ends, strict=True):
        if first != second and stored not in (first, second):
            return None
        ends.append(first if second == stored else second)
    return ends[0], ends[1]


def _reached(state: State, down: Part, common: dict[tuple[int, int, int], int], first: Ints, unnamed: Unnamed) -> Part:
    """Return those edges that a walk over only these edges reaches, with its steps."""
    owners, star = unnamed.owners(), state.stars.star
    leaving: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    inside: dict[int, list[tuple[int, int, int]]] = defaultdict(list)  # by dataset: those that leave its columns
    for edge in common:
        leaving[edge[1]].append(edge)
        if owners[edge[1]] != edge[1]:
            inside[int(owners[edge[1]])].append(edge)
    frontier, nodes = set(first.tolist()), dict.fromkeys(first.tolist(), 0)
    step_of: dict[tuple[int, int, int], int] = {}
    step = 0
    while frontier:
        step += 1
        following: set[int] = set()
        for node in frontier:
            whole = owners[node] == node or (step == 1 and node < unnamed.base and star[node] == node)
            for edge in [*leaving[node], *(inside[int(owners[node])] if whole else ())]:
                if edge not in step_of:
                    step_of[edge] = step
                    following.add(edge[2])
        frontier = following - nodes.keys()
        nodes |= dict.fromkeys(frontier, step)
    edges = [(place, source, at, common[place, source, target]) for (place, source, target), at in step_of.items()]
    reached = [(node, at) for node, at in nodes.items() if at]
    numbers = np.array(reached, np.int32).reshape(-1, 2)
    return down._replace(
        ids=numbers[:, 0].copy(), steps=numbers[:, 1].copy(), edges=np.array(edges, np.int32).reshape(-1, 4)
    )
