"""The lineage as of one point, and the reader and the walks that serve it: over the log, and over a snapshot."""

from __future__ import annotations

import pytest
from small_snapshots import compacted

from lineage_tt import Store
from lineage_tt.model.errors import InvalidRequestError, UnknownNodeError
from lineage_tt.model.facts import Field
from lineage_tt.model.messages import Lineage, NodeChange, TaskChange
from lineage_tt.read.view import View
from lineage_tt.testing import ManualClock, task_change


@pytest.fixture(scope="module", params=["log", "snapshot", "snapshot and tail"])
def store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Store:
    """a → b → c, a star, facts; the last message may be in the tail of a snapshot."""
    folder = tmp_path_factory.mktemp("store")
    made = Store.create(folder, clock=ManualClock(90))
    made.append(
        [
            task_change("one", "online", 10, [("n:a#x", "n:b#y")]),
            task_change("two", "online", 10, [("n:b#y", "n:c#z"), ("n:s#*", "n:c#*")]),
            NodeChange("d", "dataset", "n:a", "define", 10, fields=[Field("x", "int"), Field("w", "text")],
                       facts=[("n:a", "owner", "ann")]),
        ]
    )  # fmt: skip
    if request.param == "snapshot and tail":
        compacted(made, folder)
    made.append([task_change("one", "update", 20, [("n:a#x", "n:b#y"), ("n:a#w", "n:b#y")])])
    made.append([TaskChange("e", "none", "online", 10, lineage=Lineage())])
    if request.param == "snapshot":
        compacted(made, folder)
    opened = Store.open(folder, clock=ManualClock(90))
    assert (opened.snapshot is not None) == (request.param != "log")
    return opened


def reached(view: View, *nodes: str, **options: object) -> set[tuple[str, str, int, bool]]:
    """Source, target, steps and whether by star of what a walk meets."""
    found = view.lineage(*nodes, **options)  # type: ignore[arg-type]
    return {(step.edge.source, step.edge.target, step.steps, step.by_star) for step in found.steps}


def test_edges_in_force_are_those_of_the_point(store: Store) -> None:
    """On both time axes; of some tasks alone, if asked."""
    assert len(store.as_of(15).edges()) == 3
    assert len(store.as_of(20).edges()) == 4
    assert len(store.as_of(20, version=3).edges()) == 3
    assert store.as_of(9).edges() == []
    assert {edge.task_id for edge in store.as_of(20).edges(["one"])} == {"one"}


def test_an_edge_names_the_message_that_began_it(store: Store) -> None:
    """Not the one that only moved its end."""
    (edge,) = store.as_of(15).edges(["one"])

    assert (edge.version, edge.valid_from, edge.valid_to) == (1, 10, None)
    assert {edge.version for edge in store.as_of(20).edges(["one"]) if edge.source == "n:a#w"} == {4}


def test_a_walk_goes_both_ways_and_as_deep_as_asked(store: Store) -> None:
    """Upstream, downstream, or from the middle."""
    view = store.as_of(15)
    ab, bc = ("n:a#x", "n:b#y"), ("n:b#y", "n:c#z")

    assert reached(view, "n:a#x", direction="down") == {(*ab, 1, False), (*bc, 2, False)}
    assert reached(view, "n:a#x", direction="down", depth=1) == {(*ab, 1, False)}
    assert {(*ab, 1, False), (*bc, 1, False)} <= reached(view, "n:b#y")
    assert reached(view, "n:a#x", depth=0) == set()
    assert view.upstream("n:b#y").steps == view.lineage("n:b#y", direction="up").steps
    assert view.downstream("n:b#y").steps == view.lineage("n:b#y", direction="down").steps


def test_a_star_is_joined_to_the_column_that_the_walk_comes_to(store: Store) -> None:
    """But not to a column whose task states its sources itself; the name is assumed."""
    view = store.as_of(15)

    assert reached(view, "n:s#q", direction="down") == {("n:s#q", "n:c#q", 1, True)}
    assert ("n:s#z", "n:c#z", 1, True) not in reached(view, "n:c#z", direction="up")
    assert view.lineage("n:s#q", direction="down").completeness.by_star == 1


