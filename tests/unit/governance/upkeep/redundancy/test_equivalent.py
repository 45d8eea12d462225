"""Columns of which the edges say the same."""

from __future__ import annotations

import pytest
from pointed import edge

from lineage_tt.governance.points.plain import plain_point
from lineage_tt.governance.upkeep.redundancy.equivalent import alike
from lineage_tt.model.answers import EdgeAsOf


def total(target: str, task: str, source: str = "d:s#a", text: str = "s.a + ?") -> EdgeAsOf:
    """A computed value."""
    return edge(source, target, task, "TRANSFORMATION", text)


def decides(source: str, dataset: str, task: str, subtype: str = "FILTER") -> EdgeAsOf:
    """A column that decides over the rows of a dataset."""
    return edge(source, dataset, task, subtype, kind="INDIRECT")


def groups(*edges: EdgeAsOf, doubtful: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """The columns of each group that looks alike."""
    return [each.columns for each in alike(plain_point(edges), doubtful)]


X, Y = total("d:x#t", "x"), total("d:y#u", "y")


def test_the_same_sources_and_expressions_look_alike_in_several_datasets() -> None:
    """Whatever order the edges come in, and however often a task states one; groups are in order of names."""
    other = total("d:x#q", "x", "d:s#b", "s.b + ?"), total("d:y#q", "y", "d:s#b", "s.b + ?")

    assert groups(X, Y) == groups(Y, X, X) == [("d:x#t", "d:y#u")]
    assert groups(*other, X, Y, total("d:z#t", "z")) == [("d:x#q", "d:y#q"), ("d:x#t", "d:y#u", "d:z#t")]


@pytest.mark.parametrize(
    "other",
    [
        [total("d:y#u", "y", text="s.a - ?")],
        [total("d:y#u", "y", "d:r#a")],
        [edge("d:s#a", "d:y#u", "y", "AGGREGATION", "s.a + ?")],
        [Y, total("d:y#u", "y", "d:s#b")],
        [Y, decides("d:s#b", "d:y", "y")],
        [Y, decides("d:s#b", "d:y#u", "y", "WINDOW")],
        [Y, total("d:y#more", "another", "d:q#a")],
    ],
)
def test_another_expression_source_kind_or_row_decision_is_not_alike(other: list[EdgeAsOf]) -> None:
    """Nor is a column of a dataset that two tasks write: each may write other rows."""
    assert groups(X, *other) == []


def test_row_decisions_of_the_same_columns_are_alike() -> None:
    """Of another kind they are not: a filter is not a sort."""
    assert groups(X, Y, decides("d:s#b", "d:x", "x"), decides("d:s#b", "d:y", "y")) == [("d:x#t", "d:y#u")]
    assert groups(X, Y, decides("d:s#b", "d:x", "x"), decides("d:s#b", "d:y", "y", "SORT")) == []


def test_copies_are_followed_and_their_names_in_expressions_too() -> None:
    """Over a copy of a copy; one that is filtered is a source of its own."""
    copies = edge("d:s#a", "d:c#k", "c"), edge("d:c#k", "d:cc#m", "cc")
    over_copy = total("d:y#u", "y", "d:cc#m", "cc.m + ?")

    assert ("d:x#t", "d:y#u") in groups(*copies, X, over_copy)
    assert not any("d:x#t" in each for each in groups(*copies, X, over_copy, decides("d:s#b", "d:c", "c")))
    assert ("d:c#k", "d:cc#m") in groups(*copies)


def test_columns_of_one_dataset_and_those_without_a_value_are_not_named() -> None:
    """Two columns with the same expression in one table; two tables that the same column filters."""
    assert groups(X, total("d:x#again", "x")) == []
    assert groups(decides("d:s#b", "d:x", "x"), decides("d:s#b", "d:y", "y")) == []
    assert groups() == []


def test_a_task_whose_lineage_is_not_complete_says_nothing() -> None:
    """What it states may be a part of what it does."""
    assert groups(X, Y, doubtful=("y",)) == []
    assert groups(X, Y, total("d:z#t", "z"), doubtful=("y", "unknown")) == [("d:x#t", "d:z#t")]


def test_other_names_of_a_dataset_are_no_second_table() -> None:
    """An alias states no value, and no second task."""
    aliases = [edge(*ends, "alias", "ALIAS") for ends in (("d:x", "l:x"), ("l:x", "d:x"))]

    assert groups(X, Y, *aliases) == [("d:x#t", "d:y#u")]
