"""Several edges shown as one, and ways back over an alias left out."""

from __future__ import annotations

from typing import Any

import numpy as np
from states import Box, rectangles

from lineage_tt.graph.answers.tables import ahead, at_table_level, merged_rows
from lineage_tt.graph.arrays.dictionary import Dictionary
from lineage_tt.graph.arrays.rows import FOREVER
from lineage_tt.graph.arrays.state import edge_texts
from lineage_tt.graph.walks.edges import Edges
from lineage_tt.model.edges import ALIAS


def _edges(boxes: list[Box]) -> tuple[Edges, Dictionary]:
    names = Dictionary()
    found = rectangles(boxes, names)
    numbers = np.stack([found.source, found.target, found.payload, found.opened], axis=1).astype(np.int32)
    return Edges(numbers, np.stack([found.valid_from, found.valid_to], axis=1)), names


def _merged(boxes: list[Box]) -> list[tuple[Any, ...]]:
    """Steps, task, ends, type, subtype, version and times of the edges between datasets; each met one step later."""
    edges, names = _edges(boxes)
    steps, merged = at_table_level(np.arange(1, len(boxes) + 1, dtype=np.int32), edges, names)
    assert merged.subtypes is not None
    tasks, sources, targets, types, *_ = edge_texts(merged.numbers, names)
    return sorted(
        zip(steps.tolist(), tasks, sources, targets, types, merged.subtypes, merged.numbers[:, 3].tolist(),
            *merged.valid.T.tolist(), strict=True)
    )  # fmt: skip


def _filter(source: str, target: str, **fields: Any) -> Box:
    return Box(source, target, kind="INDIRECT", subtype="FILTER")._replace(**fields)


def test_edges_of_one_task_between_two_datasets_are_one() -> None:
    """With the newest version, over the time at which all of them hold, and with the fewest steps."""
    boxes = [Box("d:a#x", "d:b#x", 2, 30, 4), Box("d:a#y", "d:b", 1, FOREVER, 6), Box("d:a", "d:b#z", 5, 20)]

    assert _merged(boxes) == [(1, "t", "d:a", "d:b", "DIRECT", "IDENTITY", 6, 5, 20)]


def test_edges_of_another_task_or_between_others_stay_apart() -> None:
    """The way round is another, too."""
    boxes = [Box("d:a#x", "d:b#x"), Box("d:a#y", "d:b#x", task="u"), Box("d:b#x", "d:a#x"), Box("d:a#x", "d:c#x")]

    assert [row[1:4] for row in _merged(boxes)] == [
        ("t", "d:a", "d:b"), ("u", "d:a", "d:b"), ("t", "d:b", "d:a"), ("t", "d:a", "d:c"),
    ]  # fmt: skip


def test_a_type_is_direct_where_any_is_and_a_subtype_is_one_that_all_have() -> None:
    """Whichever is met first."""
    for boxes, shown in (
        ([_filter("d:a#x", "d:b"), _filter("d:a#y", "d:b")], ("INDIRECT", "FILTER")),
        ([_filter("d:a#x", "d:b"), _filter("d:a#y", "d:b", subtype="JOIN")], ("INDIRECT", "")),
        ([_filter("d:a#x", "d:b"), Box("d:a#y", "d:b#y")], ("DIRECT", "")),
        ([Box("d:a#y", "d:b#y"), _filter("d:a#x", "d:b")], ("DIRECT", "")),
        ([Box("d:a#y", "d:b#y", subtype="AGGREGATION"), Box("d:a#z", "d:b#y")], ("DIRECT", "")),
        ([_filter("d:a#x", "d:b", subtype="ONE"), Box("d:a#y", "d:b#y", subtype="ONE")], ("DIRECT", "ONE")),
    ):
        assert [row[4:6] for row in _merged(boxes)] == [shown], boxes


def test_nothing_is_merged_to_nothing() -> None:
    """It has subtypes all the same, as all edges between datasets do."""
    assert _merged([]) == []


