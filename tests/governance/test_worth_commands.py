"""The commands about worth, clean-up and quality, as their users call them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lineage_tt import Store
from lineage_tt.cli.app import run
from lineage_tt.testing import ManualClock, task_change

COPIED = [("hive:src#id", "hive:a#id"), ("hive:src#x", "hive:a#x")]
AT = "2024-03-01T00:00:00Z"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store: two tables of one source; a report reads one of them from February on."""
    path = tmp_path_factory.mktemp("worth") / "store"
    store = Store.create(path, clock=ManualClock("2024-03-01T00:00:00Z"))
    store.append(
        [
            task_change("copy", "online", "2024-01-01T00:00:00Z", COPIED),
            task_change("again", "online", "2024-01-01T00:00:00Z", [("hive:src#id", "hive:b#id")]),
            task_change("report", "online", "2024-02-01T00:00:00Z", [("hive:a#x", "bi:r#x")]),
        ]
    )  # fmt: skip
    return path


def asked(capsys: pytest.CaptureFixture[str], folder: Path, *words: str) -> Any:
    """Return the JSON that a command prints."""
    status = run([*words, "--store", str(folder), "--format", "json"])
    said = capsys.readouterr()
    assert status == 0, said.err
    return json.loads(said.out)


def test_heat_ranks_and_tells_what_changed(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    """The source of all comes first; since January the table that the report reads became worth more."""
    found = asked(capsys, folder, "heat", "--valid-at", AT)["result"]
    since = asked(capsys, folder, "heat", "--valid-at", AT, "--compare-to", "2024-01-15T00:00:00Z")["result"]

    assert [row["node"] for row in found["rows"]] == ["hive:src", "hive:a", "bi:r", "hive:b"]
    assert found["rows"][0]["transitive"] == {"columns": 4, "tables": 3, "tasks": 3, "people": 0}
    changed = {row["node"]: row for row in since["rows"]}
    assert (changed["hive:a"]["references_before"], changed["hive:a"]["references"]) == (0, 1)
    assert (changed["hive:a"]["heat_before"], changed["bi:r"]["rank_before"]) == ("cold", None)


def test_redundancy_names_what_is_there_twice_and_for_nobody(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    """The source is landed twice; the second copy is read by nobody; edges alone prove nothing."""
    found = asked(capsys, folder, "redundancy", "--days", "20", "--valid-at", AT)["result"]

    assert found["equal"] == []
    assert found["landed"] == [{"source": "hive:src", "copies": ["hive:a", "hive:b"]}]
    assert [(row["dataset"], row["why"], row["last"]) for row in found["unused"]] == [("hive:b", "unread", None)]
    assert found["unused_columns"] == [{"column": "hive:a#id"}]
    assert run(["redundancy", "--days", "20", "--valid-at", AT, "--store", str(folder)]) == 0
    assert "unread  hive:b  never" in " ".join(capsys.readouterr().out.split(" ")).replace("   ", "  ")


def test_heat_as_known_before_anything_is_empty(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    """At version 0 nothing was known."""
    assert asked(capsys, folder, "heat", "--version", "0")["result"]["rows"] == []


@pytest.mark.parametrize(
    "words",
    [["heat", "--level", "row"], ["heat", "--sort", "personal"], ["heat", "--limit", "0"], ["heat", "hive:nobody"],
     ["heat", "--of", "hive:nobody"], ["heat", "--sort", "reads"], ["heat", "--days", "0"],
     ["redundancy", "--days", "0"]],
)  # fmt: skip
def test_wrong_calls_say_what_to_give(capsys: pytest.CaptureFixture[str], folder: Path, words: list[str]) -> None:
    """Each is refused with a hint, none ends in a traceback."""
    status = run([*words, "--store", str(folder)])

    assert status != 0
    assert "Traceback" not in capsys.readouterr().err
