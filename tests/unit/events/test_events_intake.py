"""Events in, versions out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from memory_objects import memory_place
from run_events import HOUR, START, a_run, dataset, dataset_event, event, policies

from ingest.events import intake as module
from ingest.events.intake import SOURCE, EventIntake, Settled, folder_of
from lineage_tt import Store
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.messages import Receipt, RejectedMessage, SourcePosition
from lineage_tt.read.observations import observations
from lineage_tt.testing import ManualClock

DAY = 24 * HOUR


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An empty store."""
    return Store.create(tmp_path / "s", clock=ManualClock(START))


@pytest.fixture
def intake(store: Store) -> Iterator[EventIntake]:
    """Takes events into it."""
    with EventIntake(store, workers=0) as made:
        yield made


def take(intake: EventIntake, *events: Any) -> list[bool]:
    """Take events in; return of each whether it was new."""
    raw = [each if isinstance(each, bytes) else orjson.dumps(each) for each in events]
    return [each.new for each in intake.take([intake.read(each, place) for place, each in enumerate(raw)])]


def statuses(receipts: list[Receipt]) -> list[str]:
    """What became of messages in the log."""
    return [each.status for each in receipts]


def test_events_are_decided_once_they_were_taken_in(store: Store, intake: EventIntake, tmp_path: Path) -> None:
    """Nothing is in the log before; a run that says the same makes no version."""
    assert take(intake, *a_run(START), *a_run(START + HOUR, run="r2")) == [True] * 4
    assert Store.open(tmp_path / "s").version == 0

    found = intake.settle()
    assert (found.runs, statuses(found.receipts), store.version) == (2, ["accepted"], 1)
    assert {(edge.source, edge.target) for edge in store.as_of(START).edges()} == {("db:a#x", "db:b#y")}
    assert intake.settle() == Settled(0, [])


def test_the_log_says_what_led_to_a_version(store: Store, intake: EventIntake) -> None:
    """The run, and facets that are kept; of a declaration the kind of its event."""
    take(intake, *a_run(START, run="4f"), event(None, START + HOUR, inputs=[dataset("a")], outputs=[dataset("b")]))
    intake.settle()
    rows = store.fetch("SELECT source, cause, attributes, epoch_us(produced_at) FROM log ORDER BY version")

    assert [row[:2] for row in rows] == [(SOURCE, "run 4f"), (SOURCE, "job event")]
    assert orjson.loads(rows[0][2])["openlineage"]["run"] == "4f"
    assert [row[3] for row in rows] == [START + 60_000_000, START + HOUR]
    assert rows[1][2] is None


def test_tasks_datasets_and_facts_are_messages_of_their_own(store: Store, intake: EventIntake) -> None:
    """Each from its time on."""
    facets = {"schema": {"fields": [{"name": "x"}]}, "ownership": {"owners": [{"name": "ada"}]}}
    take(intake, *a_run(START), dataset_event(START, "a", **facets))
    assert statuses(intake.settle().receipts) == ["accepted"] * 3
    view = store.as_of(START)

    assert [(each.dataset, each.column) for each in view.columns()] == [("db:a", "x"), ("db:b", "y")]
    assert [(each.node, each.value) for each in view.facts(key="owner")] == [("db:a", "ada")]
    assert len(view.edges()) == 1


def test_what_a_late_event_changes_is_retracted(store: Store, intake: EventIntake) -> None:
    """A failure that comes after the end: the run says nothing any more."""
    take(intake, *a_run(START))
    intake.settle()
    take(intake, event("FAIL", START + HOUR))
    assert statuses(intake.settle().receipts) == ["accepted"]

    assert store.as_of(START + DAY).edges() == []


def test_what_is_no_event_is_a_dead_letter_with_its_bytes(store: Store, intake: EventIntake) -> None:
    """Whatever they are; those beside it count."""
    bad = b'{"run":"\xff"}'
    assert isinstance(intake.read(bad), RejectedMessage)
    take(intake, bad, *a_run(START))

    assert sorted(statuses(intake.settle().receipts)) == ["accepted", "rejected"]
    assert [letter.raw for letter in store.dead_letters()] == [bad]


