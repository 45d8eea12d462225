"""Files of events: how they are laid out, and which of a folder hold any."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from run_events import START, a_run, event
from users import closed_folder

from ingest.events import files
from ingest.events.files import EventFiles, events_in, files_in
from ingest.events.intake import EventIntake
from ingest.messages.lines import Lines
from ingest.pipeline import Progress
from lineage_tt import Store
from lineage_tt.model.errors import InvalidRequestError, UnavailableError
from lineage_tt.model.messages import RejectedMessage


def read(path: Path, content: bytes) -> list[Any]:
    """The events of a file: what each holds, or the reason of its refusal."""
    path.write_bytes(content)
    with Lines(str(path)) as lines:
        found = list(events_in(lines))
    return [each.detail if isinstance(each, RejectedMessage) else each for each in found]


@pytest.mark.parametrize(
    ("content", "found"),
    [(b'{"a":1}\n\n{"b":2}\r\n', [b'{"a":1}', b'{"b":2}']), (b'\xef\xbb\xbf{"a":1}\nodd\n',
                                                             [b'{"a":1}', b"odd"]),
     (b'[{"a":1},\n {"b":2}, 7]', [b'{"a":1}', b'{"b":2}', b"7"]), (b' \n\t[ ]\n', []), (b"", []), (b"\n \n", []),
     (b'{\n "a": 1\n}\n', [b'{\n "a": 1\n}']), (b'\xef\xbb\xbf[1]', [b"1"]),
     (b'{"a":\n{"b":2}\n', [b'{"a":', b'{"b":2}']),
     (b'[1,\n2', [b"[1,", b"2"]), (b'{\n"a": 1\n}\n{\n"b":\n2}\n', [b'{\n"a": 1\n}', b'{\n"b":\n2}']),
     (b'[{"a":1}]\n[{"b":2},{"c":3}]', [b'{"a":1}', b'{"b":2}', b'{"c":3}']),
     (b'{\n"a": 1\n},\n{\n"b"\n', [b'{\n"a": 1\n}', b",", b"{", b'"b"']), (b'[{"a":1}]\n{"b\n[7]\n',
                                                                               [b'{"a":1}', b'{"b', b"7"])],
)  # fmt: skip
def test_events_are_found_however_they_are_laid_out(tmp_path: Path, content: bytes, found: list[bytes]) -> None:
    """Line by line, in arrays, or each over many lines; where the first is broken each line is for itself.

    Events in a row as jq prints them, and lines of arrays, were one dead letter a line.
    """
    assert read(tmp_path / "f.json", content) == found


def test_a_packed_file_is_unpacked(tmp_path: Path) -> None:
    """Whatever it is called."""
    assert read(tmp_path / "f", gzip.compress(b'[{"a":1}]')) == [b'{"a":1}']


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    """It says how the file begins, and what to give."""
    with pytest.raises(InvalidRequestError, match="it begins 'name,age'"):
        read(tmp_path / "f.csv", b"\nname,age\n")


def test_an_array_that_is_too_long_is_one_refusal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not read into memory whole; events a line each may be as many as there are."""
    monkeypatch.setattr(files, "MAX_BYTES", 20)
    (words,) = read(tmp_path / "f", b"[\n" + b'{"a":1},\n' * 9 + b"{}]")

    assert "more than 20 bytes; write one event a line" in words
    assert len(read(tmp_path / "f", b'{"a":1}\n' * 9)) == 9


def test_an_event_of_an_array_that_is_nested_too_deep_is_refused_alone(tmp_path: Path) -> None:
    """With its place in the array."""
    path = tmp_path / "f"
    path.write_bytes(b'[{"a":1},{"a":' + b"[" * 500 + b"]" * 500 + b'},{"b":2}]')
    with Lines(str(path)) as lines:
        first, letter, last = events_in(lines)

    assert (first, last) == (b'{"a":1}', b'{"b":2}')
    assert isinstance(letter, RejectedMessage)
    assert (letter.position, "nested too deep" in letter.detail) == (1, True)


def test_files_of_a_folder_come_by_name(tmp_path: Path) -> None:
    """Those in it, too; hidden ones, and what ends otherwise, are not looked at."""
    names = [
        "b.json",
        "a/c.jsonl",
        "a.JSON",
        "d.ndjson.gz",
        "e.jsonl.zst",
        "_x/f.json",
        ".hid/f.json",
        ".f.json",
        "f.json.bak",
        "f.txt",
    ]
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"")
    (tmp_path / "folder.json").mkdir()

    assert [Path(each).relative_to(tmp_path).as_posix() for each in files_in(tmp_path)] == [
        "a/c.jsonl", "a.JSON", "b.json", "d.ndjson.gz", "e.jsonl.zst",
    ]  # fmt: skip


