"""The pipeline: batches, places in the source, tied times, ignored lines, replay of dead letters."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ingest import pipeline
from ingest.messages import parsing
from ingest.messages.mapping import FieldMapping, MappingFile
from ingest.pipeline import Ingester, Progress
from lineage_tt import Store
from lineage_tt.maintenance.check import check

SECOND = 1_000_000


def line(n: int, **fields: object) -> str:
    """Return message ``n``: task ``t<n mod 3>`` reads column ``c<n>`` from second ``n`` on."""
    message = {
        "event_id": f"e{n}",
        "task_id": f"t{n % 3}",
        "op": "update",
        "effective_at": n * SECOND,
        "recorded_at": n * SECOND,
        "edges": [{"source": f"a:s#c{n}", "target": f"a:t{n % 3}#x"}],
    }
    return json.dumps(message | fields)


def write(path: Path, *lines: str) -> str:
    """Write lines to a file and return its name."""
    path.write_text("".join(f"{text}\n" for text in lines))
    return str(path)


def rows(store: Store) -> list[tuple[object, ...]]:
    """Return what a store's log says, wall-clock times aside."""
    query = "SELECT * EXCLUDE (system_time, checksum, source) FROM log ORDER BY version"
    return store.sql(query)[1]


def test_the_summary_counts_what_became_of_each_line(tmp_path: Path) -> None:
    """Accepted, refused, repeated and blank lines are counted apart; refusals by reason."""
    name = write(tmp_path / "f", line(1), line(2), "{broken", line(1), "", line(2, op="offline", edges=None))

    with Ingester(Store.create(tmp_path / "s")) as ingester:
        summary = ingester.ingest_file(name)

    assert (summary.received, summary.accepted, summary.rejected) == (6, 2, 2)
    assert (summary.duplicates, summary.ignored) == (1, 1)
    assert summary.reasons == {"malformed-json": 1, "conflicting-duplicate": 1}
    assert (summary.first_version, summary.last_version) == (1, 4)


@pytest.mark.long
@pytest.mark.parametrize("batch", [1, 2, 5, 100])
def test_the_size_of_batches_changes_no_row(tmp_path: Path, batch: int) -> None:
    """Ten messages give the same rows one by one as all at once."""
    name = write(tmp_path / "f", *(line(n) for n in range(1, 11)), "{broken", line(5))
    stores = Store.create(tmp_path / "one"), Store.create(tmp_path / "other")

    for store, size in zip(stores, (3, batch), strict=True):
        with Ingester(store, batch=size) as ingester:
            ingester.ingest_file(name)

    assert rows(stores[0]) == rows(stores[1])


