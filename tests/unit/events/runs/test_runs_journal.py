"""The journal holds each event once, on disk before it is acknowledged, until its run is decided."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import orjson
import pytest
from run_events import START, columns_of, dataset, dataset_event, event

from ingest.events.openlineage.reading import Event, parse_event
from ingest.events.runs.journal import NAME, Journal, Taken, pack_refused
from ingest.events.runs.tables import FORMAT
from lineage_tt.model.errors import CorruptError, InvalidRequestError, UnavailableError
from lineage_tt.model.messages import RejectedMessage, SourcePosition
from lineage_tt.model.redaction.policy import TextPolicy

LETTER = RejectedMessage(b"\xff'Ada'", "invalid-message", "no event", position=7)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    """An empty journal."""
    with closing(Journal(tmp_path)) as made:
        yield made


def read(given: dict[str, Any]) -> Event:
    """An event as it comes in."""
    found = parse_event(orjson.dumps(given))
    assert isinstance(found, Event)
    return found


def take(journal: Journal, *events: dict[str, Any], now: int = START) -> list[bool]:
    """Take events in; return of each whether it was new."""
    return [each.new for each in journal.take([read(one) for one in events], now=now)]


def runs(journal: Journal, *columns: str) -> list[tuple[Any, ...]]:
    """These columns of all runs."""
    return journal.read(f"SELECT {', '.join(columns)} FROM runs ORDER BY id")


def test_an_event_that_comes_twice_is_there_once(journal: Journal) -> None:
    """In one batch or in another; one of another time, type or shape is another."""
    one, later = event("START", START), event("START", START + 1)

    assert take(journal, one, later, one) == [True, True, False]
    assert take(journal, one, event("OTHER", START), event("START", START, inputs=[dataset("a")])) == [
        False,
        True,
        True,
    ]
    assert journal.read("SELECT count(*) FROM events") == [(4,)]
    assert runs(journal, "kind", "namespace", "name", "run_id") == [("run", "etl", "job", "r1")]


def test_a_shape_is_kept_once(journal: Journal) -> None:
    """Whatever run says it; the journal knows it from then on."""
    first = read(event("START", START))
    assert first.shape not in journal
    take(journal, event("START", START), event("START", START, "other", "r2"), event("COMPLETE", START))

    assert first.shape in journal
    assert journal.read("SELECT count(*) FROM shapes") == [(2,)]  # the name of the job is in it
    assert b"\x00" not in journal


@pytest.mark.parametrize("kind", ["COMPLETE", "FAIL", "ABORT"])
def test_a_run_is_to_be_decided_once_it_ends(journal: Journal, kind: str) -> None:
    """What comes after a decision may change it; what was there already does not."""
    take(journal, event("START", START), event("RUNNING", START))
    assert runs(journal, "dirty", "state") == [(0, None)]
    take(journal, event(kind, START + 1))
    assert runs(journal, "dirty") == [(1,)]

    with journal.transaction() as db:
        db.execute("UPDATE runs SET dirty = 0, state = 'complete'")
    take(journal, event(kind, START + 1))
    assert runs(journal, "dirty") == [(0,)]
    take(journal, event("RUNNING", START + 2))
    assert runs(journal, "dirty") == [(1,)]


def test_a_run_without_end_is_to_be_decided_at_each_event(journal: Journal) -> None:
    """Once one of its events says that it has none."""
    take(journal, event("RUNNING", START))
    assert runs(journal, "streaming", "dirty") == [(0, 0)]
    take(journal, event("RUNNING", START + 1, job_facets={"jobType": {"processingType": "STREAMING"}}))

    assert runs(journal, "streaming", "dirty") == [(1, 1)]


def test_a_declaration_is_a_run_of_its_own(journal: Journal) -> None:
    """Each event of a job or a dataset is decided by itself."""
    take(journal, event(None, START), event(None, START + 1), event(None, START), dataset_event(START, "t"))

    assert runs(journal, "kind", "name", "dirty") == [("job", "job", 1), ("job", "job", 1), ("dataset", "t", 1)]


def test_an_end_that_tells_the_start_is_two_events(journal: Journal) -> None:
    """One that says the start itself counts beside it."""
    take(journal, event("COMPLETE", START + 5) | {"began": "2026-01-01T00:00:00Z"})

    assert journal.read("SELECT at, type FROM events ORDER BY at") == [(START, "START"), (START + 5, "COMPLETE")]


def test_of_figures_of_one_event_those_that_say_more_are_kept(journal: Journal) -> None:
    """In whichever order they come: what is decided is a function of the set of events."""

    def written(*rows: int) -> dict[str, Any]:
        output = dataset("b") | {"outputFacets": {"outputStatistics": {"rowCount": rows[0]}}} if rows else dataset("b")
        return event("COMPLETE", START, outputs=[output])

    found = []
    for order in ((written(), written(7)), (written(7), written())):
        with journal.transaction() as db:
            db.execute("DELETE FROM events")
        found.append((take(journal, *order), journal.read("SELECT figures FROM events")))

    assert [each for _, each in found] == [[('{"db:b":[7,null]}',)]] * 2
    assert [each for each, _ in found] == [[True, True], [True, False]]


def test_a_refusal_waits_for_the_log(journal: Journal) -> None:
    """With its bytes, whatever they are, and its place in the source."""
    assert journal.take([LETTER], now=START) == [Taken(True, LETTER)]
    ((number, packed),) = journal.outbox(10)

    assert packed == pack_refused(LETTER)
    document = orjson.loads(packed)
    assert document["refused"]["raw"].encode("latin-1") == LETTER.raw
    assert (document["refused"]["code"], document["refused"]["detail"]) == ("invalid-message", "no event")
    assert (document["position"], number) == (7, 1)


def test_messages_leave_the_outbox_in_order_once_they_are_delivered(journal: Journal) -> None:
    """The first ones first; a number that was delivered is not given again."""
    journal.take([LETTER] * 3, now=START)
    assert [number for number, _ in journal.outbox(2)] == [1, 2]
    journal.delivered(2)
    assert [number for number, _ in journal.outbox(2)] == [3]
    journal.delivered(3)
    journal.take([LETTER], now=START)

    assert [number for number, _ in journal.outbox(2)] == [4]


def test_how_far_a_source_was_read_is_kept_with_its_events(journal: Journal) -> None:
    """Both or neither: where an event cannot be taken, the place does not move."""
    assert journal.source_position("s") is None
    journal.take([read(event("START", START))], SourcePosition("s", 5, "d"), now=START)
    assert journal.source_position("s") == SourcePosition("s", 5, "d")

    forgotten = read(event("START", START, "other"))
    forgotten.body = None  # as where the shape was known when the event was read, and was forgotten meanwhile
    with pytest.raises(UnavailableError, match="send the events again"):
        journal.take([read(event("RUNNING", START)), forgotten], SourcePosition("s", 9, "d"), now=START)
    assert journal.source_position("s") == SourcePosition("s", 5, "d")
    assert journal.read("SELECT type FROM events") == [("START",)]


def test_what_is_kept_of_texts_is_what_the_policy_says(journal: Journal) -> None:
    """From the moment in which an event is taken in; a refusal, too."""
    journal.policy = TextPolicy.MASK
    expression = columns_of(y=["a.x"])
    expression["fields"]["y"]["transformationDescription"] = "x || 'Ada'"
    take(journal, event("COMPLETE", START, outputs=[dataset("b", columnLineage=expression)],
                        job_facets={"sql": {"query": "select 'Ada'"}}, run_facets={"plan": "Ada"}))  # fmt: skip
    journal.take([LETTER], now=START)
    held = [*journal.read("SELECT body, extras FROM shapes"), *journal.read("SELECT message FROM outbox")]

    assert len(held) == 2
    assert not any(b"Ada" in each for row in held for each in row)


def test_a_day_is_written_unless_something_became_known_since(journal: Journal) -> None:
    """Its stamp is another then."""
    with journal.transaction() as db:
        db.executemany("INSERT INTO days VALUES (?, ?)", [(1, 1), (2, 3)])
    journal.written([(1, 1), (2, 2)])

    assert journal.read("SELECT day, stamp FROM days") == [(2, 3)]


def test_a_transaction_that_fails_leaves_nothing(journal: Journal) -> None:
    """And what was remembered of it is forgotten: the next one takes the event in."""
    lost, forgotten = read(event("START", START)), read(event("START", START, "other"))
    forgotten.body = None
    with pytest.raises(UnavailableError):
        journal.take([lost, forgotten], now=START)

    assert journal.read("SELECT * FROM runs") == journal.read("SELECT * FROM shapes") == []
    assert lost.shape not in journal
    assert journal.take([lost], now=START) == [Taken(True)]


def test_an_interrupt_after_the_commit_comes_out_as_itself(journal: Journal) -> None:
    """There is nothing to roll back then; what was committed stays, and the next transaction works."""

    def interrupted() -> None:
        with journal.transaction() as db:
            db.execute("INSERT INTO positions (source, position) VALUES ('x', 7)")
            db.execute("COMMIT")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    with journal.transaction() as db:
        assert db.execute("SELECT position FROM positions WHERE source = 'x'").fetchall() == [(7,)]


def test_several_processes_use_one_journal(journal: Journal, tmp_path: Path) -> None:
    """Numbers that one gave up are not used by the other."""
    with closing(Journal(tmp_path)) as other:
        take(journal, event("START", START))
        assert take(other, event("START", START), event("START", START, "two", "r2")) == [False, True]
        with other.transaction() as db:
            db.execute("DELETE FROM events")
            db.execute("DELETE FROM runs")
            db.execute("DELETE FROM shapes")
            other.renumber(db)
        take(other, event("START", START, "three", "r3"))

        assert take(journal, event("RUNNING", START)) == [True]
        assert runs(journal, "name", "run_id") == [("three", "r3"), ("job", "r1")]


def test_texts_of_what_is_decided_are_dropped_where_the_policy_says_so(journal: Journal) -> None:
    """Under another policy they stay."""
    take(journal, event("COMPLETE", START, job_facets={"sql": {"query": "select x from a"}}))
    with journal.transaction() as db:
        db.execute("UPDATE runs SET dirty = 0, state = 'complete'")
    for policy, is_left in ((TextPolicy.MASK, True), (TextPolicy.DROP, False)):
        journal.policy = policy
        journal.drop_decided()
        assert (b"select x" in journal.read("SELECT body FROM shapes")[0][0]) is is_left


def test_forcing_what_is_on_disk_already_is_no_error(journal: Journal) -> None:
    """Whether a log of SQLite's is there or not."""
    with journal.transaction(forced=False) as db:
        db.execute("INSERT INTO days (day) VALUES (1)")
    journal.force()
    journal.db.execute("PRAGMA journal_mode = DELETE")
    journal.force()

    assert journal.read("SELECT day FROM days") == [(1,)]


