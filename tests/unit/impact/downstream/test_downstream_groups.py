"""What is downstream, summed up by groups."""

from __future__ import annotations

import pytest
from reports import reader, report

from lineage_tt.impact.downstream.groups import by_level
from lineage_tt.impact.report import BREAKING, POTENTIALLY, GroupReach
from lineage_tt.model.answers import FactAsOf
from lineage_tt.model.errors import InvalidRequestError

READERS = [
    reader("hive:dw.a", POTENTIALLY, "n:s", "n:m", "hive:dw.a", columns=("x", "y"), tasks=("a",), owners=("ana", "bo")),
    reader("hive:dw.b", BREAKING, columns=("x",), tasks=("b",), owners=("bo",)),
    reader("bi:c", POTENTIALLY, tasks=("a",)),
]
PARENT = FactAsOf("task:a", "parent", "task:flow", "fact", "task:a", 1, 0, None)


def test_a_group_has_the_worst_class_and_the_least_steps() -> None:
    """A dataset of two owners counts for both, one of none for nobody; the nearest come first."""
    found = by_level(report(readers=READERS), "owner", [])

    assert found.level == "owner"
    assert found.groups == (
        GroupReach("(none)", POTENTIALLY, 1, 0, 1, 1),
        GroupReach("bo", BREAKING, 2, 3, 2, 1),
        GroupReach("ana", POTENTIALLY, 1, 2, 1, 2),
    )


def test_sub_tasks_count_as_the_task_that_starts_them() -> None:
    """Only where that is asked for."""
    made = report(readers=READERS)

    assert [each.group for each in by_level(made, "task", [PARENT]).groups] == ["task:a", "task:b"]
    rolled = by_level(made, "task", [PARENT], roll_up=True).groups
    assert [(each.group, each.datasets) for each in rolled] == [("task:b", 1), ("task:flow", 2)]


def test_the_readers_stay_beside_their_groups() -> None:
    """A release without readers has a level and no groups."""
    made = report(readers=READERS)

    assert by_level(made, "system", []).readers == made.readers
    assert by_level(report(), "system", []).groups == ()


def test_a_level_that_there_is_not_is_refused() -> None:
    """Although nobody is downstream."""
    with pytest.raises(InvalidRequestError, match="planet"):
        by_level(report(), "planet", [])  # type: ignore[arg-type]
