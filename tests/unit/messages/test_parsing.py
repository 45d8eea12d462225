"""Messages out of lines: in chunks, in order, and the same whichever process parses them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ingest.messages import parsing
from ingest.messages.lines import Lines
from ingest.messages.parsing import LineParser, pack_lines, parse_line, parsed_chunks, read_chunks, unpack_lines
from lineage_tt.model.messages import RejectedMessage, TaskChange
from lineage_tt.write.admission.rules import admitted

AT = "2024-05-01T12:00:00Z"


def line(number: int, **more: object) -> bytes:
    """A message of one edge."""
    edges = [{"source": f"n:a#c{number}", "target": "n:b#y"}]
    said = {"event_id": f"e{number}", "task_id": "t", "op": "online", "effective_at": AT, "edges": edges}
    return json.dumps(said | more).encode()


FACT = {"event_id": "f", "kind": "fact", "node": "n:a", "key": "k", "op": "set", "values": ["v"], "effective_at": AT}
TEXT = {"event_id": "g", "task_id": "u", "op": "online", "effective_at": AT, "sql": "select 1", "dialect": "hive",
        "namespace": "n"}  # fmt: skip
LINES = [line(0), b"", b"{", line(1, team="x"), json.dumps(FACT).encode(), json.dumps(TEXT).encode()]


@pytest.fixture
def source(tmp_path: Path) -> Lines:
    """A file of all kinds of lines."""
    path = tmp_path / "in.jsonl"
    path.write_bytes(b"\n".join(LINES) + b"\n")
    return Lines(str(path))


def test_a_line_becomes_a_message_a_rejection_or_nothing() -> None:
    """Blank lines are nothing; each keeps its bytes and its number."""
    found = [parse_line(None, raw, place) for place, raw in enumerate(LINES)]

    assert [type(each).__name__ for each in found] == [
        "TaskChange", "NoneType", "RejectedMessage", "TaskChange", "NodeChange", "TaskChange",
    ]  # fmt: skip
    assert [each.position for each in found if each is not None] == [0, 2, 3, 4, 5]


def test_lines_come_in_chunks(source: Lines) -> None:
    """Of so many lines, and with how far the source was read."""
    with source:
        chunks = list(read_chunks(source, 4))

    assert [(chunk.first, len(chunk.lines)) for chunk in chunks] == [(0, 4), (4, 2)]
    assert chunks[0].bytes_read < chunks[1].bytes_read
    assert b"\n".join(raw for chunk in chunks for raw in chunk.lines).split() == b"\n".join(LINES).split()


def test_long_lines_end_a_chunk(source: Lines, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that its memory is bounded."""
    monkeypatch.setattr(parsing, "MAX_CHUNK_BYTES", 10)
    with source:
        assert max(len(chunk.lines) for chunk in read_chunks(source, 100)) <= 3


def test_messages_travel_between_processes_without_their_bytes(source: Lines) -> None:
    """They get them back; a plain one travels as a tuple."""
    with source:
        (chunk,) = read_chunks(source, 100)
    packed = pack_lines(None, chunk)
    assert [isinstance(each, tuple) for each in packed] == [True, False, False, False, False, False]

    assert unpack_lines(chunk, packed) == [parse_line(None, raw, place) for place, raw in enumerate(LINES)]


@pytest.mark.parametrize(("long", "is_settled"), [("a" * 5000, True), ("é" * 3000, False)], ids=["characters", "bytes"])
def test_what_the_writer_would_change_or_reject_travels_whole_and_unchecked(
    tmp_path: Path, long: str, is_settled: bool
) -> None:
    """The writer checks messages with reserved or too long names or with credentials, and those only.

    A name of too many characters is rejected as it is read, one of too many bytes by the writer.
    """
    edges = ("policy:clock", f"n:{long}", "jdbc:mysql://u:hunter2@h/db", "n:a")
    path = tmp_path / "in.jsonl"
    path.write_bytes(b"\n".join(line(i, edges=[{"source": name, "target": "n:b"}]) for i, name in enumerate(edges)))
    with Lines(str(path)) as lines:
        (chunk,) = read_chunks(lines, 100)
    read = [parse_line(None, raw, place) for place, raw in enumerate(chunk.lines)]
    packed = pack_lines(None, chunk)
    unpacked = unpack_lines(chunk, packed)

    assert [isinstance(each, tuple) for each in packed] == [False, False, False, True]
    assert unpacked == read
    assert [isinstance(each, TaskChange) and each.admitted for each in unpacked] == [False, False, False, True]
    assert [admitted(each) == each for each in unpacked if each is not None] == [False, is_settled, False, True]


def test_chunks_come_with_their_messages_in_order(source: Lines) -> None:
    """Parsed some ahead."""
    with source, LineParser(None) as parser:
        found = [message for _, messages in parsed_chunks(source, parser, 1) for message in messages]

    assert found == [parse_line(None, raw, place) for place, raw in enumerate(LINES)]
    assert isinstance(found[2], RejectedMessage)
    assert isinstance(found[0], TaskChange)
