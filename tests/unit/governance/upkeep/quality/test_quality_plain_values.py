"""Answers about quality as plain values."""

from __future__ import annotations

from lineage_tt.governance.upkeep.quality.measures import Flapping
from lineage_tt.governance.upkeep.quality.plain_values import result_of, trend_of
from lineage_tt.governance.upkeep.quality.quality import Figures, Quality
from lineage_tt.model.answers import Basis
from lineage_tt.model.completeness.summary import COMPLETE


def figures(group: str, tasks: int) -> Figures:
    """The figures of a group of so few tasks, all complete."""
    counts = (tasks, tasks, *(0,) * 10)
    return Figures(group, *counts, {}, {}, {}, 1.0, None, "measure", {})


def answer(*groups: Figures) -> Quality:
    """An answer by owner with these groups and an edge that flaps."""
    return Quality(Basis(0, 1, 0), "owner", list(groups), [Flapping("t", "n:a#x", "n:b#y", 3)], COMPLETE)


def test_a_result_has_each_group_and_what_flaps() -> None:
    """``mend`` is there as readers of older releases know it."""
    result = result_of(answer(figures("ann", 2)))

    assert result["by"] == "owner"
    assert [(row["group"], row["tasks"], row["fix"], row["mend"]) for row in result["groups"]] == [
        ("ann", 2, "measure", "measure")
    ]
    assert result["flapping"] == [{"task_id": "t", "source": "n:a#x", "target": "n:b#y", "began": 3}]


def test_a_trend_has_the_groups_of_either_point() -> None:
    """Null where a group was not there; those of the second point come first."""
    groups = trend_of(answer(figures("ann", 2), figures("bob", 1)), answer(figures("eve", 4), figures("ann", 3)))[
        "groups"
    ]

    assert [(row["group"], *(side and side["tasks"] for side in (row["before"], row["after"]))) for row in groups] == [
        ("eve", None, 4),
        ("ann", 2, 3),
        ("bob", 1, None),
    ]
