"""Refused messages come in after all: with their mapping, in the history's time, or are dismissed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ingest.batches import Summary
from ingest.messages.mapping import FieldMapping, MappingFile
from ingest.pipeline import Ingester
from ingest.replay import Replayer
from ingest.resolve.resolver import SqlResolver
from lineage_tt import Store
from lineage_tt.log.system_times import SystemTimes
from lineage_tt.maintenance.check import check
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.messages import RejectedMessage
from lineage_tt.model.times import parse_instant

RULES = {
    "fields": {
        "event_id": "id", "task_id": "job", "op": {"field": "action", "map": {"create": "online", "drop": "offline"}},
        "effective_at": "at", "recorded_at": "seen",
    },
    "ignore": {"action": ["heartbeat"]},
}  # fmt: skip


def mapping() -> FieldMapping:
    """The mapping of the platform's messages."""
    return FieldMapping(MappingFile.model_validate(RULES))


def native(number: int, **fields: Any) -> dict[str, Any]:
    """A message in the native format."""
    at = f"2020-05-{number:02}T00:00:00Z"
    given = {"event_id": f"n{number}", "task_id": "t", "op": "offline", "effective_at": at, "recorded_at": at}
    return given | fields


def platform(number: int, action: str = "drop") -> dict[str, Any]:
    """A message as the platform writes it."""
    at = f"2020-05-{number:02}T00:00:00Z"
    return {"id": f"e{number}", "job": f"j{number}", "action": action, "at": at, "seen": at}


def write(path: Path, *messages: dict[str, Any]) -> str:
    """Write a file of JSON Lines and return its path."""
    path.write_text("".join(json.dumps(message) + "\n" for message in messages))
    return str(path)


def ingest(store: Store, file: str, fields: FieldMapping | None = None, times: SystemTimes = "clock") -> Summary:
    """Ingest a file."""
    with Ingester(store, mapping=fields, system_times=times) as ingester:
        return ingester.ingest_file(file)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An empty store."""
    return Store.create(tmp_path / "store")


def test_a_file_comes_in_with_its_mapping_after_it_was_refused_without(store: Store, tmp_path: Path) -> None:
    """Ingested again with its mapping, a file's refused messages are taken up, in order, and what it ignores is not."""
    file = write(tmp_path / "a.jsonl", platform(1), platform(2, "heartbeat"), platform(3))
    first = ingest(store, file)

    again = ingest(store, file, mapping())

    assert (first.accepted, first.rejected) == (0, 3)
    assert (again.received, again.accepted, again.taken_up, again.duplicates, again.waiting) == (3, 2, 2, 1, 0)
    assert [entry.event_id for entry in store.log() if entry.status == "accepted" and entry.kind == "task"] == [
        "e1",
        "e3",
    ]
    assert [letter.waits for letter in store.dead_letters()] == [False] * 3
    third = ingest(store, file, mapping())
    assert (third.accepted, third.taken_up, third.waiting) == (0, 0, 0)
    assert check(store.log_path.parent) == []


def test_what_is_added_to_the_file_comes_after_what_is_taken_up(store: Store, tmp_path: Path) -> None:
    """A file that grew since is read on after its refused messages were taken up."""
    ingest(store, write(tmp_path / "a.jsonl", platform(1)))
    file = write(tmp_path / "a.jsonl", platform(1), platform(2))

    again = ingest(store, file, mapping())

    assert (again.received, again.accepted, again.taken_up) == (2, 2, 1)
    assert [entry.event_id for entry in store.log() if entry.status == "accepted"] == ["e1", "e2"]


def test_the_summary_counts_what_still_waits(store: Store, tmp_path: Path) -> None:
    """Without a mapping, or where it does not help, the summary says how many refused messages of the file wait."""
    file = write(tmp_path / "a.jsonl", platform(1), platform(2, "rename"))
    ingest(store, file)

    assert ingest(store, file).waiting == 2
    assert ingest(store, file, mapping()).waiting == 1


def test_a_history_taken_up_has_its_own_system_times(store: Store, tmp_path: Path) -> None:
    """Refused without the mapping and taken up with it, a history import's messages have their recorded_at."""
    file = write(tmp_path / "a.jsonl", platform(1), platform(3))
    ingest(store, file, times="recorded_at")

    ingest(store, file, mapping(), times="recorded_at")

    accepted = [entry for entry in store.log() if entry.status == "accepted"]
    assert [entry.system_time for entry in accepted] == [entry.recorded_at for entry in accepted]


