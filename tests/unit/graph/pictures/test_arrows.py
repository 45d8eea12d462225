"""What is drawn between two nodes: one arrow for all edges between them."""

from __future__ import annotations

from drawn import walk

from lineage_tt.graph.pictures.arrows import arrows, arrows_by_ends
from lineage_tt.model.completeness.summary import Gap, summed

PAIR = ("n:a#x", "n:b#y")


def test_all_edges_of_two_nodes_are_one_arrow() -> None:
    """With all kinds, tasks and expressions, each once."""
    steps = (*walk(PAIR, task="u").steps, *walk(PAIR, kind="FILTER").steps, *walk(PAIR, task="u").steps)
    (arrow,) = arrows(walk(PAIR)._replace(steps=steps))

    assert (arrow.kinds, arrow.tasks, arrow.expressions) == (("FILTER", "IDENTITY"), ("t", "u"), ("f(a)",))
    assert (arrow.solid, arrow.by_star, arrow.certain) == (True, False, True)
    assert arrow.label == "FILTER, IDENTITY"


def test_a_line_is_solid_where_a_value_flows_that_is_stored_so() -> None:
    """Not one that only decides about rows, nor one whose column is assumed; over an alias none is."""
    plain = walk(PAIR)
    assumed = plain._replace(steps=(plain.steps[0]._replace(by_star=True),))
    alias = plain.steps[0].edge._replace(subtype="ALIAS")
    named = plain._replace(steps=(plain.steps[0]._replace(by_star=True, edge=alias),))

    assert [arrows(each)[0].solid for each in (plain, walk(PAIR, kind="FILTER"), assumed, named)] == [
        True, False, False, True,
    ]  # fmt: skip
    assert arrows(assumed)[0].label == "IDENTITY, by star"


def test_one_complete_task_makes_an_arrow_certain() -> None:
    """If all of its tasks lack something it is not."""
    known = summed([Gap("t", 1, "partial")])
    both = (*walk(PAIR).steps, *walk(PAIR, task="u").steps)

    assert not arrows(walk(PAIR)._replace(completeness=known))[0].certain
    assert arrows(walk(PAIR)._replace(completeness=known, steps=both))[0].certain


def test_arrows_come_by_the_names_of_their_ends() -> None:
    """One for each pair."""
    found = walk(("n:b#x", "n:c#x"), ("n:a#x", "n:c#x"))

    assert [arrow.source for arrow in arrows(found)] == ["n:a#x", "n:b#x"]
    assert set(arrows_by_ends(found)) == {("n:b#x", "n:c#x"), ("n:a#x", "n:c#x")}
