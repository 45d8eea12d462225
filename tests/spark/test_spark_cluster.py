"""A real cluster: a master, two workers, jobs submitted to it by the command, and an executor killed in the middle."""

from __future__ import annotations

import json
import shutil
import subprocess
import threading
import time
from pathlib import Path

import pytest
from crashes import damage, finish
from imported import COMMAND, checksum, environment, real_lines, rows, task, write

from lineage_tt import Store
from lineage_tt.read.snapshots.snapshot import Snapshot
from scripts.cluster_lib.standalone import Cluster

#: Seconds for a command: some twenty on a quiet machine.
LIMIT = 560
#: Of the real stream: with more SQL than is parsed outside the cluster.
MESSAGES = 400
pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
CONF = ("--conf", "spark.executor.memory=512m", "--conf", "spark.task.maxFailures=4")


def start(
    store: Path, *words: object, master: str = "local[2,4]", failpoint: str = "", verb: str = "import"
) -> subprocess.Popen[bytes]:
    """Start an import with the system times of its messages, in a process of its own."""
    command = [COMMAND, verb, *map(str, words), "--master", master, "--store", str(store), "--no-progress"]
    command += [*CONF, "--system-time-from", "recorded_at", "--format", "json"]
    env = environment(LINEAGE_FAILPOINT=failpoint, LINEAGE_TT_SPARK_MEMORY="600m", PYTHONWARNINGS="default")
    return subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


@pytest.fixture(scope="module")
def stream(tmp_path_factory: pytest.TempPathFactory, shared_dir: Path) -> Path:
    """The beginning of the real stream."""
    path = tmp_path_factory.mktemp("stream") / "stream.jsonl"
    path.write_bytes(b"".join(real_lines(shared_dir, MESSAGES)))
    return path


@pytest.fixture(scope="module")
def ingested(stream: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store that an ingest makes of it."""
    store = tmp_path_factory.mktemp("ingested") / "store"
    command = [COMMAND, "ingest", str(stream), "--store", str(store), "--mapping", "bqetl_stream", "--no-progress"]
    subprocess.run([*command, "--system-time-from", "recorded_at"], check=True, timeout=LIMIT, env=environment())
    return store


def test_an_executor_is_killed_in_mid_import(cluster: Cluster, stream: Path, ingested: Path, tmp_path: Path) -> None:
    """Its tasks are done again by what is left, and the store is the one that an ingest makes."""
    running = start(tmp_path / "store", stream, "--mapping", "bqetl_stream", master=cluster.url)
    killed: list[int] = []
    deadline = time.monotonic() + LIMIT
    killer = threading.Thread(target=lambda: killed.append(cluster.kill_one_that_parses(deadline)), daemon=True)
    killer.start()

    ended = finish(running, LIMIT)

    assert (ended.status, len(killed)) == (0, 1), ended.err
    assert json.loads(ended.out)["result"]["sources"][0]["accepted"] == MESSAGES
    assert checksum(tmp_path / "store") == checksum(ingested)
    assert rows(tmp_path / "store") == rows(ingested)


@pytest.mark.parametrize("failpoint", ["p2:after:kill", "p3:data:kill", "p4:after:kill@2"])
def test_the_driver_is_killed_in_mid_import(failpoint: str, tmp_path: Path) -> None:
    """What is in the log is whole commits; run again, the command completes it, and nothing comes twice."""
    messages = [
        task(n, sql=None, dialect=None, namespace=None, edges=[{"source": f"a:s#{n}", "target": "a:t#x"}])
        for n in range(90)
    ]
    file = write(tmp_path / "m.jsonl", *messages)
    words = (tmp_path / "store", file, "--batch", "30")
    killed = finish(start(*words, failpoint=failpoint), LIMIT)
    between = Store.open(tmp_path / "store").version if (tmp_path / "store" / "log").exists() else 0
    found = damage(tmp_path / "store")

    again = finish(start(*words), LIMIT)

    assert killed.status == -9
    # the last message waits for others of its time, and comes in a commit of its own
    assert (between, found) == (89 if failpoint.startswith("p4") else 0, [])
    assert again.status == 0, again.err
    store = Store.open(tmp_path / "store")
    assert [event for (event,) in store.sql("SELECT event_id FROM log ORDER BY version")[1]] == [
        f"e{n}" for n in range(90)
    ]
    assert damage(tmp_path / "store") == []


def test_a_stream_on_the_cluster(cluster: Cluster, tmp_path: Path) -> None:
    """Structured Streaming over a folder, with its tasks on the workers."""
    folder = tmp_path / "folder"
    folder.mkdir()
    for part in range(2):
        write(folder / f"{part}.jsonl", *(task(n) for n in range(part * 20, part * 20 + 20)))

    ended = finish(start(tmp_path / "store", folder, "--until-end", master=cluster.url, verb="stream"), LIMIT)

    assert ended.status == 0, ended.err
    assert json.loads(ended.out)["result"]["accepted"] == 40
    assert damage(tmp_path / "store") == []


def test_a_compaction_on_the_cluster(cluster: Cluster, ingested: Path, tmp_path: Path) -> None:
    """Its executors write the snapshot that this machine alone would have written."""
    found = []
    for name, master in (("there", cluster.url), ("here", "local[2]")):
        shutil.copytree(ingested, tmp_path / name)
        command = [COMMAND, "compact", "--store", str(tmp_path / name), "--master", master, *CONF, "--no-progress"]
        env = environment(LINEAGE_TT_SPARK_MEMORY="600m")
        subprocess.run(command, check=True, timeout=LIMIT, env=env, stdin=subprocess.DEVNULL)
        snapshot = Snapshot.open(tmp_path / name)
        assert snapshot is not None
        assert damage(tmp_path / name) == []
        found.append([snapshot.rectangles(side).to_pylist() for side in ("source", "target")])
        found[-1].append(snapshot.table("nodes").sort_by("id").to_pylist())

    assert found[0] == found[1]
    assert all(found[0])


def test_a_master_that_is_not_there(tmp_path: Path) -> None:
    """The command says so, and what to look at; it does not wait for ever."""
    file = write(tmp_path / "m.jsonl", task(1))

    ended = finish(start(tmp_path / "store", file, master="spark://127.0.0.1:9"), LIMIT)

    assert ended.status == 3
    assert "Spark" in ended.err
    assert "hint" in ended.err
