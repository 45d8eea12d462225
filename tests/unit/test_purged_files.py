"""Another process tightens a policy for history, and the data files that this one knows are removed at once."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pyarrow.parquet as pq
import pytest
from policy_texts import CANARY, MESSAGES, edges, holders, ingest, made, message, place

from ingest.resolve import reextract
from ingest.resolve.resolver import SqlResolver
from ingest.spark.importing import Importer
from lineage_tt import Store
from lineage_tt.api.live.feed import Feed
from lineage_tt.api.live.follow import Follower
from lineage_tt.api.reads.frozen_log import FrozenLog
from lineage_tt.api.reads.reading import Reading
from lineage_tt.api.reads.tail import Tail
from lineage_tt.cli.app import run
from lineage_tt.cli.receiving import Receiver
from lineage_tt.graph import Graph
from lineage_tt.graph.load import coverage
from lineage_tt.graph.load import tail as graph_tail
from lineage_tt.impact import assess as assess_module
from lineage_tt.impact.base.from_store import StoreBase
from lineage_tt.log import verify
from lineage_tt.log.log import Log
from lineage_tt.log.rewriting.rewrite import replace, runs
from lineage_tt.maintenance.check import check
from lineage_tt.model.errors import CorruptError
from lineage_tt.testing import task_change


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A store of two data files, both with texts."""
    (tmp_path / "in").mkdir()
    store = made(tmp_path, "keep")
    for part in (MESSAGES[:4], MESSAGES[4:]):
        ingest(store, part, tmp_path / "in")
    return Store.open(place(store))


def tighten(store: Store, policy: str = "mask-literals") -> None:
    """Tighten the policy as another process does: with a store of its own."""
    other = Store.open(place(store))
    with SqlResolver(1) as resolver:
        other.set_text_policy(policy, "the audit", "ana", history=True, resolver=resolver)


def merge(store: Store, folder: Path) -> None:
    """Put one file in the place of all, as a compaction does whose grace is over."""
    log = Log.open(store.log_path)
    (run,), old = runs(log), log.files()
    pq.write_table(pq.read_table([str(path) for path in old], partitioning=None), folder / "merged.parquet")
    replace(log, [(run, folder / "merged.parquet")])
    for path in old:
        cast("Path", path).unlink()


def append(store: Store, task: str = "new") -> str:
    """Append a message; return what became of it."""
    return store.append([task_change(task, "online", 0, [("n:a#x", "n:b#y")])])[0].status


def previous(store: Store) -> int:
    """Return what the feed's first entry after version 3 names as the one before."""
    return next(store.changes(after=3)).previous_version


ASKED: list[Callable[[Store], Any]] = [append, Graph.load, previous, edges]


@pytest.mark.parametrize("ask", ASKED)
def test_what_reads_them_for_the_first_time_reads_those_in_their_place(
    store: Store, ask: Callable[[Store], Any]
) -> None:
    """A writer that begins, a graph that is loaded, the feed from its middle, a question."""
    version = store.version
    tighten(store)
    assert not any(path.exists() for path in store.opened_log.files()[:2])

    assert ask(store)
    assert store.version > version
    assert check(place(store)) == []


def test_a_writer_that_knows_them_appends(store: Store, tmp_path: Path) -> None:
    """It knew tasks, texts and columns; those of the new files take their place, whatever it writes about."""
    ingest(store, [message("w1", "plain", "SELECT a FROM t", target="n:d.w", effective_at="2024-03-01T00:00:00Z")],
           tmp_path / "in")  # fmt: skip
    before = edges(store)
    tighten(store)

    ingest(store, [message("w2", "plain", f"SELECT '{CANARY}' AS a", target="n:d.w", op="update",
                           effective_at="2024-04-01T00:00:00Z")], tmp_path / "in")  # fmt: skip

    assert {edge for edge in edges(Store.open(place(store))) if edge[0] != "plain"} == {
        edge for edge in before if edge[0] != "plain"
    }
    assert holders(place(store)) == []
    assert check(place(store)) == []


