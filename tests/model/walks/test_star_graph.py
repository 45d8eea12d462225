"""The graph in memory against the model and DuckDB over random graphs with star edges, loaded or kept current."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import pytest
from agreement import compare_walk
from domain import INSTANTS, message, sizes
from graph_agreement import compare_names, compare_pages, compare_with_duckdb
from hypothesis import given
from hypothesis import strategies as st
from reference import Model, Sent, dataset, enters, is_column, leaves, walk
from test_star_walks import ALL, star_graphs
from test_walks import store_with

from lineage_tt import Store
from lineage_tt.graph import Filter, Graph, GraphView
from lineage_tt.graph.overlay import Overlay
from lineage_tt.testing import ManualClock


def compare_all_walks(view: GraphView, model: Model) -> None:
    """From every node, star and unnamed column, both ways, whole and cut short."""
    for node in ALL:
        compare_walk(view, model, [node], "both", None, "column")  # type: ignore[arg-type]
    for depth in (0, 1, 2, None):
        compare_walk(view, model, ALL[:3], "both", depth, "table")  # type: ignore[arg-type]
        compare_walk(view, model, ["hive:a#nobody", "hive:b", "hive:c#*"], "both", depth, "column")  # type: ignore[arg-type]


@pytest.mark.long
@sizes(25, 1000)
@given(star_graphs, st.integers(0, 2**32))
def test_walks_through_stars_are_duckdbs(tmp_path_factory, graph, seed: int) -> None:
    """Memory, DuckDB and model give the same answer, in the same order, for any nodes and options."""
    folder: Path = tmp_path_factory.mktemp("stars") / "s"
    store, model = store_with(folder, graph)
    rng = random.Random(seed)
    view, duck = store.graph().as_of(INSTANTS[2]), store.as_of(INSTANTS[2])
    compare_all_walks(view, model)
    for _ in range(8):
        nodes = rng.sample(ALL, rng.choice([1, 1, 2, 3]))
        options = (rng.choice(["up", "down", "both"]), rng.choice([None, 0, 1, 2]), rng.choice(["column", "table"]))
        compare_with_duckdb(view, duck, nodes, *options, rng.random() < 0.3)


@sizes(20, 600)
@given(st.lists(star_graphs, min_size=2, max_size=4), st.integers(0, 2**32))
def test_a_graph_kept_current_knows_new_stars(tmp_path_factory, history, seed: int) -> None:
    """Star nodes and columns that come later are joined from then on; answers at earlier versions stay as they were."""
    folder: Path = tmp_path_factory.mktemp("stars") / "s"
    rng, model, clock = random.Random(seed), Model(), ManualClock(INSTANTS[0])
    store = Store.create(folder, clock=clock)
    graph = Graph.load(Store.open(folder, clock=clock), max_tail=rng.choice([0, 2, 100]))
    held: list[tuple[GraphView, int]] = []
    for turn, sets in enumerate(history):
        sents = [
            Sent(f"t{i}", f"e{turn}-{i}", "update", rng.choice(INSTANTS[:3]), None, edges)
            for i, edges in enumerate(sets)
        ]
        for sent in sents:
            model.receive(sent, model.next_system_time(clock.now()))
        store.append([message(sent) for sent in sents])
        if rng.random() < 0.7:
            graph.refresh()
            held.append((graph.as_of(INSTANTS[2]), graph.version))
        clock.advance(1)
    assert graph.refresh() == model.version
    compare_all_walks(graph.as_of(INSTANTS[2]), model)
    for view, version in held:  # a reader keeps its state while the graph continues
        for node in rng.sample(ALL, 6):
            if graph.knows(node):
                later = graph.as_of(INSTANTS[2], version=version)
                assert view.lineage(node).lineage == later.lineage(node).lineage


@sizes(20, 600)
@given(star_graphs, st.integers(1, 4))
def test_pages_through_stars_are_the_walk(tmp_path_factory, graph, limit: int) -> None:
    """Node by node, in pages of any size: each node and each edge once, in the order of the whole walk."""
    store, _ = store_with(tmp_path_factory.mktemp("stars") / "s", graph)
    graph_of_store = store.graph()
    view = graph_of_store.as_of(INSTANTS[2])
    for node in (node for node in ALL if graph_of_store.knows(node)):
        assert all(len(page.node_steps) == limit for page in compare_pages(view, node, limit)[:-1])
        compare_names(view, node)


@sizes(25, 1000)
@given(star_graphs, st.integers(0, 2**32))
def test_paths_through_stars_are_ways(tmp_path_factory, graph, seed: int) -> None:
    """There is a way where the model's walks from both ends come to the other one; each edge continues the last."""
    store, model = store_with(tmp_path_factory.mktemp("stars") / "s", graph)
    graph_of_store, rng = store.graph(), random.Random(seed)
    view = graph_of_store.as_of(INSTANTS[2])
    edges = list(model.state(INSTANTS[2], model.version))
    known = [node for node in ALL if graph_of_store.knows(node)]
    for _ in range(10 if known else 0):
        start, end = rng.choice(known), rng.choice(known)
        upward = [shown[:6] for shown in walk(edges, [end], "up")]
        downward = [shown[:6] for shown in walk(edges, [start], "down")]
        comes = any(leaves(e, start) or (is_column(start) and e[1] == dataset(start) + "#*") for e in upward)
        goes = any(enters(e, end) or (is_column(end) and e[2] == dataset(end) + "#*") for e in downward)
        ways = view.paths(start, end, limit=3)

        assert bool(ways) == (comes and goes), (start, end)
        for way in ways:
            assert len(way.by_star) == len(way.edges)
            assert leaves(way.edges[0][:6], start)
            assert enters(way.edges[-1][:6], end)
            for one, other in pairwise(way.edges):
                assert other.source == one.target or dataset(other.source) == one.target


