"""What a change reaches, summed up by groups."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import pytest
from edges_as_of import fact

from lineage_tt.levels.groups import NONE
from lineage_tt.levels.names import AnyLevel
from lineage_tt.levels.reached import ReachedGroup, reached_groups
from lineage_tt.model.errors import InvalidRequestError


class Item(NamedTuple):
    """A dataset that is reached."""

    dataset: str
    class_: str
    columns: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    steps: int = 1
    owners: tuple[str, ...] = ()


def worst(classes: Iterable[str]) -> str:
    """The first by name."""
    return min(classes)


FOUND = [Item("n:dw.a", "b-stale", ("x", "y"), ("t1",), 2, ("ann", "bob")),
         Item("n:dw.b", "a-broken", ("x",), ("t1", "t2"), 1),
         Item("m:c", "b-stale")]  # fmt: skip


@pytest.mark.parametrize(
    ("level", "found"),
    [("system", [ReachedGroup("m", "b-stale", 1, 0, 0, 1), ReachedGroup("n", "a-broken", 2, 3, 2, 1)]),
     ("owner", [ReachedGroup(NONE, "a-broken", 2, 1, 2, 1), ReachedGroup("ann", "b-stale", 1, 2, 1, 2),
                ReachedGroup("bob", "b-stale", 1, 2, 1, 2)]),
     ("task", [ReachedGroup(NONE, "b-stale", 1, 0, 0, 1), ReachedGroup("task:t1", "a-broken", 2, 3, 2, 1),
               ReachedGroup("task:t2", "a-broken", 1, 1, 2, 1)])],
)  # fmt: skip
def test_a_group_has_the_worst_class_and_the_least_steps(level: AnyLevel, found: list[ReachedGroup]) -> None:
    """The nearest come first; a dataset counts in each of its groups."""
    assert reached_groups(FOUND, level, worst) == found


def test_columns_and_tables_are_groups_of_their_own() -> None:
    """A dataset of which no column is named is itself one."""
    assert [each.group for each in reached_groups(FOUND, "column", worst)] == [
        "m:c",
        "n:dw.b#x",
        "n:dw.a#x",
        "n:dw.a#y",
    ]
    assert [each.group for each in reached_groups(FOUND, "table", worst)] == ["m:c", "n:dw.b", "n:dw.a"]


def test_sub_tasks_count_as_who_starts_them_and_domains_are_facts() -> None:
    """At their own levels."""
    by_task = reached_groups(FOUND, "task", worst, parents={"task:t1": "task:dag", "task:t2": "task:dag"})
    by_domain = reached_groups(FOUND, "domain", worst, [fact("m:c", "domain", "sales")])

    assert [each.group for each in by_task] == [NONE, "task:dag"]
    assert [each.group for each in by_domain] == [NONE, "sales"]
    with pytest.raises(InvalidRequestError):
        reached_groups(FOUND, "galaxy", worst)  # type: ignore[arg-type]
