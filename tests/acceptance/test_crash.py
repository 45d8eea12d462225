"""Killed at any moment, and the same command again: the same store as without the kill."""

from __future__ import annotations

import os
import random
import signal
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import psutil
import pytest
from crashes import IMPORT, Ended, LogRow, damage, finish, history, ingest, rows, start, write
from rounds import rounds
from waiting import until

SEED = int(os.environ.get("LINEAGE_TT_SEED", "1"))
KILLS = int(os.environ.get("LINEAGE_TT_KILLS", "5"))
LINES = 120
LONG = rounds(600, 240)
#: Where it dies: reading, planning, before the data file, between data file and commit, before and after fsync.
POINTS = {
    "p0:after": 70,
    "p2:after": 4,
    "p3:before": 3,
    "p3:data": 5,
    "p3:after": 1,
    "p4:after": 6,
    "p5:before": 2,
}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with everything in it."""
    return write(tmp_path_factory.mktemp("feed") / "history.jsonl", history(LINES))


@pytest.fixture(scope="module")
def whole(file: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[bool, list[LogRow]]:
    """The rows of stores that nobody disturbed: as imported, with their times, and by the clock, without."""
    folder = tmp_path_factory.mktemp("whole")
    assert ingest(folder / "import", file, *IMPORT).status == 0
    assert ingest(folder / "clock", file).status == 0
    result = {True: rows(folder / "import", times=True), False: rows(folder / "clock")}
    assert len(result[True]) > LINES * 0.8
    assert {row[2] for row in result[False]} == {"accepted", "rejected"}
    return result


def assert_completed(ended: Ended) -> None:
    """The command ended well."""
    assert ended.status == 0, ended.err


@pytest.mark.parametrize("point", POINTS)
def test_killed_at_a_failpoint_an_import_is_completed_by_the_same_command(
    tmp_path: Path, file: Path, whole: dict[bool, list[tuple[Any, ...]]], point: str
) -> None:
    """Every row, system time and checksum is that of an undisturbed import, wherever it was killed (C01)."""
    store = tmp_path / "s"
    killed = ingest(store, file, *IMPORT, failpoint=f"{point}:kill@{POINTS[point]}")

    assert killed.status == -signal.SIGKILL, killed.err
    assert damage(store) == []
    before = rows(store, times=True)
    assert len(before) < len(whole[True])
    assert before == whole[True][: len(before)]

    assert_completed(ingest(store, file, *IMPORT))
    assert rows(store, times=True) == whole[True]
    assert damage(store) == []


@pytest.mark.parametrize("point", ["p3:data", "p3:after"])
def test_killed_at_a_failpoint_an_ingest_is_completed_by_the_same_command(
    tmp_path: Path, file: Path, whole: dict[bool, list[tuple[Any, ...]]], point: str
) -> None:
    """By the clock, too: the same rows but for system times, which rise over the kill (C01)."""
    store = tmp_path / "s"
    assert ingest(store, file, failpoint=f"{point}:kill@3").status == -signal.SIGKILL
    assert_completed(ingest(store, file))

    assert rows(store) == whole[False]
    assert all(a[1] < b[1] for a, b in pairwise(rows(store, times=True)))
    assert damage(store) == []


def test_killed_again_and_again_at_random_moments(tmp_path: Path) -> None:
    """At each kill the store is sound and a beginning of the undisturbed one; in the end it is that one (C04)."""
    print(f"LINEAGE_TT_SEED={SEED} LINEAGE_TT_KILLS={KILLS}")
    draw = random.Random(SEED)
    file = write(tmp_path / "long.jsonl", history(LONG, SEED))
    options = (*IMPORT, "--batch", "4")
    begun = time.monotonic()
    assert_completed(ingest(tmp_path / "whole", file, *options))
    undisturbed = time.monotonic() - begun  # a busy machine takes its time, before the first message too
    whole = rows(tmp_path / "whole", times=True)
    kills, round_, inside = 0, 0, 0
    while kills < KILLS:
        store, round_ = tmp_path / f"s{round_}", round_ + 1
        while kills < KILLS:
            process = start(store, file, *options)
            time.sleep(undisturbed * draw.uniform(0.3, 1.1))
            process.kill()
            ended = finish(process)
            if ended.status == 0:
                break
            kills += 1
            if (store / "log" / "_head.json").exists():
                found = rows(store, times=True)
                assert damage(store) == []
                assert found == whole[: len(found)], f"after kill {kills}"
                inside += 0 < len(found) < len(whole)
        assert_completed(ingest(store, file, *options))
        assert rows(store, times=True) == whole
        assert damage(store) == []
    assert inside, "no kill fell into the ingest: choose other delays"


def test_killed_with_workers_at_work_leaves_no_process_behind(tmp_path: Path) -> None:
    """The processes that validate and parse end with the one that was killed."""
    columns = ", ".join(f"a.column_{number}" for number in range(200)).encode()
    lines = [  # with so much in a batch all workers start, however fast the first one is
        b'{"event_id": "e%d", "task_id": "t%d", "op": "update", "effective_at": "2024-05-01T12:00:00Z", '
        b'"namespace": "n", "dialect": "hive", "sql": "INSERT INTO b SELECT c%d, %s FROM a"}' % (i, i, i, columns)
        for i in range(200)
    ]
    file = write(tmp_path / "sql.jsonl", lines)
    process = start(tmp_path / "s", file, "--batch", "100", failpoint="p2:after:sleep:30000", fresh=True)
    try:
        parent = psutil.Process(process.pid)
        until((tmp_path / "s" / "log" / "_head.json").exists, "the log has a head")
        until(lambda: len(parent.children(recursive=True)) >= 2, "two workers come up")
        children = parent.children(recursive=True)
    finally:  # also where it fails: the process would count against the next test
        process.kill()
        finish(process)

    _, alive = psutil.wait_procs(children, timeout=10)
    assert alive == []


def test_the_same_file_by_two_processes_at_once(
    tmp_path: Path, file: Path, whole: dict[bool, list[tuple[Any, ...]]]
) -> None:
    """Each message is in the log once, in the file's order, whoever was faster (C05)."""
    store = tmp_path / "s"
    both = [start(store, file), start(store, file)]
    for process in both:
        assert_completed(finish(process))

    assert rows(store) == whole[False]
    assert_completed(ingest(store, file))
    assert rows(store) == whole[False]
    assert damage(store) == []