def test_what_a_graph_reads_at_first_use_is_there(store: Store) -> None:
    """Gaps and statements are read from the log when an answer first needs them, and kept up from then on."""
    graph, other = store.graph(), Store.open(place(store))
    expected = {task: each.rows for task, each in Graph.load(other).gaps.tasks.items()}
    tighten(store)

    assert {task: each.rows for task, each in graph.gaps.tasks.items()} == expected
    assert graph.statements.versions_stated(graph.names.tasks.find_all(["plain"]), store.version)
    append(other)
    graph.refresh()
    assert graph.version == other.version
    assert {task: each.rows for task, each in graph.gaps.tasks.items()} == expected


def test_a_check_that_began_before_finds_no_damage(store: Store) -> None:
    """The files that it had listed are gone, and nothing is missing."""
    policies = iter(["mask-literals", "drop-text"])

    def progress(done: int, _: int) -> None:
        if done == 1 and (policy := next(policies, None)):
            tighten(store, policy)

    assert check(place(store), progress) == []
    assert next(policies, None) is None


def test_two_that_tighten_at_once_both_succeed(store: Store) -> None:
    """The stricter one takes the files from under the other, which begins again and has nothing left to do."""
    begun: list[int] = []

    def progress(done: int, _: int) -> None:
        begun.append(done)
        if len(begun) == 1:
            tighten(store, "drop-text")

    before = edges(store)
    with SqlResolver(1) as resolver:
        other = Store.open(place(store))
        other.set_text_policy("mask-literals", "a review", "ben", history=True, resolver=resolver, progress=progress)

    assert edges(Store.open(place(store))) == before
    assert holders(place(store)) == []
    assert [finding for finding in check(place(store)) if finding.kind == "damage"] == []


def test_a_file_that_is_gone_without_another_in_its_place_is_damage(store: Store) -> None:
    """Nothing is read again and again."""
    store.opened_log.files()[0].unlink()
    reads = []

    def read() -> None:
        reads.append(1)
        verify.verified_files(store.opened_log)

    with pytest.raises(CorruptError, match="is missing"):
        verify.retried(store.opened_log, read)
    assert reads == [1]
    assert [finding.kind for finding in check(place(store))] == ["damage"]


def test_a_writer_takes_in_commits_whose_files_were_merged(store: Store, tmp_path: Path) -> None:
    """It remembers a task that others wrote about, and the file that their commit added is gone."""
    append(store)
    other = Store.open(place(store))
    other.append([task_change("new", "update", 5, [("n:a#x", "n:b#z")])])
    merge(store, tmp_path)

    assert append(store, "another") == "accepted"
    assert check(place(store)) == []


@pytest.mark.parametrize("dry_run", [True, False])
def test_a_re_extraction_that_runs_meanwhile_goes_on(
    store: Store, monkeypatch: pytest.MonkeyPatch, dry_run: bool
) -> None:
    """Also one that commits nothing, and so looks for nothing new."""
    monkeypatch.setattr(reextract, "BATCH", 1)
    policies = iter(["mask-literals"])

    def progress(_: int, __: int) -> None:
        for policy in policies:
            tighten(store, policy)

    done = reextract.re_extract(store, everything=True, dry_run=dry_run, workers=1, progress=progress)

    assert done.statements > 1
    assert next(policies, None) is None


def test_an_import_that_begins_reads_those_in_their_place(store: Store) -> None:
    """It reads the past when the first messages come, which may be long after the writer did."""
    assert store.writer
    tighten(store)
    with Importer(store, cast("Any", _NoSpark())) as importer:
        report = importer.take(["nothing"], iter(()))

    assert report.commits == 0


class _NoSpark:
    """What an import asks of a session before there is anything to do."""

    sparkContext = type("Context", (), {"defaultParallelism": 1})  # noqa: N815 (Spark's name)


