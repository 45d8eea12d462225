"""Which task comes after which: units, circles, names of one thing, what is not fully known."""

from __future__ import annotations

from lineage_tt.governance.core.chain import chain_of
from lineage_tt.governance.core.schedule import schedule
from lineage_tt.governance.core.tasks import TaskGraph, Use, uses_of
from lineage_tt.governance.core.timings import Timing
from lineage_tt.governance.points.plain import plain_point
from lineage_tt.model.answers import EdgeAsOf
from lineage_tt.model.completeness.summary import Gap
from lineage_tt.model.edges import ALIAS, DIRECT


def test_units_come_after_all_they_wait_for_and_a_circle_is_one_unit() -> None:
    """Tasks that wait for each other cannot be put in order, and what comes after them still is."""
    graph = TaskGraph([
        Use("a", "d:in", "d:1"), Use("b", "d:1", "d:2"), Use("c", "d:2", "d:1"), Use("e", "d:2", "d:3"),
        Use("s", "d:3", "d:3"),
    ])  # fmt: skip

    assert graph.units() == [("a",), ("b", "c"), ("e",), ("s",)]
    found = schedule(graph, graph.tasks, {task: Timing(10, "stated") for task in "abces"}, ["s"])
    assert found.times["b", "c"].finish == 30
    assert found.finish == 50


def test_two_names_of_one_dataset_are_one_thing() -> None:
    """A task that reads the other name waits for the writer."""
    graph = TaskGraph([Use("w", "src:a", "hive:a"), Use("r", "s3:a", "d:out")], [("hive:a", "s3:a")])

    assert graph.before["r"] == {"w"}
    assert [link.task_id for link in chain_of(graph, "d:out", {}).links] == ["w", "r"]


def edge(task: str, source: str, target: str, subtype: str = "IDENTITY") -> EdgeAsOf:
    """An edge in force."""
    return EdgeAsOf(task, source, target, DIRECT, subtype, "", 1, 0, None)


def test_three_names_of_one_dataset_are_one_thing_in_any_order() -> None:
    """Pairs may name them in a ring; a pair of a name with itself says nothing."""
    pairs = [("d:b", "d:c"), ("d:a", "d:b"), ("d:c", "d:a"), ("d:a", "d:a")]
    graph = TaskGraph([Use("w", "d:in", "d:c"), Use("r", "d:a", "d:out")], pairs)

    assert graph.writers_of("d:b") == {"w"}
    assert graph.after == {"r": set(), "w": {"r"}}


def test_a_task_of_unknown_lineage_comes_after_what_it_is_known_to_read() -> None:
    """And before those that read what it writes."""
    gap = Gap("script", 1, "opaque", reads=frozenset({"d:1"}), writes=frozenset({"d:2"}))
    graph = TaskGraph([Use("a", "d:in", "d:1"), Use("z", "d:2", "d:3")], untraced=[gap])

    assert graph.units() == [("a",), ("script",), ("z",)]
    assert (graph.upstream(["z"]), graph.downstream(["a"])) == ({"a", "script", "z"}, {"a", "script", "z"})
    assert graph.downstream(["z"]) == {"z"}


def test_units_of_some_tasks_leave_the_others_out() -> None:
    """What waits only through a task left out is ready; ties are in order of names; no tasks are not units."""
    graph = TaskGraph([Use("z", "d:in", "d:1"), Use("m", "d:1", "d:2"), Use("a", "d:2", "d:3")])

    assert graph.units(["z", "a"]) == [("a",), ("z",)]
    assert graph.units([]) == []
    assert TaskGraph([]).units() == []


def test_a_point_gives_the_uses_of_what_makes_a_node_and_all_before_it() -> None:
    """Datasets for columns, each use once; what comes after, and what is beside, is left out."""
    point = plain_point([
        edge("load", "d:raw#x", "d:ods#x"), edge("load", "d:raw#y", "d:ods#y"), edge("make", "d:ods#x", "d:dw#x"),
        edge("after", "d:dw#x", "d:ads#x"), edge("beside", "d:ods#x", "d:other#x"),
    ])  # fmt: skip

    assert uses_of(point, ["d:dw#x"]).uses == [Use("load", "d:raw", "d:ods"), Use("make", "d:ods", "d:dw")]
    assert uses_of(point, ["task:load"]).uses == [Use("load", "d:raw", "d:ods")]
    assert [use.task for use in uses_of(point, tasks=["make"]).uses] == ["after", "make"]
    assert uses_of(point, ["d:nothing", "task:nobody"]).uses == []
    assert uses_of(plain_point([]), ["d:dw"]).uses == []


def test_a_point_gives_what_lies_beyond_another_name() -> None:
    """The pair of names is given once, the lesser first."""
    point = plain_point([
        edge("load", "d:raw#x", "s3:a#x"), edge("make", "d:a#x", "d:b#x"),
        edge("x", "d:a", "s3:a", ALIAS), edge("x", "s3:a", "d:a", ALIAS),
    ])  # fmt: skip
    found = uses_of(point, ["d:b"])

    assert [use.task for use in found.uses if use.task != "x"] == ["load", "make"]
    assert found.aliases == [("d:a", "s3:a")]
