"""The rules by which an answer meets gaps: walks, differences and the blame of an edge, on values alone."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

import pytest

from lineage_tt.model.completeness.rules import of_blame, of_diff, of_walk
from lineage_tt.model.completeness.summary import COMPLETE, NO_SUCH_COLUMN, Completeness, Gap
from lineage_tt.model.edges import ALIAS, EdgeAsOf, Step

GAP = Gap("g", 3, "partial", reads=frozenset({"n:a"}), writes=frozenset({"n:b"}), unknown_reads=frozenset({"n:a"}),
          untraced_writes=frozenset({"n:b"}), columns={"n:b": frozenset({"y"})})  # fmt: skip


class Gaps:
    """Gaps as of one point, in a list."""

    def __init__(self, *gaps: Gap) -> None:
        self._gaps = list(gaps)

    def __bool__(self) -> bool:
        return bool(self._gaps)

    def all(self) -> list[Gap]:
        """All of them."""
        return self._gaps

    def of(self, tasks: Collection[str]) -> list[Gap]:
        """Those of some tasks."""
        return [gap for gap in self._gaps if gap.task_id in tasks]

    def writing(self, datasets: Collection[str]) -> list[Gap]:
        """Those that write."""
        return [gap for gap in self._gaps if gap.writes & set(datasets)]

    def reading(self, datasets: Collection[str]) -> list[Gap]:
        """Those that may read."""
        return [gap for gap in self._gaps if gap.unknown_reads & set(datasets)]


def step(
    way: Literal["up", "down"], count: int, source: str, target: str, *, task: str = "t", star: bool = False,
    subtype: str = "IDENTITY", kind: str = "DIRECT",
) -> Step:  # fmt: skip
    """An edge that a walk reached."""
    return Step(way, count, EdgeAsOf(task, source, target, kind, subtype, "", 1, 0, None), star)


def ended(found: Completeness) -> list[tuple[str, str, str]]:
    """Where and why a walk ended without knowing."""
    return [end[:3] for end in found.ends]


def test_without_gaps_only_assumed_names_count() -> None:
    """An alias is stated by somebody: joining a column over it assumes nothing."""
    steps = [step("up", 1, "n:a#x", "n:b#x", star=True), step("up", 2, "n:c#x", "n:a#x", star=True, subtype=ALIAS)]

    assert of_walk(Gaps(), ["n:b#x"], steps, "up", None).by_star == 1
    assert of_walk(Gaps(), ["n:b#x"], [], "both", None) is COMPLETE


def test_upstream_ends_where_a_writer_shows_no_edge() -> None:
    """A column that the task is known not to write is not an end of it."""
    assert ended(of_walk(Gaps(GAP), ["n:b#y"], [], "up", None)) == [("n:b#y", "up", "unknown-sources")]
    assert of_walk(Gaps(GAP), ["n:b#z"], [], "up", None) is COMPLETE


@pytest.mark.parametrize(
    ("source", "target", "kind", "covered"),
    [("n:a#x", "n:b#y", "DIRECT", True), ("n:a#x", "n:b#y", "INDIRECT", True), ("n:a#x", "n:b#*", "DIRECT", True),
     ("n:a#x", "n:b", "DIRECT", True), ("n:a#x", "n:b", "INDIRECT", False)],
)  # fmt: skip
def test_an_edge_into_the_column_or_all_of_its_dataset_covers_it(
    source: str, target: str, kind: str, covered: bool
) -> None:
    """The gap is met all the same: some of the task's lineage is not known. A filter of the table is not a value."""
    found = of_walk(Gaps(GAP), ["n:b#y"], [step("up", 1, source, target, kind=kind)], "up", None)

    assert (found.ends == (), [task.task_id for task in found.tasks]) == (covered, ["g"])


def test_downstream_ends_where_a_reader_shows_no_edge() -> None:
    """Its reads are not known column by column; an edge out of the column shows one of them."""
    assert ended(of_walk(Gaps(GAP), ["n:a#x"], [], "down", None)) == [("n:a#x", "down", "unknown-targets")]
    assert of_walk(Gaps(GAP), ["n:a#x"], [step("down", 1, "n:a#x", "n:b#y")], "down", 1).ends == ()


def test_a_walk_is_not_asked_for_what_comes_after_its_depth() -> None:
    """A node at which the depth stops it is not an end, and with depth 0 none is."""
    steps = [step("up", 1, "n:b#y", "n:c#z")]

    assert of_walk(Gaps(GAP), ["n:c#z"], steps, "up", 1) is COMPLETE
    assert ended(of_walk(Gaps(GAP), ["n:c#z"], steps, "up", 2)) == [("n:b#y", "up", "unknown-sources")]
    assert of_walk(Gaps(GAP), ["n:b#y"], [], "up", 0, absent=set) is COMPLETE


def test_a_column_that_its_dataset_does_not_have_is_named() -> None:
    """Only where the walk begins, and only where it finds no edge; datasets themselves are not asked about."""
    asked: list[set[str]] = []

    def absent(columns: Collection[str]) -> Collection[str]:
        asked.append(set(columns))
        return columns

    found = of_walk(Gaps(), ["n:b#old", "n:b#y", "n:b"], [step("up", 1, "n:a#x", "n:b#y")], "up", None, absent)

    assert asked == [{"n:b#old"}]
    assert ended(found) == [("n:b#old", "up", NO_SUCH_COLUMN)]


def test_a_difference_meets_gaps_that_are_not_the_same_at_both_points() -> None:
    """Or whose task is among its edges; with a node, only those that touch its dataset."""
    changed = GAP._replace(version=4)

    assert of_diff(Gaps(), Gaps(), ["g"], None) is COMPLETE
    assert of_diff(Gaps(GAP), Gaps(GAP), [], None) is COMPLETE
    assert [task.version for task in of_diff(Gaps(GAP), Gaps(GAP), ["g"], None).tasks] == [3]
    assert [task.version for task in of_diff(Gaps(GAP), Gaps(changed), [], "n:b#y").tasks] == [3, 4]
    assert of_diff(Gaps(GAP), Gaps(), [], "n:elsewhere#y") is COMPLETE


def test_blame_names_the_gaps_of_what_it_found_or_of_who_may_write() -> None:
    """Where no edge was found, a task that may write the target may be the one that is looked for."""
    assert [task.task_id for task in of_blame([GAP], True, Gaps(), "n:b#y").tasks] == ["g"]
    assert [task.task_id for task in of_blame([], False, Gaps(GAP), "n:b#y").tasks] == ["g"]
    assert of_blame([], False, Gaps(GAP), "n:b#z") is COMPLETE


def test_many_tasks_at_one_node_are_counted_in_words() -> None:
    """Three are named, the others are a number."""
    gaps = [GAP._replace(task_id=f"g{number}") for number in range(5)]
    (end,) = of_walk(Gaps(*gaps), ["n:b#y"], [], "up", None).ends

    assert end.detail == "tasks g0, g1, g2 and 2 more write n:b from sources that are not known"
