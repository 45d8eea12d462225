"""A point of a list of edges: its nodes and columns, and what is beside them."""

from __future__ import annotations

import numpy as np
from pointed import edge, live, pairs, shown
from ruled import fact

from lineage_tt.governance.points.plain import PlainBeside, Words, plain_point
from lineage_tt.governance.ports import FOREVER, MessageRecord
from lineage_tt.model.answers import Basis, TaskAsOf


def test_words_are_numbered_once_in_the_order_in_which_they_come() -> None:
    """An empty word and one outside of ASCII are words; one that is not there has no number."""
    words = Words(["b", "", "b"])

    assert (words.add("ü"), words.add("b"), words.find("c")) == (2, 0, -1)
    assert words.find_all(["ü", "c", ""]).tolist() == [2, -1, 1]
    assert words.texts([2, 0]) == ["ü", "b"]


def test_edges_keep_their_order_times_and_texts() -> None:
    """One without an end ends never; the same edge of two tasks is there twice."""
    edges = [
        edge("d:b#y", "d:a#x", "u", "TRANSFORMATION", "b.y + ?"),
        edge("d:b#y", "d:a#x")._replace(valid_from=-5, valid_to=9, version=7),
    ]
    point = plain_point(edges, basis=Basis(3, 8, 0))

    assert point.task_texts(point.task) == ["u", "t"]
    assert point.expression_texts(point.expression) == ["b.y + ?", ""]
    assert (point.valid_from.tolist(), point.valid_to.tolist()) == ([0, -5], [FOREVER, 9])
    assert (point.version.tolist(), point.basis.valid_at) == ([1, 7], 3)
    assert point.began(np.array([1, 0])).tolist() == [7, 1]
    assert [subtype for *_, subtype in shown(point)] == ["IDENTITY", "TRANSFORMATION"]


def test_a_point_of_facts_alone_has_nodes_and_no_edges() -> None:
    """Nor has one of nothing."""
    point = plain_point([], [fact("d:a#x", "owner", "ana")])

    assert (live(point), pairs(point)) == (["d:a", "d:a#x"], [])
    assert (plain_point([]).nodes, len(plain_point([]).source)) == (0, 0)


def test_facts_are_asked_by_key_and_columns_by_theirs_alone() -> None:
    """As a store gives them."""
    facts = [fact("d:a#x", "column", "{}"), fact("d:a", "owner", "ana"), fact("d:a", "label", "pii")]
    beside = PlainBeside(facts)

    assert [each.key for each in beside.facts()] == ["owner", "label"]
    assert [[each.value for each in beside.facts(key)] for key in ("column", "owner", "none")] == [["{}"], ["ana"], []]


def test_messages_and_tasks_are_those_given() -> None:
    """Versions in order, those that are not there left out; a task without edges reads nothing, unless partial."""

    def task(name: str, coverage: str | None, edges: int) -> TaskAsOf:
        return TaskAsOf(name, 1, "online", 0, 0, None, "e", None, coverage, edges, None, None, None, None, 1)

    said = {version: MessageRecord(version, 0, "t", None, None, None, None, None, None) for version in (5, 2)}
    tasks = [task("a", "complete", 0), task("b", None, 0), task("c", "partial", 0), task("d", "complete", 1)]
    beside = PlainBeside(messages=said, all_tasks=tasks)

    assert list(beside.messages_of([5, 9, 2])) == [2, 5]
    assert list(beside.sourceless({"b"})) == ["a"]
    assert list(beside.sourceless(())) == ["a", "b"]
    assert not plain_point([], tasks=tasks).gaps
