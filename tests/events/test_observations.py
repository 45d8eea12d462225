"""What runs tell beside lineage: counted exactly, whatever came late or twice, and never a reason for a version."""

from __future__ import annotations

import contextlib
import io
import json
import random
import signal
from pathlib import Path
from typing import Any

import pytest
from crashes import ingest
from run_events import HOUR, START, Event, a_run

from ingest.events.intake import EventIntake
from lineage_tt import Store
from lineage_tt.cli.app import run as run_command
from lineage_tt.model.times import format_instant
from lineage_tt.read.observations import Observation, day_of, observations

DAY = 24 * HOUR


def observed(folder: Path, *batches: list[Event]) -> list[Observation]:
    """Return what a store observed of batches of events, each written before the next one comes."""
    store = Store.create(folder)
    with EventIntake(store, workers=0) as intake:
        for batch in batches:
            intake.take([intake.read(json.dumps(each).encode()) for each in batch])
            intake.settle()
            intake.observe()
    return observations(folder)


def counted(runs: list[list[Event]]) -> dict[tuple[str, str], tuple[int, int, int, int, int]]:
    """Return, by task and day: first and last seen, runs, failed, and how long they took."""
    result: dict[tuple[str, str], tuple[int, int, int, int, int]] = {}
    for began, ended in runs:
        at, over = instant(began), instant(ended)
        key = f"etl/{began['job']['name']}", day_of(at // DAY)
        first, last, done, failed, took = result.get(key, (at, at, 0, 0, 0))
        is_done = ended["eventType"] == "COMPLETE"
        result[key] = min(first, at), max(last, at), done + is_done, failed + (not is_done), took + over - at
    return result


def instant(event: Event) -> int:
    """Return when an event happened, in UTC microseconds."""
    from lineage_tt.model.times import parse_instant

    return parse_instant(event["eventTime"])


@pytest.mark.parametrize("seed", range(3))
def test_observations_are_exact(tmp_path: Path, seed: int) -> None:
    """Shuffled, a third of them twice, a tenth a batch later: each run is counted once, on its own day."""
    draw = random.Random(seed)
    runs = [
        a_run(
            START + draw.randrange(72) * HOUR, f"j{draw.randrange(3)}", f"r{number}",
            lasts=draw.randrange(1, 90) * 60_000_000, ends=draw.choice(["COMPLETE", "COMPLETE", "FAIL", "ABORT"]),
        )
        for number in range(60)
    ]  # fmt: skip
    events = [each for run in runs for each in run]
    late = draw.sample(events, len(events) // 10)
    early = [each for each in events if each not in late]
    early += draw.sample(early, len(early) // 3)
    draw.shuffle(early)
    found = observed(tmp_path, early, late)

    assert {
        (each.task_id, each.day): (each.first_seen, each.last_seen, each.runs, each.failed, each.duration)
        for each in found
    } == counted(runs)


def test_rows_and_bytes_are_those_of_the_last_event(tmp_path: Path) -> None:
    """What a run wrote is stated by its outputs, and added up over outputs and runs."""

    def wrote(run: str, at: int, *rows: int) -> list[Event]:
        began, ended = a_run(at, run=run)
        said: list[dict[str, Any]] = [{"outputStatistics": {"rowCount": n, "size": 10 * n}} for n in rows]
        outputs = [{**ended["outputs"][0], "name": f"o{n}", "outputFacets": each} for n, each in enumerate(said)]
        began["outputs"] = [{**each, "outputFacets": {"outputStatistics": {"rowCount": 1}}} for each in outputs]
        return [began, {**ended, "outputs": outputs}]

    found = observed(tmp_path, wrote("r1", START, 5, 7), wrote("r2", START + HOUR, 100))

    assert [(each.rows, each.bytes, each.runs) for each in found] == [(112, 1120, 2)]


def test_observations_make_no_version(tmp_path: Path) -> None:
    """Runs that only add to what was observed leave the log as it is; what no run tells is not known."""
    observed(tmp_path, a_run(START, run="r1"))
    found = observed(tmp_path, a_run(START + HOUR, run="r2"), a_run(START + DAY, run="r3"))

    assert Store.open(tmp_path).version == 1
    assert [(each.day, each.runs, each.rows) for each in found] == [("2026-01-01", 2, None), ("2026-01-02", 1, None)]


def test_a_run_that_moves_to_another_day_leaves_the_first(tmp_path: Path) -> None:
    """A beginning that comes late puts a run on the day on which it began."""
    began, ended = a_run(START - HOUR, lasts=2 * HOUR)
    assert [each.day for each in observed(tmp_path, [ended])] == ["2026-01-01"]
    assert [each.day for each in observed(tmp_path, [began])] == ["2025-12-31"]


def test_killed_before_they_are_noted_as_written_they_are_counted_once(tmp_path: Path) -> None:
    """The same command again rewrites the day."""
    file = tmp_path / "events.jsonl"
    lines = [json.dumps(each) for number in range(3) for each in a_run(START + number * HOUR, run=f"r{number}")]
    file.write_text("\n".join(lines), encoding="utf-8")
    source = ("--from", "openlineage")
    assert ingest(tmp_path / "s", file, *source, failpoint="e4:before:kill").status == -signal.SIGKILL
    assert ingest(tmp_path / "s", file, *source).status == 0

    assert [each.runs for each in observations(tmp_path / "s")] == [3]


def test_tables_whose_readers_stopped_running_are_unread_although_their_lineage_holds(tmp_path: Path) -> None:
    """Found by the runs: the only reader ran last in January; a table with a reader of yesterday is kept."""
    runs = [
        a_run(START, "load_old", "1", source="s.x", target="old"),
        a_run(START, "load_used", "2", source="s.x", target="used"),
        a_run(START + HOUR, "old_board", "3", source="old.y", target="b1"),
        a_run(START + HOUR, "used_board", "4", source="used.y", target="b2"),
    ]  # fmt: skip
    runs += [a_run(START + 150 * DAY, "load_old", "5", source="s.x", target="old")]
    runs += [a_run(START + 150 * DAY, "load_used", "6", source="s.x", target="used")]
    runs += [a_run(START + 149 * DAY, "used_board", "7", source="used.y", target="b2")]
    observed(tmp_path / "s", [each for run in runs for each in run])
    asks = Store.open(tmp_path / "s").governance()

    def unused(day: int, days: int) -> dict[tuple[str, str], tuple[int | None, str]]:
        found = asks.redundancy(asks.basis(START + day * DAY), days=days).unused
        return {(each.dataset, each.why): (each.last, each.by) for each in found}

    assert unused(151, 90)["db:old", "unread"] == (START + HOUR, "observation")
    assert ("db:used", "unread") not in unused(151, 90)
    assert ("db:old", "unfed") not in unused(151, 90)
    assert ("db:old", "unread") not in unused(151, 160)
    assert ("db:old", "unread") not in unused(80, 90)  # as of March it was read in January
    status, out = command("redundancy", "--valid-at", str(format_instant(START + 151 * DAY)), store=tmp_path / "s")
    line = next(each for each in out.splitlines() if "db:old" in each and "unread" in each)
    assert (status, "observation" in line, "etl/load_old" in line) == (0, True, True)


def command(*words: str, store: Path) -> tuple[int, str]:
    """Return the exit status of a command and what it prints."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        status = run_command([*words, "--store", str(store)])
    return status, said.getvalue()
