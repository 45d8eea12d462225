"""What a change did to what feeds a node: its class, the nodes it touched, and the edges that came and went."""

from __future__ import annotations

from typing import Any

import pytest

from lineage_tt.governance.cause.classes import WEIGHTS, WORDS, Class, Did, of_dataset, of_task
from lineage_tt.governance.cause.flow import Flow, Part
from lineage_tt.governance.cause.ports import Statement, TextChange
from lineage_tt.model.answers import EdgeAsOf

#: The report's column is made of one column of ``d:m``.
FLOW = Flow({node: Part(1.0, 1) for node in ("d:m#x", "d:m#k", "d:m")}, {}, {})
X, OTHER = frozenset({"d:m#x"}), frozenset({"d:m#x", "d:m#k"})


def said(op: str = "update", sql: str | None = "hash", coverage: str = "complete") -> Statement:
    """A message of the task."""
    return Statement(2, 0, "task", "t", op, 0, "e", None, None, None, coverage, sql)


def edge(source: str, target: str = "d:m#x", expression: str = "", kind: str = "DIRECT") -> EdgeAsOf:
    """An edge of the task."""
    return EdgeAsOf("t", source, target, kind, "IDENTITY" if kind == "DIRECT" else "FILTER", expression, 1, 0, None)


def did(before: list[EdgeAsOf], after: list[EdgeAsOf], text: TextChange | None = None, **options: Any) -> Did:
    """What a message did that put one list of edges in place of another."""
    statement = options.get("statement", said())
    return of_task(statement, options.get("earlier", said()), before, after, X, options.get("flow", FLOW), text)


A, B = edge("d:a#v"), edge("d:b#v")
ROWS = edge("d:a#f", "d:m", kind="INDIRECT")
TEXT = TextChange(False, None, ("expression",))


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ([A], [B], "sources"),
        ([A], [A, B], "sources"),
        ([A], [edge("d:a#v", expression="x + ?")], "values"),
        ([A], [A, ROWS], "rows"),
        ([A, ROWS], [A, edge("d:b#f", "d:m", kind="INDIRECT")], "rows"),
        ([A, ROWS], [B], "sources"),
    ],
)
def test_edges_that_came_and_went_tell_the_class(
    before: list[EdgeAsOf], after: list[EdgeAsOf], expected: Class
) -> None:
    """Other columns are read, the same are computed otherwise, or other rows are taken; the edges are named."""
    found = did(before, after, TEXT)

    assert found.class_ == expected
    assert {each[0] for each in found.added} == {each.source for each in after if each not in before}
    assert {each[0] for each in found.removed} == {each.source for each in before if each not in after}


def test_edges_to_what_does_not_feed_the_node_are_left_aside() -> None:
    """Of another dataset, they change nothing here."""
    found = did([A], [A, edge("d:a#v", "d:else#y")], TextChange(False, frozenset({"y"}), ("expression",)))

    assert (found.class_, found.added) == ("other-columns", ())


def test_what_values_touch_goes_before_what_decides_over_rows() -> None:
    """The nodes are the targets of the values that changed; of rows alone those of the rows."""
    assert did([A, ROWS], [B], TEXT).nodes == X
    assert did([A, ROWS], [A], TEXT).nodes == {"d:m"}


@pytest.mark.parametrize(
    ("statement", "before", "after", "expected"),
    [
        (said("offline"), [A], [], "stopped"),
        (said("offline"), [], [], "other-columns"),
        (said("retract"), [A], [], "stopped"),
        (said("retract"), [A], [B], "sources"),
        (said(coverage="opaque"), [A], [], "unreadable"),
        (said(coverage="complete"), [A], [], "sources"),
    ],
)
def test_a_task_that_ends_stops_or_cannot_be_read(
    statement: Statement, before: list[EdgeAsOf], after: list[EdgeAsOf], expected: Class
) -> None:
    """A retract stops a task where nothing is in force then."""
    assert did(before, after, TEXT, statement=statement).class_ == expected


