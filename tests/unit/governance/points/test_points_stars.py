"""Star edges joined to the columns that are known, as a walk joins them at each column that it comes to."""

from __future__ import annotations

import numpy as np
from pointed import edge, pairs
from ruled import fact

from lineage_tt.governance.points.plain import plain_point
from lineage_tt.governance.points.stars import keep_star_nodes, star_nodes

STAR = edge("d:a#*", "d:b#*")


def test_a_star_stands_for_each_column_known_on_either_side() -> None:
    """By an edge of another task, or by a fact; the stored edge stays, and its task makes the joined ones."""
    point = plain_point(
        [STAR, edge("d:q#p", "d:a#y", "u"), edge("d:b#z", "d:r#p", "u")], [fact("d:a#x", "type", "int")]
    )

    assert pairs(point, by_star=True) == [("d:a#x", "d:b#x"), ("d:a#y", "d:b#y"), ("d:a#z", "d:b#z")]
    assert ("d:a#*", "d:b#*") in pairs(point)
    assert set(point.task_texts(point.task[point.by_star])) == {"t"}


def test_names_go_over_several_stars_both_ways() -> None:
    """A chain of four tables whose last, or first, has the column, and a circle of two."""
    chain = [STAR, edge("d:b#*", "d:c#*", "u"), edge("d:c#*", "d:d#*", "u")]
    down = plain_point([*chain, edge("d:d#x", "d:out#x", "v")])
    up = plain_point([*chain, edge("d:in#y", "d:a#y", "v")])
    around = plain_point([STAR, edge("d:b#*", "d:a#*", "u"), edge("d:in#x", "d:a#x", "v")])

    assert pairs(down, by_star=True) == [("d:a#x", "d:b#x"), ("d:b#x", "d:c#x"), ("d:c#x", "d:d#x")]
    assert pairs(up, by_star=True) == [("d:a#y", "d:b#y"), ("d:b#y", "d:c#y"), ("d:c#y", "d:d#y")]
    assert pairs(around, by_star=True) == [("d:a#x", "d:b#x"), ("d:b#x", "d:a#x")]


def test_what_a_star_leaves_out_is_not_joined_and_does_not_go_on() -> None:
    """A name with a comma is one name; another star beside it may carry what the first leaves out."""
    facts = [fact(f"d:a#{name}", "type", "int") for name in ("x", "secret", "p,q")]
    without = edge("d:a#*", "d:b#*", expression="* EXCEPT (p%2Cq, secret)")
    after = edge("d:b#*", "d:c#*", "u")

    assert pairs(plain_point([without, after], facts), by_star=True) == [("d:a#x", "d:b#x"), ("d:b#x", "d:c#x")]
    both = pairs(plain_point([without, edge("d:a#*", "d:b#*", "v")], facts), by_star=True)
    assert both == sorted([*[(f"d:a#{name}", f"d:b#{name}") for name in ("x", "secret", "p,q")], ("d:a#x", "d:b#x")])


def test_a_column_that_its_own_task_makes_of_something_else_is_not_the_star_s() -> None:
    """Of values; what only decides over it, or what another task makes, does not take it from the star."""
    facts = [fact("d:a#x", "type", "int")]

    assert pairs(plain_point([STAR, edge("d:s#p", "d:b#x")], facts), by_star=True) == []
    indirect = edge("d:s#p", "d:b#x", subtype="FILTER", kind="INDIRECT")
    for other in (indirect, edge("d:s#p", "d:b#x", "u")):
        assert pairs(plain_point([STAR, other], facts), by_star=True) == [("d:a#x", "d:b#x")]


def test_a_star_at_one_end_stands_for_the_columns_of_that_end() -> None:
    """All columns into one value; one condition over all columns: no name goes over."""
    facts = [fact("d:a#x", "type", "int"), fact("d:a#y", "type", "int"), fact("d:b#z", "type", "int")]
    counted = plain_point([edge("d:a#*", "d:b#n", subtype="AGGREGATION")], facts)
    decided = plain_point([edge("d:a#x", "d:b#*", subtype="FILTER", kind="INDIRECT")], facts)

    assert pairs(counted, by_star=True) == [("d:a#x", "d:b#n"), ("d:a#y", "d:b#n")]
    assert pairs(decided, by_star=True) == [("d:a#x", "d:b#z")]


def test_a_star_whose_columns_nobody_knows_stays_alone() -> None:
    """A dataset as a whole, or a column called like a star inside a path, is none."""
    point = plain_point([STAR, edge("d:a", "d:b", subtype="FILTER", kind="INDIRECT")])
    assert (pairs(point, by_star=True), len(pairs(point))) == ([], 2)
    assert pairs(plain_point([edge("d:a#f.*", "d:b#f.*")], [fact("d:a#x", "type", "int")]), by_star=True) == []


def test_star_nodes_are_found_once_and_kept() -> None:
    """Those that a caller knows below a number are taken from it, those from there on are looked for."""
    point = plain_point([STAR, edge("d:a#x", "d:c#*")])
    expected = sorted(point.number(name) for name in ("d:a#*", "d:b#*", "d:c#*"))

    assert sorted(star_nodes(point).tolist()) == expected
    assert star_nodes(point) is star_nodes(point)
    keep_star_nodes(point, np.array([1], np.int32), expected[-1])
    assert star_nodes(point).tolist() == [1, expected[-1]]
