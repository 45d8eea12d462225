"""Many walks in one call."""

from __future__ import annotations

import pytest
from graph_story import DAYS

from lineage_tt.graph import Graph
from lineage_tt.graph.asof.batch import Batch
from lineage_tt.model.errors import InvalidRequestError, UnknownNodeError


def test_a_batch_is_its_walks(graph: Graph) -> None:
    """Many nodes at many points in one call: each answer is that of the walk alone, at both levels."""
    nodes = ["hive:ods.orders#id", "hive:dw.orders#amount", "hive:ods.orders"] * 30
    bases = [graph.basis(day, version=version) for day in DAYS for version in (1, 2, 3)]
    for level in ("column", "table"):
        batch = graph.batch(nodes, bases, direction="down", level=level)
        assert len(batch) == len(nodes) * len(bases)
        for i in (0, 1, 2, 89):
            for j, basis in enumerate(bases):
                alone = graph.view(basis).reach(nodes[i], level=level)
                assert sorted(zip(batch[i, j].names, batch[i, j].steps.tolist(), strict=True)) == sorted(
                    zip(alone.names, alone.steps.tolist(), strict=True)
                )
    table = graph.batch(nodes[:2], bases[:1]).to_arrow()
    assert table.column_names == ["node", "valid_at", "version", "reached", "steps"]
    with pytest.raises(IndexError):
        graph.batch(nodes, bases)[0, len(bases)]


def test_a_batch_is_an_answer_of_every_node_at_every_basis(graph: Graph) -> None:
    """Upstream, cut at a depth, over values alone; the nodes come first in the order of answers."""
    bases = [graph.basis(day) for day in DAYS[:2]]
    batch = graph.batch(["bi:board/1#revenue", "bi:board/1#orders"], bases, direction="up", depth=2, direct_only=True)

    assert isinstance(batch, Batch)
    found = [[set(batch[i, j].names) for j in range(2)] for i in range(2)]
    orders = {"hive:dw.orders#id", "hive:ods.orders#id"}
    assert found == [
        [{"hive:dw.orders#amount", "hive:ods.orders#amount"}, {"hive:dw.orders#amount", "kafka:prod/payments#value"}],
        [orders, orders],
    ]  # fmt: skip
    assert batch.to_arrow().num_rows == 8


def test_a_batch_of_nothing_and_of_unknown_nodes_is_refused(graph: Graph) -> None:
    """As walks are, before anything is walked."""
    with pytest.raises(InvalidRequestError):
        graph.batch(["bi:board/1#revenue"], [])
    with pytest.raises(UnknownNodeError, match="did you mean"):
        graph.batch(["bi:board/1#revenue", "bi:board/1#revenu"], [graph.basis(DAYS[0])])
