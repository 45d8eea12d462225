"""``lineage-tt ingest``, ``dead-letters``, ``schema``."""

from __future__ import annotations

import gzip
import json
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest
from commandline import COMMAND, Outcome, call, environment, spawn
from waiting import until


def message(task: str, at: str, **fields: Any) -> str:
    """Return a message with one edge as a line."""
    edges = [{"source": f"hive:ods.{task}#a", "target": f"hive:dw.{task}#a"}]
    plain = {"event_id": f"{task}@{at}", "task_id": task, "op": "online", "effective_at": at, "edges": edges}
    return json.dumps(plain | fields) + "\n"


GOOD = message("one", "2024-01-01T00:00:00Z") + message("two", "2024-01-02T00:00:00Z")
BAD = message("three", "2024-01-03T00:00:00")


def replayed(outcome: Outcome) -> list[tuple[int, str, int]]:
    """Return (version, status, version it became) of each replay."""
    return [(o["version"], o["status"], o["as_version"]) for o in outcome.result]


def test_a_file_makes_the_store_and_fed_again_adds_nothing(tmp_path: Path) -> None:
    """The summary counts what came in; the second time everything is a duplicate."""
    (tmp_path / "a.jsonl").write_text(GOOD)

    first = spawn("ingest", tmp_path / "a.jsonl", store=tmp_path / "s")
    again = spawn("ingest", tmp_path / "a.jsonl", "--format", "json", store=tmp_path / "s")

    assert "2 received, 2 accepted, 0 rejected, 0 duplicates, 2 changes" in first.out
    assert "  version 1 to 2" in first.out
    [summary] = again.result
    assert (summary["received"], summary["accepted"], summary["duplicates"]) == (2, 0, 2)
    assert again.json["basis"]["version"] == 2


def test_several_files_and_standard_input(tmp_path: Path) -> None:
    """Files are read in order, gzip among them, and - is standard input; each has its summary."""
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(message("one", "2024-01-01T00:00:00Z").encode()))

    said = spawn(
        "ingest", tmp_path / "a.jsonl.gz", "-", "--format", "json", "--no-progress",
        store=tmp_path / "s", stdin=message("two", "2024-01-02T00:00:00Z"),
    )  # fmt: skip

    assert [(s["first_version"], s["accepted"]) for s in said.result] == [(1, 1), (2, 1)]
    assert said.err == ""


def test_a_history_import_takes_system_times_from_the_messages(tmp_path: Path) -> None:
    """With --system-time-from recorded_at the log's system times are the recorded ones."""
    (tmp_path / "a.jsonl").write_text(message("one", "2024-01-01T00:00:00Z", recorded_at="2024-01-05T00:00:00Z"))

    call("ingest", tmp_path / "a.jsonl", "--system-time-from", "recorded_at", store=tmp_path / "s")

    [entry] = call("log", "--format", "json", store=tmp_path / "s").result
    assert entry["system_time"] == "2024-01-05T00:00:00Z"


def test_a_file_that_is_not_there_makes_no_store(tmp_path: Path) -> None:
    """A wrong path is a wrong call, before anything is written."""
    said = call("ingest", tmp_path / "nothing.jsonl", store=tmp_path / "s")

    assert said.status == 2
    assert not (tmp_path / "s").exists()


def test_a_wrong_mapping_makes_no_store(tmp_path: Path) -> None:
    """A mapping that cannot be read is a wrong call, before anything is written."""
    (tmp_path / "a.jsonl").write_text(GOOD)
    (tmp_path / "m.toml").write_text("fields = [")

    said = call("ingest", tmp_path / "a.jsonl", "--mapping", tmp_path / "m.toml", store=tmp_path / "s")

    assert said.status == 2
    assert not (tmp_path / "s").exists()


@pytest.fixture
def refused(tmp_path: Path) -> Path:
    """A store with two messages and, as version 3, a refused one."""
    (tmp_path / "a.jsonl").write_text(GOOD + BAD)
    assert call("ingest", tmp_path / "a.jsonl", "--no-progress", store=tmp_path / "s").status == 0
    return tmp_path / "s"


def test_a_refused_message_is_kept_whole(refused: Path) -> None:
    """dead-letters lists it with its reason, and shows the bytes as they came."""
    listed = spawn("dead-letters", "list", store=refused)
    shown = call("dead-letters", "show", 3, "--format", "json", store=refused).result

    assert "1 dead letter, 1 not replayed" in listed.out
    assert "has no zone" in listed.out
    assert shown["raw"] == BAD.rstrip("\n")
    assert BAD.rstrip("\n") in call("dead-letters", "show", 3, store=refused).out


