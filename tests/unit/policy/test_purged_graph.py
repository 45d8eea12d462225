"""A graph whose data files another process removes: it reads those in their place, and takes nothing in twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from policy_texts import place
from purges import append, merge, tighten

from lineage_tt import Store
from lineage_tt.graph import Graph
from lineage_tt.graph.load import coverage
from lineage_tt.graph.load import tail as graph_tail


def test_what_a_graph_reads_at_first_use_is_there(store: Store) -> None:
    """Gaps and statements are read from the log when an answer first needs them, and kept up from then on."""
    graph, other = store.graph(), Store.open(place(store))
    expected = {task: each.rows for task, each in Graph.load(other).gaps.tasks.items()}
    tighten(store)

    assert {task: each.rows for task, each in graph.gaps.tasks.items()} == expected
    assert graph.statements.versions_stated(graph.names.tasks.find_all(["plain"]), store.version)
    append(other)
    graph.refresh()
    assert graph.version == other.version
    assert {task: each.rows for task, each in graph.gaps.tasks.items()} == expected


def test_a_graph_takes_nothing_in_twice(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It reads all before it links the first new edge: a row that is linked again leads to itself."""
    graph, other = store.graph(), Store.open(place(store))
    assert graph.gaps
    assert graph.versions_stated(["plain"], graph.version)
    append(other)
    extended, advance, steps = coverage.extended, graph_tail.advance, list[str]()

    def extended_once_gone(*args: Any) -> Any:
        if not steps:
            merge(store, tmp_path)
        steps.append("gaps")
        return extended(*args)

    def advance_once(*args: Any) -> Any:
        steps.append("edges")
        assert steps.count("edges") == 1
        return advance(*args)

    monkeypatch.setattr(coverage, "extended", extended_once_gone)
    monkeypatch.setattr(graph_tail, "advance", advance_once)
    graph.refresh()

    assert steps == ["gaps", "gaps", "edges"]
    assert graph.version == other.version
    assert set(graph.as_of().edges()) == set(Graph.load(other).as_of().edges())


def test_statements_that_are_ahead_of_a_graph_count_once(store: Store, tmp_path: Path) -> None:
    """They are read from files in the place of others, which a later commit than the graph's put there."""
    graph, other = store.graph(), Store.open(place(store))
    append(other)
    merge(store, tmp_path)

    assert graph.versions_stated(["plain"], graph.version)
    graph.refresh()

    assert graph.versions_stated(["new"], graph.version) == [other.version]
    append(other)
    append(other, "more")
    graph.refresh()
    assert graph.versions_stated(["more"], graph.version) == [other.version]
