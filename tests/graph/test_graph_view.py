"""Walks from memory: filters, ways, what is refused; how they agree with DuckDB is the model tests' matter."""

from __future__ import annotations

import pytest
from graph_story import DAYS

from lineage_tt import Store
from lineage_tt.graph import Filter, Graph
from lineage_tt.graph.asof.view import GraphView
from lineage_tt.model.errors import InvalidRequestError, UnknownNodeError, VersionNotReachedError
from lineage_tt.model.messages import NodeChange
from lineage_tt.testing import task_change

REVENUE, STATUS = "bi:board/1#revenue", "hive:ods.orders#status"


def test_the_past_is_walked_as_it_was(graph: Graph) -> None:
    """As of January the revenue came from the orders' amount, from February on from the payments."""
    january, february = (graph.as_of(day).upstream(REVENUE).nodes for day in DAYS[:2])

    assert january == {"hive:dw.orders#amount": 1, "hive:ods.orders#amount": 2, STATUS: 2}
    assert february == {"hive:dw.orders#amount": 1, STATUS: 2, "kafka:prod/payments#value": 2}


def test_what_was_believed_is_walked_as_it_was_believed(graph: Graph) -> None:
    """February, as known before the edit was: still the orders' amount."""
    assert "hive:ods.orders#amount" in graph.as_of(DAYS[1], version=2).upstream(REVENUE).nodes


def test_direct_only_leaves_out_what_decides_about_rows(graph: Graph) -> None:
    """The filter on the status is INDIRECT."""
    assert STATUS not in graph.as_of(DAYS[0]).upstream(REVENUE, direct_only=True).nodes


def test_each_edge_names_its_task_version_and_interval(graph: Graph) -> None:
    """The edge that the edit ended holds in January only; the first message began it, whatever ended it."""
    (step,) = [s for s in graph.as_of(DAYS[0]).upstream(REVENUE).steps if s.edge.expression == "amount / 100"]

    assert (step.direction, step.steps, step.edge.task_id, step.edge.version) == ("up", 2, "nightly", 1)
    assert step.edge.valid_to == graph.basis(DAYS[1]).valid_at


def test_a_view_answers_at_its_basis_whatever_comes_later(store: Store, graph: Graph) -> None:
    """The edges in force are those of the basis; marks of rejections are left out unless asked for."""
    view = graph.as_of(DAYS[0])
    before = view.edges()
    store.append([task_change("nightly", "offline", DAYS[0], event_id="gone", source_version=9)])
    graph.refresh()

    assert isinstance(view, GraphView)
    assert view.edges() == before
    assert {edge.task_id for edge in graph.as_of(DAYS[0]).edges()} == {"report"}


def test_reach_gives_numbers_that_names_can_be_asked_of(graph: Graph) -> None:
    """Ids only: the same nodes as the walk, in order of steps."""
    reached = graph.as_of(DAYS[0]).reach("hive:ods.orders#id")

    assert dict(zip(reached.names, reached.steps.tolist(), strict=True)) == {
        "hive:dw.orders#id": 1, "bi:board/1#orders": 2,
    }  # fmt: skip
    assert len(reached) == 2


@pytest.mark.parametrize(
    ("where", "left"),
    [
        (Filter(namespaces=("hive",)), {"hive:dw.orders#amount", "hive:ods.orders#amount", STATUS}),
        (Filter(datasets=("hive:dw.*",)), {"hive:dw.orders#amount"}),
        (Filter(datasets=("hive:ods.*",), exclude=True), {"hive:dw.orders#amount"}),
        (Filter(datasets=("hive:ods.*",)), set()),
        (Filter(datasets=("hive:ods.*",), hide=True), {"hive:ods.orders#amount", STATUS}),
        (Filter(datasets=("hive:?ds.order[st]",), hide=True), {"hive:ods.orders#amount", STATUS}),
    ],
)
def test_a_filter_prunes_or_hides(graph: Graph, where: Filter, left: set[str]) -> None:
    """Pruned, what lies behind a node that fails is not met; hidden, the walk goes through it."""
    walk = graph.as_of(DAYS[0]).upstream(REVENUE, where=where)

    assert set(walk.nodes) == left
    ends = {end for step in walk.steps for end in (step.edge.source, step.edge.target)}
    assert ends <= left | {REVENUE, "hive:dw.orders"}
    assert set(graph.as_of(DAYS[0]).reach(REVENUE, direction="up", where=where).names) == left


def test_what_cannot_be_asked_is_refused(graph: Graph) -> None:
    """Each wrong call has its error, with a hint."""
    view = graph.as_of(DAYS[0])
    with pytest.raises(UnknownNodeError, match="did you mean bi:board/1#revenue"):
        view.lineage("bi:board/1#revenu")
    with pytest.raises(UnknownNodeError):
        view.reach("nothing:at.all")
    for wrong in (
        lambda: view.lineage(),
        lambda: view.lineage(REVENUE, depth=-1),
        lambda: view.lineage(REVENUE, limit=0),
        lambda: view.lineage(REVENUE, cursor="x"),
        lambda: view.lineage(REVENUE, cursor="W10"),
        lambda: view.lineage(REVENUE, direction="left"),  # type: ignore[arg-type]
        lambda: view.lineage(REVENUE, level="row"),  # type: ignore[arg-type]
        lambda: view.lineage(REVENUE, where=Filter()),
        lambda: view.reach(REVENUE, direction="both"),  # type: ignore[arg-type]
        lambda: view.paths(REVENUE, STATUS, limit=0),
        lambda: graph.batch([], [view.basis]),
        lambda: graph.basis(DAYS[0], DAYS[0], 1),
    ):
        with pytest.raises(InvalidRequestError):
            wrong()
    with pytest.raises(VersionNotReachedError, match="the graph is at version 3"):
        graph.as_of(version=4)


def test_labels_decide_as_of_the_basis(store: Store) -> None:
    """A column labelled from February on: the filter sees the label there, not in January, nor before it was known."""
    at = store.instant(DAYS[1])
    label = ("hive:dw.orders#amount", "label", "finance")
    store.append([NodeChange("l", "fact", label[0], "set", at, fact_key="label", facts=[label])])
    graph = store.graph()
    finance = Filter(labels=("finance", "secret"))

    assert set(graph.as_of(DAYS[1]).upstream(REVENUE, where=finance).nodes) == {label[0]}
    assert graph.as_of(DAYS[0]).upstream(REVENUE, where=finance).nodes == {}
    assert graph.as_of(DAYS[1], version=3).upstream(REVENUE, where=finance).nodes == {}
    unlabelled = graph.as_of(DAYS[1]).upstream(REVENUE, where=finance._replace(exclude=True, hide=True))
    assert label[0] not in unlabelled.nodes