@pytest.mark.parametrize(("given", "author"), [((), "mei"), (("--actor", "ann"), "ann")])
def test_a_dismissal_has_an_author(
    refused: Path, monkeypatch: pytest.MonkeyPatch, given: tuple[str, ...], author: str
) -> None:
    """It is the user of the machine unless another is named, as with every statement."""
    monkeypatch.setenv("USER", "mei")
    call("dead-letters", "dismiss", 3, "--reason", "a test", *given, store=refused)
    assert call("sql", "SELECT actor FROM log WHERE fact_key = 'dismissed'", store=refused).out.count(author) == 1


def test_a_replay_that_is_refused_again_says_no(refused: Path) -> None:
    """Nothing has changed, so the message is refused again, with exit status 1 and no new version."""
    said = call("dead-letters", "replay", 3, "--format", "json", store=refused)

    assert said.status == 1
    assert replayed(said) == [(3, "rejected", 3)]


def test_a_replay_after_what_was_missing_came(tmp_path: Path) -> None:
    """A retract that came before its event is accepted once the event is there, and is not replayed twice."""
    fields = {"event_id": "r1", "op": "retract", "retracts": "one@2024-01-01T00:00:00Z", "edges": None}
    (tmp_path / "early.jsonl").write_text(message("one", "2024-01-01T00:00:00Z", **fields))
    (tmp_path / "late.jsonl").write_text(message("one", "2024-01-01T00:00:00Z"))
    store = tmp_path / "s"
    call("ingest", tmp_path / "early.jsonl", tmp_path / "late.jsonl", "--no-progress", store=store)

    said = call("dead-letters", "replay", "--all", "--format", "json", store=store)
    again = call("dead-letters", "replay", "--all", store=store)

    assert replayed(said) == [(1, "accepted", 3)]
    assert (again.status, again.out) == (0, "no dead letter is waiting to be replayed\n")
    assert call("tasks", "--format", "json", store=store).result == []


@pytest.mark.parametrize("args", [["replay"], ["replay", 3, "--all"], ["show", 1], ["show", 99]])
def test_dead_letters_that_are_none(refused: Path, args: list[Any]) -> None:
    """Saying neither which nor all, both, or a version that was not refused is a wrong call."""
    assert call("dead-letters", *args, store=refused).status == 2


def test_the_schema_describes_a_message() -> None:
    """schema prints a JSON Schema whose properties are the message's fields; an unknown name is a wrong call."""
    schema = json.loads(spawn("schema", "task-change").out)

    assert {"event_id", "task_id", "op", "effective_at", "sql", "edges"} <= schema["properties"].keys()
    assert call("schema", "no-such").status == 2


def test_ctrl_c_ends_an_ingest_and_the_next_one_carries_on(tmp_path: Path) -> None:
    """Interrupted while it waits for more, ingest ends with 130 and no traceback; the store is sound and continues."""
    store = tmp_path / "s"
    with subprocess.Popen(
        [COMMAND, "ingest", "-", "--batch", "1", "--no-progress", "--store", str(store)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(),
    ) as process:  # fmt: skip
        assert process.stdin is not None
        process.stdin.write(GOOD.encode())
        process.stdin.flush()
        until((store / "log" / "_head.json").exists, "the log has a head")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)

    assert (process.returncode, out, err) == (130, b"", b"")
    assert call("check", store=store).status == 0
    [summary] = spawn("ingest", "-", "--format", "json", "--no-progress", store=store, stdin=GOOD).result
    assert summary["accepted"] + summary["duplicates"] == 2


