"""The graph in memory as a base: the answers of the store, and columns that are read once for a stretch of time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from stores import DAY, A, B, C, filled

from lineage_tt.graph import Graph
from lineage_tt.impact.base.from_graph import ColumnCache, GraphBase
from lineage_tt.impact.base.from_store import StoreBase
from lineage_tt.model.edges import Edge, TaskEdge
from lineage_tt.store import Store
from lineage_tt.testing import task_change

DATASETS = [A, B, C, "hive:dw.made", "kafka:é", "hive:dw.nowhere"]
TASKS = ["b", "c", "gone", "late", "made", "nobody"]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A store that no test writes to."""
    return filled(tmp_path_factory.mktemp("from_graph") / "s")


@pytest.fixture(scope="module")
def graph(store: Store) -> Graph:
    """Its graph."""
    return Graph.load(store)


@pytest.fixture(params=[0, 3, 10, 28])
def bases(store: Store, graph: Graph, request: pytest.FixtureRequest) -> Iterator[tuple[GraphBase, StoreBase]]:
    """Both bases at one point."""
    basis = store.basis(DAY[request.param])
    made = GraphBase(store, basis, graph), StoreBase(store, basis)
    yield made
    for each in made:
        each.close()


def test_the_graph_answers_as_the_store_does(bases: tuple[GraphBase, StoreBase]) -> None:
    """On the first day, while a task is there that then goes, after it went, and after all is in force."""
    graph, store = bases

    assert sorted(graph.edges_of(TASKS)) == sorted(store.edges_of(TASKS))
    for dataset in DATASETS:
        assert list(graph.edges_from([dataset])) == list(store.edges_from([dataset]))
        assert list(graph.edges_into([dataset])) == list(store.edges_into([dataset]))
    assert list(graph.later_readers(DATASETS)) == list(store.later_readers(DATASETS))
    assert graph.ever_named(DATASETS) == store.ever_named(DATASETS)
    assert dict(graph.columns()) == dict(store.columns())
    assert {space: graph.is_closed(space) for space in ("hive", "kafka", "bi")} == {
        space: store.is_closed(space) for space in ("hive", "kafka", "bi")
    }


def test_what_is_known_by_name_is_only_what_an_edge_named(store: Store, graph: Graph) -> None:
    """A dataset of edges that ended is known, one that nobody named is not."""
    base = GraphBase(store, store.basis(DAY[10]), graph)

    assert base.ever_named(["kafka:é", "hive:dw.nowhere"]) == {"kafka:é"}
    assert [edge.task_id for edge in base.edges_into([C])] == ["c"]
    base.close()


def test_many_instants_to_come_are_read_from_the_log(tmp_path: Path) -> None:
    """Five tasks that begin on five days; neither what one of them does already, nor what was withdrawn, is to come."""
    store = Store.create(tmp_path / "s")
    later = [task_change(f"t{day}", "update", DAY[day], [(f"{A}#x", f"{B}#{day}")]) for day in range(5, 10)]
    now = task_change("t5", "online", DAY[0], [(f"{A}#x", f"{B}#now")])
    elsewhere = task_change("else", "online", DAY[7], [(f"{B}#x", C)])
    withdrawn = task_change("no", "online", DAY[8], [(f"{A}#x", C)], event_id="no")
    store.append([now, *later, elsewhere, withdrawn, task_change("no", "retract", retracts="no")])
    base = GraphBase(store, store.basis(DAY[1]), Graph.load(store))

    found = base.later_readers([A])

    assert list(found) == [(TaskEdge(f"t{day}", *Edge(f"{A}#x", f"{B}#{day}")), DAY[day]) for day in range(5, 10)]
    base.close()


def test_columns_are_kept_while_no_message_lies_between(store: Store, graph: Graph) -> None:
    """Two points of one stretch share what was read; a point after the next message reads again."""
    kept = ColumnCache()
    bases = [GraphBase(store, store.basis(DAY[day], version=version), graph, kept)
             for day, version in ((1, None), (4, None), (6, None), (6, 1))]  # fmt: skip

    read = [base._all_columns() for base in bases]

    assert read[0] is read[1]
    assert read[2] is not read[1]
    assert {column.dataset for column in read[3]} == {A}
    assert {column.dataset for column in read[2]} == {A, "hive:dw.made"}
    for base in bases:
        base.close()


def test_cached_columns_belong_to_the_last_key_alone() -> None:
    """An older key is read again."""
    kept, asked = ColumnCache(), []

    def read(key: tuple[int | None, ...]) -> int:
        return len(kept.get(key, lambda: asked.append(key) or []))  # type: ignore[func-returns-value]

    for key in [(1, None, 5), (1, None, 5), (2, None, 5), (1, None, 5)]:
        read(key)

    assert asked == [(1, None, 5), (2, None, 5), (1, None, 5)]
