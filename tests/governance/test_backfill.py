"""Backfill: the plan is run in DuckDB, and what it leaves is what a rebuilt warehouse holds."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import pytest
from rounds import rounds

from lineage_tt import Store
from lineage_tt.governance.backfill.partitions import Span, read_grain
from lineage_tt.governance.backfill.plan import Plan, backfill
from lineage_tt.governance.backfill.timeline import GraphTimeline
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.times import parse_instant
from lineage_tt.testing import ManualClock, task_change

DAY = 86_400_000_000
BEGIN = parse_instant("2026-03-01T00:00:00Z")
DAYS = 12
COLUMNS = ("a", "b")


class Text(NamedTuple):
    """What a task does from some moment on: each column is a source's column plus a constant; rows of days pass."""

    since: int
    sources: tuple[tuple[str, str], tuple[str, str]]
    add: int

    def edges(self, table: str) -> list[tuple[str, str]]:
        """The edges that its message states."""
        return [(f"d:{t}#{c}", f"d:{table}#{own}") for own, (t, c) in zip(COLUMNS, self.sources, strict=True)]

    def sql(self) -> str:
        """The query of one day."""
        (one, first), (other, second) = self.sources
        return (
            f"SELECT $day AS day, (SELECT sum({first}) FROM {one} WHERE day = $day) + {self.add}, "
            f"(SELECT sum({second}) FROM {other} WHERE day = $day) - {self.add}"
        )


Tasks = dict[str, list[Text]]


def random_tasks(draw: random.Random) -> Tasks:
    """Tables t0 …, each with some texts over time, reading raw tables and earlier tables."""
    tasks: Tasks = {}
    for at in range(draw.randint(2, 7)):
        known = ["raw0", "raw1", *(f"t{i}" for i in range(at))]
        moments = sorted({0, *(draw.randrange(1, DAYS * 24) for _ in range(draw.randint(0, 2)))})
        tasks[f"t{at}"] = [
            Text(BEGIN + hour * 3_600_000_000,
                 ((draw.choice(known), draw.choice(COLUMNS)), (draw.choice(known), draw.choice(COLUMNS))),
                 draw.randrange(100))
            for hour in moments
        ]  # fmt: skip
    return tasks


def in_force(texts: Sequence[Text], at: int) -> Text | None:
    """The text that a task has at a moment."""
    found = [text for text in texts if text.since <= at]
    return found[-1] if found else None


def run(connection: Any, table: str, text: Text | None, day: int) -> None:
    """Rebuild one day of a table."""
    connection.execute(f"DELETE FROM {table} WHERE day = $day", {"day": day})
    if text is not None:
        connection.execute(f"INSERT INTO {table} {text.sql()}", {"day": day})


def contents(connection: Any, tables: Sequence[str]) -> dict[str, list[Any]]:
    """All rows of tables."""
    return {table: connection.execute(f"FROM {table} ORDER BY ALL").fetchall() for table in tables}


def warehouse(tasks: Tasks, wrong: frozenset[tuple[str, str, int]]) -> Any:
    """Run all days as they came; ``wrong`` are (table, column, day) of raw tables that hold wrong values."""
    connection = duckdb.connect()
    for raw in ("raw0", "raw1"):
        connection.execute(f"CREATE TABLE {raw} (day INT, a BIGINT, b BIGINT)")
        for day in range(DAYS):
            a, b = (day * 7 + len(raw) + (1_000_000 if (raw, c, day) in wrong else 0) for c in COLUMNS)
            connection.execute(f"INSERT INTO {raw} VALUES (?, ?, ?)", [day, a + int(raw[-1]), b])
    for table in tasks:
        connection.execute(f"CREATE TABLE {table} (day INT, a BIGINT, b BIGINT)")
    for day in range(DAYS):
        for table, texts in tasks.items():
            run(connection, table, in_force(texts, BEGIN + (day + 1) * DAY), day)
    return connection


def store_of(path: Path, tasks: Tasks) -> Store:
    """A store that heard of every text in the order of time."""
    store = Store.create(path, clock=ManualClock(BEGIN))
    texts = sorted(
        ((text.since, table, text) for table, texts in tasks.items() for text in texts), key=lambda each: each[0]
    )
    store.append([task_change(table, "update", since, text.edges(table)) for since, table, text in texts])
    return store


def plan_of(store: Store, nodes: Sequence[str], window: Span, now: int, grain: str = "day", **options: Any) -> Plan:
    """The plan at a point."""
    graph = store.graph()
    timeline = GraphTimeline(store, graph, graph.basis(now))
    return backfill(timeline, nodes, window, lambda task: read_grain(grain), **options)


