"""Walks through random graphs: every node, both ways, both levels, against the closure that the model computes."""

from __future__ import annotations

from pathlib import Path

import pytest
from agreement import compare_walk
from domain import INSTANTS, NODES, POOL, message, sizes
from hypothesis import given
from hypothesis import strategies as st
from reference import EdgeValue, Model, Sent, as_edge, dataset, enters, leaves, walk

from lineage_tt import Store
from lineage_tt.testing import ManualClock, task_change

ends = st.sampled_from(NODES)
kinds = st.sampled_from([("DIRECT", "IDENTITY"), ("DIRECT", "AGGREGATION"), ("INDIRECT", "FILTER")])
edges = st.tuples(ends, ends, kinds).map(lambda made: (made[0], made[1], *made[2], ""))
graphs = st.tuples(st.frozensets(edges, max_size=10), st.frozensets(st.sampled_from(POOL), max_size=8))


def store_with(folder: Path, graph: tuple[frozenset[EdgeValue], ...]) -> tuple[Store, Model]:
    """A store and a model with one task for each edge set."""
    store, model = Store.create(folder, clock=ManualClock(INSTANTS[0])), Model()
    sents = [Sent(f"t{i}", f"e{i}", "online", INSTANTS[1], None, edge_set) for i, edge_set in enumerate(graph)]
    for sent in sents:
        model.receive(sent, model.next_system_time(INSTANTS[0]))
    store.append([message(sent) for sent in sents])
    return store, model


@pytest.mark.long
@sizes(5, 300)
@given(graphs)
def test_walks_are_the_closure(tmp_path_factory, graph) -> None:
    """From every node, up and down, whole and cut short, as columns and as tables: the model's edges and steps."""
    store, model = store_with(tmp_path_factory.mktemp("walks") / "s", graph)
    view = store.as_of(INSTANTS[2])
    for node in NODES:
        compare_walk(view, model, [node], "both", None, "column")
    for depth in (0, 1, 2, None):
        compare_walk(view, model, NODES[:2], "both", depth, "table")
        compare_walk(view, model, NODES[-2:], "both", depth, "column")
    direct = [edge for edge in model.state(INSTANTS[2], model.version) if edge[3] == "DIRECT"]
    for node in {end for edge in direct for end in edge[1:3]}:
        found = view.lineage(node, direction="down", direct_only=True)
        assert {(*s.edge[:6], s.by_star): s.steps for s in found.steps} == walk(direct, [node], "down")


@pytest.mark.long
@sizes(5, 300)
@given(graphs)
def test_upstream_is_downstream_read_backwards(tmp_path_factory, graph) -> None:
    """An edge out of y lies upstream of x where, and only where, an edge into x lies downstream of y (I12)."""
    store, _ = store_with(tmp_path_factory.mktemp("walks") / "s", graph)
    view = store.as_of(INSTANTS[2])
    known = {end for edge in view.edges() for end in (edge.source, edge.target)}
    known |= {dataset(end) for end in known}
    up = {node: [as_edge(s.edge) for s in view.upstream(node).steps] for node in known}
    down = {node: [as_edge(s.edge) for s in view.downstream(node).steps] for node in known}
    for x in known:
        for y in known:
            assert any(leaves(edge, y) for edge in up[x]) == any(enters(edge, x) for edge in down[y]), (x, y)


@pytest.mark.parametrize("level", ["column", "table"])
def test_a_ring_of_a_thousand_ends(tmp_path: Path, level: str) -> None:
    """A walk around a ring meets each edge once, with its number of steps, and ends."""
    store = Store.create(tmp_path, clock=ManualClock(INSTANTS[0]))
    ring = [(f"n:d{i}#c", f"n:d{(i + 1) % 1000}#c") for i in range(1000)]
    store.append([task_change("ring", "online", INSTANTS[0], ring)])
    found = store.as_of(INSTANTS[1]).downstream("n:d0#c", level=level)

    assert sorted(step.steps for step in found.steps) == list(range(1, 1001))
    assert found.nodes["n:d999#c" if level == "column" else "n:d999"] == 999