def test_a_journal_of_the_first_format_is_upgraded(tmp_path: Path) -> None:
    """What it holds stays; what it did not note is not known."""
    with closing(Journal(tmp_path)) as made:
        take(made, event("START", START))
    with closing(sqlite3.connect(tmp_path / NAME)) as db, db:
        db.execute("DROP INDEX open_runs")
        db.execute("DROP INDEX runs_by_id")
        db.execute("ALTER TABLE runs DROP COLUMN seen")
        db.execute("ALTER TABLE meanings DROP COLUMN final")
        db.execute("ALTER TABLE placed DROP COLUMN events")
        db.execute("DROP TABLE withdrawn")
        db.execute("PRAGMA user_version = 1")
    with closing(Journal(tmp_path)) as made:
        assert runs(made, "run_id", "seen") == [("r1", None)]
        assert made.read("SELECT final FROM meanings") == made.read("SELECT events FROM placed") == []
        assert made.read("SELECT * FROM withdrawn") == []
        assert made.read("SELECT 1 FROM sqlite_master WHERE name = 'runs_by_id'") == [(1,)]
        assert made.read("PRAGMA user_version") == [(FORMAT,)]


@pytest.mark.parametrize("found", [FORMAT + 1, -1])
def test_a_journal_of_another_release_is_refused(tmp_path: Path, found: int) -> None:
    """It is left as it is."""
    Journal(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / NAME)) as db, db:
        db.execute(f"PRAGMA user_version = {found}")

    with pytest.raises(InvalidRequestError, match=f"has format {found}"):
        Journal(tmp_path)


def test_a_damaged_file_and_a_folder_that_cannot_be_made_are_said(tmp_path: Path) -> None:
    """Each with what to do."""
    (tmp_path / NAME).write_bytes(b"no database at all, and long enough to have a header" * 20)
    with pytest.raises(CorruptError, match="is damaged"):
        Journal(tmp_path)
    (tmp_path / "of").mkdir()
    (tmp_path / "of" / NAME).mkdir()
    with pytest.raises(UnavailableError, match="cannot be used"):
        Journal(tmp_path / "of")
