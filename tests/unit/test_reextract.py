"""History parsed again: corrections with the statements' own valid times, beside what was believed before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from ingest.reextract import re_extract
from ingest.resolve import parser_name
from lineage_tt import Store
from lineage_tt.check import check
from lineage_tt.messages import Columns, Lineage, TaskChange

WRONG = ("hive:d.a#wrong", "hive:d.b#x", "DIRECT", "IDENTITY", "")


def old_parser(waiting: Sequence[tuple[TaskChange, Mapping[str, Columns]]]) -> list[Lineage]:
    """A parser of former times, which was wrong."""
    return [Lineage([WRONG], parser="old parser", outputs=[("hive:d.b", ("x",))]) for _ in waiting]


def sql(event: str, task: str, at: int, text: str) -> TaskChange:
    """A task's SQL message."""
    op = "update" if event[-1] > "1" else "online"
    return TaskChange(event, task, op, at, sql=text, dialect="hive", namespace="hive", default_database="d")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A store whose SQL the old parser parsed: two tasks, one with two versions in force and one overruled."""
    store = Store.create(tmp_path)
    store.append(
        [
            sql("e1", "t1", 100, "CREATE TABLE b AS SELECT x FROM a"),
            sql("f1", "t2", 100, "CREATE TABLE c AS SELECT 1 AS overruled FROM b"),
            sql("f2", "t2", 100, "CREATE TABLE c AS SELECT x FROM b"),
            sql("f3", "t2", 300, "CREATE TABLE c AS SELECT x, y FROM b"),
            TaskChange("g", "t1", "offline", 900),
        ],
        resolver=old_parser,
    )
    return store


def edges(store: Store, at: int, version: int | None = None) -> set[tuple[str, str]]:
    """The edges in force at a valid time."""
    return {(edge.source, edge.target) for edge in store.as_of(at, version=version).edges()}


def test_what_a_better_parser_finds_corrects_the_past(store: Store) -> None:
    """Each statement in force says what it should have said, from its own time on; the old belief stays."""
    found = re_extract(store, workers=1)

    assert found.parser == parser_name()
    assert (found.statements, found.corrections, found.first_version, found.last_version) == (4, 3, 6, 8)
    assert edges(store, 150) == {("hive:d.a#x", "hive:d.b#x"), ("hive:d.b#x", "hive:d.c#x")}
    assert edges(store, 350) >= {("hive:d.b#y", "hive:d.c#y")}
    assert edges(store, 950) == {("hive:d.b#x", "hive:d.c#x"), ("hive:d.b#y", "hive:d.c#y")}
    assert edges(store, 150, version=5) == {WRONG[:2]}
    assert check(store.log_path.parent) == []


def test_parsing_again_twice_adds_nothing(store: Store) -> None:
    """What this parser has said needs no saying again, even when it is asked to look at everything."""
    re_extract(store, workers=1)

    assert re_extract(store, workers=1).corrections == 0
    assert re_extract(store, everything=True, workers=1).corrections == 0


def test_a_dry_run_counts_and_adds_nothing(store: Store) -> None:
    """A dry run says how many versions there would be; the store can go on as if it had not been."""
    assert re_extract(store, dry_run=True, workers=1).corrections == 3
    assert store.version == 5
    assert re_extract(store, task_id="t1", workers=1).corrections == 1


def test_a_correction_goes_with_the_message_that_it_corrects(store: Store) -> None:
    """A message that is retracted takes its correction along."""
    re_extract(store, workers=1)
    store.append([TaskChange("r", "t2", "retract", retracts="f3")])

    assert edges(store, 350) == edges(store, 150)
    assert Store.open(store.log_path.parent).as_of(350).edges() == store.as_of(350).edges()


def test_corrected_columns_reach_the_stars_that_read_them(tmp_path: Path) -> None:
    """Where a statement is found to write other columns, stars over them are resolved again."""
    store = Store.create(tmp_path)
    store.append([sql("e1", "t1", 100, "CREATE TABLE b AS SELECT x, y FROM a")], resolver=old_parser)
    from ingest.resolve import SqlResolver

    with SqlResolver(1) as resolver:
        store.append([sql("f1", "t2", 200, "CREATE TABLE c AS SELECT * FROM b")], resolver=resolver)
    assert ("hive:d.b#y", "hive:d.c#y") not in edges(store, 250)

    re_extract(store, workers=1)

    assert ("hive:d.b#y", "hive:d.c#y") in edges(store, 250)