@pytest.mark.long
def test_a_long_file_is_validated_in_a_second_process_with_the_same_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether lines are parsed here or in another process cannot be told from the store."""
    name = write(tmp_path / "f", *(line(n) for n in range(1, 40)), "{broken", line(3, op="offline", edges=None))
    stores = Store.create(tmp_path / "here"), Store.create(tmp_path / "there")

    for store, long in zip(stores, (10**9, 100), strict=True):
        monkeypatch.setattr(parsing, "LONG", long)
        with Ingester(store, batch=7) as ingester:
            ingester.ingest_file(name)

    assert rows(stores[0]) == rows(stores[1])
    assert len(rows(stores[0])) == 41


@pytest.mark.parametrize("batch", [1, 2, 3, 4, 5, 6, 7, 100])
def test_a_history_import_shows_all_of_a_second_as_of_that_second(tmp_path: Path, batch: int) -> None:
    """Messages of one recorded_at are all seen as of it, and none of the next, wherever batches end."""
    seconds = [1, 2, 2, 2, 2, 2, 3, 4, 4, 5]
    name = write(tmp_path / "f", *(line(n, recorded_at=s * SECOND) for n, s in enumerate(seconds, 1)))
    store = Store.create(tmp_path / "s")

    with Ingester(store, batch=batch, system_times="recorded_at") as ingester:
        ingester.ingest_file(name)

    for second in range(6):
        expected = sum(s <= second for s in seconds)
        assert store.basis(system_at=second * SECOND).version == expected
    times = [entry.system_time for entry in store.log()]
    assert times == sorted(set(times))
    assert check(tmp_path / "s") == []


@pytest.mark.long
@pytest.mark.parametrize("batch", [1, 2, 3, 100])
def test_a_history_import_in_two_runs_is_the_same_as_in_one(tmp_path: Path, batch: int) -> None:
    """The place noted in the log is never beyond what was appended, so a grown file loses nothing."""
    seconds = [1, 2, 2, 3, 3, 3, 4]
    lines = [line(n, recorded_at=s * SECOND) for n, s in enumerate(seconds, 1)]
    once, twice = Store.create(tmp_path / "once"), Store.create(tmp_path / "twice")
    with Ingester(once, batch=batch, system_times="recorded_at") as ingester:
        ingester.ingest_file(write(tmp_path / "f", *lines))

    with Ingester(twice, batch=batch, system_times="recorded_at") as ingester:
        ingester.ingest_file(write(tmp_path / "f", *lines[:4]))
        ingester.ingest_file(write(tmp_path / "f", *lines))

    assert rows(twice) == rows(once)


def test_a_file_fed_again_adds_nothing_and_a_grown_one_adds_what_is_new(tmp_path: Path) -> None:
    """The log knows how far a file was read; the messages themselves count once in any case."""
    store = Store.create(tmp_path / "s")
    with Ingester(store) as ingester:
        ingester.ingest_file(write(tmp_path / "f", line(1), "{broken"))
        again = ingester.ingest_file(write(tmp_path / "f", line(1), "{broken"))
        other_name = ingester.ingest_file(write(tmp_path / "g", line(1), "{broken"))
        grown = ingester.ingest_file(write(tmp_path / "f", line(1), "{broken", line(2)))

    assert (again.accepted, again.rejected, again.duplicates) == (0, 0, 2)
    assert (other_name.accepted, other_name.rejected, other_name.duplicates) == (0, 0, 2)
    assert (grown.accepted, grown.duplicates) == (1, 2)
    assert store.version == 3


def test_a_history_that_goes_back_is_refused_message_by_message(tmp_path: Path) -> None:
    """System times never fall: a message recorded before what the store has reached becomes a dead letter."""
    name = write(tmp_path / "f", line(10), line(5), line(11, recorded_at=None), line(12))

    with Ingester(store := Store.create(tmp_path / "s"), system_times="recorded_at") as ingester:
        summary = ingester.ingest_file(name)

    assert summary.reasons == {"recorded-at-decreases": 1, "recorded-at-missing": 1}
    assert store.version == 4


def test_a_dead_letter_is_replayed_once_its_cause_is_mended(tmp_path: Path) -> None:
    """Replay takes the kept bytes through a new mapping; the accepted message names the dead letter as its cause."""
    store = Store.create(tmp_path / "s")
    bytes_kept = line(1, op="create")
    with Ingester(store) as ingester:
        ingester.ingest_file(write(tmp_path / "f", bytes_kept))
        [letter] = store.dead_letters()
        still = ingester.replay(letter)
    assert (letter.raw.decode(), still.status, still.version) == (bytes_kept, "duplicate", 1)
    fields = {name: {"field": name} for name in ("event_id", "task_id", "effective_at")}
    op = {"op": {"field": "op", "map": {"create": "online"}}}
    edges = {"field": "edges", "source": "source", "target": "target"}
    mapping = FieldMapping(MappingFile.model_validate({"fields": fields | op, "edges": edges}))

    with Ingester(store, mapping=mapping) as ingester:
        receipt = ingester.replay(letter)

    assert (receipt.status, receipt.version) == ("accepted", 2)
    assert store.log()[-1].cause == "replay of version 1"
    assert [letter.replayed_as for letter in store.dead_letters()] == [2]


def test_progress_ends_at_the_end_of_the_file(tmp_path: Path) -> None:
    """Progress counts up to all bytes and all messages."""
    seen: list[Progress] = []
    name = write(tmp_path / "f", *(line(n) for n in range(1, 30)))

    with Ingester(Store.create(tmp_path / "s"), batch=4, progress=seen.append) as ingester:
        ingester.ingest_file(name)

    assert [p.received for p in seen] == sorted(p.received for p in seen)
    assert seen[-1] == Progress(Path(name).stat().st_size, Path(name).stat().st_size, 29)


@pytest.mark.long
def test_a_batch_of_sql_gives_what_its_messages_give_one_by_one(tmp_path: Path) -> None:
    """A star is expanded with the columns its source has at the message's turn, in one batch or in many."""

    def sql(n: int, text: str) -> str:
        return line(n, task_id=f"t{n}", edges=None, sql=text, dialect="hive", namespace="hive", default_database="d")

    name = write(
        tmp_path / "f",
        sql(1, "CREATE TABLE b AS SELECT x, y FROM a"),
        sql(2, "CREATE TABLE c AS SELECT * FROM b"),
        sql(4, "CREATE TABLE b AS SELECT x, y, z FROM a"),
        sql(5, "CREATE TABLE e AS SELECT * FROM b"),
    )
    stores = Store.create(tmp_path / "one"), Store.create(tmp_path / "many")

    for store, batch in zip(stores, (1, 100), strict=True):
        with Ingester(store, batch=batch, workers=1) as ingester:
            ingester.ingest_file(name)

    assert rows(stores[0]) == rows(stores[1])
    edges = {(edge.source, edge.target) for edge in stores[0].as_of(valid_at=5 * SECOND).edges()}
    assert ("hive:d.b#y", "hive:d.c#y") in edges
    assert ("hive:d.b#z", "hive:d.c#z") in edges
    assert ("hive:d.b#z", "hive:d.e#z") in edges
    before = {(edge.source, edge.target) for edge in stores[0].as_of(valid_at=3 * SECOND).edges()}
    assert ("hive:d.b#z", "hive:d.c#z") not in before


