"""Edges that people reject, and walks without them."""

from __future__ import annotations

from typing import Any, NamedTuple

from lineage_tt.model.completeness.rejections import Rejections, Row, left_in, meets, walk


class Edge(NamedTuple):
    """An edge with what ``left_in`` looks at."""

    task_id: str
    source: str
    target: str
    subtype: str = "IDENTITY"


def mark(source: str, target: str) -> Edge:
    """The rejection of the edges between two nodes."""
    return Edge(f"edge:{source} -> {target}", source, target, "REJECTED")


def test_a_rejected_pair_of_columns_is_that_pair_alone() -> None:
    """Its neighbours and the other direction stay."""
    rejected = Rejections([mark("n:a#x", "n:b#x")[:3]])

    assert ("n:a#x", "n:b#x") in rejected
    assert ("n:b#x", "n:a#x") not in rejected
    assert ("n:a#y", "n:b#x") not in rejected


def test_a_rejected_pair_of_datasets_takes_all_their_columns() -> None:
    """Also where a walk met the mark between their star nodes."""
    for ends in (("n:a", "n:b"), ("n:a#*", "n:b#*")):
        rejected = Rejections([("edge:n:a -> n:b", *ends)])
        assert ("n:a#x", "n:b#y") in rejected
        assert ("n:a", "n:b") in rejected
        assert ("n:a#x", "n:c#y") not in rejected


def test_what_is_left_in_has_neither_marks_nor_rejected_edges() -> None:
    """Without any mark all edges stay."""
    plain = [Edge("t", "n:a#x", "n:b#x"), Edge("t", "n:a#y", "n:b#y")]

    assert left_in(plain) == plain
    assert left_in([*plain, mark("n:a#x", "n:b#x")]) == plain[1:]
    assert left_in([*plain, mark("n:a", "n:b")]) == []


def row(source: str, target: str, subtype: str = "IDENTITY", task: str = "t") -> Row:
    """A step as an engine gives it."""
    return ("down", 1, task, source, target, "DIRECT", subtype, "", 1, 0, None, False)


def test_a_walk_does_not_go_over_what_is_rejected() -> None:
    """What lies after a rejected edge is not reached; the edge is counted, also where it is met twice."""
    edges = [row("n:a#x", "n:b#x"), row("n:b#x", "n:c#x"), row("n:a#x", "n:d#x"), row("n:d#x", "n:e#x"),
             row("n:a#x", "n:b#x", "REJECTED", "edge:n:a#x -> n:b#x")]  # fmt: skip

    def one_step(nodes: tuple[str, ...], way: Any) -> list[Row]:
        near = 3 if way == "down" else 4
        return [each for each in edges if each[near] in nodes]

    found, left_out = walk(one_step, ["n:a#x"], ["down"], None)

    assert meets(edges)
    assert [(steps, source, target) for _, steps, _, source, target, *_ in found] == [
        (1, "n:a#x", "n:d#x"), (2, "n:d#x", "n:e#x"),
    ]  # fmt: skip
    assert left_out == 1
    assert walk(one_step, ["n:a#x"], ["down"], 1)[0] == found[:1]
    assert walk(one_step, ["n:c#x"], ["up"], None)[1] == 1
