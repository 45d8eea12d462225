"""The past of a store: walks, edges, messages, texts and facts at any valid time, as known at a version."""

from __future__ import annotations

from pathlib import Path

import pytest
from cause_story import BEGIN, DAY, REVENUE, Told, story, with_sql

from lineage_tt.governance.cause.past import GraphPast
from lineage_tt.governance.cause.ports import Text
from lineage_tt.model.errors import UnknownNodeError
from lineage_tt.model.facts import Field
from lineage_tt.model.messages import Lineage, NodeChange, TaskChange
from lineage_tt.testing import task_change

NOW = BEGIN + 9 * DAY


@pytest.fixture
def told(tmp_path: Path) -> Told:
    """The warehouse; load reads another column since day 2."""
    result = story(tmp_path)
    result.say(BEGIN + 2 * DAY, task_change("load", "update", BEGIN + 2 * DAY, [("d:src#y", "d:ods#x")]))
    return result


def fact(node: str, key: str, value: str, at: int) -> NodeChange:
    """A fact of a node from a time on."""
    return NodeChange(f"{node}-{key}-{at}", "fact", node, "set", at, fact_key=key, facts=[(node, key, value)])


def test_a_walk_is_as_of_its_own_time(told: Told) -> None:
    """Up to a depth where one is given; a node that nothing named has no steps."""
    past = told.past(NOW)
    sources = [{step.edge.source for step in past.walk([REVENUE], "up", at)} for at in (BEGIN + DAY, BEGIN + 3 * DAY)]

    assert ["d:src#x" in each for each in sources] == [True, False]
    assert ["d:src#y" in each for each in sources] == [False, True]
    assert {step.edge.source for step in past.walk([REVENUE], "up", NOW, 1)} == {"d:dw#x"}
    assert past.walk(["d:nothing"], "up", NOW) == ()


def test_what_is_reached_is_given_without_its_edges(told: Told) -> None:
    """Each node with its least steps, and the ends of the edges between; nothing of an unknown node."""
    past = told.past(NOW)
    found = past.reached(REVENUE, "down", NOW)

    assert dict(found.nodes) == {"bi:1#money": 1, "mail:daily#text": 2}
    assert set(found.pairs) == {(REVENUE, "bi:1#money"), ("bi:1#money", "mail:daily#text")}
    assert past.reached("d:nothing", "up", NOW) == ({}, ())


def test_a_node_that_nothing_ever_named_has_no_completeness(told: Told) -> None:
    """It is an error; one of an incomplete task has its gap."""
    unread = Lineage([], "opaque", outputs=[("d:dw", ("x",))])
    told.say(BEGIN + 3 * DAY, TaskChange("c", "clean", "update", BEGIN + 3 * DAY, lineage=unread))
    past = told.past(NOW)

    with pytest.raises(UnknownNodeError):
        past.completeness(["d:nothing"], NOW)
    assert past.completeness([REVENUE], BEGIN + 2 * DAY).complete
    assert not past.completeness([REVENUE], NOW).complete
    assert past.untraced(["d:dw", "d:q"], NOW) == {"clean": frozenset({"d:dw"})}
    assert past.untraced(["d:dw"], BEGIN + 2 * DAY) == past.untraced(["d:q"], NOW) == {}


def test_edges_into_nodes_are_those_of_a_time_and_a_version(told: Told) -> None:
    """Of these very nodes; before the first version, and of nodes that nothing named, there are none."""
    past = told.past(NOW)

    assert {edge.source for edge in past.edges_into(["d:ods#x", "d:nothing#x"], NOW)} == {"d:src#y"}
    assert {edge.source for edge in past.edges_into(["d:ods#x"], NOW, 5)} == {"d:src#x"}
    assert {edge.target for edge in past.edges_into(["d:dw"], NOW)} == {"d:dw"}
    for nodes, version in (([], None), (["d:ods#x"], 0), (["d:nothing#x"], None)):
        assert past.edges_into(nodes, NOW, version) == ()