@pytest.mark.parametrize("most", [1, 100, 10**9])
def test_long_sql_is_committed_in_portions_with_the_same_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """Where a batch is cut for the length of its SQL changes no row, and equal times stay together."""
    monkeypatch.setattr(pipeline, "MAX_SQL", most)
    text = "INSERT INTO t SELECT x FROM s"
    lines = [
        line(n, edges=None, sql=text, dialect="hive", namespace="hive", recorded_at=second * SECOND)
        for n, second in enumerate([1, 2, 2, 2, 3, 4, 4, 5], 1)
    ]
    store = Store.create(tmp_path / "s")

    with Ingester(store, workers=0, system_times="recorded_at") as ingester:
        ingester.ingest_file(write(tmp_path / "f", *lines))

    assert [store.basis(system_at=second * SECOND).version for second in range(6)] == [0, 1, 4, 5, 7, 8]
    commits = len(list((tmp_path / "s" / "log" / "_delta_log").glob("*.json"))) - 1
    assert commits == {1: 5, 100: 3, 10**9: 2}[most]


def test_the_limit_of_tied_messages_keeps_memory_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An endless run of one recorded_at is cut after so many messages; nothing is lost."""
    monkeypatch.setattr(pipeline, "MAX_TIED", 4)
    name = write(tmp_path / "f", *(line(n, recorded_at=SECOND) for n in range(1, 20)))

    with Ingester(store := Store.create(tmp_path / "s"), batch=2, system_times="recorded_at") as ingester:
        ingester.ingest_file(name)

    assert store.version == 19
    assert check(tmp_path / "s") == []
