"""The rows of two points side by side, of one store or of lists that number their nodes differently."""

from __future__ import annotations

from pathlib import Path

import pytest

from lineage_tt import Store
from lineage_tt.governance.heat.pairing import Pair
from lineage_tt.governance.heat.scores import scores
from lineage_tt.governance.points.plain import plain_point
from lineage_tt.governance.ports import PointGraph
from lineage_tt.model.answers import EdgeAsOf
from lineage_tt.testing import ManualClock, task_change

BEFORE = [("d:a#x", "d:b#x"), ("d:a#x", "d:c#x")]
AFTER = [("d:z#x", "d:c#x"), ("d:a#x", "d:c#x")]


def listed(edges: list[tuple[str, str]]) -> PointGraph:
    """A point of a list, which numbers its nodes as they come."""
    return plain_point([EdgeAsOf("t", *ends, "DIRECT", "IDENTITY", "", 1, 0, None) for ends in edges])


def pair(first: PointGraph, second: PointGraph) -> Pair:
    """The columns of two points."""
    return Pair(scores(first, "column"), scores(second, "column"))


@pytest.fixture(params=["listed", "stored"])
def moved(request: pytest.FixtureRequest, tmp_path: Path) -> Pair:
    """A task that reads z and no longer writes b; by two lists, and by two versions of a store."""
    if request.param == "listed":
        return pair(listed(BEFORE), listed(AFTER))
    store = Store.create(tmp_path / "s", clock=ManualClock(10))
    store.append([task_change("t", "online", 1, BEFORE), task_change("t", "update", 1, AFTER)])
    asks = store.governance()
    return pair(*(asks.points.at(asks.basis(5, version=version)) for version in (1, 2)))


def test_every_row_of_either_point_is_there_once(moved: Pair) -> None:
    """Named alike whichever point it is of."""
    rows = list(range(len(moved.every)))

    assert sorted(moved.names(rows)) == ["d:a#x", "d:b#x", "d:c#x", "d:z#x"]
    assert moved.names([]) == []


def test_a_row_that_is_not_there_has_no_rank_and_no_place(moved: Pair) -> None:
    """At the other point it has both."""
    rows = {name: at for at, name in enumerate(moved.names(list(range(len(moved.every)))))}
    before, after = moved.rank(0), moved.rank(1)

    assert (before[rows["d:z#x"]], after[rows["d:b#x"]]) == (0, 0)
    assert after[rows["d:z#x"]] > 0 < before[rows["d:b#x"]]
    assert before.sum() == pytest.approx(1) == after.sum()
    assert (moved.row(0, rows["d:z#x"])[1], moved.row(1, rows["d:b#x"])[1]) == (-1, -1)


def test_a_row_has_its_own_scores_at_each_point(moved: Pair) -> None:
    """Although the two points may number it differently."""
    rows = {name: at for at, name in enumerate(moved.names(list(range(len(moved.every)))))}
    for name, references in {"d:a#x": (2, 1), "d:c#x": (0, 0)}.items():
        sides = [moved.row(side, rows[name]) for side in (0, 1)]
        assert [of.names([at]) for of, at in sides] == [[name], [name]]
        assert tuple(int(of.references[at]) for of, at in sides) == references
        assert [float(of.rank[at]) for of, at in sides] == [moved.rank(side)[rows[name]] for side in (0, 1)]


def test_tables_are_paired_by_their_names() -> None:
    """The first of one list is not the first of another one."""
    both = Pair(scores(listed(BEFORE), "table"), scores(listed(AFTER), "table"))

    assert sorted(both.names(list(range(len(both.every))))) == ["d:a", "d:b", "d:c", "d:z"]


def test_a_point_beside_itself_and_beside_nothing() -> None:
    """Nothing moves; all rows came, or all went."""
    one, none = listed(BEFORE), listed([])

    assert (pair(one, one).rank(0) == pair(one, one).rank(1)).all()
    assert sorted(pair(none, one).names([0, 1, 2])) == ["d:a#x", "d:b#x", "d:c#x"]
    assert pair(one, none).rank(1).tolist() == [0, 0, 0]
    assert len(pair(none, none).every) == 0
