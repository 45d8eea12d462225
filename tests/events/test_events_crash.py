"""Killed between event, decision and commit: the same command again, and nothing is lost and nothing doubled."""

from __future__ import annotations

import json
import random
import signal
from pathlib import Path
from typing import Any

import pytest
from crashes import damage, ingest, rows
from run_events import HOUR, START, Event, a_run, held

SOURCE = ("--from", "openlineage", "--batch", "20")
#: Where it dies: before and after the journal's commits, those of decisions, in the log's append, and after it.
POINTS = {
    "e1:before": 3, "e1:after": 3, "e2:before": 1, "e2:after": 1, "p3:before": 1, "p3:data": 1, "p3:after": 1,
    "e3:before": 1,
}  # fmt: skip
HOURS = [START + hour * HOUR for hour in range(-1, 8)]


def history(seed: int) -> list[Event]:
    """Return the events of thirty runs of three jobs, shuffled; some fail, some differ, one line is broken."""
    draw = random.Random(seed)
    result = [
        each
        for number in range(30)
        for each in a_run(
            START + draw.randrange(7) * HOUR, f"j{draw.randrange(3)}", f"r{number}",
            source=f"a.{draw.choice('xxy')}", ends=draw.choice(["COMPLETE"] * 4 + ["FAIL"]),
        )
    ]  # fmt: skip
    draw.shuffle(result)
    return result


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of events."""
    path = tmp_path_factory.mktemp("events") / "events.jsonl"
    lines = [json.dumps(each) for each in history(1)]
    path.write_text("\n".join([*lines[:9], '{"eventType": "COMPLETE"', *lines[9:]]), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def whole(file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store that nobody disturbed."""
    folder = tmp_path_factory.mktemp("whole") / "s"
    assert ingest(folder, file, *SOURCE).status == 0
    return folder


def said(store: Path) -> list[Any]:
    """Return what the log's rows say, without versions."""
    return sorted((row.event_id or "", row.status, row.effective_at, row.edges, row.facts) for row in rows(store))


@pytest.mark.parametrize("point", POINTS)
def test_killed_at_a_failpoint_the_same_command_completes_it(
    tmp_path: Path, file: Path, whole: Path, point: str
) -> None:
    """The log has the same messages, each once, as if nobody had killed it; the events are not decided again."""
    store = tmp_path / "s"
    killed = ingest(store, file, *SOURCE, failpoint=f"{point}:kill@{POINTS[point]}")
    assert killed.status == -signal.SIGKILL, killed.err
    again = ingest(store, file, *SOURCE)

    assert again.status == 0, again.err
    assert said(store) == said(whole)
    assert held(store, HOURS) == held(whole, HOURS)
    assert damage(store) == []


def test_an_unfinished_run_survives_a_restart(tmp_path: Path) -> None:
    """A run whose beginning came to a process that was killed is decided with what comes to the next one."""
    began, ended = a_run(START, run="r1")
    for name, each in (("began", began), ("ended", ended)):
        (tmp_path / f"{name}.json").write_text(json.dumps(each), encoding="utf-8")
    killed = ingest(tmp_path / "s", tmp_path / "began.json", *SOURCE, failpoint="e1:after:kill")
    assert killed.status == -signal.SIGKILL
    assert ingest(tmp_path / "s", tmp_path / "ended.json", *SOURCE).status == 0

    assert [row.effective_at for row in rows(tmp_path / "s")] == [START]
