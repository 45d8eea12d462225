"""PageRank over plain arrays: node by node until the ranks stand, or as a series where edges lie elsewhere.

Heat flows against the data: a column is worth what is made of it, so that each edge counts from its target to its
source. Two names of one thing (aliases) are one node; otherwise the rank would go round between them. Source: Page,
Brin, Motwani, Winograd: The PageRank Citation Ranking (1999).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from lineage_tt.graph.arrays.compiled import jit
from lineage_tt.graph.arrays.rows import grouped
from lineage_tt.model.errors import InvalidRequestError

Numbers = npt.NDArray[np.signedinteger[Any]]
Ranks = npt.NDArray[np.float64]

#: The share of the rank that follows an edge; the rest starts again.
DAMPING: Final = 0.85
#: The part of all rank that is still on its way at which the ranks stand.
STANDS: Final = 1e-14
#: Each step leaves at most ``DAMPING`` of what is on its way: 400 steps leave less than a float shows.
_MAX_STEPS: Final = 400
#: Hands values on: for each node the sum of what the nodes with an edge to it have.
HandOn = Callable[[Ranks], Ranks]


def pagerank(source: Numbers, target: Numbers, nodes: int, start: Ranks | None = None) -> Ranks:
    """Return the rank of each of ``nodes`` nodes, one in sum, over edges from ``source`` to ``target``.

    An edge that is given twice counts twice: give each once. A node without an edge out hands its rank to where walks
    start: all nodes alike, or as ``start`` says (weights, not below 0). Raises InvalidRequestError for weights that are
    all 0. Sooner where edges are in order of ``target``.
    """
    share = np.zeros(nodes)
    count_out(source, share)
    begins = _begun(share, start)
    target, (source,) = in_order(target, nodes, source)
    ranks, handed = begins.copy(), begins * share
    for _ in range(_MAX_STEPS):
        if settle(source, target, begins, share, ranks, handed) <= STANDS * float(ranks.sum()):
            break
    ranks /= ranks.sum() if nodes else 1.0
    return ranks


@jit
def count_out(source: Numbers, degree: Ranks) -> None:
    """Count the edges out of each node."""
    for at in range(len(source)):
        degree[source[at]] += 1.0


@jit
def settle(source: Numbers, target: Numbers, begins: Ranks, share: Ranks, ranks: Ranks, handed: Ranks) -> Any:
    """Give each node that edges come to what these hand on now; return by how much ranks rose, all together.

    Edges are in order of ``target``, and are gone over from the last: names are numbered as they are met, what a
    column is made of before the column, so that most of what a node gets stands by then. ``handed`` is what each node
    hands to each of its edges.
    """
    moved, at = 0.0, len(target) - 1
    while at >= 0:
        node = target[at]
        total = begins[node]
        while at >= 0 and target[at] == node:
            total += handed[source[at]]
            at -= 1
        moved += abs(total - ranks[node])
        ranks[node] = total
        handed[node] = total * share[node]
    return moved


def ranked(hand_on: HandOn, degree: Numbers, start: Ranks | None = None) -> Ranks:
    """Return the ranks of nodes of these out-degrees, wherever the edges are: ``hand_on`` visits them once.

    With ``P`` the shares that edges carry and ``v`` where walks start, the ranks are ``r = d·P·r + c·v``: a walk that
    ends starts again as all do, which only makes ``c`` greater. So ``r`` is ``v + d·P·v + d²·P²·v + …``, divided by its
    sum. Where edges make no circles the series ends with the longest way; there are no more steps than that.
    """
    share = degree.astype(np.float64)
    begins = _begun(share, start)
    ranks, moving = begins.copy(), begins
    for _ in range(_MAX_STEPS):
        moving = hand_on(moving * share)
        ranks += moving
        if float(moving.sum()) <= STANDS * float(ranks.sum()):
            break
    scaled: Ranks = ranks / ranks.sum() if len(degree) else ranks
    return scaled


def _begun(share: Ranks, start: Ranks | None) -> Ranks:
    """Return the share of all walks that starts at each node; make degrees the part of a rank that an edge gets."""
    nodes = len(share)
    begins = np.full(nodes, 1.0 / max(nodes, 1))
    if start is not None:
        total = float(start.sum())
        if not total > 0 or bool((start < 0).any()):
            raise InvalidRequestError("the ranks start nowhere", hint="name a node that has a DIRECT edge at the point")
        begins = start / total
    np.divide(DAMPING, share, out=share, where=share > 0)
    return begins


def in_order(by: Numbers, count: int, *beside: Numbers) -> tuple[Numbers, list[Numbers]]:
    """Return numbers below ``count`` in order, and what belongs to each; as given where they are in order."""
    if bool((by[1:] >= by[:-1]).all()):
        return by, [*beside]
    _, order = grouped(by.astype(np.int32), count)
    return by[order], [each[order] for each in beside]


def distinct(source: Numbers, target: Numbers, nodes: int) -> tuple[Numbers, Numbers]:
    """Return each pair of two of ``nodes`` nodes once, in order of sources, those of a node with itself left out."""
    source, (target,) = in_order(source, nodes, target)
    near, far = np.empty(len(source), np.int32), np.empty(len(source), np.int32)
    count = keep_once(source, target, np.full(nodes, -1, np.int32), near, far)
    return near[:count], far[:count]


@jit
def keep_once(source: Numbers, target: Numbers, last: Numbers, near: Numbers, far: Numbers) -> Any:
    """Write the pairs that were not there before, sources in order; return how many. ``last`` is -1 for each node."""
    count = 0
    for at in range(len(source)):
        one, other = source[at], target[at]
        if one != other and last[other] != one:
            last[other] = one
            near[count], far[count] = one, other
            count += 1
    return count
