"""Compaction on Spark: what it writes, what it leaves as it was, and what happens beside it."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from compacted import HOUR, NOON, SEED, answers, append, folder, last_job, log_alone, make
from imported import call
from rounds import SHARE, rounds

from lineage_tt import Store
from lineage_tt.log.rewriting.vacuum import vacuum
from lineage_tt.log.verify import verified_files
from lineage_tt.maintenance.check import check
from lineage_tt.maintenance.stats import stats
from lineage_tt.model.errors import CorruptError
from lineage_tt.read.snapshots.snapshot import Snapshot
from lineage_tt.spark import compact_log
from lineage_tt.spark.compact import compact
from lineage_tt.storage import failpoints
from lineage_tt.storage.failpoints import FailpointError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

COMMAND = str(Path(sys.executable).with_name("lineage-tt"))
TOGETHER = float(os.environ.get("LINEAGE_TT_TOGETHER", "10"))
#: Seconds between two appends, and two rounds of questions: short of the long form compactions need the time.
PAUSE = 0.02 if SHARE == 1 else 0.25
POINTS = ["r1:after", "r2:before", "r2:after", "r1:log"]
if os.environ.get("LINEAGE_TT_PROFILE") == "deep":
    POINTS += ["r0:after", "r1:before", "r2:log", "r3:before"]


def test_snapshot_and_tail_answer_as_the_log_does(store: Store) -> None:
    """Edges, tasks, histories and names are the log's own, at points before, in and after the snapshot (I3)."""
    snapshot, draw = store.snapshot, random.Random(SEED)

    assert snapshot is not None
    assert (snapshot.version, len(snapshot.levels)) == (140, 2)
    with log_alone(store) as log:
        for version in (1, 60, 119, 120, 121, 140, 141, store.version):
            st = store.basis(version=version).system_time
            for at in draw.sample(range(NOON - 9 * HOUR, NOON + 9 * HOUR, HOUR), rounds(18)):
                query = """SELECT * REPLACE (epoch_us(valid_from) AS valid_from, epoch_us(valid_to) AS valid_to)
                    FROM edges_as_of(make_timestamptz($at), make_timestamptz($st)) ORDER BY ALL"""
                assert store.ask(query, at=at, st=st) == log(query, at=at, st=st)
        query = """SELECT task_id, source, target, epoch_us(valid_from), epoch_us(valid_to), epoch_us(system_from),
            epoch_us(system_to), version, closing_version FROM edge_history('n:a') ORDER BY ALL"""
        assert store.ask(query) == log(query)
        assert store.ask("FROM nodes ORDER BY ALL") == log("FROM nodes ORDER BY ALL")
    assert check(folder(store)) == []


def test_rectangles_are_disjoint_in_both_directions(store: Store) -> None:
    """Both directions hold the same rectangles, sorted; no two of one edge overlap in both times (I9)."""
    snapshot = store.snapshot
    assert snapshot is not None
    source, target = snapshot.rectangles("source"), snapshot.rectangles("target")
    names = ["source", "target", "task", "label", "valid_from", "valid_to", "opened", "closed"]
    rows = sorted(zip(*(source[name].to_pylist() for name in names), strict=True), key=repr)

    assert rows == sorted(zip(*(target[name].to_pylist() for name in names), strict=True), key=repr)
    assert source["source"].to_pylist() == sorted(source["source"].to_pylist())
    assert target["target"].to_pylist() == sorted(target["target"].to_pylist())
    for a in rows:
        for b in rows:
            if a is not b and a[:4] == b[:4]:
                apart_in_system = (a[7] or 10**9) <= b[6] or (b[7] or 10**9) <= a[6]
                apart_in_valid = bool(a[5] and a[5] <= b[4]) or bool(b[5] and b[5] <= a[4])
                assert apart_in_system or apart_in_valid


def test_numbers_stay_however_often_it_is_compacted(store: Store) -> None:
    """A full compaction, a second one from nothing, and the levels give each name the same number."""
    path = folder(store)
    make(path)
    levels = Snapshot.open(path)
    assert levels is not None
    by_levels = {name: levels.table(name).sort_by("id").to_pylist() for name in ("nodes", "tasks", "labels")}
    rectangles = levels.rectangles("source").to_pylist()
    shutil.rmtree(path / "snapshot")
    make(path)
    rebuilt = Snapshot.open(path)
    assert rebuilt is not None

    assert {name: rebuilt.table(name).to_pylist() for name in by_levels} == by_levels
    assert rebuilt.rectangles("source").to_pylist() == rectangles


