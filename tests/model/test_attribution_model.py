"""Which message an edge in force is attributed to, with derived versions, ties and retracts: all engines the same."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from domain import sizes
from hypothesis import given
from hypothesis import strategies as st
from stars import star_resolver
from test_star_model import DATASETS, TIMES, Said, in_force, message, stories

from lineage_tt import Store
from lineage_tt.graph import Graph
from lineage_tt.graph.load import statements
from lineage_tt.testing import task_change

LATER = "2099-01-01T00:00:00Z"
NOW = "2026-06-01T00:00:00Z"
EDGE = ("hive:ods.orders#id", "hive:dw.orders#id")


def began(store: Store, task: str, at: int, version: int) -> int:
    """The row in force for a task at an instant, as ``tasks`` has it."""
    return next(t.resolved_version for t in store.as_of(at, version=version).tasks() if t.task_id == task)


@pytest.mark.long
@sizes(15, 600)
@given(story=stories(), cut=st.integers(0, 12), merged=st.booleans())
def test_edges_are_attributed_to_what_is_in_force_where_they_begin(story: list[Said], cut: int, merged: bool) -> None:
    """At every valid time, as known at every version: DuckDB, the graph loaded, and the graph kept current."""
    with tempfile.TemporaryDirectory() as folder:
        store = Store.create(Path(folder))
        store.append([message(said) for said in story[:cut]], resolver=star_resolver)
        graph = Graph.load(store)
        graph.statements  # noqa: B018 (read when it is looked at)
        with pytest.MonkeyPatch.context() as patch:
            if merged:
                patch.setattr(statements, "MAX_LATER", 0)
            for said in story[cut:]:
                store.append([message(said)], resolver=star_resolver)
                graph.refresh()
        loaded = Graph.load(store)
        for version in range(1, store.version + 1):
            for at in TIMES:
                edges = store.as_of(at, version=version).edges()

                assert [e.version for e in edges] == [began(store, e.task_id, e.valid_from, version) for e in edges]
                assert graph.as_of(at, version=version).edges() == edges
                assert loaded.as_of(at, version=version).edges() == edges


@sizes(15, 600)
@given(story=stories(), cut=st.integers(0, 12), merged=st.booleans())
def test_the_messages_of_tasks_are_found_without_the_log(story: list[Said], cut: int, merged: bool) -> None:
    """Their versions, retracts among them and derived ones left out: of each task, of all, and up to each version."""
    with tempfile.TemporaryDirectory() as folder:
        store = Store.create(Path(folder))
        store.append([message(said) for said in story[:cut]], resolver=star_resolver)
        graph = Graph.load(store)
        graph.statements  # noqa: B018 (read when it is looked at)
        with pytest.MonkeyPatch.context() as patch:
            if merged:
                patch.setattr(statements, "MAX_LATER", 0)
            for said in story[cut:]:
                store.append([message(said)], resolver=star_resolver)
                graph.refresh()
        rows = store.fetch(
            "SELECT task_id, version FROM log"
            " WHERE status = 'accepted' AND derived_from IS NULL AND task_id IS NOT NULL ORDER BY version"
        )
        tasks = sorted({task for task, _ in rows})
        for asked in ([], ["nobody"], tasks, *([task] for task in tasks)):
            for version in range(store.version + 1):
                expected = [each for task, each in rows if task in asked and each <= version]
                assert graph.versions_stated(asked, version) == expected


@sizes(15, 600)
@given(story=stories())
def test_declared_columns_are_attributed_to_their_declaration(story: list[Said]) -> None:
    """A column's version is that of the declaration in force where the column begins."""
    with tempfile.TemporaryDirectory() as folder:
        store = Store.create(Path(folder))
        versions = {said.event: store.append([message(said)])[0].version for said in story if said.subject in DATASETS}
        told = [said for said in story if said.subject in DATASETS]
        for at in TIMES:
            for fact in store.as_of(at).facts(key="column"):
                declared = in_force(told, fact.subject, fact.valid_from)

                assert declared is not None
                assert fact.version == versions[declared.event]


def test_a_plan_for_later_is_not_the_message_that_began_an_edge(tmp_path: Path) -> None:
    """A plan of 2099 ends the edge's interval; who is asked about now names the message that began it, everywhere."""
    store = Store.create(tmp_path / "s")
    store.append([task_change("load", "online", "2024-01-01T00:00:00Z", [EDGE])])
    graph = store.graph()
    store.append([task_change("load", "offline", LATER)])
    graph.refresh()
    view = store.as_of(NOW)

    (step,) = view.upstream(EDGE[1]).steps
    (blamed,) = store.blame(*EDGE, view)
    assert (step.edge.version, blamed.entry.version, blamed.edge.version) == (1, 1, 1)
    assert step.edge.valid_to == store.basis(LATER).valid_at
    assert graph.as_of(NOW).upstream(EDGE[1]).steps == (step,)
    assert store.history(EDGE[0])[-1].version == 2  # which version put the rectangle in place is history's to say


def test_an_edge_of_a_what_if_keeps_a_version_of_its_own(tmp_path: Path) -> None:
    """What is supposed is attributed to the next version; what is stored beside it to its message."""
    store = Store.create(tmp_path / "s")
    store.append([task_change("load", "online", "2024-01-01T00:00:00Z", [EDGE])])
    store.append([task_change("load", "offline", LATER)])
    supposed = store.graph().with_({"copy": [(EDGE[1], "hive:ads.orders#id")]})

    steps = supposed.as_of(NOW).downstream(EDGE[0]).steps
    assert [(step.edge.task_id, step.edge.version) for step in steps] == [("load", 1), ("copy", 3)]
