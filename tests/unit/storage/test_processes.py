"""Several processes at one store: creation, different tasks, the same task, death in the middle."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from reference import Model, Sent
from rounds import rounds

import lineage_tt
from lineage_tt import Store
from lineage_tt.maintenance.check import check
from lineage_tt.testing import task_change

ROOT = Path(lineage_tt.__file__).parents[1]
NOON = "2024-05-01T12:00:00Z"
PROCESSES = 4

WRITER = """
import sys
from lineage_tt import Store
from lineage_tt.testing import task_change
folder, me, count, task = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
print("ready", flush=True)
sys.stdin.readline()
store = Store.create(folder)
for n in range(count):
    at = 1_700_000_000_000_000 + (n * 7 + int(me) * 3) % 20
    edges = [(f"n:a#c{(n + int(me)) % 5}", "n:b#x"), (f"n:a#d{n % 3}", "n:b#x")]
    store.append([task_change(task, "update", at, edges, event_id=f"{me}/{n}")])
"""


CREATOR = """
import sys
import lineage_tt.log.arrow
from lineage_tt import Store
print("ready", flush=True)
sys.stdin.readline()
for n in range(int(sys.argv[3])):
    assert Store.create(f"{sys.argv[1]}/{n}").version == 0
"""


def start(
    folder: Path, number: int, count: int, task: str, failpoint: str = "", program: str = WRITER
) -> subprocess.Popen[str]:
    """Start a writer; it says ``ready``, waits for a line, creates or opens the store and appends."""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "LINEAGE_FAILPOINT": failpoint}
    return subprocess.Popen(
        [sys.executable, "-c", program, str(folder), str(number), str(count), task],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
    )  # fmt: skip


def run(processes: list[subprocess.Popen[str]]) -> None:
    """Let all writers go at once, and wait for them; each must end well."""
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n", process.communicate(timeout=60)[1]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in processes:
        _, errors = process.communicate(timeout=200)
        assert process.returncode == 0, errors


def assert_sound(folder: Path, count: int) -> Store:
    """The store has so many versions, dense, at strictly rising times, and check finds no damage."""
    store = Store.open(folder)
    rows = store.log()

    assert [row.version for row in rows] == list(range(1, count + 1))
    assert all(a.system_time < b.system_time for a, b in pairwise(rows))
    assert [finding for finding in check(folder) if finding.kind == "damage"] == []
    return store


@pytest.mark.long
def test_four_processes_create_one_store(tmp_path: Path) -> None:
    """All find the store that one of them created, twenty times over: a second creation would damage it (W03)."""
    run([start(tmp_path, number, 20, "", program=CREATOR) for number in range(PROCESSES)])

    for number in range(20):
        assert_sound(tmp_path / str(number), 0)


@pytest.mark.long
def test_four_processes_append_to_tasks_of_their_own(tmp_path: Path) -> None:
    """Every message of every process is in the log once (W01)."""
    folder = tmp_path / "lineage"
    Store.create(folder)
    run([start(folder, number, 25, f"t{number}") for number in range(PROCESSES)])
    store = assert_sound(folder, 100)

    assert {(row.task_id, row.event_id) for row in store.log()} == {
        (f"t{number}", f"{number}/{n}") for number in range(PROCESSES) for n in range(25)
    }


@pytest.mark.long
def test_four_processes_append_to_one_task(tmp_path: Path) -> None:
    """What they believe in the end, and at every version, is what the model makes of the log's order (W02)."""
    folder = tmp_path / "lineage"
    Store.create(folder)
    each = rounds(50, 25)
    run([start(folder, number, each, "t") for number in range(PROCESSES)])
    store = assert_sound(folder, PROCESSES * each)
    model = model_of(store)

    for entry in store.changes():
        found = {(c[0], ("t", *c[1:6]), c[6], c[7]) for c in entry.changes}
        assert found == model.net_changes(entry.version), f"version {entry.version}"
    silent = set(range(1, PROCESSES * each + 1)) - {entry.version for entry in store.changes()}
    assert all(not model.net_changes(version) for version in silent)
    for vt in model.boundaries():
        assert {edge[:6] for edge in store.as_of(vt).edges()} == model.state(vt, PROCESSES * each)


def model_of(store: Store) -> Model:
    """The model fed with the log's messages in the log's order."""
    model = Model()
    _, rows = store.sql(
        "SELECT task_id, event_id, op, epoch_us(effective_at), list_transform(edges, lambda e: "
        '(e.source, e.target, e."type", e.subtype, e.expression)), epoch_us(system_time) FROM log ORDER BY version'
    )
    for task, event, op, at, edges, time in rows:
        model.receive(Sent(task, event, op, at, None, frozenset(edges)), time)
    return model


@pytest.mark.long
@pytest.mark.parametrize("point", ["p2:after", "p3:before", "p3:data", "p3:after", "p4:after", "p5:before"])
def test_a_process_killed_at_any_point(tmp_path: Path, point: str) -> None:
    """Killed at its third append, and started again with the same messages: each is in the log once (C01)."""
    folder = tmp_path / "lineage"
    Store.create(folder)
    victim = start(folder, 0, 6, "t", failpoint=f"{point}:kill@3")
    victim.communicate("go\n", timeout=60)
    assert victim.returncode == -9
    there = Store.open(folder).version
    before = Store.open(folder).as_of(NOON, version=2).edges()

    assert there == (3 if point in ("p3:after", "p4:after", "p5:before") else 2)
    run([start(folder, 0, 6, "t")])
    store = assert_sound(folder, 6)
    assert store.as_of(NOON, version=2).edges() == before
    garbage = [finding for finding in check(folder) if finding.kind == "garbage"]
    assert len(garbage) == (1 if point == "p3:data" else 0)


@pytest.mark.long
def test_a_reader_beside_writers(tmp_path: Path) -> None:
    """A reader that refreshes while two processes append never sees less than before, nor an answer that changes."""
    folder = tmp_path / "lineage"
    store = Store.create(folder)
    store.append([task_change("first", "online", NOON, [("n:a#x", "n:b#x")])])
    processes = [start(folder, number, 20, "t") for number in range(2)]
    for process in processes:
        assert process.stdout is not None
        process.stdout.readline()
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    answers: dict[int, object] = {}
    last = 0
    while any(process.poll() is None for process in processes):
        version = store.refresh()
        assert version >= last
        last = version
        answers[version] = store.as_of(NOON).edges()
    for process in processes:
        assert process.wait(60) == 0
        process.communicate()
    store = assert_sound(folder, 41)

    assert len(answers) > 2
    for version, answer in answers.items():
        assert store.as_of(NOON, version=version).edges() == answer