def test_few_rows_are_few_jobs_and_nothing_new_is_none(store: Store, spark: SparkSession) -> None:
    """A small compaction takes eight jobs at most; compact after compact leaves the snapshot's table as it is (I3)."""
    begun = last_job(spark)
    assert make(folder(store)).mode == "full"
    made = last_job(spark)
    before = Snapshot.open(folder(store))
    done = make(folder(store))
    after = Snapshot.open(folder(store))

    assert 0 < made - begun <= 8
    assert last_job(spark) == made
    assert done.mode == "none"
    assert before is not None
    assert after is not None
    assert (before.delta_version, before.names) == (after.delta_version, after.names)


@pytest.mark.parametrize("point", POINTS)
def test_broken_off_anywhere_answers_stay_and_the_next_one_completes(store: Store, point: str) -> None:
    """The old snapshot or the new one is in force, whole; check is clean; leftovers are removed in time (C03)."""
    path, versions = folder(store), [1, 100, 130, store.version]
    append(store, 10)
    before = answers(store, versions)
    try:
        with failpoints.armed(f"{point}:raise"):
            make(path, rebuild=True)
    except FailpointError:
        pass
    else:
        assert point.endswith("log"), "the failpoint was not reached"
    again = Store.open(path)

    assert answers(again, versions) == before
    assert [finding for finding in check(path) if finding.kind == "damage"] == []
    make(path)
    assert answers(Store.open(path), versions) == before
    vacuum(path / "snapshot", 0)
    vacuum(path / "log", 0)
    assert answers(Store.open(path), versions) == before
    assert check(path) == []


@pytest.mark.parametrize("point", ["r1:after", "r2:after"] if "r3:before" in POINTS else ["r2:after"])
def test_killed_the_command_is_completed_by_the_same_command(store: Store, point: str) -> None:
    """kill -9 before and after the commit: the answers stay, and no process is left behind (C03)."""
    path, versions = folder(store), [1, 130, store.version]
    before = answers(store, versions)
    command = [COMMAND, "compact", "--store", str(path), "--master", "local[1]", "--no-progress", "--format", "json"]
    environment = os.environ | {"LINEAGE_FAILPOINT": f"{point}:kill"}
    killed = subprocess.run(command, capture_output=True, env=environment, timeout=280)

    assert killed.returncode == -signal.SIGKILL, killed.stderr.decode()
    assert answers(Store.open(path), versions) == before
    done = subprocess.run(command, capture_output=True, timeout=280)
    assert done.returncode == 0, done.stderr.decode()
    result = json.loads(done.stdout)["result"]
    assert result["mode"] == ("full" if point == "r1:after" else "none"), "a quarter more than the full level covers"
    assert result["version"] == store.version
    assert answers(Store.open(path), versions) == before
    vacuum(path / "snapshot", 0)
    assert check(path) == []


