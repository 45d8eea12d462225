"""Stored edges to a point: its nodes, what people reject, and which nodes are live."""

from __future__ import annotations

import numpy as np
import pytest
from pointed import edge, live, pairs, rejection, shown
from ruled import fact

from lineage_tt.governance.points.building import NodeTable, enliven
from lineage_tt.governance.points.plain import Words, plain_point
from lineage_tt.model.answers import EdgeAsOf

A, B = "d:a#x", "d:b#x"


def test_nodes_that_the_store_knows_later_are_new_here() -> None:
    """A store's names grow under readers: only the first so many belong to the point."""
    table = NodeTable(Words(["d:a", A, "d:late"]), np.array([0, 0], np.int32))

    assert (table.find(A), table.find("d:late"), len(table)) == (1, -1, 2)
    assert table.find_all([A, "d:late", "d:none"]).tolist() == [1, -1, -1]
    assert table.add("d:late#y") == 3
    assert (table.find("d:late"), table.stored, len(table)) == (2, 2, 4)


def test_a_new_column_brings_its_dataset_and_each_comes_once() -> None:
    """Of a dataset that is known it joins that; a dataset is its own."""
    table = NodeTable(Words(["d:a", A]), np.array([0, 0], np.int32))

    assert [table.add(name) for name in ("d:a#y", "d:n#z", "d:n", "d:a#y", A)] == [2, 4, 3, 2, 1]
    assert table.datasets().tolist() == [0, 0, 0, 3, 3]
    assert table.texts([4, 0, 2, 1, 3]) == ["d:n#z", "d:a", "d:a#y", A, "d:n"]
    assert table.find_all(["d:n", A, "d:q", "d:a#y"]).tolist() == [3, 1, -1, 2]


@pytest.mark.parametrize(
    ("mark", "left"),
    [
        (rejection(A, B), [("d:a#y", "d:b#y"), ("d:a", "d:b")]),
        (rejection("d:a", "d:b"), []),
        (rejection("d:a#*", "d:b#*", "edge:d:a -> d:b"), []),
        (rejection(A, B, "edge:other"), [("d:a#y", "d:b#y"), ("d:a", "d:b")]),
        (rejection("d:a", "d:b", "edge:other"), [(A, B), ("d:a#y", "d:b#y"), ("d:a", "d:b")]),
        (rejection(B, A), [(A, B), ("d:a#y", "d:b#y"), ("d:a", "d:b")]),
    ],
)
def test_what_people_reject_is_left_out_with_the_mark(mark: EdgeAsOf, left: list[tuple[str, str]]) -> None:
    """Two columns: theirs alone. Two datasets: all between them. Of another task, only a column's; not the way back."""
    edges = [edge(A, B), edge("d:a#y", "d:b#y"), edge("d:a", "d:b", kind="INDIRECT", subtype="FILTER")]

    assert pairs(plain_point([*edges, mark])) == sorted(left)


def test_a_rejection_takes_the_edges_of_all_tasks_and_of_a_star() -> None:
    """A joined column is left out like a stored one; the star edge itself and other columns stay."""
    edges = [edge("d:a#*", "d:b#*"), edge(A, B, "u"), rejection(A, B)]
    point = plain_point(edges, [fact("d:a#y", "column", "{}")._replace(key="type")])

    assert shown(point) == [("d:a#*", "d:b#*", "t", "IDENTITY"), ("d:a#y", "d:b#y", "t", "IDENTITY")]


def test_nodes_of_edges_and_facts_are_live_with_their_datasets() -> None:
    """What only a rejected edge names is there and not live; tasks and nodes of the product are none of lineage."""
    facts = [fact(node, "owner", "ana") for node in ("d:c#z", "task:t", "subscription:s", "policy:p", "token:x")]
    point = plain_point([edge(A, B), edge("d:r#x", "d:s#x"), rejection("d:r#x", "d:s#x")], facts)

    assert live(point) == ["d:a", A, "d:b", B, "d:c", "d:c#z"]
    assert point.number("d:r#x") >= 0
    assert [point.number(each.node) for each in facts[1:]] == [-1, -1, -1, -1]


def test_datasets_of_what_is_flagged_or_led_to_are_flagged() -> None:
    """Node 0 is the dataset of 1, node 2 of 3; 4 is alone."""
    flags = np.array([False, True, False, False, False])
    enliven(np.array([3], np.int32), np.array([0, 0, 2, 2, 4], np.int32), flags)

    assert flags.tolist() == [True, True, True, True, False]
