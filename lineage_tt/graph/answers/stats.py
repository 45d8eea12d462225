"""How much of the graph is in memory."""

from __future__ import annotations

from typing import NamedTuple


class GraphStats(NamedTuple):
    """What is in memory, in bytes."""

    version: int
    rectangles: int
    tail_rectangles: int
    nodes: int
    datasets: int
    tasks: int
    payloads: int
    row_bytes: int
    node_bytes: int
    index_bytes: int
    time_bytes: int
    name_bytes: int

    @property
    def bytes_per_rectangle(self) -> float:
        """Counts rows in both directions, nodes and times, but neither the orders for differences nor texts."""
        whole = self.row_bytes + self.node_bytes + self.time_bytes
        return whole / max(1, self.rectangles)