def test_small_files_become_one_and_every_row_keeps_its_checksum(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The log's files are fewer, clustered by task in small row groups; rows, chain, feed and writers continue."""
    path = folder(store)
    monkeypatch.setattr(compact_log, "MAX_GROUP_ROWS", 8)
    append(store, 30, batch=1)
    before, feed = answers(store, [1, store.version]), list(store.changes())
    files = len(store.opened_log.files())
    done = make(path)
    again = Store.open(path)

    assert done.log_files < files
    assert len(again.opened_log.files()) == done.log_files
    newest = pq.ParquetFile(again.log_path / again.opened_log.files()[-1].name)
    groups = [newest.metadata.row_group(group).num_rows for group in range(newest.num_row_groups)]
    assert max(groups) == 8
    tasks = newest.read(columns=["task_id"])["task_id"].to_pylist()
    assert tasks == sorted(tasks, key=lambda task: task or "")
    assert answers(again, [1, again.version]) == before
    assert list(again.changes()) == feed
    assert check(path) == []
    append(again, 5)
    store.refresh()
    assert store.version == again.version
    assert check(path) == []


def test_a_reader_outlives_the_files_it_had_open(store: Store) -> None:
    """Files replaced and removed under an open store: its answers as of an old basis are the same (W06)."""
    path, versions = folder(store), [1, 100, store.version]
    before = answers(store, versions)
    append(Store.open(path), 10)
    make(path, rebuild=True)
    assert vacuum(path / "snapshot", 0).files > 0
    assert vacuum(path / "log", 0).files > 0

    assert answers(store, versions) == before


def test_a_damaged_snapshot_answers_nothing_and_is_made_anew(store: Store) -> None:
    """A flipped byte is found by readers and by check, which makes a snapshot from the log if asked to (D06)."""
    path, before = folder(store), answers(store, [1, store.version])
    victim = max((path / "snapshot" / "direction=source").iterdir(), key=lambda each: each.stat().st_size)
    data = bytearray(victim.read_bytes())
    data[len(data) // 2] ^= 1
    victim.write_bytes(data)

    with pytest.raises(CorruptError, match="compact --full"):
        Store.open(path).as_of().edges()
    assert [finding.path for finding in check(path)] == ["snapshot"]
    assert call("check", store=path).status == 1
    assert call("check", "--from-log", store=path).status == 0
    assert answers(Store.open(path), [1, store.version]) == before
    assert check(path) == []


def test_two_at_once_one_does_the_work(store: Store, spark: SparkSession) -> None:
    """Of two full compactions over one snapshot one commits and the other finds it done (W09)."""
    path, found = folder(store), []
    before = answers(store, [1, store.version])
    with failpoints.armed("r2:before:sleep:3000"):
        threads = [
            threading.Thread(target=lambda: found.append(compact(path, lambda: spark.newSession(), rebuild=True).mode))
            for _ in range(2)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(240)

    assert sorted(found) in (["full", "none"], ["full", "full"])
    assert answers(Store.open(path), [1, store.version]) == before
    vacuum(path / "snapshot", 0)
    assert check(path) == []


def test_together_with_ingest_and_readers(store: Store) -> None:
    """While messages come and answers are asked for again and again, compactions change none and lose none (W04)."""
    print(f"LINEAGE_TT_SEED={SEED} LINEAGE_TT_TOGETHER={TOGETHER}")
    path, versions = folder(store), [1, 100, store.version]
    expected, stop = answers(store, versions), threading.Event()
    failures: list[BaseException] = []
    counted = {"appended": 0, "read": 0}

    def write() -> None:
        writer = Store.open(path)
        while not stop.is_set():
            append(writer, 3, batch=1)
            counted["appended"] += 3
            stop.wait(PAUSE)

    def read() -> None:
        while not stop.is_set():
            assert answers(Store.open(path), versions) == expected
            counted["read"] += 1
            stop.wait(PAUSE)

    def guarded(work: Any) -> None:
        try:
            work()
        except BaseException as error:
            failures.append(error)

    started = store.version
    threads = [threading.Thread(target=guarded, args=(work,)) for work in (write, read)]
    for thread in threads:
        thread.start()
    begun = time.monotonic()
    modes: list[str] = []
    while time.monotonic() - begun < TOGETHER or len(modes) < 2:
        modes.append(make(path, rebuild=len(modes) % 3 == 2).mode)
    stop.set()
    for thread in threads:
        thread.join(60)

    assert failures == []
    assert counted["read"] > 0
    assert counted["appended"] > 0
    assert modes[0] != "none"
    assert Store.open(path).version == started + counted["appended"]
    assert check(path) == [] or all(finding.kind == "garbage" for finding in check(path))


def test_stats_say_what_is_there(store: Store) -> None:
    """Versions, names, edges, tail and files are counted; a short tail is not worth a compaction."""
    found = stats(store)

    assert (found.version, found.snapshot_version, found.tail, found.snapshot_levels) == (150, 140, 10, 2)
    assert found.edges_now == len(store.as_of().edges())
    assert found.tasks == len(store.as_of().tasks())
    assert found.log_bytes > 0
    assert found.snapshot_bytes > 0
    assert not found.due


def test_files_of_older_shapes_give_the_same_snapshot(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Log files that lack a column, or have it as a narrower type, are read as if they had it (W08)."""
    path = tmp_path / "store"
    store = Store.create(path)
    append(store, 60, batch=20)
    make(path)
    expected = Snapshot.open(path)
    assert expected is not None
    files = verified_files(store.opened_log)
    assert len(files) == 3
    old = [_reshaped(file, tmp_path / f"old-{place}.parquet", place) for place, file in enumerate(files)]
    monkeypatch.setattr("lineage_tt.spark.compact.verify.verified_files", lambda log, after=0: old)

    make(path, rebuild=True)

    found = Snapshot.open(path)
    assert found is not None
    assert found.names != expected.names
    for direction in ("source", "target"):
        assert found.rectangles(direction).equals(expected.rectangles(direction))
    assert found.table("nodes").equals(expected.table("nodes"))


def _reshaped(file: Path, copy: Path, place: int) -> Path:
    """Write a file again: the first one without the columns that say nothing, the second with shorter integers."""
    rows = pq.read_table(file)
    if place == 0:
        empty = [name for name in rows.column_names if rows[name].null_count == rows.num_rows]
        assert empty
        rows = rows.drop_columns(empty)
    if place == 1:
        narrow = [name for name in rows.column_names if pa.types.is_int64(rows[name].type)]
        assert "version" in narrow
        rows = rows.cast(
            pa.schema([field.with_type(pa.int32()) if field.name in narrow else field for field in rows.schema])
        )
    pq.write_table(rows, copy)
    return copy
