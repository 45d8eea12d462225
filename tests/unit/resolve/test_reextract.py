"""History parsed again: corrections with the statements' own valid times, beside what was believed before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path

import pytest

import lineage_tt
from ingest.pipeline import Ingester
from ingest.resolve.reextract import re_extract
from ingest.resolve.resolver import SqlResolver, parser_name
from lineage_tt import Store
from lineage_tt.maintenance.check import check
from lineage_tt.model.facts import Shape
from lineage_tt.model.messages import Lineage, Op, Problem, Resolver, TaskChange

WRONG = ("hive:d.a#wrong", "hive:d.b#x", "DIRECT", "IDENTITY", "")


def old_parser(waiting: Sequence[tuple[TaskChange, Mapping[str, Shape]]]) -> list[Lineage]:
    """A parser of former times, which was wrong."""
    return [Lineage([WRONG], parser="old parser", outputs=[("hive:d.b", ("x",))]) for _ in waiting]


def sql(event: str, task: str, at: int, text: str) -> TaskChange:
    """A task's SQL message."""
    op: Op = "update" if event[-1] > "1" else "online"
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


@pytest.mark.long
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


@pytest.mark.long
def test_parsing_again_twice_adds_nothing(store: Store) -> None:
    """What this parser has said needs no saying again, even when it is asked to look at everything."""
    re_extract(store, workers=1)

    assert re_extract(store, workers=1).corrections == 0
    assert re_extract(store, everything=True, workers=1).corrections == 0


@pytest.mark.long
def test_a_dry_run_counts_and_adds_nothing(store: Store) -> None:
    """A dry run says how many versions there would be; the store can continue as if it had not been."""
    assert re_extract(store, dry_run=True, workers=1).corrections == 3
    assert store.version == 5
    assert re_extract(store, task_id="t1", workers=1).corrections == 1


@pytest.mark.long
def test_a_correction_goes_with_the_message_that_it_corrects(store: Store) -> None:
    """A message that is retracted takes its correction along."""
    re_extract(store, workers=1)
    store.append([TaskChange("r", "t2", "retract", retracts="f3")])

    assert edges(store, 350) == edges(store, 150)
    assert Store.open(str(store.log_path.parent)).as_of(350).edges() == store.as_of(350).edges()


@pytest.mark.long
def test_corrected_columns_reach_the_stars_that_read_them(tmp_path: Path) -> None:
    """Where a statement is found to write other columns, stars over them are resolved again."""
    store = Store.create(tmp_path)
    store.append([sql("e1", "t1", 100, "CREATE TABLE b AS SELECT x, y FROM a")], resolver=old_parser)
    from ingest.resolve.resolver import SqlResolver

    with SqlResolver(1) as resolver:
        store.append([sql("f1", "t2", 200, "CREATE TABLE c AS SELECT * FROM b")], resolver=resolver)
    assert ("hive:d.b#y", "hive:d.c#y") not in edges(store, 250)

    re_extract(store, workers=1)

    assert ("hive:d.b#y", "hive:d.c#y") in edges(store, 250)


def limited(code: str) -> Resolver:
    """A resolver that exceeds a limit at every statement."""
    return lambda waiting: [Lineage([], "opaque", [Problem(code, "too slow")], parser=parser_name()) for _ in waiting]


def resolving(monkeypatch: pytest.MonkeyPatch, resolver: Resolver) -> None:
    """Have re_extract use another resolver."""
    monkeypatch.setattr("ingest.resolve.reextract.SqlResolver", lambda workers: nullcontext(resolver))


@pytest.mark.long
@pytest.mark.parametrize("code", ["timeout", "worker-died", "crash"])
def test_what_exceeded_a_limit_is_taken_up_again(tmp_path: Path, code: str) -> None:
    """A statement that exceeded a limit is parsed again by the next re-extract, though this very parser parsed it."""
    store = Store.create(tmp_path)
    store.append([sql("e1", "t1", 100, "CREATE TABLE b AS SELECT x FROM a")], resolver=limited(code))
    assert edges(store, 150) == set()

    found = re_extract(store, workers=1)

    assert (found.statements, found.corrections, found.failed) == (1, 1, 0)
    assert edges(store, 150) == {("hive:d.a#x", "hive:d.b#x")}
    assert re_extract(store, workers=1).corrections == 0


def test_what_exceeds_a_limit_again_replaces_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers stay while a limit is exceeded, even with accept_worse, and the failures are counted."""
    before = edges(store, 150)
    resolving(monkeypatch, limited("timeout"))

    found = re_extract(store, accept_worse=True)

    assert (found.corrections, found.failed) == (0, 3)
    assert edges(store, 150) == before


def test_a_worse_answer_is_taken_only_when_asked(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """An opaque answer without edges does not replace one with edges, unless accept_worse says so."""
    before = edges(store, 150)
    syntax = [Problem("syntax", "not understood")]
    resolving(monkeypatch, lambda waiting: [Lineage([], "opaque", syntax, parser="newer") for _ in waiting])

    found = re_extract(store)

    assert (found.corrections, found.worse) == (0, 3)
    assert edges(store, 150) == before
    assert re_extract(store, accept_worse=True).corrections == 3
    assert edges(store, 150) == set()


@pytest.mark.long
def test_columns_that_change_in_a_slow_moment_lose_no_lineage(tmp_path: Path) -> None:
    """Where a star cannot be resolved again for a limit, what was known stays, marked; re-extract resolves it."""
    store = Store.create(tmp_path)
    with SqlResolver(1) as resolver:
        store.append([sql("e1", "t1", 100, "CREATE TABLE a AS SELECT x FROM s")], resolver=resolver)
        store.append([sql("f1", "t2", 200, "CREATE TABLE b AS SELECT * FROM a")], resolver=resolver)
    known = edges(store, 350)
    assert ("hive:d.a#x", "hive:d.b#x") in known

    wider = TaskChange("g1", "t1", "update", 300, lineage=Lineage([WRONG], outputs=[("hive:d.a", ("x", "y"))]))
    store.append([wider], resolver=limited("timeout"))

    derived = store.log()[-1]
    assert (derived.derived_from, derived.coverage) == (2, "partial")
    assert ("hive:d.a#x", "hive:d.b#x") in edges(store, 350)
    assert re_extract(store, workers=1).corrections == 1
    assert {("hive:d.a#x", "hive:d.b#x"), ("hive:d.a#y", "hive:d.b#y")} <= edges(store, 350)
    assert check(store.log_path.parent) == []


@pytest.mark.long
def test_the_untouched_sample_needs_no_corrections(tmp_path: Path) -> None:
    """Parsed again by the same parser, the sample says what it said: no statement sees what it wrote itself."""
    store = Store.create(tmp_path)
    sample = Path(lineage_tt.__file__).parent / "sample" / "retail.jsonl"
    with Ingester(store, system_times="recorded_at") as ingester:
        ingester.ingest_file(str(sample))

    found = re_extract(store, everything=True)

    assert found.statements > 100
    assert (found.corrections, found.worse, found.failed) == (0, 0, 0)
