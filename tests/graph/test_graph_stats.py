"""How much of the graph is in memory."""

from __future__ import annotations

from pathlib import Path

from lineage_tt import Store
from lineage_tt.graph import Graph
from lineage_tt.graph.answers.stats import GraphStats


def test_stats_state_the_memory(graph: Graph) -> None:
    """What is in memory is stated in bytes, part by part."""
    stats = graph.stats()

    assert (stats.version, stats.rectangles, stats.tasks, stats.datasets) == (3, 7, 2, 4)
    assert stats.bytes_per_rectangle > 48


def test_a_graph_of_nothing_has_no_bytes_a_rectangle(tmp_path: Path) -> None:
    """Nothing is divided by nothing."""
    stats = Store.create(tmp_path / "empty").graph().stats()

    assert (stats.rectangles, stats.nodes, stats.row_bytes) == (0, 0, 0)
    assert stats.bytes_per_rectangle >= 0


def test_the_bytes_of_a_rectangle_are_those_of_rows_nodes_and_times() -> None:
    """Without the orders of differences and without texts, which depend on what they are called."""
    stats = GraphStats(
        9, 10, 0, 5, 2, 1, 1, row_bytes=480, node_bytes=80, index_bytes=999, time_bytes=40, name_bytes=999
    )

    assert stats.bytes_per_rectangle == 60
