"""Walks from memory: filters, ways, what is refused; how they agree with DuckDB is the model tests' matter."""

from __future__ import annotations

import pytest
from graph_story import DAYS

from lineage_tt import Store
from lineage_tt.graph import Filter, Graph
from lineage_tt.model.errors import InvalidRequestError, UnknownNodeError, VersionNotReachedError
from lineage_tt.model.messages import NodeChange

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


def test_the_shortest_way_and_all_ways(store: Store) -> None:
    """Ways are found shortest first; each edge continues from the one before; a column stands for its dataset."""
    from lineage_tt.testing import task_change

    store.append([task_change("copy", "online", DAYS[0], [("hive:ods.orders#amount", REVENUE)])])
    view = store.graph().as_of(DAYS[0])
    ways = view.paths("hive:ods.orders#amount", REVENUE)

    assert [path.nodes[1:] for path in ways] == [(REVENUE,), ("hive:dw.orders#amount", REVENUE)]
    assert view.shortest_path("hive:ods.orders#amount", REVENUE) == ways[0]
    assert view.shortest_path(REVENUE, "hive:ods.orders#amount") is None
    through = view.shortest_path(STATUS, REVENUE)
    assert through is not None
    assert through.nodes == (STATUS, "hive:dw.orders", REVENUE)
    assert [len(path) for path in view.paths("hive:ods.orders#amount", REVENUE, longest=1)] == [1]
    tables = view.shortest_path("hive:ods.orders", "bi:board/1", level="table")
    assert tables is not None
    assert tables.nodes == ("hive:ods.orders", "bi:board/1")
    assert {s.edge.target for s in view.between(STATUS, REVENUE).steps} == {"hive:dw.orders", REVENUE}


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


def test_a_cursor_belongs_to_its_question(graph: Graph) -> None:
    """The cursor of one walk is refused by another: other nodes, another basis, another direction."""
    view = graph.as_of(DAYS[0])
    page = view.upstream(REVENUE, limit=1)

    assert page.truncated
    assert view.upstream(REVENUE, limit=5, cursor=page.cursor).cursor is None
    for other in (
        lambda: view.upstream("bi:board/1#orders", cursor=page.cursor),
        lambda: graph.as_of(DAYS[1]).upstream(REVENUE, cursor=page.cursor),
        lambda: view.downstream(REVENUE, cursor=page.cursor),
    ):
        with pytest.raises(InvalidRequestError, match="another question"):
            other()


def test_a_batch_is_its_walks(graph: Graph) -> None:
    """Many nodes at many points in one call: each answer is that of the walk alone, at both levels."""
    nodes = ["hive:ods.orders#id", "hive:dw.orders#amount", "hive:ods.orders"] * 30
    bases = [graph.basis(day, version=version) for day in DAYS for version in (1, 2, 3)]
    for level in ("column", "table"):
        batch = graph.batch(nodes, bases, direction="down", level=level)
        assert len(batch) == len(nodes) * len(bases)
        for i in (0, 1, 2, 89):
            for j, basis in enumerate(bases):
                alone = graph.view(basis).reach(nodes[i], level=level)
                assert sorted(zip(batch[i, j].names, batch[i, j].steps.tolist(), strict=True)) == sorted(
                    zip(alone.names, alone.steps.tolist(), strict=True)
                )
    table = graph.batch(nodes[:2], bases[:1]).to_arrow()
    assert table.column_names == ["node", "valid_at", "version", "reached", "steps"]
    with pytest.raises(IndexError):
        graph.batch(nodes, bases)[0, len(bases)]


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