@pytest.mark.parametrize("seed", range(rounds(25)))
def test_running_the_plan_repairs_the_warehouse_and_nothing_else_is_run(tmp_path: Path, seed: int) -> None:
    """Random tasks whose texts change over time; a raw column is wrong for some days and then repaired."""
    draw = random.Random(seed)
    print(f"seed {seed}")
    tasks = random_tasks(draw)
    first = draw.randrange(DAYS)
    last = draw.randrange(first, DAYS)
    raw, column = draw.choice(("raw0", "raw1")), draw.choice(COLUMNS)
    wrong = frozenset((raw, column, day) for day in range(first, last + 1))
    broken, right = warehouse(tasks, wrong), warehouse(tasks, frozenset())
    for day in range(first, last + 1):
        broken.execute(f"UPDATE {raw} SET {column} = {column} - 1000000 WHERE day = ?", [day])
    store = store_of(tmp_path / "store", tasks)
    window = Span(BEGIN + first * DAY, BEGIN + (last + 1) * DAY)
    now = BEGIN + (DAYS + 1) * DAY
    plan = plan_of(store, [f"d:{raw}#{column}"], window, now)
    before = contents(broken, [*tasks])
    done: list[int] = []
    for step in plan.steps:
        assert set(step.after) <= set(done)
        assert step.in_force is not None
        (text,) = (text for text in tasks[step.task_id] if text.since == step.in_force.effective_at)
        for partition in step.partitions:
            run(broken, step.task_id, text, (partition.start - BEGIN) // DAY)
        done.append(step.number)

    assert contents(broken, ["raw0", "raw1", *tasks]) == contents(right, ["raw0", "raw1", *tasks])
    planned = {(step.task_id, (p.start - BEGIN) // DAY) for step in plan.steps for p in step.partitions}
    right_rows = contents(right, [*tasks])
    changed = {
        (table, row[0])
        for table in tasks
        for row, other in zip(before[table], right_rows[table], strict=True)
        if row != other
    }
    assert changed == planned
    assert plan.open == 0


def story(tmp_path: Path) -> Store:
    """load → clean → day and month reports; clean changes on the 5th, the old report goes offline on the 8th."""
    store = Store.create(tmp_path / "story", clock=ManualClock(BEGIN))
    store.append([
        task_change("load", "online", BEGIN, [("d:src#x", "d:ods#x"), ("d:src#y", "d:ods#y")]),
        task_change("clean", "online", BEGIN, [("d:ods#x", "d:dw#x"), ("d:ods#y", "d:dw#y")]),
        task_change("report", "online", BEGIN, [("d:dw#x", "d:ads#x")]),
        task_change("names", "online", BEGIN, [("d:dw#y", "d:names#y")]),
        task_change("clean", "update", BEGIN + 4 * DAY, [("d:ods#x", "d:dw#x", "DIRECT", "TRANSFORMATION", "x + ?"),
                                                         ("d:ods#y", "d:dw#y")]),
        task_change("report", "offline", BEGIN + 7 * DAY),
    ])  # fmt: skip
    return store


def test_a_plan_says_which_text_to_run_and_what_is_offline_or_idle(tmp_path: Path) -> None:
    """By who was in force when the partition ended; what reads other columns alone is skipped with its reason."""
    plan = plan_of(story(tmp_path), ["d:ods#x"], Span(BEGIN + 2 * DAY, BEGIN + 6 * DAY), BEGIN + 20 * DAY)
    told = [(s.task_id, s.in_force and s.in_force.version, len(s.partitions), s.stage, s.origin) for s in plan.steps]

    assert told == [
        ("load", 1, 4, 1, True), ("clean", 2, 1, 2, False), ("clean", 5, 3, 3, False), ("report", 3, 4, 4, False),
    ]  # fmt: skip
    steps = plan.to_json()["steps"]
    assert [step["differs_from_now"] for step in steps] == [False, True, False, True]
    assert [step["offline_now"] for step in steps] == [False, False, False, True]
    assert [step["after"] for step in steps] == [[], [1], [1, 2], [2, 3]]
    assert steps[1]["partitions"] == [
        {"start": "2026-03-03T00:00:00Z", "end": "2026-03-04T00:00:00Z", "params": {"dt": "2026-03-03"}}
    ]
    assert plan.skipped == (("names", ("d:dw",), "reads none of the wrong columns"),)
    assert plan.cuts == ((1, "d:ods"), (3, "d:dw"))


def test_a_repaired_source_needs_no_run_of_its_writer(tmp_path: Path) -> None:
    """``remake`` off: the node is right again already."""
    window = Span(BEGIN + 2 * DAY, BEGIN + 3 * DAY)
    plan = plan_of(story(tmp_path), ["d:ods#x"], window, BEGIN + 20 * DAY, remake=False)

    assert [step.task_id for step in plan.steps] == ["clean", "report"]


def test_partitions_that_have_not_ended_are_counted_and_not_planned(tmp_path: Path) -> None:
    """Their runs are still to come."""
    window = Span(BEGIN + 2 * DAY, BEGIN + 4 * DAY)
    plan = plan_of(story(tmp_path), ["d:ods#x"], window, BEGIN + 3 * DAY + DAY // 2)

    assert {p.start for step in plan.steps for p in step.partitions} == {BEGIN + 2 * DAY}
    assert plan.open == 3


def test_a_coarser_reader_is_run_for_all_of_its_partition_and_its_readers_too(tmp_path: Path) -> None:
    """A month that holds one wrong day is wrong, and so is every day that reads the month."""
    store = story(tmp_path)
    store.append([
        task_change("monthly", "online", BEGIN, [("d:dw#x", "d:m#x")]),
        task_change("after", "online", BEGIN, [("d:m#x", "d:after#x")]),
    ])  # fmt: skip
    graph = store.graph()
    timeline = GraphTimeline(store, graph, graph.basis(BEGIN + 60 * DAY))
    grains = {"monthly": "month"}
    window = Span(BEGIN + 9 * DAY, BEGIN + 10 * DAY)
    plan = backfill(timeline, ["d:dw#x"], window, lambda task: read_grain(grains.get(task, "day")), remake=False)
    told = {step.task_id: [p.params() for p in step.partitions] for step in plan.steps}

    assert told["monthly"] == [{"month": "2026-03"}]
    assert told["after"] == [{"dt": f"2026-03-{day:02}"} for day in range(1, 32)]
    assert set(told) == {"monthly", "after"}


def test_what_has_no_partitions_is_made_once_by_who_is_in_force_now(tmp_path: Path) -> None:
    """A whole table: one run, with today's text."""
    plan = plan_of(story(tmp_path), ["d:ods#x"], Span(BEGIN, BEGIN + 2 * DAY), BEGIN + 20 * DAY, "none")

    assert [(s.task_id, s.in_force and s.in_force.version, [p.params() for p in s.partitions]) for s in plan.steps] == [
        ("load", 1, [{}]), ("clean", 5, [{}]),
    ]  # fmt: skip


def test_a_task_that_reads_its_own_table_carries_an_error_on(tmp_path: Path) -> None:
    """It is run for every partition up to the point of the question."""
    store = Store.create(tmp_path / "own", clock=ManualClock(BEGIN))
    store.append([task_change("sum", "online", BEGIN, [("d:in#x", "d:sum#x"), ("d:sum#x", "d:sum#x")])])
    plan = plan_of(store, ["d:in#x"], Span(BEGIN + DAY, BEGIN + 2 * DAY), BEGIN + 6 * DAY)

    assert [p.start for step in plan.steps for p in step.partitions] == [BEGIN + at * DAY for at in range(1, 6)]


def test_an_order_that_changed_over_time_cuts_the_plan(tmp_path: Path) -> None:
    """b read a until the 5th, and a reads b since: each part has its own order."""
    store = Store.create(tmp_path / "turned", clock=ManualClock(BEGIN))
    store.append([
        task_change("a", "online", BEGIN, [("d:in#x", "d:a#x")]),
        task_change("b", "online", BEGIN, [("d:a#x", "d:b#x")]),
        task_change("a", "update", BEGIN + 4 * DAY, [("d:b#x", "d:a#x")]),
        task_change("b", "update", BEGIN + 4 * DAY, [("d:in#x", "d:b#x")]),
    ])  # fmt: skip
    plan = plan_of(store, ["d:in#x"], Span(BEGIN + DAY, BEGIN + 7 * DAY), BEGIN + 20 * DAY)

    assert [step.task_id for step in plan.steps] == ["a", "b", "b", "a"]
    assert not any(step.circle for step in plan.steps)
    assert plan.steps[0].partitions[-1].end <= BEGIN + 4 * DAY


def test_a_plan_of_too_many_partitions_is_refused(tmp_path: Path) -> None:
    """With what to do."""
    with pytest.raises(InvalidRequestError) as error:
        plan_of(story(tmp_path), ["d:ods#x"], Span(0, BEGIN + 4000 * DAY), BEGIN + 5000 * DAY, "hour")
    assert "coarser" in (error.value.hint or "")