def test_statements_are_those_of_the_tasks_and_declared_datasets_asked_for(told: Told) -> None:
    """In the window; before each is what was in force until then."""
    told.say(
        BEGIN + 3 * DAY,
        NodeChange("ods", "dataset", "d:ods", "define", BEGIN + 3 * DAY, fields=[Field("x", "INT")]),
        NodeChange("q", "dataset", "d:q", "define", BEGIN + 3 * DAY, fields=[Field("x", "INT")]),
        task_change("clean", "offline", BEGIN + 3 * DAY),
    )
    past = told.past(NOW)
    found = past.statements(["load"], ["d:ods", "d:src"], BEGIN, NOW)

    assert [(each.kind, each.subject, each.op) for each in found] == [
        ("task", "load", "update"), ("dataset", "d:ods", "define"),
    ]  # fmt: skip
    before = past.before(found[0])
    assert before is not None
    assert before.version == 1
    assert past.before(found[1]) is None


def test_what_came_after_the_version_is_not_known(told: Told) -> None:
    """Neither a message nor its edges."""
    past = told.past(NOW, version=5)

    assert past.statements(["load"], [], BEGIN, NOW) == []
    assert {edge.source for edge in past.edges_into(["d:ods#x"], NOW)} == {"d:src#x"}


def test_texts_come_with_what_they_were_found_to_read_and_write(told: Told) -> None:
    """Sources in order, each once; versions without a text are left out."""
    edges = [("d:dw#z", REVENUE), ("d:dw#x", REVENUE), ("d:dw#x", "d:ads", "INDIRECT", "FILTER", "")]
    told.say(BEGIN + 4 * DAY, with_sql("report", BEGIN + 4 * DAY, "SELECT 1", edges))
    past = told.past(NOW)
    found = past.texts([1, 7])

    assert {version: text._replace(targets=()) for version, text in found.items()} == {
        7: Text("SELECT 1", "duckdb", sources=("d:dw#x", "d:dw#z")),
    }  # fmt: skip
    assert set(found[7].targets) == {REVENUE, "d:ads"}
    assert past.texts([]) == {}


def test_facts_are_asked_for_by_key_or_by_how_a_key_begins(told: Told) -> None:
    """In force at the time; results of checks of some nodes are given for all times."""
    told.say(
        BEGIN + 3 * DAY,
        fact("d:dw", "owner", "ana", BEGIN), fact("d:dw", "owners", "no", BEGIN),
        fact("d:dw", "check:rows", '{"status":"failed"}', BEGIN + DAY),
        fact("d:dw", "check:rows", '{"status":"passed"}', BEGIN + 5 * DAY),
        fact("d:ods", "check:rows", '{"status":"passed"}', BEGIN),
    )  # fmt: skip
    past = told.past(NOW)

    def asked(at: int, *keys: str) -> list[tuple[str, str, str]]:
        return [(each.node, each.key, each.value) for each in past.facts(at, keys)]

    assert asked(NOW, "owner") == [("d:dw", "owner", "ana")]
    assert {value for node, _, value in asked(BEGIN + 2 * DAY, "check:") if node == "d:dw"} == {'{"status":"failed"}'}
    assert asked(NOW, "check") == asked(BEGIN - DAY, "owner", "check:") == []
    assert [(each.node, each.valid_from) for each in past.results(["d:dw", "d:q"])] == [
        ("d:dw", BEGIN + DAY), ("d:dw", BEGIN + 5 * DAY),
    ]  # fmt: skip


def test_declared_columns_are_given_in_order_with_their_types(told: Told) -> None:
    """Of the dataset of a column too; nothing before the declaration, nor of another dataset."""
    fields = [Field("x", "INT"), Field("a", "TEXT"), Field("n")]
    told.say(BEGIN + 3 * DAY, NodeChange("ods", "dataset", "d:ods", "define", BEGIN + 3 * DAY, fields=fields))
    past: GraphPast = told.past(NOW)

    assert list(past.fields("d:ods#x", NOW).items()) == [("a", "TEXT"), ("n", ""), ("x", "INT")]
    assert past.fields("d:ods", BEGIN + 3 * DAY - 1) == past.fields("d:dw", NOW) == {}