def test_tables_are_walked_as_a_whole(store: Store) -> None:
    """A column stands for its dataset there."""
    found = store.as_of(15).lineage("n:a#x", level="table", direction="down")

    assert (found.start, found.nodes) == (("n:a",), {"n:b": 1, "n:c": 2})
    assert {(step.edge.source, step.edge.target) for step in found.steps} == {("n:a", "n:b"), ("n:b", "n:c")}


def test_a_node_that_nothing_ever_named_is_unknown(store: Store) -> None:
    """With the nearest names; a declared column without an edge is known."""
    with pytest.raises(UnknownNodeError) as raised:
        store.as_of(15).lineage("n:b#yy")
    assert "n:b#y" in str(raised.value)
    assert store.as_of(15).lineage("n:a#w").steps == ()


@pytest.mark.parametrize(("nodes", "depth"), [((), None), (("n:a#x",), -1)])
def test_a_walk_from_nowhere_or_backwards_is_a_mistake(store: Store, nodes: tuple[str, ...], depth: int | None) -> None:
    """Of the caller, before anything is read."""
    with pytest.raises(InvalidRequestError):
        store.as_of(15).lineage(*nodes, depth=depth)


def test_facts_and_columns_are_those_in_force(store: Store) -> None:
    """Declared columns come in their order; of a dataset that nobody declares those that edges name."""
    view = store.as_of(15)

    assert [(fact.node, fact.value) for fact in view.facts(key="owner")] == [("n:a", "ann")]
    assert view.facts("n:b") == []
    assert [(column.column, column.ordinal) for column in view.columns("n:a")] == [("x", 1), ("w", 2)]
    assert [(column.column, column.origin) for column in view.columns("n:b")] == [("y", "inferred")]
    assert view.columns("n:b", inferred=False) == []
    assert {column.dataset for column in view.columns()} == {"n:a", "n:b", "n:c"}


def test_tasks_in_force_say_what_they_do(store: Store) -> None:
    """Those that read nothing are listed apart."""
    view = store.as_of(20)

    assert [(task.task_id, task.version) for task in view.tasks()] == [("none", 5), ("one", 4), ("two", 2)]
    assert view.sourceless() == ["none"]
    assert view.sourceless(["none"]) == []
    assert view.sql_of("one") is None
    assert view.gaps.all() == []


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"direction": "upp"}, "no direction 'upp'"), ({"level": "tabel"}, "no level 'tabel'"),
        ({"level": "Column"}, "no level 'Column'"), ({"level": "task"}, "no level 'task'"),
    ],
)  # fmt: skip
def test_a_walk_refuses_a_direction_or_level_that_does_not_exist(
    store: Store, options: dict[str, str], words: str
) -> None:
    """It answered with no steps, as a complete answer; the graph and the macro refuse the same words."""
    ((name, value),) = options.items()
    with pytest.raises(InvalidRequestError, match=words):
        store.as_of(20).lineage("n:b#y", **options)  # type: ignore[arg-type]
    with pytest.raises(InvalidRequestError, match=words):
        store.graph().view(store.basis(20)).lineage("n:b#y", **options)  # type: ignore[arg-type]
    with pytest.raises(InvalidRequestError, match=words):
        store.sql(f"FROM lineage(['n:b#y'], make_timestamptz(20), \"{name}\" := '{value}')")
    with pytest.raises(InvalidRequestError, match=f"no {name} NULL"):
        store.sql(f"FROM lineage(['n:b#y'], make_timestamptz(20), \"{name}\" := NULL)")
    assert len(store.sql("FROM lineage(['n:b#y'], make_timestamptz(20), direction := 'both')")[1]) == 3


def test_the_edges_of_a_task_that_is_not_in_a_list_are_refused(store: Store) -> None:
    """Each letter was taken for a task, and the answer was empty."""
    with pytest.raises(InvalidRequestError, match="tasks is one text, 'one', not a list"):
        store.as_of(20).edges("one")
    with pytest.raises(InvalidRequestError, match="tasks is one text"):
        store.graph().view(store.basis(20)).edges("one")
