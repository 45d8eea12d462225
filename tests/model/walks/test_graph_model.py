"""The temporal graph against the reference model and DuckDB, at every boundary, while messages keep coming."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from domain import DEEP, INSTANTS, NODES, around, message, sizes, statements
from graph_agreement import basis_of, compare_diffs, compare_edges, compare_pages, compare_walks, compare_with_duckdb
from hypothesis import given
from hypothesis import strategies as st
from reference import Model, Sent
from test_walks import graphs, store_with

from lineage_tt import Store
from lineage_tt.graph import Graph
from lineage_tt.model.answers import Level
from lineage_tt.testing import ManualClock


@st.composite
def histories(draw: st.DrawFn) -> list[list[Sent]]:
    """Batches of messages; now and then a message withdraws an earlier one of the same task."""
    batches: list[list[Sent]] = []
    sent: list[Sent] = []
    for size in draw(st.lists(st.integers(1, 4), min_size=1, max_size=5)):
        batch = []
        for _ in range(size):
            event = f"e{len(sent)}"
            if sent and draw(st.integers(0, 5)) == 0:
                known = draw(st.sampled_from(sent))
                fresh = Sent(known.task, event, "retract", 0, retracts=known.event)
            else:
                fresh = draw(statements())._replace(event=event)
            sent.append(fresh)
            batch.append(fresh)
        batches.append(batch)
    return batches


@pytest.mark.long
@sizes(25, 1000)
@given(histories(), st.integers(0, 2**32))
def test_the_graph_is_the_model_at_every_boundary(tmp_path_factory, history, seed: int) -> None:
    """Loaded early and kept current, or loaded late: the model's edges, walks and differences at every point."""
    folder: Path = tmp_path_factory.mktemp("graph") / "s"
    clock, model, rng = ManualClock(INSTANTS[0]), Model(), random.Random(seed)
    store = Store.create(folder, clock=clock)
    graphs_: list[Graph] = []
    for batch in history:
        if not graphs_ or rng.random() < 0.4:
            graphs_.append(Graph.load(Store.open(folder, clock=clock), max_tail=rng.choice([0, 3, 100])))
        for sent in batch:
            model.receive(sent, model.next_system_time(clock.now()))
        store.append([message(sent) for sent in batch])
        if rng.random() < 0.5:
            graphs_[-1].refresh()
        clock.advance(rng.choice([0, 1, 1_000_000]))
    vts, versions = around(model.boundaries()) or [0], list(range(model.version + 1))
    for graph in graphs_:
        assert graph.refresh() == model.version
        compare_edges(graph, model, vts, versions)
        points = [(rng.choice(vts), rng.choice(versions)) for _ in range(4)]
        compare_diffs(graph, model, points)
        for vt, version in points[:2]:
            compare_walks(graph.as_of(vt, version=version), model)
        for system_at in {time + off for time in model.system_times for off in (-1, 0, 1)}:
            assert basis_of(graph, model, system_at) == store.basis(0, system_at)


@pytest.mark.long
@sizes(8 if not DEEP else 300, 300)
@given(graphs, st.integers(0, 2**32))
def test_walks_are_duckdbs(tmp_path_factory, graph, seed: int) -> None:
    """Random graphs, nodes and options: memory and DuckDB give the same answer in the same order."""
    store, model = store_with(tmp_path_factory.mktemp("graph") / "s", graph)
    rng = random.Random(seed)
    view, duck = store.graph().as_of(INSTANTS[2]), store.as_of(INSTANTS[2])
    compare_walks(view, model)
    for _ in range(12):
        nodes = rng.sample(NODES, rng.choice([1, 1, 2, 3]))
        options = (rng.choice(["up", "down", "both"]), rng.choice([None, 0, 1, 2]), rng.choice(["column", "table"]))
        compare_with_duckdb(view, duck, nodes, *options, rng.random() < 0.3)


@sizes(8 if not DEEP else 300, 300)
@given(graphs, st.integers(1, 4), st.booleans())
def test_pages_together_are_the_walk(tmp_path_factory, graph, limit: int, table: bool) -> None:
    """Node by node, in pages of any size: each node and each edge once, in the order of the whole walk."""
    store, _ = store_with(tmp_path_factory.mktemp("graph") / "s", graph)
    graph_of_store = store.graph()
    view = graph_of_store.as_of(INSTANTS[2])
    level: Level = "table" if table else "column"
    for node in (node for node in NODES if graph_of_store.knows(node)):
        assert all(len(page.node_steps) == limit for page in compare_pages(view, node, limit, level=level)[:-1])
