"""Tables that nobody read or fed for some time, and columns of which nothing is made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from pointed import edge
from ruled import fact

from lineage_tt.governance.points.plain import plain_point
from lineage_tt.governance.ports import PointGraph
from lineage_tt.governance.upkeep.redundancy.unused import DAY, DAYS, Unused, unused, unused_columns
from lineage_tt.model.answers import Basis, EdgeAsOf, FactAsOf

NOW = 1000 * DAY
LIMIT = NOW - DAYS * DAY
Use = tuple[str, bool, int, int]


class Listed:
    """Uses as they are listed."""

    def __init__(self, uses: Sequence[Use]) -> None:
        self._uses = uses

    def fetch(self, query: str, **parameters: Any) -> list[tuple[Any, ...]]:
        """No query is asked of a list."""
        raise NotImplementedError(query)

    def uses(self, basis: Basis) -> list[Use]:
        """Return what is listed."""
        return [*self._uses]


def point(*edges: EdgeAsOf, facts: Sequence[FactAsOf] = ()) -> PointGraph:
    """A point now."""
    return plain_point(edges, facts, basis=Basis(NOW, 1, 0))


def found(
    *uses: Use, at: PointGraph | None = None, seen: dict[str, int] | None = None
) -> list[tuple[str, str, int | None]]:  # fmt: skip
    """What is unused: dataset, why, and when it last was used."""
    listed = unused(Listed(uses), point() if at is None else at, seen=seen)
    return [(each.dataset, each.why, each.last) for each in listed]


#: Something of the namespace is read and fed today, so that it is not an end.
ALIVE = [("d:alive", True, NOW, 0), ("d:alive", False, NOW, 0)]


@pytest.mark.parametrize(("last", "listed"), [(LIMIT, True), (LIMIT + 1, False), (NOW, False)])
def test_a_table_is_unread_from_the_limit_on(last: int, listed: bool) -> None:
    """Ninety days ago to the microsecond; fed until today."""
    given = [*ALIVE, ("d:t", True, last, 0), ("d:t", False, NOW, 0)]

    assert found(*given) == ([("d:t", "unread", last)] if listed else [])


@pytest.mark.parametrize(("last", "listed"), [(LIMIT, True), (LIMIT + 1, False)])
def test_a_table_is_unfed_from_the_limit_on(last: int, listed: bool) -> None:
    """Though it is read until today; a source that nobody ever fed is not listed."""
    given = [*ALIVE, ("d:t", True, NOW, 0), ("d:t", False, last, 0), ("d:source", True, NOW, 0)]

    assert found(*given) == ([("d:t", "unfed", last)] if listed else [])


@pytest.mark.parametrize(("first", "listed"), [(LIMIT, True), (LIMIT + 1, False)])
def test_what_nobody_ever_read_is_unread_once_it_is_old_enough(first: int, listed: bool) -> None:
    """A new table may still find its readers; a namespace in which nothing was ever read holds ends."""
    given = [*ALIVE, ("d:t", False, NOW, first), ("bi:board", False, NOW, 0)]

    assert found(*given) == ([("d:t", "unread", None)] if listed else [])


def test_of_all_its_names_a_table_has_the_first_and_all_their_uses() -> None:
    """Fed under one, read under another."""
    aliases = [edge(*ends, "alias", "ALIAS") for ends in (("d:t", "d:also"), ("d:also", "d:t"))]
    given = [*ALIVE, ("d:t", False, NOW, 20), ("d:also", True, LIMIT, 10)]
    (only,) = unused(Listed(given), point(*aliases))

    assert (only.dataset, only.why, only.last, only.since) == ("d:also", "unread", LIMIT, 10)


def test_runs_count_where_all_tasks_that_read_were_observed() -> None:
    """The last of them, up to the point; with one that was not, the edges count."""
    at = point(edge("d:t#x", "d:out#x", "one"), edge("d:t#x", "d:out#y", "two"))
    given = [*ALIVE, ("d:t", True, NOW, 0), ("d:t", False, NOW, 0)]

    assert found(*given, at=at, seen={"one": LIMIT - 5, "two": LIMIT - 3}) == [("d:t", "unread", LIMIT - 3)]
    assert found(*given, at=at, seen={"one": LIMIT - 5}) == []
    assert found(*given, at=at, seen={"one": LIMIT - 5, "two": NOW + 5}) == []


def test_who_to_ask_is_who_owns_the_table_or_a_task_that_writes_it() -> None:
    """Of an unread table its writers are named, of an unfed one its readers; each says how it is known."""
    facts = [fact("d:t", "owner", "zoe"), fact("task:w", "owner", "ana"), fact("task:r", "owner", "eve")]
    at = point(edge("d:s#x", "d:t#x", "w"), edge("d:t#x", "d:alive#x", "r"), facts=facts)
    unread = unused(Listed([*ALIVE, ("d:t", True, LIMIT, 7), ("d:t", False, NOW, 9)]), at)
    unfed = unused(Listed([*ALIVE, ("d:t", True, NOW, 7), ("d:t", False, LIMIT, 9)]), at)

    assert unread == [Unused("d:t", "unread", LIMIT, "lineage", 7, ("w",), ("ana", "zoe"))]
    assert unfed == [Unused("d:t", "unfed", LIMIT, "lineage", 7, ("r",), ("ana", "zoe"))]


def test_the_number_of_days_is_the_caller_s() -> None:
    """One day, where the last use was two days ago."""
    given = Listed([*ALIVE, ("d:t", True, NOW - 2 * DAY, 0), ("d:t", False, NOW, 0)])

    assert [len(unused(given, point(), days)) for days in (1, 2, 3)] == [1, 1, 0]


def columns(*edges: EdgeAsOf, facts: Sequence[FactAsOf] = ()) -> tuple[list[str], int]:
    """The unused columns, and how many are not known."""
    named, unknown = unused_columns(point(*edges, facts=facts))
    return [each.column for each in named], unknown


FEEDS = [edge(f"d:s#{name}", f"d:t#{name}", "load") for name in "ab"]


def test_a_column_of_a_table_that_others_read_is_unused_where_nothing_is_made_of_it() -> None:
    """One that only decides over rows is used; so is one that its own table reads; who is read by nobody has none."""
    read = edge("d:t#a", "d:x#a", "mart")

    assert columns(*FEEDS) == ([], 0)
    assert columns(*FEEDS, read) == (["d:t#b"], 0)
    assert columns(*FEEDS, read, edge("d:t#b", "d:x", "mart", "FILTER", kind="INDIRECT")) == ([], 0)
    assert columns(*FEEDS, read, edge("d:t#b", "d:t#c", "load")) == (["d:t#c"], 0)


def test_a_declared_column_that_no_edge_names_is_unused() -> None:
    """Of a table that is read; columns of a dataset without edges are of no table here."""
    facts = [fact("d:t#z", "column", "{}"), fact("d:t#a", "column", "{}"), fact("d:lost#q", "column", "{}")]

    assert columns(*FEEDS[:1], edge("d:t#a", "d:x#a", "mart"), facts=facts) == (["d:t#z"], 0)


def test_a_column_that_is_used_under_another_name_is_used() -> None:
    """Its table is read under that name, too."""
    names = ("d:t", "l:t"), ("d:t#*", "l:t#*")
    aliases = [edge(*ends, "alias", "ALIAS") for pair in names for ends in (pair, pair[::-1])]
    named, unknown = columns(*FEEDS, *aliases, edge("l:t#a", "d:x#a", "mart"))

    assert ("d:t#a" in named, "l:t#a" in named) == (False, False)
    assert ("d:t#b" in named, unknown) == (True, 0)


def test_columns_of_a_table_that_is_read_with_a_star_are_not_known() -> None:
    """They are counted and not named; a star that only writes the table hides nothing."""
    star = edge("d:t#*", "d:x#n", "mart", "AGGREGATION")
    declared = [fact("d:t#z", "column", "{}")]

    assert columns(*FEEDS, star, facts=declared)[0] == []
    into = [edge("d:s#*", "d:t#*", "load"), edge("d:t#a", "d:x#a", "mart")]
    assert columns(*into, facts=declared)[0] == ["d:t#z"]
