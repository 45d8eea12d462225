"""Who is downstream: shortest ways, whole datasets, stars, rejections, and what a walk asks for."""

from __future__ import annotations

import pytest
from plain_base import PlainBase, edge

from lineage_tt.impact.base.closure import Reached, by_dataset, path_to, walk

A, B, C, D = "n:a", "n:b", "n:c", "n:d"


def steps(base: PlainBase, *starts: str, direct_only: bool = False) -> dict[str, int]:
    """Walk, and return the steps to each node that is not a start."""
    reached = walk(starts, base.edges_from, base.edges_of, direct_only=direct_only)
    return {node: at.steps for node, at in reached.items() if at.steps}


def test_the_shortest_way_counts_and_a_cycle_ends() -> None:
    """A node over one and over two steps is one step away; a way back to the start is none."""
    base = PlainBase(
        edge("t", f"{A}#x", f"{B}#x"), edge("t", f"{B}#x", f"{C}#x"), edge("u", f"{A}#x", f"{C}#x"),
        edge("v", f"{C}#x", f"{A}#x"),
    )  # fmt: skip

    reached = walk([f"{A}#x"], base.edges_from)

    assert reached == {
        f"{A}#x": Reached(0, None, None),
        f"{B}#x": Reached(1, f"{A}#x", "t"),
        f"{C}#x": Reached(1, f"{A}#x", "u"),
    }
    assert path_to(f"{C}#x", reached) == (f"{A}#x", f"{C}#x")
    assert path_to(f"{A}#x", reached) == (f"{A}#x",)


def test_without_a_start_nothing_is_reached_or_asked() -> None:
    """An empty release asks the base for no edges."""
    base = PlainBase(edge("t", A, B))

    assert walk([], base.edges_from) == {}
    assert base.asked == []


def test_a_whole_dataset_continues_with_each_column_and_a_column_with_its_own_edges_only() -> None:
    """What reads another column, or the dataset as a whole, does not follow from one column."""
    base = PlainBase(
        edge("t", f"{A}#x", B), edge("u", f"{B}#x", f"{C}#x"), edge("v", B, D), edge("w", f"{A}#y", f"{D}#y")
    )

    assert steps(base, f"{A}#x") == {B: 1, f"{C}#x": 2, D: 2}
    assert steps(base, f"{B}#x") == {f"{C}#x": 1}


def test_a_way_over_columns_is_kept_before_one_over_the_whole_dataset() -> None:
    """Of two ways of one length the one that names columns is shown."""
    base = PlainBase(edge("whole", A, C), edge("named", f"{B}#x", C))

    assert walk([A, f"{B}#x"], base.edges_from)[C] == Reached(1, f"{B}#x", "named")


def test_a_star_brings_each_column_but_those_left_out_or_made_of_something_else() -> None:
    """``a#* → b#*`` leads from any name to the same, unless EXCEPT names it or the task makes it itself."""
    base = PlainBase(
        edge("t", f"{A}#*", f"{B}#*", "DIRECT", "IDENTITY", "* EXCEPT (out, the%2Crest)"),
        edge("t", f"{A}#other", f"{B}#own"),
        edge("t", f"{A}#flag", f"{B}#decided", "INDIRECT", "FILTER"),
    )

    assert steps(base, f"{A}#x") == {f"{B}#x": 1}
    assert steps(base, f"{A}#decided") == {f"{B}#decided": 1}  # only values count as made
    assert steps(base, f"{A}#out", f"{A}#the,rest", f"{A}#own") == {}


def test_a_star_node_is_every_column_and_not_the_dataset() -> None:
    """From ``a#*`` the edges of all columns are walked, those of the whole dataset are not."""
    base = PlainBase(edge("t", f"{A}#x", f"{B}#x"), edge("u", f"{A}#*", f"{C}#*"), edge("v", A, D))

    assert steps(base, f"{A}#*") == {f"{B}#x": 1, f"{C}#*": 1}


def test_direct_only_leaves_decisions_about_rows_out() -> None:
    """A filter moves no value."""
    base = PlainBase(edge("t", f"{A}#x", B, "INDIRECT", "FILTER"), edge("t", f"{A}#x", f"{C}#x"))

    assert steps(base, f"{A}#x") == {B: 1, f"{C}#x": 1}
    assert steps(base, f"{A}#x", direct_only=True) == {f"{C}#x": 1}


@pytest.mark.parametrize(
    ("mark", "left"),
    [
        (edge(f"edge:{A}#x -> {B}#x", f"{A}#x", f"{B}#x", "DIRECT", "REJECTED"), {f"{B}#y": 1}),
        (edge(f"edge:{A} -> {B}", A, B, "DIRECT", "REJECTED"), {}),
    ],
    ids=["columns", "datasets"],
)
def test_what_a_person_rejects_is_not_walked(mark, left: dict[str, int]) -> None:
    """A mark between two columns takes out that edge alone, one between two datasets all edges between them."""
    base = PlainBase(edge("t", f"{A}#x", f"{B}#x"), edge("t", f"{A}#x", f"{B}#y"), mark)

    assert steps(base, f"{A}#x") == left


def test_a_dataset_is_asked_for_once() -> None:
    """Columns of one dataset that are reached in different steps do not ask for its edges again."""
    base = PlainBase(edge("t", f"{A}#x", f"{B}#x"), edge("u", f"{B}#x", f"{A}#y"), edge("v", f"{A}#y", f"{B}#y"))

    walk([f"{A}#x"], base.edges_from)

    assert base.asked == [{A}, {B}]


def test_nodes_are_grouped_by_dataset_nearest_first_without_the_starts() -> None:
    """The first node of each dataset is the one to which the shortest way is shown."""
    reached = {
        f"{A}#x": Reached(0, None, None), f"{B}#z": Reached(1, f"{A}#x", "t"), f"{B}#a": Reached(2, f"{B}#z", "t"),
        f"{B}#b": Reached(1, f"{A}#x", "t"), f"{A}#y": Reached(2, f"{B}#z", "u"),
    }  # fmt: skip

    assert by_dataset(reached) == {B: [f"{B}#b", f"{B}#z", f"{B}#a"], A: [f"{A}#y"]}
