"""Another process tightens a policy for history, and the data files that this one knows are removed at once."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from policy_texts import CANARY, edges, holders, ingest, message, place
from purges import append, merge, tighten

from ingest.resolve import reextract
from ingest.resolve.resolver import SqlResolver
from ingest.spark.importing import Importer
from lineage_tt import Store
from lineage_tt.api.reads.reading import Reading
from lineage_tt.cli.receiving import Receiver
from lineage_tt.graph import Graph
from lineage_tt.log import verify
from lineage_tt.maintenance.check import check
from lineage_tt.model.errors import CorruptError
from lineage_tt.testing import ManualClock, task_change
from lineage_tt.write.past import history


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


@pytest.mark.parametrize("purge", [True, False])
def test_a_writer_takes_in_commits_whose_files_were_merged(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, purge: bool
) -> None:
    """It remembers a task that others wrote about. While the files that the commits added are there, it reads these."""
    append(store)
    other = Store.open(place(store))
    other.append([task_change("new", "update", 5, [("n:a#x", "n:b#z")])])
    merge(store, tmp_path, purge=purge)
    if not purge:
        monkeypatch.setattr(history, "load", None)

    assert append(store, "another") == "accepted"
    assert check(place(store)) == []


@pytest.mark.parametrize("dry_run", [True, False])
def test_a_re_extraction_that_runs_meanwhile_continues(
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
    """The message is in the log already: its sender gets the reason, and no error about damage."""
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


def two_tasks(folder: Path) -> tuple[Store, Reading]:
    """A store of two files, and a reading of it as the service has one."""
    store = Store.create(folder, clock=ManualClock(90))
    for number in (1, 2):
        store.append([task_change(f"t{number}", "online", 10, [(f"n:a#c{number}", "n:b#y")])])
    return store, Reading.of(store)


def test_an_answer_goes_on_where_another_request_has_moved_to_the_new_files(tmp_path: Path) -> None:
    """What its next question needs is created where that question is asked, not in the database of the others."""
    store, reading = two_tasks(tmp_path / "s")
    one, other = reading.again(), reading.again()
    view = one.as_of()
    assert one.fetch("SELECT count(*) FROM log") == [(2,)]
    merge(store, tmp_path)
    assert other.fetch("SELECT count(*) FROM log") == [(2,)]

    assert len(view.edges()) == 2
    assert len(view.columns()) == 3
    assert one.sql("SELECT count(*) FROM edges_as_of(now())")[1] == [(2,)]


def test_an_answer_goes_on_where_reading_coverages_has_moved(tmp_path: Path) -> None:
    """Coverages are read for all requests, by the reader that they share."""
    store, reading = two_tasks(tmp_path / "s")
    assert reading.fetch("SELECT count(*) FROM log") == [(2,)]
    merge(store, tmp_path)
    assert reading.coverages() == {}

    assert len(reading.as_of().edges()) == 2
