"""The graph's arrays at one version, which a reader keeps while the graph moves to later versions.

The *base* has sorted rows (``rows``); the *tail* has the rows opened since, each linked to the previous row at the same
node. Rows are closed in place, in base and tail: a reader asks as of a version, and a closing after that version does
not change its answers. Arrays that grow are replaced; a reader's arrays stay valid for its version.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from lineage_tt.graph.arrays.changing import ChangeIndex
from lineage_tt.graph.arrays.compiled import both
from lineage_tt.graph.arrays.dictionary import Dictionary
from lineage_tt.graph.arrays.names import Bytes, Ints, Longs, NodeTexts
from lineage_tt.graph.arrays.rows import Rectangles, ranked, sorted_rows
from lineage_tt.graph.arrays.stars import NO_STARS, Stars

#: in a row of the tail: source, target, opened, closed, payload, the next row at its source and at its target (+ 1)
TAIL_WIDTH: Final = 7
NOTHING_HIDDEN: Final[Bytes] = np.zeros(1, np.uint8)


class State(NamedTuple):
    """Everything that a kernel reads."""

    version: int
    base_version: int
    nodes: int
    record: Ints
    out: Ints
    into: Ints
    instants: Longs
    heads: Ints
    tail: Ints
    times: Longs
    tails: int
    closings: Ints
    closed: int
    hidden: Bytes
    changes: ChangeIndex
    #: rows with a payload from this number on are hypothetical (an overlay's), not stored
    supposed: int = 2**31 - 1
    stars: Stars = NO_STARS

    @property
    def rows(self) -> int:
        """The number of rectangles."""
        return len(self.out) + self.tails

    @property
    def row_bytes(self) -> int:
        """Memory of the rows, both directions, base and tail."""
        used = self.tail[: self.tails].nbytes + self.times[: self.tails].nbytes + self.closings[: self.closed].nbytes
        return self.out.nbytes + self.into.nbytes + int(used)

    @property
    def node_bytes(self) -> int:
        """Memory of the nodes' records, and of the heads of the tail where there is one."""
        return self.record.nbytes + (self.heads.nbytes if self.tails else 0)


def build(base: Rectangles, names: Dictionary, version: int) -> State:
    """Return a state whose base is these rectangles."""
    instants, since, until = ranked(base)
    nodes = len(names.nodes)
    (out, starts_out), (into, starts_into) = both(
        lambda: sorted_rows(base.source, base.target, since, until, base, nodes),
        lambda: sorted_rows(base.target, base.source, since, until, base, nodes),
        len(base.source),
    )
    return from_rows(out, starts_out, into, starts_into, instants, names, version)


def from_rows(
    out: Ints, starts_out: Longs, into: Ints, starts_into: Longs, instants: Longs, names: Dictionary, version: int
) -> State:
    """Return a state over rows that are already sorted."""
    nodes = len(names.nodes)
    room = nodes + nodes // 64 + 256
    record = np.empty((room + 1, 4), np.int32)
    record[: nodes + 1, 0], record[nodes + 1 :, 0] = starts_out, len(out)
    record[: nodes + 1, 1], record[nodes + 1 :, 1] = starts_into, len(into)
    record[:, 2:] = -1
    link_members(record, names, 0)
    return State(
        version, version, nodes, record, out, into, instants, np.zeros((room, 2), np.int32),
        np.zeros((0, TAIL_WIDTH), np.int32), np.zeros((0, 2), np.int64), 0, np.zeros((0, 2), np.int32), 0,
        NOTHING_HIDDEN, ChangeIndex(), stars=names.stars.now(names),
    )  # fmt: skip


def link_members(record: Ints, names: Dictionary, first: int) -> None:
    """Enter the nodes from number ``first`` on into the lists of their datasets, without disturbing readers."""
    fresh = np.arange(first, len(names.nodes), dtype=np.int32)
    owner = names.datasets_from(first)
    record[fresh, 2] = owner
    member = fresh[owner != fresh]
    linked, heads = chain(owner[owner != fresh], member, record[:, 3])
    record[member, 3] = linked
    record[heads[0], 3] = heads[1]


def chain(keys: Ints, values: Ints, heads: Ints) -> tuple[Ints, tuple[Ints, Ints]]:
    """Link each value to the previous one with the same key, and the first one of a key to the key's current head.

    Returns each value's link, and the heads to set once the links are written: (keys, values).
    """
    order = np.argsort(keys, kind="stable")
    sorted_keys, sorted_values = keys[order], values[order]
    linked = heads[sorted_keys].astype(np.int32)
    same = sorted_keys[1:] == sorted_keys[:-1]
    linked[1:][same] = sorted_values[:-1][same]
    links = np.empty(len(keys), np.int32)
    links[order] = linked
    last = np.append(~same, True) if len(keys) else np.zeros(0, bool)
    return links, (sorted_keys[last], sorted_values[last])


def rectangles_of(state: State) -> Rectangles:
    """Return all rectangles of a state as columns, from which a new base is built."""
    out, tail = state.out, state.tail[: state.tails]
    degrees = np.diff(state.record[: state.nodes + 1, 0])
    closed = np.where(out[:, 4] < 0, ~out[:, 4], out[:, 4])
    unbounded = np.append(state.instants, 2**63 - 1)
    until = np.minimum(out[:, 2], len(state.instants))
    tail_times = state.times[: state.tails]
    return Rectangles(
        np.concatenate([np.repeat(np.arange(state.nodes, dtype=np.int32), degrees), tail[:, 0]]),
        np.concatenate([out[:, 0], tail[:, 1]]),
        np.concatenate([out[:, 5], tail[:, 4]]),
        np.concatenate([state.instants[out[:, 1]] if len(out) else np.zeros(0, np.int64), tail_times[:, 0]]),
        np.concatenate([unbounded[until], tail_times[:, 1]]),
        np.concatenate([out[:, 3], tail[:, 2]]),
        np.concatenate([closed, tail[:, 3]]),
    )


def edge_texts(numbers: npt.NDArray[np.int32], names: Dictionary, unnamed: NodeTexts | None = None) -> list[list[str]]:
    """Return task, source, target, type, subtype and expression of edges: numbers of ends, payload, perhaps more."""
    nodes: NodeTexts = unnamed or names.nodes
    tasks, kinds, expressions = names.all_payloads[numbers[:, 2] >> 1].T.tolist()
    types, subtypes = zip(*names.kind_words, strict=True) if kinds else ((), ())
    sources, targets = numbers[:, :2].T.tolist()
    return [
        names.tasks.texts(tasks),
        nodes.texts(sources),
        nodes.texts(targets),
        list(map(types.__getitem__, kinds)),
        list(map(subtypes.__getitem__, kinds)),
        names.expressions.texts(expressions),
    ]
