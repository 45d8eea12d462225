"""Many nodes at many points in one compiled call."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

import numpy as np
import pyarrow as pa

from lineage_tt.graph.answers.ports import Request
from lineage_tt.graph.answers.results import Reached
from lineage_tt.graph.arrays.dictionary import Dictionary
from lineage_tt.graph.arrays.names import Ints, Longs
from lineage_tt.graph.arrays.state import State
from lineage_tt.graph.arrays.walking import walk_many
from lineage_tt.graph.asof.view import GraphView
from lineage_tt.graph.walks.filters import Filter
from lineage_tt.graph.walks.ports import WalkedGraph
from lineage_tt.model.answers import Basis, Direction, Level, check_direction
from lineage_tt.model.edges import dataset_of
from lineage_tt.model.errors import InvalidRequestError

#: The number of reached nodes for which one call of the kernel has room; if there are more, it is called again.
ROOM: Final = 1 << 20
#: A thread does not pay off for fewer walks than this.
WALKS_A_THREAD: Final = 64


class Batch:
    """The nodes reached from each start node at each basis.

    A column that a walk reached by star and that no message named has a number below zero, valid only in this batch.
    """

    def __init__(
        self, nodes: tuple[str, ...], bases: tuple[Basis, ...], walks: list[tuple[Longs, Ints]], names: Dictionary,
        unnamed: Sequence[str] = (),
    ) -> None:  # fmt: skip
        self.nodes = nodes
        self.bases = bases
        self._names = names
        self._unnamed = unnamed
        self._ends = np.zeros(len(nodes) * len(bases) + 1, np.int64)
        counts = [np.diff(ends, prepend=0) for ends, _ in walks]
        np.cumsum(np.concatenate([np.zeros(0, np.int64), *counts]), out=self._ends[1:])
        self._reached = np.concatenate([np.zeros((0, 2), np.int32), *(reached for _, reached in walks)])

    def __len__(self) -> int:
        return len(self.nodes) * len(self.bases)

    def count(self, node: int, basis: int) -> int:
        """Return how many nodes were reached from a node at a basis, both given by their positions."""
        at = self._place(node, basis)
        return int(self._ends[at + 1] - self._ends[at])

    def __getitem__(self, place: tuple[int, int]) -> Reached:
        at = self._place(*place)
        reached = self._reached[self._ends[at] : self._ends[at + 1]]
        return Reached(reached[:, 0], reached[:, 1], self)

    def take(self, numbers: Ints) -> pa.Array:
        """Return the names of nodes; numbers below zero are columns that no message named."""
        if not self._unnamed:
            return self._names.nodes.take(numbers)
        plain = self._names.nodes.take(np.maximum(numbers, 0)).to_pylist()
        return pa.array(
            [self._unnamed[~n] if n < 0 else name for n, name in zip(numbers.tolist(), plain, strict=True)],
            pa.large_string(),
        )

    def _place(self, node: int, basis: int) -> int:
        if not (0 <= node < len(self.nodes) and 0 <= basis < len(self.bases)):
            raise IndexError((node, basis))
        return node * len(self.bases) + basis

    def rows(self) -> tuple[Longs, Ints, Ints]:
        """Return every node reached: the position of its walk (by node, then basis), its number, the steps."""
        return np.repeat(np.arange(len(self)), np.diff(self._ends)), self._reached[:, 0], self._reached[:, 1]

    def to_arrow(self) -> pa.Table:
        """Return a table: node, valid_at, version, reached, steps; by node, basis, steps and name."""
        points, reached, steps = self.rows()
        instants = np.array([basis.valid_at for basis in self.bases], np.int64)
        versions = np.array([basis.version for basis in self.bases], np.int64)
        table = pa.table(
            {
                "point": pa.array(points),
                "node": pa.array(self.nodes, pa.string()).take(pa.array(points // max(1, len(self.bases)))),
                "valid_at": pa.array(instants[points % max(1, len(self.bases))]).cast(pa.timestamp("us", tz="UTC")),
                "version": pa.array(versions[points % max(1, len(self.bases))]),
                "reached": self.take(reached).cast(pa.string()),
                "steps": pa.array(steps),
            }
        )
        order = [("point", "ascending"), ("steps", "ascending"), ("reached", "ascending")]
        return table.sort_by(order).drop_columns(["point"])


def walk_batch(
    graph: WalkedGraph, views: Sequence[GraphView], nodes: Sequence[str], direction: Direction, depth: int | None,
    level: Level, direct_only: bool, where: Filter | None,
) -> Batch:  # fmt: skip
    """Walk from every node at every view's basis; UnknownNodeError as for one walk."""
    check_direction(direction, ("up", "down"))
    if not nodes or not views:
        raise InvalidRequestError("give at least one node and one basis")
    if where is not None and (where.hide or where.labels):
        raise InvalidRequestError("a batch prunes by namespace and dataset only", hint="ask for one walk at a time")
    request, state = views[0].request(depth, level, direct_only, where), views[0].state
    starts = graph.names.nodes.find_all([dataset_of(node) for node in nodes] if request.table else nodes)
    unnamed = bool(((starts < 0) | (starts >= state.nodes)).any())
    through_stars = level == "column" and any(view.state.stars.total for view in views)
    rejecting = graph.names.rejects
    others = any(view.state is not state for view in views)  # the graph was refreshed, or it is an overlay
    if unnamed or through_stars or rejecting or others:
        return _one_by_one(graph, views, nodes, direction, depth, level, direct_only, where)
    bases = tuple(view.basis for view in views)
    work = _Work(graph, state, bases, request, direction == "down")
    threads = min(len(os.sched_getaffinity(0)), len(starts) * len(bases) // WALKS_A_THREAD)
    if threads < 2:
        walks = work.walk(starts)
    else:
        with ThreadPoolExecutor(threads) as pool:
            walks = [piece for part in pool.map(work.walk, np.array_split(starts, 4 * threads)) for piece in part]
    return Batch(tuple(nodes), bases, walks, graph.names)


@dataclass(frozen=True)
class _Work:
    """Walks to do; the kernel runs without the interpreter lock, so threads can share them."""

    graph: WalkedGraph
    state: State
    bases: tuple[Basis, ...]
    request: Request
    down: bool

    def walk(self, starts: Ints) -> list[tuple[Longs, Ints]]:
        """Walk from these nodes at every basis; return where each walk's nodes end, and the nodes with their steps."""
        state, request, down = self.state, self.request, self.down
        instants = np.array([basis.valid_at for basis in self.bases], np.int64)
        versions = np.array([basis.version for basis in self.bases], np.int64)
        total, result = len(starts) * len(self.bases), []
        done, room = 0, ROOM
        with self.graph.scratches.one(state) as scratch:
            while done < total:
                ends, out = np.zeros(total - done, np.int64), np.empty((room, 2), np.int32)
                upto = walk_many(
                    np.empty(1, np.int32), starts, instants, versions, done, ends, out,
                    scratch.next_walks(total - done), down, request.depth, int(request.table), request.direct_only,
                    request.use, state.out if down else state.into, state.record, state.instants, state.heads,
                    state.tail, state.times, state.tails, state.hidden, request.mask, scratch.mark, scratch.queue,
                    scratch.steps, scratch.edges, scratch.tell,
                )  # fmt: skip
                ends = ends[: upto - done]
                result.append((ends, out[: int(ends[-1]) if len(ends) else 0].copy()))
                room = room if upto > done else max(2 * room, state.nodes)
                done = upto
        return result


def _one_by_one(
    graph: WalkedGraph, views: Sequence[GraphView], nodes: Sequence[str], direction: Direction, depth: int | None,
    level: Level, direct_only: bool, where: Filter | None,
) -> Batch:  # fmt: skip
    walks: list[tuple[Longs, Ints]] = []
    unnamed: dict[str, int] = {}
    for node in nodes:
        for view in views:
            one = view.reach(
                node, direction="down" if direction == "down" else "up", depth=depth, level=level,
                direct_only=direct_only, where=where,
            )  # fmt: skip
            ids = one.ids
            beyond = np.flatnonzero(ids >= len(view.state.record))
            if len(beyond):
                names = Reached(ids[beyond], one.steps[beyond], one.nodes).names
                ids[beyond] = [~unnamed.setdefault(name, len(unnamed)) for name in names]
            walks.append((np.array([len(one)], np.int64), np.stack([ids, one.steps], axis=1)))
    return Batch(tuple(nodes), tuple(view.basis for view in views), walks, graph.names, list(unnamed))
