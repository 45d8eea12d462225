"""The arrays that a walk writes to: one set for each running walk, reused by later walks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from lineage_tt.graph.arrays.state import State
from lineage_tt.graph.arrays.walking import TELLS
from lineage_tt.graph.walks.starwalk import STAR_TELLS

#: Marks hold the walk's number; beyond this the marks start over.
_LAST_WALK = 1 << 28
#: How many unnamed columns and joined edges there is room for at first.
_UNNAMED, _JOINED = 1 << 10, 1 << 12


class Scratch:
    """Marks by node, a queue with steps, noted edges, counters. Pages never written to cost no memory."""

    def __init__(self, nodes: int, rows: int) -> None:
        self.mark = np.zeros(nodes, np.int32)
        self.queue = np.empty(nodes, np.int32)
        self.steps = np.empty(nodes, np.int32)
        self.edges = np.empty((rows + rows // 8 + 1024, 3), np.int32)
        self.tell = np.zeros(TELLS, np.int64)
        self.walks = 0

    def fits(self, state: State) -> bool:
        """Return whether there is room for a walk over this state."""
        return len(self.mark) >= len(state.record) and len(self.edges) >= state.rows

    def next_walks(self, count: int = 1) -> int:
        """Return the first of ``count`` numbers that no mark holds."""
        if self.walks + count >= _LAST_WALK:
            self.mark[:] = 0
            self.walks = 0
        self.walks += count
        return self.walks - count + 1


class StarScratch:
    """The same for a walk that joins star edges, with room for unnamed columns and for each edge once per column."""

    def __init__(self, state: State, unnamed: int, joined: int) -> None:
        nodes = len(state.record) + len(state.record) // 64
        self.unnamed, self.joined = unnamed, joined
        self.mark = np.zeros(nodes + unnamed, np.int32)
        self.queue = np.empty(nodes + unnamed, np.int32)
        self.steps = np.empty(nodes + unnamed, np.int32)
        self.edges = np.empty((state.rows + state.rows // 8 + joined, 4), np.int32)
        self.tell = np.zeros(STAR_TELLS, np.int64)
        self.walks = 0

    def fits(self, state: State) -> bool:
        """Return whether there is room for a walk over this state."""
        nodes, rows = len(self.mark) - self.unnamed, len(self.edges) - self.joined
        return nodes >= len(state.record) and rows >= state.rows

    def next_walk(self) -> int:
        """Return a number that no mark holds."""
        if self.walks + 1 >= _LAST_WALK:
            self.mark[:] = 0
            self.walks = 0
        self.walks += 1
        return self.walks


class Scratches:
    """The sets of arrays that are not in use."""

    def __init__(self) -> None:
        self._free: list[Scratch] = []
        self._free_stars: list[StarScratch] = []

    def take_stars(self, state: State) -> StarScratch:
        """Return a set for a walk that joins star edges; the caller must give it back."""
        try:
            scratch = self._free_stars.pop()
        except IndexError:
            return StarScratch(state, _UNNAMED, _JOINED)
        return scratch if scratch.fits(state) else StarScratch(state, scratch.unnamed, scratch.joined)

    def give_back_stars(self, scratch: StarScratch) -> None:
        """Let other walks use the set again."""
        self._free_stars.append(scratch)

    def take(self, state: State) -> Scratch:
        """Return a set that no other walk uses; the caller must give it back."""
        try:
            scratch = self._free.pop()
        except IndexError:
            return Scratch(len(state.record), state.rows)
        return scratch if scratch.fits(state) else Scratch(len(state.record), state.rows)

    def give_back(self, scratch: Scratch) -> None:
        """Let other walks use the set again."""
        self._free.append(scratch)

    @contextmanager
    def one(self, state: State) -> Iterator[Scratch]:
        """Hold a set of arrays inside the block."""
        scratch = self.take(state)
        try:
            yield scratch
        finally:
            self._free.append(scratch)