def _row(target: str, version: int, since: int, until: int | None, by_star: bool, steps: int = 1) -> tuple[Any, ...]:
    return ("down", steps, "t", "d:a#x", target, "DIRECT", "IDENTITY", "", version, since, until, by_star)


def test_joined_edges_that_show_the_same_are_one_row() -> None:
    """With the newest version and the time at which all hold; an unbounded end is later than any."""
    rows = [
        _row("d:b#x", 3, 10, None, True), _row("d:c#x", 1, 0, None, True), _row("d:b#x", 2, 20, 90, True),
        _row("d:b#x", 5, 5, 50, True), _row("d:c#x", 1, 4, None, True),
    ]  # fmt: skip

    assert merged_rows(rows) == [_row("d:b#x", 5, 20, 50, True), _row("d:c#x", 1, 4, None, True)]


def test_a_stored_edge_stays_beside_the_joined_one_that_shows_the_same() -> None:
    """As do joined ones at other steps; those as they are stored come first."""
    stored, joined, later = _row("d:b#x", 3, 1, 2, False), _row("d:b#x", 9, 0, 5, True), _row("d:b#x", 1, 0, 5, True, 2)

    assert merged_rows([joined, stored, later, stored]) == [stored, stored, joined, later]
    assert merged_rows([]) == []


def _alias(source: str, target: str) -> Box:
    return Box(source, target, task="alias", subtype=ALIAS)


def _ahead(met: list[tuple[int, Box]], start: str, *, down: bool = True, table: bool = False) -> list[int] | None:
    """The places of the edges that are not ways back; None where that is asked of none."""
    edges, names = _edges([box for _, box in met])
    if table:
        edges = edges._replace(subtypes=tuple(box.subtype for _, box in met))
    steps = np.array([step for step, _ in met], np.int32)
    kept = ahead(steps, edges, names, np.array([names.nodes.find(start)], np.int32), down=down)
    return None if kept is None else np.flatnonzero(kept).tolist()


def test_the_other_way_of_an_alias_that_a_walk_went_over_leads_back() -> None:
    """It is left out where it leads to the start, or to what other edges reach as soon; either way of walking."""
    there, back = _alias("d:a", "d:b"), _alias("d:b", "d:a")

    for table in (False, True):
        assert _ahead([(1, there), (2, back)], "d:a", table=table) == [0]
        assert _ahead([(1, back), (2, there)], "d:a", down=False, table=table) == [0]
    before = Box("d:s#x", "d:a")
    assert _ahead([(1, before), (2, there), (3, back)], "d:s#x") == [0, 1]


def test_a_way_back_stays_that_alone_reaches_its_end_so_soon() -> None:
    """What is reached, and in how many steps, stays the same."""
    there, back = _alias("d:a#*", "d:b#*"), _alias("d:b#*", "d:a#*")

    assert _ahead([(1, there), (2, back)], "d:a") is not None
    assert _ahead([(1, there), (2, back)], "d:a") == [0, 1]
    assert _ahead([(1, there), (2, back), (3, Box("d:b#y", "d:a#*"))], "d:a") == [0, 1, 2]
    assert _ahead([(1, there), (2, back), (2, Box("d:b#y", "d:a#*"))], "d:a") == [0, 2]


def test_without_aliases_or_ways_back_nothing_is_looked_at() -> None:
    """An edge the other way of another task, and an alias met one way, are edges as all others."""
    assert _ahead([(1, Box("d:a", "d:b")), (2, Box("d:b", "d:a"))], "d:a") is None
    assert _ahead([(1, Box("d:a", "d:b")), (2, _alias("d:b", "d:a"))], "d:a") is None
    assert _ahead([(1, _alias("d:a", "d:b"))], "d:a") is None
    assert _ahead([(1, _alias("d:a", "d:b")), (1, _alias("d:b", "d:a"))], "d:a") is None
