"""What must be rebuilt after a release, why, and in which order."""

from __future__ import annotations

from plain_base import PlainBase, change, edge, release, reread
from reports import task

from lineage_tt.impact.base.closure import Reached, walk
from lineage_tt.impact.downstream.backfill import backfill_of
from lineage_tt.impact.release.release import Release
from lineage_tt.impact.report import ADDITIVE, BREAKING, NONE, Backfill, ColumnChange, TaskImpact

A, B, C, D = "n:a", "n:b", "n:c", "n:d"
#: Named against the order in which they run.
CHAIN = PlainBase(edge("z", f"{A}#x", f"{B}#x"), edge("y", f"{B}#x", f"{C}#x"), edge("x", f"{C}#x", f"{D}#x"))
EDITED = change("z", [(f"{A}#x", f"{B}#x")], [(f"{A}#w", f"{B}#x")])


def backfill(made: Release, *tasks: TaskImpact, start: str = f"{B}#x") -> tuple[Backfill, ...]:
    """Return the backfill of a release that changes one column."""
    reached = walk([start], made.edges_from, made.edges_of)
    return backfill_of(made, {each.task_id: each for each in tasks}, reached)


def test_each_task_runs_after_those_that_make_its_sources() -> None:
    """The edited task first, its readers and theirs after it, whatever they are called."""
    assert backfill(release(CHAIN, EDITED), task("z", BREAKING)) == (
        Backfill("z", (B,), "its output changes"),
        Backfill("y", (C,), f"reads {B}"),
        Backfill("x", (D,), f"reads {C}"),
    )


def test_a_task_that_only_adds_columns_fills_them() -> None:
    """Their names are the reason; what adds something else changes its output."""
    added = tuple(ColumnChange("added", B, name) for name in ("p", "é"))
    made = release(PlainBase(), EDITED)

    assert backfill(made, task("z", ADDITIVE, columns=added), start="n:q") == (Backfill("z", (B,), "fills p, é"),)
    for other in (task("z", ADDITIVE), task("z", BREAKING, columns=added)):
        assert backfill(made, other, start="n:q") == (Backfill("z", (B,), "its output changes"),)


def test_what_does_not_run_is_not_run_again() -> None:
    """A task that goes offline, one without impact, a dataset's own change; readers of what they change are."""
    for given in (task("z", BREAKING, op="offline"), task("z", NONE), task("z", BREAKING, kind="dataset")):
        assert [each.task_id for each in backfill(release(CHAIN, EDITED), given)] == ["y", "x"]


def test_an_edited_reader_without_impact_of_its_own_runs_as_a_reader() -> None:
    """Its text says the same, and reads other values; one that changes itself has that for its reason."""
    reader = change("y", [(f"{B}#x", f"{C}#x")], [(f"{B}#x", f"{C}#x")])
    made = release(CHAIN, EDITED, reader)

    unchanged = backfill(made, task("z", BREAKING), task("y", NONE))
    changed = backfill(made, task("z", BREAKING), task("y", BREAKING))

    assert [(each.task_id, each.reason) for each in unchanged][:2] == [("z", "its output changes"), ("y", f"reads {B}")]
    assert [each.reason for each in changed] == ["its output changes", "its output changes", f"reads {C}"]


def test_a_reader_whose_columns_change_is_run_though_nothing_of_it_is_reached() -> None:
    """By other outputs or other edges; one that is as it was is not."""
    wide = reread("wide", old={"outputs": [(C, ("x",))]}, new={"outputs": [(C, ("x", "w"))]})
    other = reread("other", [(f"{B}#x", f"{D}#x")], [(f"{B}#w", f"{D}#x")])
    same = reread("same", [(f"{B}#x", "n:e#x")], [(f"{B}#x", "n:e#x")])
    reached = reread("y", [(f"{B}#x", f"{C}#x")], [(f"{B}#w", f"{C}#x")])
    made = release(PlainBase(), EDITED, readers={"wide": wide, "other": other, "same": same})

    assert backfill_of(made, {}, {f"{B}#w": Reached(0, None, None)}) == (
        Backfill("other", (D,), "its columns change with those of its sources"),
        Backfill("wide", (), "its columns change with those of its sources"),
    )
    both = release(CHAIN, EDITED, readers={"y": reached})
    assert backfill_of(both, {}, walk([f"{B}#w"], both.edges_from))[0].reason == f"reads {B}"


def test_tasks_in_a_ring_are_listed_by_name() -> None:
    """No order of running them makes all; nobody is left out. A task that reads what it writes is not a ring."""
    ring = PlainBase(edge("z", f"{A}#x", f"{B}#x"), edge("y", f"{B}#x", f"{C}#x"), edge("x", f"{C}#x", f"{A}#x"))
    loop = PlainBase(edge("z", f"{A}#x", f"{B}#x"), edge("y", f"{B}#x", f"{C}#x"), edge("y", f"{C}#x", f"{C}#x"))

    assert [each.task_id for each in backfill(release(ring, EDITED), task("z", BREAKING))] == ["x", "y", "z"]
    assert [each.task_id for each in backfill(release(loop, EDITED), task("z", BREAKING))] == ["z", "y"]