@pytest.mark.parametrize("earlier", [None, said("offline")])
def test_a_task_that_was_not_there_before_started(earlier: Statement | None) -> None:
    """Where it writes nothing that feeds the node, it does not concern it."""
    assert did([], [A], None, earlier=earlier).class_ == "started"
    assert did([], [], None, earlier=earlier).class_ == "other-columns"


@pytest.mark.parametrize(
    ("text", "expected", "nodes"),
    [
        (TextChange(True), "layout", frozenset()),
        (TextChange(False), "text", X),
        (TextChange(False, frozenset({"X"}), ("expression",)), "values", X),
        (TextChange(False, frozenset({"x"}), ("filter", "join")), "rows", X),
        (TextChange(False, frozenset({"x"}), ("filter", "expression")), "values", X),
        (TextChange(False, frozenset({"x"})), "values", X),
        (TextChange(False, frozenset({"y"}), ("expression",)), "other-columns", frozenset()),
        (TextChange(False, frozenset({"y"}), ("filter",)), "other-rows", X),
        (TextChange(False, frozenset(), ("expression",)), "other-columns", frozenset()),
        (None, "layout", frozenset()),
    ],
)
def test_a_text_that_leaves_the_edges_as_they_were_tells_the_class(
    text: TextChange | None, expected: Class, nodes: frozenset[str]
) -> None:
    """By the columns that it names, in whatever case, and by what of it concerns rows."""
    found = did([A], [A], text)

    assert (found.class_, found.nodes) == (expected, nodes)


def test_columns_of_the_flow_are_named_in_whatever_case() -> None:
    """As engines write them."""
    upper = Flow({"d:m#KEY": Part(1.0, 1)}, {}, {})
    found = did([A], [A], TextChange(False, frozenset({"Key"}), ("filter",)), flow=upper)

    assert (found.class_, found.nodes) == ("rows", frozenset({"d:m#KEY"}))


def test_edges_without_a_text_that_stay_concern_other_columns() -> None:
    """There is no layout that could have changed."""
    assert did([A], [A], None, statement=said(sql=None)).class_ == "other-columns"


def test_a_named_column_of_a_dataset_known_as_a_whole_touches_it() -> None:
    """Where the flow knows none of its columns by name."""
    whole = Flow({"d:m": Part(1.0, 1)}, {}, {})
    found = did([edge("d:a#v", "d:m")], [edge("d:a#v", "d:m")], TextChange(False, frozenset({"x"}), ("expression",)),
                flow=whole)  # fmt: skip

    assert (found.class_, found.nodes) == ("values", frozenset({"d:m"}))


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({"x": "INT", "q": "INT"}, {"q": "INT"}, Did("columns", X, reasons=("x dropped",))),
        ({"x": "INT"}, {"x": "TEXT", "new": "INT"}, Did("columns", X, reasons=("x: INT → TEXT", "new added"))),
        ({"q": "INT"}, {"q": "TEXT"}, Did("other-columns", frozenset(), reasons=("q: INT → TEXT",))),
        ({}, {"x": "INT"}, Did("other-columns", frozenset(), reasons=("x added",))),
        ({"x": "INT", "k": "INT"}, {}, Did("columns", OTHER, reasons=("k dropped", "x dropped"))),
        ({"x": "INT"}, {"x": "INT"}, Did("layout", frozenset())),
    ],
)
def test_a_declaration_counts_where_a_column_that_feeds_the_node_is_dropped_or_retyped(
    before: dict[str, str], after: dict[str, str], expected: Did
) -> None:
    """What is added fed nothing before; the reasons name all that changed."""
    assert of_dataset("d:m", before, after, FLOW) == expected


def test_each_class_has_a_weight_and_words() -> None:
    """Weights are likelihoods; what touches values weighs most."""
    assert WEIGHTS.keys() == WORDS.keys()
    assert max(WEIGHTS.values()) == WEIGHTS["values"] == 1.0
    assert min(WEIGHTS, key=lambda each: WEIGHTS[each]) == "layout"
