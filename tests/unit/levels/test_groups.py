"""Edges rolled up to groups of datasets, or to tasks."""

from __future__ import annotations

import pytest
from edges_as_of import edge, fact

from lineage_tt.levels.groups import NONE, GroupEdge, groups_of, members, rolled_up
from lineage_tt.levels.names import GroupLevel
from lineage_tt.model.answers import FactAsOf
from lineage_tt.model.errors import InvalidRequestError

EDGES = [
    edge("t1", "crm://h:5432:ods.a#x", "hive:dw.b#x"), edge("t1", "crm://h:5432:ods.a#y", "hive:dw.b#y"),
    edge("t2", "hive:dw.b#x", "hive:ads.c#x"), edge("t2", "hive:dw.b#x", "hive:dw.b#z"),
    edge("a", "hive:dw.b", "s3:b", subtype="ALIAS"),
]  # fmt: skip


def ends(level: GroupLevel, facts: list[FactAsOf] | None = None) -> list[tuple[str, str, int]]:
    """Source, target and number of edges."""
    return [(each.source, each.target, each.edges) for each in rolled_up(EDGES, level, facts or [])]


@pytest.mark.parametrize(
    ("level", "found"),
    [("system", [("crm", "hive", 2)]), ("cluster", [("h:5432", "hive", 2)]),
     ("namespace", [("crm://h:5432", "hive", 2)]),
     ("layer", [("dw", "ads", 1), ("ods", "dw", 2)]),
     ("dataset", [("crm://h:5432:ods.a", "hive:dw.b", 2), ("hive:dw.b", "hive:ads.c", 1)])],
)  # fmt: skip
def test_edges_inside_of_a_group_are_left_out(level: GroupLevel, found: list[tuple[str, str, int]]) -> None:
    """So are aliases: another name is not a flow."""
    assert ends(level) == found


def test_an_edge_between_groups_says_what_it_sums_up() -> None:
    """Edges, tasks, and the datasets at both ends."""
    assert rolled_up(EDGES, "system") == [GroupEdge("crm", "hive", 2, 1, 1, 1)]


def test_a_dataset_of_several_owners_counts_for_each() -> None:
    """One that nobody owns is of none."""
    facts = [fact("hive:dw.b", "owner", name) for name in ("ann", "bob")] + [fact("hive:ads.c", "domain", "sales")]

    found = [(each.source, each.target, each.edges) for each in rolled_up(EDGES[:3], "owner", facts)]

    assert found == [(NONE, "ann", 2), (NONE, "bob", 2), ("ann", NONE, 1), ("bob", NONE, 1)]
    assert ends("domain", facts) == [(NONE, "sales", 1)]


def test_an_edge_inside_of_a_dataset_is_no_flow_between_its_owners() -> None:
    """Both own both of its ends."""
    facts = [fact("hive:dw.b", "owner", name) for name in ("ann", "bob")]

    assert rolled_up(EDGES[3:4], "owner", facts) == []
    assert members(EDGES[3:4], "owner", facts) == {}


def test_a_task_comes_after_the_one_that_writes_what_it_reads() -> None:
    """Sub-tasks count as the outermost task; with a node only what touches it."""
    assert list(members(EDGES, "task")) == [("task:t1", "task:t2")]
    assert [each.tasks for each in rolled_up(EDGES, "task")] == [2]
    assert members(EDGES, "task", parents={"task:t1": "task:dag", "task:t2": "task:dag"}) == {}
    assert list(members(EDGES, "task", node="task:t1")) == [("task:t1", "task:t2")]
    assert members(EDGES, "task", node="hive:none") == {}


@pytest.mark.parametrize(
    ("dataset", "level", "group"),
    [("hive:a", "layer", NONE), ("hive:.a", "layer", NONE), ("s3:lake/dw/a", "layer", "lake"),
     ("nowhere", "system", NONE),
     ("hive:a", "dataset", "hive:a")],
)  # fmt: skip
def test_a_name_says_its_groups(dataset: str, level: GroupLevel, group: str) -> None:
    """Where it has no such part it belongs to none."""
    assert groups_of(level)(dataset) == (group,)


def test_a_level_that_there_is_not_is_rejected() -> None:
    """With those that there are."""
    for ask in (lambda: members([], "galaxy"), lambda: groups_of("galaxy")):  # type: ignore[arg-type]
        with pytest.raises(InvalidRequestError, match="no level 'galaxy'"):
            ask()
