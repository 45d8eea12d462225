"""A point's lineage as arrays: names and numbers, edges by their ends, datasets and their columns."""

from __future__ import annotations

import numpy as np
import pytest
from plain_labels import A, B, C, edge, fact, filters, point

from lineage_tt.governance.points.plain import plain_point
from lineage_tt.governance.ports import Edges, PointGraph
from lineage_tt.graph.arrays.names import Ints
from lineage_tt.model.completeness.gaps import CoverageRow, Detail, Gaps, TaskCoverage
from lineage_tt.model.edges import ALIAS


def ends(of: PointGraph, edges: np.ndarray) -> list[tuple[str, str]]:
    """The ends of some edges."""
    return list(zip(of.node_texts(of.source[edges]), of.node_texts(of.target[edges]), strict=True))


def edges_of(of: PointGraph) -> Edges:
    """All columns of a point's edges."""
    return Edges(*(getattr(of, name) for name in Edges._fields))


def test_names_and_numbers_go_both_ways() -> None:
    """A name that the point does not know has none; many are looked up as one is."""
    of = point([(A, B)])
    names = [A, "d:b", "d:nothing", B]
    numbers = of.numbers(names)

    assert numbers.tolist() == [of.number(name) for name in names]
    assert (numbers[2], of.node_texts(numbers[[0, 1, 3]])) == (-1, [A, "d:b", B])
    assert (of.task_texts([of.task_number("t")]), of.task_number("nobody")) == (["t"], -1)
    assert of.numbers([]).tolist() == []


def test_a_name_of_the_store_that_came_after_the_point_is_not_known() -> None:
    """The names may go on beyond the point's own nodes."""
    of = point([(A, B), (B, C)])
    earlier = PointGraph(
        of.basis, edges_of(of).take(np.array([0])), of.dataset[:4], of.live[:4], of.kinds, of._names, of._tasks,
        of._expressions, of.beside,
    )  # fmt: skip

    assert of.number(C) == 5
    assert (earlier.number(C), earlier.numbers([C, B]).tolist()) == (-1, [-1, 3])


def test_edges_are_found_by_both_ends() -> None:
    """Each in the order given; a node without edges has none."""
    of = point([(A, B), (C, B), (A, C)])

    assert ends(of, of.out.at(of.number(A))) == [(A, B), (A, C)]
    assert ends(of, of.into.at(of.number(B))) == [(A, B), (C, B)]
    assert ends(of, of.out.at(of.number(B))) == ends(of, of.into.at(of.number("d:a"))) == []


def test_edges_in_order_of_their_sources_are_found_by_where_they_begin() -> None:
    """The same edges as are found by sorting."""
    plain = point([(A, B), (A, C), (B, C)])
    begins = np.zeros(plain.nodes + 1, np.int32)
    np.cumsum(np.bincount(plain.source, minlength=plain.nodes), out=begins[1:])

    class Ordered(Edges):
        """Edges that say where those of each node begin."""

        @property
        def starts(self) -> Ints:
            """Where they begin."""
            return begins

    of = PointGraph(
        plain.basis, Ordered(*edges_of(plain)), plain.dataset, plain.live, plain.kinds, plain._names, plain._tasks,
        plain._expressions, plain.beside,
    )  # fmt: skip

    assert of.starts is begins
    for node in range(of.nodes):
        assert of.out.at(node).tolist() == plain.out.at(node).tolist()


def test_kinds_tell_values_from_aliases_and_filters() -> None:
    """An alias counts as a way of values."""
    of = point([edge(A, B), filters(A, "d:c"), edge("d:e", "s3:e", subtype=ALIAS), edge("s3:e", "d:e", subtype=ALIAS)])

    assert of.direct.tolist() == [True, False, True, True]
    assert of.alias.tolist() == [False, False, True, True]
    assert point([]).direct.tolist() == []


def test_what_a_producer_says_is_masked_is_marked_on_its_own_edges() -> None:
    """Of these very ends and this very task; a fact of what is not there marks none."""
    facts = [
        fact(B, "masked", A, "t"), fact(C, "masked", A, "nobody"), fact(B, "masked", "d:nothing", "t"),
        fact(B, "other", C, "t"),
    ]  # fmt: skip
    of = point([edge(A, B), edge(A, B, task="u"), edge(C, B), edge(A, C)], None, *facts)

    assert of.masking.tolist() == [True, False, False, False]


def test_datasets_have_their_columns() -> None:
    """Live ones are those that an edge or a fact names; a dataset without columns is none that has any."""
    of = point([(A, "d:b"), ("d:a#y", C)], {"d:a#z": "pii"})
    number = of.number("d:a")

    assert of.node_texts(of.members.at(number)) == [A, "d:a#y", "d:a#z"]
    assert of.node_texts(of.columns.at(number)) == [A, "d:a#y", "d:a#z"]
    assert [bool(of.wholes[of.number(node)]) for node in ("d:a", "d:b", "d:c", A)] == [True, False, True, False]
    of.live[of.number("d:a#y")] = False
    fresh = PointGraph(of.basis, edges_of(of), of.dataset, of.live, of.kinds, of._names, of._tasks, of._expressions,
                       of.beside)  # fmt: skip
    assert fresh.node_texts(fresh.members.at(number)) == [A, "d:a#z"]
    assert len(fresh.columns.at(number)) == 3


def test_edges_are_taken_and_joined_by_column() -> None:
    """In the order of the places, those of the others after them."""
    edges = edges_of(point([(A, B), (B, C), (A, C)]))
    some = edges.take(np.array([2, 0]))

    assert some.source.tolist() == [edges.source[2], edges.source[0]]
    assert some.joined(edges.take(np.array([1]))).target.tolist() == [*some.target.tolist(), edges.target[1]]
    assert edges.take(np.zeros(0, np.int64)).joined(some).source.tolist() == some.source.tolist()


@pytest.mark.parametrize(
    ("tasks", "met"), [(None, ["script"]), ({"script", "t"}, ["script"]), ({"t"}, []), (set(), [])]
)
def test_an_answer_does_not_know_what_its_tasks_do_not(tasks: set[str] | None, met: list[str]) -> None:
    """Over all tasks in force, or over those of the answer; the columns that stars assume are counted."""
    of = point([(A, B)])
    said = CoverageRow(7, "online", "e", None, 0, None, None, "opaque")
    of.gaps = Gaps({"script": TaskCoverage([said])}, {7: Detail((), frozenset(), frozenset(), (), None)}).at(0, 7)
    found = of.completeness(tasks, by_star=2)

    assert ([task.task_id for task in found.tasks], found.by_star) == (met, 2)


def test_a_point_without_gaps_is_complete_but_for_stars() -> None:
    """Whatever tasks are asked about."""
    of = plain_point([edge(A, B)])

    assert of.completeness({"t"}).complete
    assert not of.completeness(by_star=1).complete
