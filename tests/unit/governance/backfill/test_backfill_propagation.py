"""How wrong values spread from partition to partition, by who was in force when each was made."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from listed_timeline import DAY, HOUR, ListedTimeline, alias, made

from lineage_tt.governance.backfill.partitions import Grain, Partition, Span
from lineage_tt.governance.backfill.propagation import Run, Spread, spread
from lineage_tt.model.answers import EdgeAsOf
from lineage_tt.model.edges import INDIRECT
from lineage_tt.model.errors import InvalidRequestError


def spread_of(
    edges: list[EdgeAsOf], nodes: list[str], window: Span, grains: Mapping[str, Grain] | None = None, *,
    now: int = 100, remake: bool = False,
) -> Spread:  # fmt: skip
    """What is wrong after ``nodes`` were; tasks have days unless ``grains`` says otherwise."""
    timeline = ListedTimeline(edges, now)
    return spread(timeline, nodes, window, lambda task: (grains or {}).get(task, "day"), remake=remake)


def days(found: Spread, task: str) -> list[int]:
    """The days that a task runs again."""
    return sorted(run.partition.start // DAY for run in found.reads if run.task == task)


def test_one_wrong_hour_makes_the_whole_day_wrong_that_reads_it() -> None:
    """And what reads the day by the hour is wrong for all of its hours."""
    edges = [made("daily", "d:a#x", "d:b#x"), made("hourly", "d:b#x", "d:c#x")]
    found = spread_of(edges, ["d:a#x"], Span(5 * DAY + 3 * HOUR, 5 * DAY + 4 * HOUR), {"hourly": "hour"})

    assert days(found, "daily") == [5]
    assert found.wrong["d:b#x"] == (Span(5 * DAY, 6 * DAY),)
    assert len([run for run in found.reads if run.task == "hourly"]) == 24
    assert found.wrong["d:c#x"] == (Span(5 * DAY, 6 * DAY),)


def test_a_partition_is_made_by_the_task_in_force_when_it_ends() -> None:
    """A task that begins at midnight makes the day that ends then; the one before it does not."""
    edges = [made("old", "d:a#x", "d:b#x", until=6), made("new", "d:a#x", "d:b#x", since=6)]
    found = spread_of(edges, ["d:a#x"], Span(4 * DAY, 7 * DAY))

    assert (days(found, "old"), days(found, "new")) == ([4], [5, 6])


def test_a_task_that_did_not_read_the_column_at_the_time_carries_nothing() -> None:
    """It stopped reading it before the window, or begins to after it; only the column counts, not its dataset."""
    edges = [
        made("before", "d:a#x", "d:b#x", until=3), made("after", "d:a#x", "d:c#x", since=40),
        made("other", "d:a#y", "d:d#y"),
    ]  # fmt: skip
    found = spread_of(edges, ["d:a#x"], Span(4 * DAY, 6 * DAY))

    assert found.reads == {}
    assert list(found.wrong) == ["d:a#x"]


def test_a_task_that_reads_its_own_table_carries_an_error_up_to_now() -> None:
    """Every later partition is wrong, for no edge tells which of them it reads."""
    edges = [made("sum", "d:a#x", "d:s#x"), made("sum", "d:s#x", "d:s#x")]
    found = spread_of(edges, ["d:a#x"], Span(5 * DAY, 6 * DAY), now=9)

    assert days(found, "sum") == [5, 6, 7, 8]
    assert found.reads[Run("sum", Partition(5 * DAY, 6 * DAY, "day"))] == {"d:a", "d:s"}


def test_a_wrong_dataset_makes_all_wrong_that_reads_a_column_of_it() -> None:
    """And a column that decides over the rows of a dataset makes the dataset wrong."""
    edges = [
        made("one", "d:a#x", "d:b#x"),
        made("two", "d:b#x", "d:c", since=-999)._replace(type=INDIRECT, subtype="FILTER"),
        made("three", "d:c#z", "d:e#z"),
    ]
    found = spread_of(edges, ["d:a"], Span(DAY, 2 * DAY))

    assert {run.task for run in found.reads} == {"one", "two", "three"}
    assert found.wrong["d:c"] == found.wrong["d:e#z"] == (Span(DAY, 2 * DAY),)


def test_another_name_of_a_table_is_wrong_without_a_run() -> None:
    """Nobody runs an alias; what reads the other name runs again."""
    edges = [*alias("d:a", "s3:a"), *alias("d:a#x", "s3:a#x"), made("read", "s3:a#x", "d:b#x")]
    found = spread_of(edges, ["d:a#x"], Span(DAY, 2 * DAY))

    assert {run.task for run in found.reads} == {"read"}
    assert found.wrong["s3:a#x"] == (Span(DAY, 2 * DAY),)


def test_the_makers_of_a_node_run_again_only_where_they_are_to() -> None:
    """With ``remake`` they are the origins; without it the node is right already."""
    edges = [made("make", "d:r#x", "d:a#x"), made("read", "d:a#x", "d:b#x")]
    window = Span(DAY, 2 * DAY)
    again, done = (spread_of(edges, ["d:a#x"], window, remake=remake) for remake in (True, False))

    assert [run.task for run in again.origins] == ["make"]
    assert {run.task for run in again.reads} == {"make", "read"}
    assert (done.origins, {run.task for run in done.reads}) == (frozenset(), {"read"})


def test_a_partition_that_has_not_ended_is_counted_and_not_run() -> None:
    """One that ends at the very point of the question is run."""
    edges = [made("read", "d:a#x", "d:b#x")]
    found = spread_of(edges, ["d:a#x"], Span(4 * DAY, 7 * DAY), now=6)

    assert days(found, "read") == [4, 5]
    assert found.open == 1


def test_a_task_that_reads_other_columns_of_a_wrong_dataset_is_idle() -> None:
    """Only while the dataset was wrong, and only if it has no run in the plan."""
    edges = [
        made("reader", "d:a#x", "d:b#x"), made("reader", "d:a#y", "d:b#y"), made("names", "d:a#y", "d:n#y"),
        made("gone", "d:a#y", "d:g#y", until=3), made("later", "d:a#y", "d:l#y", since=8),
    ]  # fmt: skip
    found = spread_of(edges, ["d:a#x"], Span(5 * DAY, 6 * DAY))

    assert found.idle == {"names": frozenset({"d:a"})}


def test_a_task_that_is_only_planned_is_not_idle() -> None:
    """It has made nothing yet, although the window goes beyond the question."""
    edges = [made("planned", "d:a#y", "d:p#y", since=12), made("names", "d:a#y", "d:n#y")]
    found = spread_of(edges, ["d:a#x"], Span(5 * DAY, 20 * DAY), now=10)

    assert found.idle == {"names": frozenset({"d:a"})}


def test_a_circle_of_tasks_ends() -> None:
    """Each is run for the same days once."""
    edges = [made("one", "d:a#x", "d:b#x"), made("two", "d:b#x", "d:a#x")]
    found = spread_of(edges, ["d:a#x"], Span(5 * DAY, 7 * DAY))

    assert (days(found, "one"), days(found, "two")) == ([5, 6], [5, 6])


def test_a_window_of_too_many_partitions_is_refused_before_they_are_made() -> None:
    """With what to do."""
    with pytest.raises(InvalidRequestError, match="more than 50,000 partitions") as error:
        spread_of([made("t", "d:a#x", "d:b#x")], ["d:a#x"], Span(0, 60_000 * HOUR), {"t": "hour"}, now=9000)
    assert error.value.hint == "give a shorter one, or a coarser grain"


@pytest.mark.parametrize("now", [30, 60, 400])
def test_what_has_no_partitions_is_made_again_however_long_ago_it_went_wrong(now: int) -> None:
    """A window more than a month before the question left such tables out, and with them all that reads them."""
    edges = [made("whole", "d:a#x", "d:b#x"), made("next", "d:b#x", "d:c#x")]
    found = spread_of(edges, ["d:a#x"], Span(5 * DAY, 8 * DAY), {"whole": "none"}, now=now)

    assert Run("whole", Partition(5 * DAY, 8 * DAY, "none")) in found.reads
    assert days(found, "next") == [5, 6, 7]