def test_what_if_replaces_star_edges(tmp_path: Path) -> None:
    """A task's star edge replaced by named columns: walks over the graph as it would be join nothing any more."""
    stars = frozenset([("hive:a#*", "hive:b#*", "DIRECT", "IDENTITY", "")])
    reader = frozenset([("hive:b#x", "hive:c#x", "DIRECT", "IDENTITY", "")])
    store, _ = store_with(tmp_path / "s", (stars, reader))
    graph = store.graph()
    named = graph.with_({"t0": [("hive:a#z", "hive:b#x")]})
    starred = graph.with_({"t1": [("hive:b#*", "hive:c#*")]})

    def sources(found: Graph | Overlay, node: str) -> list[tuple[str, bool]]:
        return [(step.edge.source, step.by_star) for step in found.as_of(INSTANTS[2]).upstream(node).steps]

    assert sources(graph, "hive:c#x") == [("hive:b#x", False), ("hive:a#x", True)]
    assert sources(named, "hive:c#x") == [("hive:b#x", False), ("hive:a#z", False)]
    assert sources(starred, "hive:c#new") == [("hive:b#new", True), ("hive:a#new", True)]


def test_a_batch_names_columns_that_nobody_named(tmp_path: Path) -> None:
    """Many nodes at once: what is come to by star has its name, in the batch and in its table."""
    stars = frozenset([("hive:a#*", "hive:b#*", "DIRECT", "IDENTITY", "")])
    store, _ = store_with(tmp_path / "s", (stars,))
    graph = store.graph()
    batch = graph.batch(["hive:a#new", "hive:a#*"], [graph.basis(INSTANTS[2])])

    assert batch[0, 0].names == ["hive:b#new"]
    assert batch.to_arrow().column("reached").to_pylist() == ["hive:b#new", "hive:b#*"]
    assert len(graph.names.nodes) == 4


def test_a_filter_meets_unnamed_columns_as_their_dataset(tmp_path: Path) -> None:
    """A pattern that leaves out a dataset stops the walk at columns of it that nobody named, too."""
    chain = [(f"hive:{a}#*", f"hive:{b}#*", "DIRECT", "IDENTITY", "") for a, b in ("ab", "bc")]
    store, _ = store_with(tmp_path / "s", (frozenset(chain),))
    graph_of_store = store.graph()
    view = graph_of_store.as_of(INSTANTS[2])

    pruned = view.downstream("hive:a#new", where=Filter(datasets=("hive:b",), exclude=True))
    hidden = view.downstream("hive:a#new", where=Filter(datasets=("hive:b",), exclude=True, hide=True))
    assert list(pruned.nodes) == []
    assert list(hidden.nodes) == ["hive:c#new"]
