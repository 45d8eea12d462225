"""``lineage-tt log``, ``tasks``, ``changes``."""

from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path

import pytest
from commandline import COMMAND, ODD, ORDERS, REPORT, SALES, call, environment, make_store, spawn

from lineage_tt import Lineage, Store, TaskChange
from lineage_tt.testing import task_change


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small store."""
    return make_store(tmp_path_factory.mktemp("records") / "store")


def test_log_lists_accepted_and_rejected(store: Path) -> None:
    """Every message received has a line, the refused one with its reason."""
    said = spawn("log", store=store).out.splitlines()

    assert len(said) == 7
    assert said[3].split() == ["3", "2024-03-01T00:02:00Z", "update", "sales", "2024-02-01T00:00:00Z", "+2", "-1"]
    assert "not-json: ends too early" in said[5]


def test_log_narrows_by_task_version_and_number(store: Path) -> None:
    """--task, --after and -n choose among the versions; the order stays."""
    of_task = call("log", "--task", "sales", "--format", "json", store=store).result
    newest = call("log", "-n", 2, "--format", "json", store=store)
    after = call("log", "--after", 5, "--format", "json", store=store).result

    assert [entry["version"] for entry in of_task] == [1, 3]
    assert [entry["version"] for entry in newest.result] == [5, 6]
    assert [entry["version"] for entry in after] == [6]
    assert newest.json["basis"] == {"valid_at": None, "version": 6, "system_time": "2024-03-01T00:05:00Z"}


def test_tasks_lists_those_in_force(store: Path) -> None:
    """A task is listed with the version in force at the point, and not once it is offline."""
    then = call("tasks", "--valid-at", "2024-01-15T00:00:00Z", "--format", "json", store=store).result
    later = call("tasks", "--valid-at", "2999-01-01T00:00:00Z", store=store).out

    assert [(task["task_id"], task["version"]) for task in then] == [("board", 2), ("sales", 1)]
    assert "sales" in later
    assert "odd" not in later


def test_tasks_gives_the_sql_and_its_hash(tmp_path: Path) -> None:
    """--sql adds the text whose SHA-256, of its UTF-8 bytes, is listed."""
    text = "INSERT INTO dw.t SELECT 'é' -- \u200b"
    change = TaskChange("e1", "t", "online", 1_704_067_200_000_000, sql=text, lineage=Lineage())
    Store.create(tmp_path / "s").append([change])

    [task] = spawn("tasks", "--sql", "--format", "json", store=tmp_path / "s").result

    assert text == task["sql"]
    assert hashlib.sha256(text.encode()).hexdigest() == task["sql_sha256"]
    assert (
        "    INSERT INTO dw.t SELECT 'é' -- \\u200b" in spawn("tasks", "--sql", store=tmp_path / "s").out.splitlines()
    )


def test_changes_is_one_object_a_line(store: Path) -> None:
    """JSON changes are lines, a version each; versions without changes are left out."""
    said = [
        json.loads(line) for line in spawn("changes", "--after", 2, "--format", "json", store=store).out.splitlines()
    ]

    assert [entry["version"] for entry in said] == [3, 4, 6]
    stop = {
        "sign": -1,
        "task_id": "odd",
        "source": ODD,
        "target": REPORT,
        "type": "DIRECT",
        "subtype": "IDENTITY",
        "expression": "",
        "version": 6,
        "valid_from": "2999-01-01T00:00:00Z",
        "valid_to": None,
    }
    assert [stop] == said[-1]["changes"]


def test_changes_as_text_has_plus_and_minus(store: Path) -> None:
    """Text changes are a heading a version, then signed lines with the valid interval."""
    said = call("changes", "--after", 2, store=store).out.splitlines()

    assert said[0].startswith("version 3  2024-03-01T00:02:00Z  sales")
    assert (
        f"- {ORDERS}#amount -> {SALES}#revenue  AGGREGATION  SUM(amount)  in force 2024-02-01T00:00:00Z → open" in said
    )


def test_changes_of_a_version_not_there_yet(store: Path) -> None:
    """A cursor beyond the end is an error of its own: the store cannot answer yet."""
    said = call("changes", "--after", 99, store=store)

    assert (said.status, "version 99 does not exist" in said.err) == (3, True)


def test_follow_prints_what_another_process_appends(tmp_path: Path) -> None:
    """changes --follow continues with versions appended after it began, and Ctrl-C ends it with status 130."""
    store = make_store(tmp_path / "store")
    words = [COMMAND, "changes", "--after", "5", "--follow", "--interval", "0.05", "--format", "json"]
    with subprocess.Popen(
        [*words, "--store", str(store)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stderr is not None
            first = json.loads(process.stdout.readline())
            Store.open(store).append(
                [task_change("new", "online", "2024-05-01T00:00:00Z", [(f"{SALES}#id", "bi:b#x")])]
            )
            second = json.loads(process.stdout.readline())
            process.send_signal(2)
            status = process.wait(20)
            assert process.stderr.read() == ""
        finally:
            process.kill()

    assert (first["version"], second["version"], status) == (6, 7, 130)
