"""Walks without what people reject: every engine against the model."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from agreement import compare_walk
from domain import COLUMNS, INSTANTS, NODES, message, sizes
from graph_agreement import compare_closure, compare_names, compare_pages, compare_with_duckdb
from hypothesis import given
from hypothesis import strategies as st
from reference import EdgeValue, Model, Sent, alias, rejection
from test_star_walks import ALL, star_graphs

from lineage_tt import Store
from lineage_tt.curation.messages import edge_change, edge_task
from lineage_tt.model.edges import TaskEdge
from lineage_tt.testing import ManualClock

TABLES = sorted(COLUMNS)
columns = st.tuples(st.sampled_from(NODES), st.sampled_from(NODES)).filter(lambda ends: "#" in ends[0] + ends[1])
pairs = st.frozensets(
    st.one_of(columns, columns, st.tuples(st.sampled_from(TABLES), st.sampled_from(TABLES))), max_size=5
)
aliases = st.lists(
    st.tuples(st.sampled_from(TABLES), st.sampled_from(TABLES)).filter(lambda p: p[0] < p[1]), max_size=1
)


def rejecting_store(
    folder: Path, graph: tuple[frozenset[EdgeValue], ...], stated: frozenset[tuple[str, str]]
) -> tuple[Store, Model]:
    """A store and a model with one task for each edge set, and what is rejected."""
    store, model = Store.create(folder, clock=ManualClock(INSTANTS[0])), Model()
    sents = [Sent(f"t{i}", f"e{i}", "online", INSTANTS[1], None, edge_set) for i, edge_set in enumerate(graph)]
    sents += [
        Sent(edge_task(*ends), f"r{i}", "online", INSTANTS[1], None, rejection(*ends))
        for i, ends in enumerate(sorted(stated))
    ]
    for sent in sents:
        model.receive(sent, model.next_system_time(INSTANTS[0]))
    store.append([message(sent) for sent in sents])
    return store, model


def test_the_marks_of_a_rejection_are_the_models() -> None:
    """Of two columns one mark; of two datasets one more, between their star nodes."""
    for ends in (("hive:a#x", "hive:b#x"), ("hive:a", "hive:b"), ("hive:a#x", "hive:b")):
        made = edge_change("reject", *ends, ("DIRECT", None, ""), "e", 1)
        assert made.lineage is not None
        assert frozenset(made.lineage.edges) == rejection(*ends)
        assert made.task_id == edge_task(*ends)


@pytest.mark.long
@sizes(10, 1000)
@given(star_graphs, pairs, aliases, st.integers(0, 2**32))
def test_every_engine_leaves_out_what_is_rejected(tmp_path_factory, graph, stated, named, seed: int) -> None:
    """Memory, DuckDB and model give the same answer, in the same order, for any nodes and options."""
    sets = (*graph, *(alias(*pair) for pair in named))
    store, model = rejecting_store(tmp_path_factory.mktemp("rejected") / "s", sets, stated)
    rng = random.Random(seed)
    view, duck = store.graph().as_of(INSTANTS[2]), store.as_of(INSTANTS[2])
    for node in rng.sample(ALL, 8):
        compare_walk(view, model, [node], "both", None, "column")  # type: ignore[arg-type]
    for node in rng.sample(ALL, 3):
        compare_walk(duck, model, [node], "both", None, "column")
    for _ in range(4):
        nodes = rng.sample(ALL, rng.choice([1, 1, 2, 3]))
        options = (rng.choice(["up", "down", "both"]), rng.choice([None, 0, 1, 2]), rng.choice(["column", "table"]))
        compare_with_duckdb(view, duck, nodes, *options, rng.random() < 0.3)
    assert view.edges() == duck.edges()


@sizes(6, 600)
@given(star_graphs, pairs, st.integers(1, 4))
def test_pages_and_names_are_those_of_the_walk(tmp_path_factory, graph, stated, limit: int) -> None:
    """In pages of any size each node and each edge comes once; names alone are those of the walk."""
    store, _ = rejecting_store(tmp_path_factory.mktemp("rejected") / "s", graph, stated)
    graph_of_store = store.graph()
    view = graph_of_store.as_of(INSTANTS[2])
    for node in (node for node in ALL if graph_of_store.knows(node)):
        compare_pages(view, node, limit)
        compare_names(view, node)


@sizes(150, 5000)
@given(star_graphs, pairs, st.sampled_from(ALL))
def test_the_closure_of_an_impact_report_leaves_them_out(graph, stated, start: str) -> None:
    """What a release's downstream comes to: the nodes of the model's walk, with their steps."""
    every = [TaskEdge(f"t{i}", *edge) for i, edge_set in enumerate(graph) for edge in sorted(edge_set)]
    every += [TaskEdge(edge_task(*ends), *edge) for ends in sorted(stated) for edge in sorted(rejection(*ends))]
    compare_closure(every, start)
