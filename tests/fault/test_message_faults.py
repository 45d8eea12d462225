"""Hostile and odd messages in a file: each is kept whole as a dead letter or stored as given, and costs no other."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from crashes import damage, write

from ingest.batches import Summary
from ingest.pipeline import Ingester
from lineage_tt import Store
from lineage_tt.model.errors import UnavailableError
from lineage_tt.testing import ManualClock

NOON = "2024-05-01T12:00:00Z"
HOUR = 3_600_000_000


def message(number: int, **fields: Any) -> bytes:
    """Return a good message with some fields changed."""
    given = {
        "event_id": f"e{number}",
        "task_id": f"t{number}",
        "op": "update",
        "effective_at": NOON,
        "edges": [{"source": f"n:a#c{number}", "target": "n:b#x"}],
    }
    return json.dumps(given | fields).encode()


GOOD = message(0)
HOSTILE = {
    "malformed": b'{"event_id": "e1", ',
    "not an object": b'["event_id"]',
    "a number": b"12",
    "wrong types": message(1, task_id=7, edges="none"),
    "edges of numbers": message(1, edges=[1, 2]),
    "NaN": message(1)[:-1] + b', "score": NaN}',
    "infinite": message(1)[:-1] + b', "score": -Infinity}',
    "too deep": b'{"event_id": "e1", "deep": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "duplicate keys": message(1)[:-1] + b', "op": "offline"}',
    "byte order mark": b"\xef\xbb\xbf" + message(1),
    "invalid UTF-8": message(1).replace(b"n:b", b"n:\xff\xfe"),
    "UTF-16": message(1).decode().encode("utf-16-be").replace(b"\n", b""),
    "lone surrogate": message(1).replace(b"n:b", b"n:\\ud800b"),
    "NUL, escaped": message(1).replace(b"n:b", b"n:\\u0000b"),
    "NUL": message(1).replace(b"n:b", b"n:\x00b"),
    "control characters": message(1).replace(b"n:b", b"n:\x1b[31m"),
    "no zone": message(1, effective_at="2024-05-01T12:00:00"),
    "a date": message(1, effective_at="2024-05-01"),
    "nanoseconds": message(1, effective_at="2024-05-01T12:00:00.000000001Z"),
    "leap second": message(1, effective_at="2016-12-31T23:59:60Z"),
    "year 10000": message(1, effective_at=253_402_300_800_000_000),
    "year 0": message(1, effective_at="0000-12-31T00:00:00Z"),
    "a fraction of a microsecond": message(1, effective_at=1.5),
    "empty task": message(1, task_id=""),
    "huge number": message(1, source_version=10**40),
}


def ingest(store: Store, path: Path) -> Summary:
    """Ingest a file."""
    with Ingester(store) as ingester:
        return ingester.ingest_file(str(path))


def test_each_hostile_line_is_a_dead_letter_and_its_neighbours_come_in(tmp_path: Path) -> None:
    """A good message before and after each hostile one is accepted, and the bytes are kept as they came (M08, M05)."""
    lines = []
    for number, hostile in enumerate(HOSTILE.values()):
        lines += [message(100 + number), hostile]
    file = write(tmp_path / "f.jsonl", [*lines, message(999)])
    store = Store.create(tmp_path / "s")
    summary = ingest(store, file)

    assert summary.accepted == len(HOSTILE) + 1
    letters = {letter.raw: letter for letter in store.dead_letters()}
    assert [name for name, hostile in HOSTILE.items() if hostile not in letters] == []
    assert len(letters) == len(HOSTILE)
    assert {letter.code for letter in letters.values()} == {"invalid-message", "malformed-json"}
    assert all(letter.detail and letter.source_position is not None for letter in letters.values())
    assert len(store.as_of(NOON).edges()) == len(HOSTILE) + 1
    again = ingest(store, file)
    assert (again.accepted, again.rejected) == (0, 0)
    assert damage(tmp_path / "s") == []


def test_dead_letters_that_stay_wrong_stay_dead_letters(tmp_path: Path) -> None:
    """Each hostile message replayed is refused again, and nothing is added."""
    store = Store.create(tmp_path / "s")
    ingest(store, write(tmp_path / "f.jsonl", list(HOSTILE.values())))
    with Ingester(store) as ingester:
        receipts = [ingester.replay(letter) for letter in store.dead_letters()]

    assert {receipt.status for receipt in receipts} == {"duplicate"}
    assert store.version == len(HOSTILE)


def test_a_conflicting_duplicate_keeps_the_first(tmp_path: Path) -> None:
    """One event id with two contents: the second is a dead letter, the first again a duplicate (M01, M02)."""
    store = Store.create(tmp_path / "s")
    other = message(0, edges=[{"source": "n:a#other", "target": "n:b#x"}])
    summary = ingest(store, write(tmp_path / "f.jsonl", [GOOD, GOOD, other, GOOD, other]))

    assert (summary.accepted, summary.rejected, summary.duplicates) == (1, 1, 3)
    [letter] = store.dead_letters()
    assert (letter.code, letter.raw) == ("conflicting-duplicate", other)
    assert [edge.source for edge in store.as_of(NOON).edges()] == ["n:a#c0"]


ODD_TIMES = {
    "1900-01-01T00:00:00Z": -2_208_988_800_000_000,
    "0001-01-02T00:00:00Z": -62_135_510_400_000_000,
    "9999-12-31T23:59:59.999999Z": 253_402_300_799_999_999,
    "2024-03-31T02:30:00+01:00": 1_711_848_600_000_000,  # an hour that clocks in Paris skip
    "2024-10-27T02:30:00+02:00": 1_729_989_000_000_000,  # one that they show twice
    "2024-10-27T02:30:00+01:00": 1_729_992_600_000_000,
    "2024-05-01T12:00:00.000001000Z": 1_714_564_800_000_001,
}


@pytest.mark.parametrize("text", ODD_TIMES)
def test_odd_instants_are_utc_microseconds(tmp_path: Path, text: str) -> None:
    """Instants at the ends of time and at clock changes are stored, and answered at, to the microsecond (M05)."""
    store = Store.create(tmp_path / "s")
    ingest(store, write(tmp_path / "f.jsonl", [message(0, effective_at=text)]))
    at = ODD_TIMES[text]

    [entry] = store.log()
    assert entry.effective_at == at
    assert [edge.valid_from for edge in store.as_of(at).edges()] == [at]
    assert store.as_of(at - 1).edges() == []
    assert damage(tmp_path / "s") == []


def test_a_hundred_thousand_edges_in_one_task(tmp_path: Path) -> None:
    """They are stored and read back; the next version takes one away and changes one (M07)."""
    edges = [{"source": f"n:a{i % 1000}#c{i}", "target": f"n:b#x{i % 500}"} for i in range(100_000)]
    store = Store.create(tmp_path / "s")
    lines = [message(0, edges=edges), message(1, task_id="t0", edges=edges[1:], effective_at="2024-05-02T00:00:00Z")]
    summary = ingest(store, write(tmp_path / "f.jsonl", lines))

    assert summary.accepted == 2
    assert len(store.as_of(NOON).edges()) == 100_000
    assert len(store.as_of("2024-05-03T00:00:00Z").edges()) == 99_999
    assert [len(entry.changes) for entry in store.changes()] == [100_000, 1]


def test_self_edges_and_cycles_end(tmp_path: Path) -> None:
    """A column from itself, a table from itself, and a ring of tasks: stored, and walks through them end (M07)."""
    ring = [("n:a#x", "n:a#x"), ("n:a", "n:a"), ("n:a#x", "n:b#x"), ("n:b#x", "n:c#x"), ("n:c#x", "n:a#x")]
    edges = [{"source": source, "target": target} for source, target in ring]
    store = Store.create(tmp_path / "s")
    ingest(store, write(tmp_path / "f.jsonl", [message(i, edges=[one]) for i, one in enumerate(edges)]))
    view = store.as_of(NOON)

    assert len(view.edges()) == len(ring)
    assert {"n:b#x", "n:c#x"} <= view.lineage("n:a#x", direction="both").nodes.keys()


def test_a_task_without_edges_is_in_force(tmp_path: Path) -> None:
    """An empty set of edges is a statement like any other: the task is there, with none (M07)."""
    store = Store.create(tmp_path / "s")
    ingest(store, write(tmp_path / "f.jsonl", [GOOD, message(1, task_id="t0", edges=[])]))

    assert [task.version for task in store.as_of(NOON).tasks()] == [2]
    assert store.as_of(NOON).edges() == []


def test_a_clock_that_jumps_never_turns_back_system_times(tmp_path: Path) -> None:
    """Back an hour, frozen, on again: times rise by a microsecond at least; more than a day behind is refused (M11)."""
    clock = ManualClock(NOON)
    store = Store.create(tmp_path / "s", clock=clock)
    for number, step in enumerate((0, -HOUR, 0, HOUR // 2, 3 * HOUR)):
        clock.advance(step)
        ingest(store, write(tmp_path / f"{number}.jsonl", [message(number)]))
    times = [entry.system_time for entry in store.log()]
    start = times[0]
    assert times == [start, start + 1, start + 2, start + 3, start + 5 * HOUR // 2]

    clock.advance(-25 * HOUR)
    with pytest.raises(UnavailableError, match="ahead of this machine's clock"):
        ingest(store, write(tmp_path / "back.jsonl", [message(9)]))
    assert store.version == 5


@pytest.mark.parametrize("form", ["gz", "zst"])
def test_a_broken_file_gives_what_stands_before_the_break_and_the_rest_when_mended(tmp_path: Path, form: str) -> None:
    """Cut compressed input is an error that says where; the whole lines before it stay, and the fixed file adds."""
    lines = [message(number, reason="x" * (number * 7919 % 400)) for number in range(3000)]
    plain = b"".join(line + b"\n" for line in lines)
    packed = gzip.compress(plain, 1) if form == "gz" else pa.compress(plain, "zstd", asbytes=True)
    file, store = tmp_path / f"f.{form}", Store.create(tmp_path / "s")
    file.write_bytes(packed[: len(packed) * 2 // 3])

    with pytest.raises(UnavailableError, match="breaks off after line"):
        ingest(store, file)
    read = store.version
    assert store.dead_letters() == []
    file.write_bytes(packed)
    ingest(store, file)

    assert read < store.version == len(lines)
    assert damage(tmp_path / "s") == []


def test_a_file_that_is_not_what_its_name_says(tmp_path: Path) -> None:
    """Bytes that are not JSON Lines at all are dead letters, line by line, not a crash."""
    store = Store.create(tmp_path / "s")
    junk = bytes(range(1, 256)) * 40
    summary = ingest(store, write(tmp_path / "f.jsonl", [junk, GOOD]))

    assert summary.accepted == 1
    assert summary.rejected >= 1
    assert b"\n".join(letter.raw for letter in store.dead_letters()).startswith(junk[:9])


def test_a_file_that_grew_and_one_of_the_same_name(tmp_path: Path) -> None:
    """A file that grew adds what is new; another file under its name is read whole, and what it repeats counts once."""
    store, file = Store.create(tmp_path / "s"), tmp_path / "f.jsonl"
    ingest(store, write(file, [message(n) for n in range(10)]))
    grown = ingest(store, write(file, [message(n) for n in range(15)]))
    other = ingest(store, write(file, [message(n) for n in range(20, 5, -1)]))

    assert (grown.accepted, grown.duplicates) == (5, 10)
    assert (other.accepted, other.duplicates) == (6, 9)
    assert store.version == 21


def test_a_line_without_an_end_is_a_message_and_is_not_lost_when_the_file_grows(tmp_path: Path) -> None:
    """The last line of a file that is still being written comes in whole once it is whole."""
    store, file = Store.create(tmp_path / "s"), tmp_path / "f.jsonl"
    file.write_bytes(message(0) + b"\n" + message(1)[:40])
    ingest(store, file)
    file.write_bytes(message(0) + b"\n" + message(1) + b"\n" + message(2) + b"\n")
    ingest(store, file)

    assert {entry.event_id for entry in store.log() if entry.status == "accepted"} == {"e0", "e1", "e2"}