def test_a_folder_is_read_file_by_file(tmp_path: Path) -> None:
    """Its files in the order of their names, hidden ones left out; an empty folder is a wrong call."""
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "b.jsonl").write_text(message("two", "2024-01-02T00:00:00Z"))
    (folder / "a.jsonl").write_text(message("one", "2024-01-01T00:00:00Z"))
    (folder / ".hidden").write_text("no message")
    (tmp_path / "empty").mkdir()

    said = call("ingest", folder, "--format", "json", store=tmp_path / "s")

    assert [Path(each["source"]).name for each in said.result] == ["a.jsonl", "b.jsonl"]
    refused = call("ingest", tmp_path / "empty", store=tmp_path / "s")
    assert (refused.status, "holds no file" in refused.err) == (2, True)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.sql", b"INSERT INTO t SELECT a FROM s;\n", "lineage-tt extract"),
        ("a.json", b'[{"event_id": "e"}]\n', "JSON array"),
        ("a.parquet", b"PAR1\x15\x04\x15", "lineage-tt import"),
    ],
)
def test_a_file_of_something_else_is_a_wrong_call(tmp_path: Path, name: str, content: bytes, words: str) -> None:
    """Nothing of it becomes a dead letter, no store is made, and the error says what to run instead."""
    (tmp_path / name).write_bytes(content)

    said = call("ingest", tmp_path / name, store=tmp_path / "s")

    assert said.status == 2
    assert words in said.err
    assert not (tmp_path / "s").exists()


def test_one_accepted_message_is_enough_for_status_0(tmp_path: Path) -> None:
    """Rejected messages among others are not a failure; standard input of nothing but such messages is one."""
    mixed = spawn("ingest", "-", store=tmp_path / "s", stdin=GOOD + BAD)
    alone = spawn("ingest", "-", store=tmp_path / "t", stdin=BAD)
    nothing = spawn("ingest", "-", store=tmp_path / "u")

    assert [mixed.status, alone.status, nothing.status] == [0, 1, 0]


def test_a_dismissed_letter_waits_no_more(refused: Path) -> None:
    """dismiss keeps the reason, the list shows it, and replay --all passes the letter over."""
    noted = call(
        "dead-letters", "dismiss", 3, "--reason", "a test", "--actor", "mei", "--format", "json", store=refused
    )
    listed = call("dead-letters", "list", "--format", "json", store=refused)
    again = call("dead-letters", "replay", "--all", store=refused)

    assert [one["version"] for one in noted.result] == [3]
    assert [one["dismissed"] for one in listed.result] == ["a test"]
    assert (again.status, again.out) == (0, "no dead letter is waiting to be replayed\n")


def test_a_replay_that_is_refused_again_says_why(refused: Path) -> None:
    """The line of a replay that is refused again has the code and the reason."""
    said = call("dead-letters", "replay", 3, store=refused)

    assert said.status == 1
    assert "has no zone" in said.out
    assert said.out.startswith("version 3: rejected again: invalid-message: ")


def test_what_was_rejected_before_is_not_a_duplicate_that_is_there(tmp_path: Path) -> None:
    """A rejected message in another file is one that waits, and the status is 1; once dismissed, it is neither."""
    store, files = tmp_path / "store", [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for file in files:
        file.write_text('{"foo": 1}\n')

    first, again = (call("ingest", file, "--no-progress", store=store) for file in files)
    call("dead-letters", "dismiss", 1, "--reason", "noise", store=store)
    dismissed = call("ingest", files[1].rename(tmp_path / "c.jsonl"), "--no-progress", store=store)

    assert (first.status, again.status, dismissed.status) == (1, 1, 0)
    assert "1 received, 0 accepted, 0 rejected, 1 duplicates" in again.out
    assert "1 rejected before and still waiting" in again.out
    assert "still waiting" not in dismissed.out


def test_a_file_refused_without_its_mapping_is_taken_up_with_it(tmp_path: Path) -> None:
    """The second ingest of a file, now with its mapping, accepts what the first refused; until then the status is 1."""
    file, rules, store = tmp_path / "a.jsonl", tmp_path / "m.toml", tmp_path / "store"
    file.write_text('{"id": "1", "job": "t", "at": "2024-05-01T00:00:00Z"}\n')
    rules.write_text('[fields]\nevent_id = "id"\ntask_id = "job"\neffective_at = "at"\nop = { value = "offline" }\n')

    first = call("ingest", file, "--no-progress", store=store)
    waits = call("ingest", file, "--no-progress", store=store)
    second = call("ingest", file, "--mapping", rules, "--no-progress", store=store)

    assert (first.status, waits.status, second.status) == (1, 1, 0)
    assert "1 received, 0 accepted, 1 rejected" in first.out
    assert "1 rejected before and still waiting" in waits.out
    assert "lineage-tt dead-letters replay --all [--mapping TOML]" in waits.out
    assert "1 received, 1 accepted, 0 rejected, 0 duplicates" in second.out
    assert "1 of them rejected before and accepted now" in second.out