def test_a_replay_does_not_end_a_history_import(store: Store, tmp_path: Path) -> None:
    """A dead letter replayed between two files of a history stays in its time, and the next file comes in."""
    retract = native(2, event_id="r", op="retract", retracts="n3", effective_at=None)
    first = write(tmp_path / "a.jsonl", native(1), retract, native(3))
    ingest(store, first, times="recorded_at")
    letter = next(letter for letter in store.dead_letters() if letter.code == "unknown-event")

    with Ingester(store) as ingester:
        assert ingester.replay(letter).status == "accepted"
    second = ingest(store, write(tmp_path / "b.jsonl", native(4)), times="recorded_at")

    assert (second.accepted, second.rejected) == (1, 0)
    times = [entry.system_time for entry in store.log()]
    assert times[-2:] == [parse_instant("2020-05-03T00:00:00Z") + 1, parse_instant("2020-05-04T00:00:00Z")]


def test_a_replay_on_a_running_platform_has_the_time_of_the_clock(store: Store, tmp_path: Path) -> None:
    """Where messages get their system times from the clock, so does a replay."""
    ingest(store, write(tmp_path / "a.jsonl", native(2, op="retract", retracts="n1"), native(1)))

    with Ingester(store) as ingester:
        ingester.replay(store.dead_letters()[0])

    assert store.log()[-1].system_time > parse_instant("2025-01-01T00:00:00Z")


def test_a_replay_says_why_it_was_refused(store: Store, tmp_path: Path) -> None:
    """What is refused again comes back with the reason of today, whether the mapping or the log refuses it."""
    ingest(store, write(tmp_path / "a.jsonl", platform(1, "rename"), native(2, op="retract", retracts="never")))
    letters = store.dead_letters()

    with Ingester(store, mapping=mapping()) as ingester:
        mapped = ingester.replays(letters[:1])[0]
    with Ingester(store) as ingester:
        plain = ingester.replays(letters[1:])[0]

    assert (mapped.status, mapped.code) == ("rejected", "invalid-message")
    assert "op" in (mapped.detail or "")
    assert (plain.status, plain.code) == ("rejected", "unknown-event")
    assert "never" in (plain.detail or "")


def test_what_came_in_otherwise_is_dismissed_by_its_replay(store: Store, tmp_path: Path) -> None:
    """A dead letter whose message was sent again and accepted is a duplicate when it is replayed, and waits no more."""
    retract = native(2, event_id="r", op="retract", retracts="n1")
    ingest(store, write(tmp_path / "a.jsonl", retract, native(1)))
    ingest(store, write(tmp_path / "b.jsonl", retract | {"actor": "again"}))

    with Ingester(store) as ingester:
        outcome = ingester.replays(store.dead_letters())[0]

    assert (outcome.status, outcome.receipt.version) == ("duplicate", 3)
    assert store.dead_letters()[0].dismissed == "the same message came in as version 3"


def test_a_dead_letter_can_be_dismissed(store: Store, tmp_path: Path) -> None:
    """Dismissed with a reason, a dead letter stays in the log and waits no more; others cannot be dismissed."""
    ingest(store, write(tmp_path / "a.jsonl", platform(1), native(1)))

    version = store.dismiss(1, "a test message", actor="mei")

    letter = store.dead_letter(1)
    assert (letter.dismissed, letter.waits, letter.replayed_as) == ("a test message", False, None)
    assert [(e.actor, e.reason) for e in store.log() if e.version == version] == [("mei", "a test message")]
    for wrong, reason in ((2, "accepted"), (99, "unknown"), (1, " ")):
        with pytest.raises(InvalidRequestError):
            store.dismiss(wrong, reason)


def test_no_message_dismisses_a_dead_letter(store: Store, tmp_path: Path) -> None:
    """The note of a dismissal is a fact of a reserved node: a message that would write one is refused."""
    fact = {"kind": "fact", "event_id": "x", "node": "policy:dead-letter/1", "key": "dismissed", "op": "set",
            "values": ["gone"], "effective_at": "2020-05-01T00:00:00Z"}  # fmt: skip
    ingest(store, write(tmp_path / "a.jsonl", platform(1), fact))

    assert [letter.waits for letter in store.dead_letters()] == [True, True]


def test_letters_of_several_sources_keep_their_order_and_their_source(tmp_path: Path) -> None:
    """Each comes in again with the source that it came from; one that is still no message stays rejected."""
    store = Store.create(tmp_path)
    raws = [json.dumps(native(number)).encode() for number in (1, 2)]
    for raw, source in ((raws[0], "f"), (b"{", "f"), (raws[1], "g")):
        store.append([RejectedMessage(raw, "syntax", "cut")], source=source)
    with SqlResolver(0) as resolver:
        found = Replayer(store, None, resolver, "clock").replay(store.dead_letters())

    assert [(each.letter.version, each.status, each.code) for each in found] == [
        (1, "accepted", None), (2, "rejected", "malformed-json"), (3, "accepted", None),
    ]  # fmt: skip
    rows = store.ask("SELECT source, cause FROM log WHERE version > 3 ORDER BY version")
    assert rows == [("f", "replay of version 1"), ("g", "replay of version 3")]
