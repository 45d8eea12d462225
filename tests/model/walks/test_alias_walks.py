"""Walks over aliases: every engine against the model, and the model against a graph in which aliases are one name."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from agreement import compare_walk
from domain import COLUMNS, INSTANTS, NODES, message, sizes
from graph_agreement import compare_closure, compare_pages, compare_with_duckdb
from hypothesis import given
from hypothesis import strategies as st
from reference import Model, Sent, alias, merged, renamed, table_level, walk
from test_star_walks import ALL, star_graphs
from test_walks import graphs, store_with

from lineage_tt import Store
from lineage_tt.graph import Graph
from lineage_tt.model.edges import TaskEdge, alias_edges
from lineage_tt.testing import ManualClock

TABLES = sorted(COLUMNS)
pairs = st.tuples(st.sampled_from(TABLES), st.sampled_from(TABLES)).filter(lambda pair: pair[0] < pair[1])
aliases = st.frozensets(pairs, min_size=1, max_size=3).map(lambda found: frozenset(alias(*pair) for pair in found))


def test_the_edges_of_an_alias_are_the_models() -> None:
    """Both ways, as a whole and column by column."""
    assert set(alias_edges("hive:a", "s3://lake:a")) == alias("hive:a", "s3://lake:a")


@sizes(150, 5000)
@given(graphs, aliases, st.sampled_from(NODES), st.sampled_from(["up", "down"]))
def test_a_walk_over_aliases_is_one_over_merged_names(graph, stated, node: str, way: str) -> None:
    """The edges met are those that a walk meets where all names of one thing are one name, and no others."""
    sets = (*graph, *stated)
    state = [(f"t{i}", *edge) for i, edge_set in enumerate(sets) for edge in edge_set]
    one, name = merged(state)

    met = {edge[:6] for edge in walk(state, [node], way) if edge[4] != "ALIAS"}
    assert {(e[0], renamed(e[1], name), renamed(e[2], name), *e[3:]) for e in met} == {
        edge[:6] for edge in walk(one, [renamed(node, name)], way)
    }


@sizes(150, 5000)
@given(graphs, aliases, st.sampled_from(TABLES), st.sampled_from(["up", "down"]))
def test_a_walk_at_table_level_is_one_over_merged_names(graph, stated, table: str, way: str) -> None:
    """The same from dataset to dataset."""
    state = [(f"t{i}", *edge) for i, edge_set in enumerate((*graph, *stated)) for edge in edge_set]
    one, name = merged(state)

    met = {edge for edge in walk(table_level(state), [table], way) if edge[4] != "ALIAS"}
    assert {(e[0], renamed(e[1], name), renamed(e[2], name)) for e in met} == {
        edge[:3] for edge in walk(table_level(one), [renamed(table, name)], way)
    }


@pytest.mark.long
@sizes(8, 1000)
@given(star_graphs, aliases, st.integers(0, 2**32))
def test_every_engine_walks_over_aliases(tmp_path_factory, graph, stated, seed: int) -> None:
    """Memory, DuckDB and model give the same answer, in the same order, for any nodes and options."""
    store, model = store_with(tmp_path_factory.mktemp("aliases") / "s", (*graph, *stated))
    rng = random.Random(seed)
    view, duck = store.graph().as_of(INSTANTS[2]), store.as_of(INSTANTS[2])
    for node in ALL:
        compare_walk(view, model, [node], "both", None, "column")  # type: ignore[arg-type]
    for depth in (0, 1, 2, None):
        compare_walk(view, model, ALL[:3], "both", depth, "table")  # type: ignore[arg-type]
    for node in rng.sample(ALL, 3):
        compare_walk(duck, model, [node], "both", None, "column")
    for _ in range(4):
        nodes = rng.sample(ALL, rng.choice([1, 1, 2, 3]))
        options = (rng.choice(["up", "down", "both"]), rng.choice([None, 0, 1, 2]), rng.choice(["column", "table"]))
        compare_with_duckdb(view, duck, nodes, *options, rng.random() < 0.3)


@pytest.mark.long
@sizes(8, 600)
@given(star_graphs, aliases, st.integers(1, 4))
def test_pages_over_aliases_are_the_walk(tmp_path_factory, graph, stated, limit: int) -> None:
    """In pages of any size each node and each edge comes once, and no way back comes on a later page."""
    store, _ = store_with(tmp_path_factory.mktemp("aliases") / "s", (*graph, *stated))
    graph_of_store = store.graph()
    view = graph_of_store.as_of(INSTANTS[2])
    for node in (node for node in ALL if graph_of_store.knows(node)):
        compare_pages(view, node, limit)


@sizes(150, 5000)
@given(star_graphs, aliases, st.sampled_from(ALL))
def test_the_closure_of_an_impact_report_goes_over_aliases(graph, stated, start: str) -> None:
    """What a release's downstream comes to: the nodes of the model's walk, with their steps."""
    every = [TaskEdge(f"t{i}", *edge) for i, edge_set in enumerate((*graph, *stated)) for edge in sorted(edge_set)]
    compare_closure(every, start)


@pytest.mark.long
@sizes(6, 400)
@given(st.lists(graphs, min_size=1, max_size=3), st.lists(aliases, min_size=2, max_size=4), st.integers(0, 2**32))
def test_aliases_come_and_go_in_both_times(tmp_path_factory, history, stated, seed: int) -> None:
    """Late aliases, aliases taken away: at every point the answer is the model's, and earlier answers stay."""
    folder: Path = tmp_path_factory.mktemp("aliases") / "s"
    rng, model, clock = random.Random(seed), Model(), ManualClock(INSTANTS[0])
    store = Store.create(folder, clock=clock)
    graph = Graph.load(Store.open(folder, clock=clock), max_tail=rng.choice([0, 2, 100]))
    turns = [("plain", edges) for sets in history for edges in sets] + [
        ("alias", pair) for sets in stated for pair in sets
    ]
    rng.shuffle(turns)
    for turn, (kind, edges) in enumerate(turns):
        task = f"{kind}-{rng.randrange(2)}"
        gone = rng.random() < 0.3
        sent = Sent(task, f"e{turn}", "offline" if gone else "update", rng.choice(INSTANTS[:4]), None,
                    frozenset() if gone else frozenset(edges))  # fmt: skip
        model.receive(sent, model.next_system_time(clock.now()))
        store.append([message(sent)])
        graph.refresh()
        clock.advance(1)
    for _ in range(6):
        at, version = rng.choice(INSTANTS), rng.randint(1, model.version)
        nodes = rng.sample(NODES, 2)
        for view in (store.as_of(at, version=version), graph.as_of(at, version=version)):
            compare_walk(view, model, nodes, rng.choice(["up", "down", "both"]), rng.choice([None, 1, 3]), "column")  # type: ignore[arg-type]
