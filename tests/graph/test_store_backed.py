"""What a graph reads from its store when it is first asked for."""

from __future__ import annotations

import threading
from dataclasses import replace

from graph_story import DAYS

from lineage_tt import Store
from lineage_tt.graph import Filter, Graph
from lineage_tt.graph.store_backed import StoreBacked
from lineage_tt.graph.walks.filters import MAX_MASKS
from lineage_tt.model.messages import Coverage, Lineage, NodeChange
from lineage_tt.testing import task_change


def test_a_mask_is_made_once_and_the_last_ones_are_kept(graph: Graph) -> None:
    """However many filters are asked with."""
    state, basis = graph.state, graph.basis(DAYS[0])
    first = graph.mask(Filter(namespaces=("hive",)), state, basis)

    assert isinstance(graph, StoreBacked)
    assert graph.mask(Filter(namespaces=("hive",)), state, basis) is first
    for number in range(MAX_MASKS + 3):
        graph.mask(Filter(datasets=(f"hive:t{number}",)), state, basis)
    assert len(graph._masks) == MAX_MASKS
    assert graph.mask(Filter(namespaces=("hive",)), state, basis).tolist() == first.tolist()


def test_a_mask_of_labels_is_that_of_its_basis(store: Store) -> None:
    """A label that begins in February lets nothing pass in January."""
    label = ("hive:dw.orders#amount", "label", "pii")
    at = store.instant(DAYS[1])
    store.append([NodeChange("l", "fact", label[0], "set", at, fact_key="label", facts=[label])])
    graph = store.graph()

    passing = [int(graph.mask(Filter(labels=("pii",)), graph.state, graph.basis(day)).sum()) for day in DAYS[:2]]
    assert passing == [0, 1]
    assert graph.labelled(graph.basis(DAYS[1]), ("pii", "gdpr")) == {label[0]}
    assert graph.labelled(graph.basis(DAYS[1]), ("gdpr",)) == set()


def test_what_the_store_holds_beyond_the_graph_counts_once(store: Store) -> None:
    """A store that appended is ahead of its graph when gaps and messages are read; the graph takes them in later."""
    graph = store.graph()
    coverages: list[Coverage] = ["partial", "complete", "opaque"]
    for number, coverage in enumerate(coverages, 4):
        change = task_change(f"gap{number % 2}", "update", DAYS[number % 3], event_id=f"g{number}")
        store.append([replace(change, lineage=Lineage(coverage=coverage))])
    assert graph.version == 3
    assert graph.gaps.tasks == {}
    assert graph.versions_stated(["gap0", "gap1"], 9) == []
    graph.refresh()

    loaded = Graph.load(store)
    assert {task: each.rows for task, each in graph.gaps.tasks.items()} == {
        task: each.rows for task, each in loaded.gaps.tasks.items()
    }
    assert graph.versions_stated(["gap0", "gap1"], 9) == loaded.versions_stated(["gap0", "gap1"], 9) == [4, 5, 6]


def test_gaps_and_messages_are_read_once_for_all_threads(store: Store) -> None:
    """And kept up with what comes later."""
    graph = store.graph()
    found: list[tuple[object, object]] = []
    threads = [threading.Thread(target=lambda: found.append((graph.gaps, graph.statements))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(found) == 6
    assert len({id(gaps) for gaps, _ in found}) == len({id(statements) for _, statements in found}) == 1
    assert graph.versions_stated(["nightly", "nobody"], 3) == [1, 3]
    store.append([task_change("nightly", "offline", DAYS[2])])
    graph.refresh()
    assert graph.versions_stated(["nightly"], 4) == [1, 3, 4]
    assert graph.versions_stated(["nightly"], 1) == [1]


def test_columns_are_known_that_no_edge_named(store: Store) -> None:
    """Those that somebody declared, as of a point."""
    at = store.instant(DAYS[1])
    fact = ("hive:dw.orders#spare", "column", '{"type": "int", "ordinal": 3}')
    store.append([NodeChange("c", "dataset", "hive:dw.orders", "set", at, fact_key="column", facts=[fact])])
    graph = store.graph()

    assert graph.known_columns(graph.basis(DAYS[1]), ["hive:dw.orders#spare", "hive:dw.orders#no"]) == {fact[0]}
    assert graph.known_columns(graph.basis(DAYS[0]), ["hive:dw.orders#spare"]) == set()
    assert graph.stated_columns(graph.basis(DAYS[1]), ["hive:dw.orders"])["hive:dw.orders"] >= {"spare"}
