"""Reading gaps from the log: which tasks were ever not complete, and why."""

from __future__ import annotations

import pytest

from lineage_tt import Store
from lineage_tt.model.completeness.summary import Reason
from lineage_tt.model.messages import Coverage, Lineage, Problem, TaskChange
from lineage_tt.read import gap_rows
from lineage_tt.testing import ManualClock

EDGE = ("n:a#x", "n:b#y", "DIRECT", "IDENTITY", "")


def said(task: str, at: int, coverage: Coverage, **more: object) -> TaskChange:
    """A message with a lineage of that coverage."""
    lineage = Lineage([EDGE], coverage, [Problem("syntax", "does not parse", "n:a")], **more)  # type: ignore[arg-type]
    return TaskChange(f"{task}/{at}", task, "update", at, lineage=lineage)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A task that is repaired, one that was complete always, one without any edge."""
    made = Store.create(tmp_path_factory.mktemp("store"), clock=ManualClock(90))
    made.append([said("repaired", 10, "partial", outputs=[("n:b", ("y",))]), said("repaired", 20, "complete")])
    made.append([said("complete", 10, "complete", outputs=[("n:q", ("k",))])])
    lost = Lineage((), "opaque", [Problem("untraced-read", "", "n:raw")])
    made.append([TaskChange("l", "lost", "update", 10, lineage=lost, target="n:t")])
    return made


def test_only_tasks_with_a_gap_have_a_coverage(store: Store) -> None:
    """As far as the log had come; over both times."""
    found = gap_rows.timelines(store.fetch, 4)

    assert set(found) == {"repaired", "lost"}
    held = [found["repaired"].at(at, 4) for at in (9, 10, 20)]
    assert [row.coverage if row else None for row in held] == [None, "partial", None]
    assert set(gap_rows.timelines(store.fetch, 3)) == {"repaired"}
    assert gap_rows.timelines(store.fetch, 0) == {}


def test_gaps_at_a_point_say_why(store: Store) -> None:
    """With the datasets that the task touches."""
    found = gap_rows.timelines(store.fetch, 4)
    gaps = {gap.task_id: gap for gap in gap_rows.gaps_at(store.fetch, found, 10, 4).at(10, 4).all()}

    assert set(gaps) == {"repaired", "lost"}
    assert gaps["repaired"].reasons == (Reason("syntax", "does not parse", "n:a"),)
    assert {task: (set(gap.reads), set(gap.writes)) for task, gap in gaps.items()} == {
        "repaired": ({"n:a"}, {"n:b"}), "lost": ({"n:raw"}, {"n:t"}),
    }  # fmt: skip
    assert {gap.task_id for gap in gap_rows.gaps_of(store.fetch, found).at(20, 4).all()} == {"lost"}


def test_a_version_lacks_what_its_row_says(store: Store) -> None:
    """One that is complete lacks nothing, and is not read."""
    (gap,) = gap_rows.gaps_of_versions(store.fetch, [("repaired", 1, "partial"), ("repaired", 2, "complete")])

    assert (gap.version, gap.coverage) == (1, "partial")
    assert gap_rows.gaps_of_versions(store.fetch, [("t", 99, None)]) == []


def test_datasets_may_be_touched_without_an_edge(store: Store) -> None:
    """By a problem, by what a text states that it writes, or as the target of a task without edges."""
    asked = ["n:raw", "n:t", "n:b", "n:a", "n:q", "n:none"]

    assert gap_rows.touched(store.fetch, asked) == {"n:raw", "n:t", "n:b"}
    assert gap_rows.stated(store.fetch, ["n:q#k", "n:q#j", "n:q", "n:a#x"]) == {"n:q#k", "n:q"}


def test_nothing_is_read_for_nothing() -> None:
    """Where every task is complete, one column is all that is read."""

    def fetch(*query: object, **known: object) -> list[tuple[object, ...]]:
        raise AssertionError("asked")

    assert gap_rows.details(fetch, []) == {}
    assert gap_rows.gaps_at(fetch, {}, 5, 5).at(5, 5).all() == []
