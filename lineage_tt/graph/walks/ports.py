"""What walks need from a graph: its names, and arrays to write to."""

from __future__ import annotations

from typing import Protocol

from lineage_tt.graph.arrays.dictionary import Dictionary
from lineage_tt.graph.walks.scratch import Scratches


class WalkedGraph(Protocol):
    """A graph as a walk sees it."""

    @property
    def names(self) -> Dictionary:
        """The names of nodes, tasks and expressions by number."""

    @property
    def scratches(self) -> Scratches:
        """The arrays that walks write to."""
