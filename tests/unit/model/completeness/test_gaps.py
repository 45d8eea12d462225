"""Which tasks have a gap at a point, over both times."""

from __future__ import annotations

from lineage_tt.model.completeness.gaps import (
    NO_GAPS,
    UNTRACED_READ,
    UNTRACED_WRITE,
    CoverageRow,
    Detail,
    Gaps,
    TaskCoverage,
    gap_of,
    is_gap,
    lack_of,
    resolved,
)
from lineage_tt.model.completeness.summary import Reason


def said(version: int, at: int, coverage: str | None, op: str = "online", **more: object) -> CoverageRow:
    """A row of a task that holds from ``at`` on; its event is named after its version."""
    row = CoverageRow(version, op, f"e{version}", None, at, None, None, coverage)
    return row._replace(**more)  # type: ignore[arg-type]


def detail(*reasons: Reason, sources: tuple[str, ...] = ("n:a",), targets: tuple[str, ...] = ("n:b",)) -> Detail:
    """What a row that reads n:a and writes n:b says."""
    return Detail(reasons, frozenset(sources), frozenset(targets), (), None)


def test_coverage_is_that_of_the_row_in_force_at_both_times() -> None:
    """An edit that makes a task complete ends the gap from its valid time on, and only once it is known."""
    task = TaskCoverage([said(2, 20, "complete"), said(1, 10, "partial")])

    assert task.at(15, 1) == task.at(15, 2) == said(1, 10, "partial")
    assert task.at(25, 1) == said(1, 10, "partial")
    assert task.at(25, 2) is None
    assert task.at(5, 2) is None
    assert task.at(15, 0) is None


def test_an_offline_task_has_no_gap() -> None:
    """What runs no more lacks nothing, even if its last row says that it was opaque."""
    task = TaskCoverage([said(1, 10, "opaque"), said(2, 20, "opaque", "offline")])

    assert task.at(19, 2) is not None
    assert task.at(20, 2) is None


def test_a_retract_takes_a_gap_away_and_its_own_retract_brings_it_back() -> None:
    """A retracted message is as if it had never been sent, until that retract is retracted."""
    rows = [said(1, 10, "partial"), said(2, 0, None, "retract", retracts="e1")]

    assert resolved(rows) == []
    assert [step.version for step in resolved([*rows, said(3, 0, None, "retract", retracts="e2")])] == [1]


def test_a_derived_version_replaces_what_its_message_says() -> None:
    """A statement that was re-resolved with known columns has no gap any more."""
    task = TaskCoverage([said(1, 10, "partial"), said(2, 10, "complete", derived_from=1)])

    assert task.at(10, 1) is not None
    assert task.at(10, 2) is None


def test_a_row_without_coverage_is_no_gap() -> None:
    """Messages that give edges say nothing about coverage."""
    assert [is_gap(coverage) for coverage in (None, "complete", "partial", "opaque")] == [False, False, True, True]


def test_a_reason_about_one_source_leaves_the_others_known() -> None:
    """Only the dataset that a reason names may be read in unknown ways; a reason about nothing concerns all."""
    sources = ("n:a#", "n:c#")

    assert lack_of(detail(Reason("unknown-columns", "", "n:a"), sources=sources)).unknown_reads == {"n:a"}
    assert lack_of(detail(Reason("syntax", "", ""), sources=sources)).unknown_reads == {"n:a", "n:c"}


def test_untraced_reads_and_writes_come_from_their_reasons() -> None:
    """A dataset that only a reason names is touched, too; one with an edge is not untraced."""
    gap = lack_of(detail(Reason(UNTRACED_READ, "", "n:x"), Reason(UNTRACED_WRITE, "", "n:y"), sources=("n:a#",)))

    assert gap.reads == {"n:a", "n:x"}
    assert gap.writes == {"n:b", "n:y"}
    assert gap.untraced_writes == {"n:y"}


def test_a_bare_select_that_gives_no_edge_writes_its_target() -> None:
    """The platform's target is written, although nothing is known of how."""
    bare = Detail((), frozenset(), frozenset(), (), "n:o")

    assert lack_of(bare).untraced_writes == {"n:o"}
    assert lack_of(bare._replace(targets=frozenset({"n:b"}))).untraced_writes == frozenset()


def test_gaps_are_found_by_what_they_touch() -> None:
    """By the datasets written and read in unknown ways, and by task; another dataset finds none."""
    gaps = Gaps({"t": TaskCoverage([said(1, 10, "partial")])}, {1: detail(Reason("syntax", "", ""))})
    here = gaps.at(10, 1)

    assert [gap.task_id for gap in here.writing(["n:b"])] == ["t"]
    assert [gap.task_id for gap in here.reading(["n:a"])] == ["t"]
    assert here.writing(["n:a"]) == here.reading(["n:b"]) == here.of(["u"]) == []
    assert gaps.concern(["n:a"])
    assert not gaps.concern(["n:z"])
    assert gaps.times(["n:b", "n:z"], 1) == {"n:b": {10}}


def test_what_is_read_later_leaves_older_readers_undisturbed() -> None:
    """Extended gaps are another value; without a task its gaps are gone, in the new value alone."""
    rows = TaskCoverage([said(1, 10, "partial")])
    first = Gaps({"t": rows}, {1: detail()})
    second = first.extended({"u": TaskCoverage([said(2, 10, "opaque")])}, {2: detail()})

    assert [gap.task_id for gap in first.at(10, 2).all()] == ["t"]
    assert [gap.task_id for gap in second.at(10, 2).writing(["n:b"])] == ["t", "u"]
    assert [gap.task_id for gap in second.without({"t"}).at(10, 2).all()] == ["u"]
    assert not NO_GAPS


def test_a_gap_carries_its_tasks_row() -> None:
    """Task, version and coverage are the row's."""
    assert gap_of("t", said(7, 1, "opaque"), detail())[:3] == ("t", 7, "opaque")
