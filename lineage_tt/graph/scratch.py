"""What a walk writes on: one set of arrays for each walk under way, used again by the next."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from lineage_tt.graph.state import State
from lineage_tt.graph.walking import TELLS

#: Marks hold the walk's number; beyond this the marks begin anew.
_LAST_WALK = 1 << 28


class Scratch:
    """Marks by node, a queue with steps, edges found, counters. Pages never written to cost no memory."""

    def __init__(self, nodes: int, rows: int) -> None:
        self.mark = np.zeros(nodes, np.int32)
        self.queue = np.empty(nodes, np.int32)
        self.steps = np.empty(nodes, np.int32)
        self.edges = np.empty((rows + rows // 8 + 1024, 3), np.int32)
        self.tell = np.zeros(TELLS, np.int64)
        self.walks = 0

    def fits(self, state: State) -> bool:
        """Say whether a walk over this state finds room."""
        return len(self.mark) >= len(state.record) and len(self.edges) >= state.rows

    def next_walks(self, count: int = 1) -> int:
        """Return the first of so many numbers that no mark holds."""
        if self.walks + count >= _LAST_WALK:
            self.mark[:] = 0
            self.walks = 0
        self.walks += count
        return self.walks - count + 1


class Scratches:
    """Those not in use now."""

    def __init__(self) -> None:
        self._free: list[Scratch] = []

    def take(self, state: State) -> Scratch:
        """Return one that nobody else has; to be given back."""
        try:
            scratch = self._free.pop()
        except IndexError:
            return Scratch(len(state.record), state.rows)
        return scratch if scratch.fits(state) else Scratch(len(state.record), state.rows)

    def give_back(self, scratch: Scratch) -> None:
        """Let others use it again."""
        self._free.append(scratch)

    @contextmanager
    def one(self, state: State) -> Iterator[Scratch]:
        """Hold one for a while."""
        scratch = self.take(state)
        try:
            yield scratch
        finally:
            self._free.append(scratch)