def test_a_folder_without_events_is_refused(tmp_path: Path) -> None:
    """It says how such files end."""
    (tmp_path / "f.txt").write_bytes(b"{}")

    with pytest.raises(InvalidRequestError, match="holds no file of events"):
        files_in(tmp_path)


def test_a_folder_that_cannot_be_read_is_refused() -> None:
    """It would count as empty, and its events would be missing without a word."""
    with closed_folder("a.json", "{}") as top:
        words = f"cannot read folder {top / 'closed'}: Permission denied"
        with pytest.raises(InvalidRequestError, match=words):
            files_in(top)


def lines(path: Path, *events: Any) -> str:
    """Write events, one a line, and return the path."""
    path.write_text("\n".join(each if isinstance(each, str) else json.dumps(each) for each in events), encoding="utf-8")
    return str(path)


def test_a_file_is_taken_in_and_then_decided(tmp_path: Path) -> None:
    """What came twice is counted, what is not an event goes to the dead letters; each batch reports progress."""
    store = Store.create(tmp_path / "s")
    result: list[Progress] = []
    run = a_run(START)
    with EventIntake(store, workers=0) as intake:
        taker = EventFiles(store, intake, batch=3, progress=result.append)
        summary = taker.take_file(lines(tmp_path / "f.json", *run, run[0], "{}"))
        assert (summary.received, summary.duplicates, summary.accepted, store.version) == (4, 1, 0, 0)

        assert taker.settle(summary) == 1
        assert (summary.accepted, summary.rejected, summary.reasons) == (1, 1, {"invalid-message": 1})
    assert [(type(each), each.received) for each in result] == [(Progress, 3), (Progress, 4)]
    assert len(Store.open(tmp_path / "s").as_of(START).edges()) == 1


@pytest.mark.parametrize(
    ("first", "ignored"), [({"nodes": {}}, 1), ({"run": {}}, 0), ("[1]", 0), ('{"run"', 0), (event("START", START), 0)]
)
def test_a_file_of_a_folder_may_be_something_else(tmp_path: Path, first: Any, ignored: int) -> None:
    """An object that has nothing of an event at its beginning is ignored; a file that was named is not."""
    store = Store.create(tmp_path / "s")
    with EventIntake(store, workers=0) as intake:
        taker = EventFiles(store, intake)
        path = lines(tmp_path / "f.json", first)
        assert taker.take_file(path, in_folder=True).ignored == ignored
        assert taker.take_file(path).ignored == 0


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    """What was taken in before stays."""
    store = Store.create(tmp_path / "s")
    with EventIntake(store, workers=0) as intake, pytest.raises(UnavailableError, match="cannot read"):
        EventFiles(store, intake).take_file(str(tmp_path / "none.json"))


def test_runs_that_have_not_ended_are_counted(tmp_path: Path) -> None:
    """A file of starts alone was taken in without a word, and without lineage."""
    store = Store.create(tmp_path / "s")
    with EventIntake(store, workers=0) as intake:
        taker = EventFiles(store, intake)
        summary = taker.take_file(lines(tmp_path / "f.json", *(event("START", START, run=each) for each in "ab")))
        assert taker.settle(summary) == 0

    assert summary.problems == {"not-ended": (2, "a run of 'etl/job' has not ended: it counts when it ends")}


def test_parts_of_events_without_effect_are_counted(tmp_path: Path) -> None:
    """They were problems of receipts over HTTP alone; an event that is known already counts once."""
    store = Store.create(tmp_path / "s")
    start, end = a_run(START)
    wrong = {key: value for key, value in end.items() if key != "inputs"} | {"inptus": []}
    with EventIntake(store, workers=0) as intake:
        taker = EventFiles(store, intake)
        summary = taker.take_file(lines(tmp_path / "f.json", start, wrong, wrong))
        total = taker.take_file(lines(tmp_path / "g.json", wrong | {"eventType": "DONE"}))

    assert summary.problems == {"unknown-field": (1, "'inptus' has no effect; did you mean inputs?")}
    total.join_problems(summary)
    assert {code: count for code, (count, _) in total.problems.items()} == {"unknown-event-type": 1, "unknown-field": 1}
