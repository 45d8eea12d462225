"""Columns that nothing leads to although their dataset is written."""

from __future__ import annotations

import pytest
from states import Box, state_of, with_tail

from lineage_tt.graph.walks.origins import lacks_origin
from lineage_tt.model.answers import Basis

BOXES = [
    Box("d:a#x", "d:b#y"), Box("d:a#x", "d:whole"), Box("d:a#*", "d:star#*"), Box("d:a#x", "d:day#z", 10, 20, 3, 6),
    Box("d:a#x", "d:day#other", 15, 30, 3),
]  # fmt: skip


def _lacks(column: str, at: int = 0, version: int = 5) -> bool:
    state, names = state_of(BOXES)
    return lacks_origin(state, names, Basis(at, version, 0), column)


@pytest.mark.parametrize(
    ("column", "lacks"),
    [("d:b#y", False), ("d:b#q", True), ("d:whole#q", True), ("d:star#q", False), ("d:a#x", False),
     ("d:a#q", False), ("d:none#q", False), ("d:day#z", False)],
)  # fmt: skip
def test_a_column_lacks_an_origin_where_its_dataset_is_written_and_it_is_not(column: str, lacks: bool) -> None:
    """By another column or as a whole; a star edge may lead to any column, and what is only read lacks none."""
    assert _lacks(column) == lacks


@pytest.mark.parametrize(
    ("at", "version", "lacks"),
    [(9, 5, False), (10, 5, False), (19, 5, False), (20, 5, True), (29, 5, True), (30, 5, False),
     (15, 2, False), (15, 3, False), (15, 6, True), (10, 6, False)],
)  # fmt: skip
def test_edges_count_while_they_are_in_force(at: int, version: int, lacks: bool) -> None:
    """The column's own edge holds from 10 to 20 and is withdrawn by version 6; that of another holds from 15 to 30."""
    assert _lacks("d:day#z", at, version) == lacks


def test_edges_that_came_since_the_base_was_built_count_too() -> None:
    """For the column as for its dataset, over their own valid times."""
    state, names = with_tail([Box("d:a#x", "d:b#y")], [Box("d:a#x", "d:c#w", 10, 20, 3), Box("d:a#x", "d:b#v", 10)])

    def lacks(column: str, at: int, version: int = 5) -> bool:
        return lacks_origin(state, names, Basis(at, version, 0), column)

    assert [lacks("d:c#q", at) for at in (9, 10, 19, 20)] == [False, True, True, False]
    assert [lacks("d:b#v", at) for at in (9, 10)] == [True, False]
    assert not lacks("d:c#q", 10, 2)
    assert lacks_origin(state._replace(tails=1), names, Basis(10, 5, 0), "d:b#v")
    assert not lacks_origin(state._replace(tails=0), names, Basis(10, 5, 0), "d:c#q")


def test_a_node_that_the_state_does_not_know_yet_is_written_by_nothing() -> None:
    """Its number is after those of the state."""
    state, names = state_of(BOXES)
    names.nodes.add([*(f"d:new{at}#x" for at in range(300)), "d:b#late"])
    names.note_datasets()

    assert not lacks_origin(state, names, Basis(0, 5, 0), "d:new299#q")
    assert lacks_origin(state, names, Basis(0, 5, 0), "d:b#late")