def test_why_a_message_was_refused_is_read_from_those_in_their_place(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is in the log already: the sender is not told that the store is damaged."""
    appended = Store.append

    def append_and_lose(own: Store, *args: Any, **more: Any) -> Any:
        receipts = appended(own, *args, **more)
        monkeypatch.setattr(Store, "append", appended)
        tighten(store)
        return receipts

    receiver = Receiver(str(place(store)), None, 1)
    monkeypatch.setattr(Store, "append", append_and_lose)
    try:
        (outcome,) = receiver([json.dumps({"event_id": "x", "task_id": "t", "op": "none"}).encode()])
    finally:
        receiver.close()

    assert (outcome.status, bool(outcome.code)) == ("rejected", True)


def test_a_graph_takes_nothing_in_twice(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It reads all before it links the first new edge: a row that is linked again leads to itself."""
    graph, other = store.graph(), Store.open(place(store))
    assert graph.gaps
    assert graph.versions_stated(["plain"], graph.version)
    append(other)
    extended, advance, steps = coverage.extended, graph_tail.advance, list[str]()

    def extended_once_gone(*args: Any) -> Any:
        if not steps:
            merge(store, tmp_path)
        steps.append("gaps")
        return extended(*args)

    def advance_once(*args: Any) -> Any:
        steps.append("edges")
        assert steps.count("edges") == 1
        return advance(*args)

    monkeypatch.setattr(coverage, "extended", extended_once_gone)
    monkeypatch.setattr(graph_tail, "advance", advance_once)
    graph.refresh()

    assert steps == ["gaps", "gaps", "edges"]
    assert graph.version == other.version
    assert set(graph.as_of().edges()) == set(Graph.load(other).as_of().edges())


def test_statements_that_are_ahead_of_a_graph_count_once(store: Store, tmp_path: Path) -> None:
    """They are read from files in the place of others, which a later commit than the graph's put there."""
    graph, other = store.graph(), Store.open(place(store))
    append(other)
    merge(store, tmp_path)

    assert graph.versions_stated(["plain"], graph.version)
    graph.refresh()

    assert graph.versions_stated(["new"], graph.version) == [other.version]
    append(other)
    append(other, "more")
    graph.refresh()
    assert graph.versions_stated(["more"], graph.version) == [other.version]


def test_a_release_is_assessed_over_those_in_their_place(
    store: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By the command and by the service: neither mixes what it read before with what it reads now."""
    reading, basis, found = Reading.of(store), store.basis(), list[int]()

    def ask() -> int:
        base = StoreBase(reading, basis)
        if not found:
            found.append(0)
            tighten(store)
        try:
            return len(base.edges_of(["plain"]))
        finally:
            base.close()

    assert reading.retried(ask) == len(StoreBase(Store.open(place(store)), basis).edges_of(["plain"]))

    real = assess_module.assess

    def assess(*args: Any) -> Any:
        monkeypatch.setattr(assess_module, "assess", real)
        tighten(store, "drop-text")
        return real(*args)

    monkeypatch.setattr(assess_module, "assess", assess)
    release = place(store).parent / "release.sql"
    release.write_text("INSERT INTO o SELECT a, b FROM t", "utf-8")
    words = ["--dialect", "hive", "--namespace", "n", "--default-database", "d", "--format", "json"]
    version = store.refresh()
    run(["--store", str(place(store)), "impact", str(release), *words])

    assert json.loads(capsys.readouterr().out)["basis"]["version"] == version
    assert store.refresh() > version


def test_a_service_loses_no_version_that_comes_as_files_go(store: Store) -> None:
    """The feed moves on to the files in the place of those that it reads, of a later version than the others know."""
    other, seen = Store.open(place(store)), list[tuple[int, int]]()

    class Purged(Feed):
        """A feed under which the files are taken away at its first read."""

        def advance(self, tail: Tail) -> None:
            seen.append((tail.after, tail.version))
            if len(seen) == 1:
                tighten(store)
                append(other, "late")
            super().advance(tail)

        def read_again(self, log: FrozenLog) -> None:
            seen.append((0, log.version))
            super().read_again(log)

    async def follow() -> Follower:
        follower = Follower(store, 1.0, [Purged("id")])
        append(other, "early")
        await follower.advance()
        return follower

    follower = asyncio.run(follow())

    assert follower.version == store.refresh()
    assert (seen[0][0], seen[1]) == (10, (0, follower.version))