def test_events_of_other_engines_are_read_as_the_mapping_says(store: Store) -> None:
    """Namespaces and sessions are those of the mapping file."""
    kind = {"jobType": {"integration": "TRINO"}, "sql": {"query": "drop table t"}}
    said = event("COMPLETE", START, run="20260101_020001_00001_abcde", job_facets=kind)
    rules = policies(sessions={"trino": "hive.dw"}, namespaces={"etl": "trino://prod"})
    with EventIntake(store, policies=rules, workers=0) as intake:
        found = intake.read(orjson.dumps(said))

    assert not isinstance(found, RejectedMessage)
    assert orjson.loads(found.body or b"")["outputs"][0]["name"] == "hive.dw.t"


def test_messages_are_appended_some_at_a_time(
    store: Store, intake: EventIntake, monkeypatch: pytest.MonkeyPatch
) -> None:
    """None is lost, and none is sent twice."""
    monkeypatch.setattr(module, "MAX_TOGETHER", 2)
    take(intake, *(each for n in range(5) for each in a_run(START, f"job{n}", f"r{n}")))

    assert statuses(intake.settle().receipts) == ["accepted"] * 5
    assert intake.journal.outbox(10) == []
    assert len(store.as_of(START).tasks()) == 5


def test_what_is_in_the_outbox_counts_once(store: Store, intake: EventIntake, monkeypatch: pytest.MonkeyPatch) -> None:
    """As where a process died after the log had it, and before that was noted."""

    def dying(last: int) -> None:
        raise KeyboardInterrupt

    take(intake, *a_run(START))
    with monkeypatch.context() as patch:
        patch.setattr(intake.journal, "delivered", dying)
        with pytest.raises(KeyboardInterrupt):
            intake.settle()
    assert (store.version, len(intake.journal.outbox(10))) == (1, 1)

    assert statuses(intake.settle().receipts) == ["duplicate"]
    assert (store.version, intake.journal.outbox(10)) == (1, [])


def test_runs_that_never_end_are_forgotten(tmp_path: Path) -> None:
    """After the time that the mapping gives."""
    clock = ManualClock(START)
    store = Store.create(tmp_path / "s", clock=clock)
    with EventIntake(store, policies=policies(unfinished="1d"), workers=0) as intake:
        take(intake, event("START", START))
        intake.settle()
        clock.advance(DAY + 1)
        intake.settle()

        assert intake.journal.read("SELECT count(*) FROM runs") == [(0,)]


def test_observations_are_written_beside_the_log(store: Store, intake: EventIntake) -> None:
    """Of the days on which something is new."""
    take(intake, *a_run(START))
    intake.settle()

    assert (intake.observe(), intake.observe()) == (1, 0)
    assert [(each.task_id, each.runs) for each in observations(store.log_path.parent)] == [("etl/job", 1)]


def test_how_far_a_source_was_read_is_kept_with_what_it_gave(store: Store, intake: EventIntake) -> None:
    """A process that starts later reads on from there."""
    place = SourcePosition("kafka://c/t#0", 7, "")
    intake.take([intake.read(orjson.dumps(a_run(START)[0]))], place)
    intake.close()
    with EventIntake(store, workers=0) as again:
        assert again.journal.source_position("kafka://c/t#0") == place


def test_the_policy_of_the_store_counts_when_an_event_comes_in(intake: EventIntake, tmp_path: Path) -> None:
    """Also where it changed since this process began."""
    Store.open(tmp_path / "s").set_text_policy("mask-literals", "a test")
    take(intake, event("COMPLETE", START, job_facets={"sql": {"query": "select 'Ada'"}}))

    assert not any(b"Ada" in body for (body,) in intake.journal.read("SELECT body FROM shapes"))


def test_the_journal_of_a_store_in_a_bucket_needs_a_folder(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside a store on a disk it has its own."""
    assert folder_of(store) == tmp_path / "s" / "events"
    assert folder_of(store, tmp_path / "x") == tmp_path / "x"

    monkeypatch.setattr(store.opened_log, "path", memory_place("s/log"))
    with pytest.raises(InvalidRequestError, match="needs a disk"):
        folder_of(store)
    assert folder_of(store, tmp_path / "x") == tmp_path / "x"
