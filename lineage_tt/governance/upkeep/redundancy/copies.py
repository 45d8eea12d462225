"""Copies followed to their sources, and fingerprints of what edges say about columns, compiled.

Columns about which edges say the same have the same fingerprint; columns with the same fingerprint may still differ.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from lineage_tt.governance.ports import Bools
from lineage_tt.graph.arrays.compiled import inlined, jit
from lineage_tt.graph.arrays.names import Ints, Longs

Prints = npt.NDArray[np.uint64]
u64 = np.uint64
#: Odd numbers without a pattern (the golden ratio's, and those of the finalizer of SplitMix64).
_SPREAD: Final = np.uint64(0x9E3779B97F4A7C15)
_FIRST: Final = np.uint64(0xBF58476D1CE4E5B9)
_SECOND: Final = np.uint64(0x94D049BB133111EB)


class EdgesInto(NamedTuple):
    """Edges by target: those into node ``n`` are at ``starts[n]`` to ``starts[n + 1]``."""

    starts: Longs
    source: Ints
    kind: Ints
    text: Ints


def roots(copied: Ints) -> Ints:
    """Return for each node the root of its chain of copies; ``copied`` has what a node is a copy of, else itself.

    Copies in a circle have one of themselves as their root.
    """
    result = np.full(len(copied), -1, np.int32)
    _follow(copied, result)
    return result


@jit
def _follow(copied: Ints, root: Ints) -> None:
    for node in range(len(copied)):
        at = node
        while root[at] == -1 and copied[at] != at:
            root[at] = -2  # on the path from this node
            at = copied[at]
        known = root[at] if root[at] >= 0 else at
        at = node
        while root[at] < 0:
            root[at] = known
            at = copied[at]


def fingerprints(
    edges: EdgesInto, direct: Bools, root: Ints, dataset: Ints, nodes: Ints
) -> tuple[Prints, Bools]:  # fmt: skip
    """Return a fingerprint of what the edges say of each of some nodes, and whether a value flows into it.

    It is computed from the sources of the edges into a node and into its dataset, with copies followed, and from their
    kinds; the order of edges and repeated edges do not matter.
    """
    prints, has_value = np.empty(len(nodes), np.uint64), np.zeros(len(nodes), np.bool_)
    _fingerprint(*edges, direct, root, dataset, nodes, prints, has_value)
    return prints, has_value


@inlined
def _mixed(value: Any) -> Any:
    value = (value ^ (value >> u64(30))) * _FIRST
    value = (value ^ (value >> u64(27))) * _SECOND
    return value ^ (value >> u64(31))


@jit
def _fingerprint(
    starts: Longs, source: Ints, kind: Ints, text: Ints, direct: Bools, root: Ints, dataset: Ints, nodes: Ints,
    prints: Prints, has_value: Bools,
) -> None:  # fmt: skip
    for place in range(len(nodes)):
        least, most, other_least, other_most = ~u64(0), u64(0), ~u64(0), u64(0)
        for own in (True, False):
            node = nodes[place] if own else dataset[nodes[place]]
            for at in range(starts[node], starts[node + 1]):
                value = u64(root[source[at]]) << u64(32) | u64(kind[at]) << u64(1)
                if own and direct[kind[at]]:
                    has_value[place] = True  # its text may name copies, so it is not compared here
                else:
                    value = (value | u64(1)) + u64(text[at]) * _SPREAD
                one, other = _mixed(value + _SPREAD), _mixed(value ^ _FIRST)
                least, most = min(least, one), max(most, one)
                other_least, other_most = min(other_least, other), max(other_most, other)
        prints[place] = _mixed(_mixed(_mixed(least) ^ most) ^ other_least) ^ other_most


def several(prints: Prints, dataset: Ints) -> Bools:
    """Return the columns whose fingerprint a column of another dataset also has."""
    order = np.lexsort((dataset, prints))
    ordered, owners = prints[order], dataset[order]
    begins = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])[: len(ordered)])
    lengths = np.diff(np.append(begins, len(ordered)))
    shared = owners[begins] != owners[begins + lengths - 1]  # the least owner is not the greatest
    result = np.zeros(len(prints), np.bool_)
    result[order] = np.repeat(shared, lengths)
    return result
