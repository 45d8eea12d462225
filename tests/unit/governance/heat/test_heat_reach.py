"""How many columns, tables, tasks and people nodes reach: walks over small graphs, many at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from lineage_tt.governance.heat.reach import Members, Reach, Ways, reached

Edge = tuple[int, int, int]
#: Tables 0, 1, 2 and 3 with the columns 4, 5 (of 0), 6, 7 (of 1) and 8 (of 2); 3 has none.
DATASET = [0, 1, 2, 3, 0, 0, 1, 1, 2]


def ways(edges: Sequence[Edge], owners: Mapping[str, Sequence[int]] | None = None) -> Ways:
    """Edges (source, target, task), and the places that people own: nodes, or 9 and more for edges."""
    source, target, task = np.array(edges, np.int32).reshape(-1, 3).T.copy()
    owned = [(person, place) for person, places in enumerate((owners or {}).values()) for place in places]
    group, place = np.array(owned, np.int64).reshape(-1, 2).T.copy()
    columns = np.array([4, 5, 6, 7, 8], np.int32)
    return Ways(source, target, np.array(DATASET, np.int32), task, columns, lambda _: Members.of(group, place))


def reach(of: Ways, *starts: Sequence[int], far: bool = True) -> list[Reach]:
    """What is after each start, a group of nodes of one table."""
    own = np.array([DATASET[start[0]] for start in starts], np.int32)
    return list(reached(of, [np.array(start) for start in starts], own, far=far))


def test_one_step_is_not_the_whole_way() -> None:
    """Of a chain over three tables by two tasks."""
    chain = ways([(4, 6, 0), (6, 8, 1)])

    assert reach(chain, [4], far=False) == [Reach(1, 1, 1, 0)]
    assert reach(chain, [4]) == [Reach(2, 2, 2, 0)]
    assert reach(chain, [8]) == [Reach(0, 0, 0, 0)]


def test_an_edge_into_a_whole_table_continues_with_any_of_its_columns() -> None:
    """The table counts and none of its columns, for no edge comes to one."""
    assert reach(ways([(4, 1, 0), (7, 8, 1), (8, 3, 2)]), [4]) == [Reach(1, 3, 3, 0)]


def test_an_edge_out_of_a_whole_table_is_no_edge_of_its_column_alone() -> None:
    """It is one of what comes to the table."""
    assert reach(ways([(4, 6, 0), (1, 8, 1)]), [4]) == [Reach(1, 1, 1, 0)]
    assert reach(ways([(4, 1, 0), (1, 8, 1)]), [4]) == [Reach(1, 2, 2, 0)]


def test_the_own_table_is_no_reference() -> None:
    """Neither it, nor its columns, nor the task that fills it of itself; what is read back from others counts."""
    assert reach(ways([(4, 5, 0)]), [4]) == [Reach(0, 0, 0, 0)]
    assert reach(ways([(4, 6, 0), (6, 5, 1)]), [4]) == [Reach(1, 1, 2, 0)]


def test_what_is_reached_over_many_edges_counts_once() -> None:
    """Two columns of one task make one task and one table."""
    assert reach(ways([(4, 6, 0), (4, 7, 0), (5, 6, 0)]), [4, 5, 0]) == [Reach(2, 1, 1, 0)]


def test_people_count_once_who_own_what_is_reached_or_its_task() -> None:
    """By any table or edge; who owns something else is not among them."""
    owners = {"ana": [1, 9], "bo": [10], "cy": [3]}

    assert reach(ways([(4, 6, 0), (6, 8, 1)], owners), [4])[0].people == 2
    assert reach(ways([(4, 6, 0), (6, 8, 1)], owners), [4], far=False)[0].people == 1


def test_circles_end() -> None:
    """Each node of a circle reaches all others."""
    assert reach(ways([(4, 6, 0), (6, 8, 1), (8, 4, 2)]), [4], [6]) == [Reach(2, 2, 3, 0)] * 2


@pytest.mark.parametrize("count", [1, 32, 33, 64, 65, 130])
def test_any_number_of_walks_do_not_disturb_each_other(count: int) -> None:
    """They go at most 64 at a time, in words of 32 or 64 bits; answers come in the order of the starts."""
    chain = ways([(4, 6, 0), (6, 8, 1)])
    starts = [[4], [6], [8]]
    expected = [Reach(2, 2, 2, 0), Reach(1, 1, 1, 0), Reach(0, 0, 0, 0)]

    assert reach(chain, *(starts[at % 3] for at in range(count))) == [expected[at % 3] for at in range(count)]


def test_without_edges_nothing_is_reached() -> None:
    """And without starts there is no answer."""
    assert reach(ways([]), [4]) == [Reach(0, 0, 0, 0)]
    assert reach(ways([(4, 6, 0)])) == []


def test_members_are_in_order_of_their_groups() -> None:
    """Those of one group in the order given; places are their own where none are given."""
    found = Members.of(np.array([2, 0, 2, 1]))

    assert (found.group.tolist(), found.place.tolist()) == ([0, 1, 2, 2], [1, 3, 0, 2])
    assert Members.of(np.array([1, 0]), np.array([9, 8])).place.tolist() == [8, 9]
    assert Members.of(np.zeros(0, np.int64)).group.tolist() == []
