"""The cursor over the log's end: follows, resumes, tells only what is acknowledged, and never passes over a gap."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from lineage_tt import Store
from lineage_tt.feed.tail import Tail
from lineage_tt.model.errors import CorruptError, GapError, VersionNotReachedError
from lineage_tt.storage import failpoints
from lineage_tt.storage.failpoints import FailpointError
from lineage_tt.testing import ManualClock, task_change

NOON = 1_714_564_800_000_000
COMMAND = str(Path(sys.executable).with_name("lineage-tt"))


def fill(store: Store, first: int, last: int) -> None:
    """Append versions that each change something but every fifth, which changes nothing."""
    for number in range(first, last):
        edges = [(f"n:a#c{number // 5 if number % 5 == 4 else number}", "n:b#x")]
        at = NOON + number * 1_000_000
        if number % 5 == 4:
            edges = [(f"n:a#c{number - 1}", "n:b#x")]
        store.append([task_change("t", "update", at, edges)])


@pytest.mark.long
def test_it_gives_what_changes_gives_in_any_portions(tmp_path: Path) -> None:
    """Read in any portions and from any version, it is the feed; each entry names the one before it."""
    store = Store.create(tmp_path)
    fill(store, 0, 23)
    whole = list(store.changes())
    assert [e.version for e in whole] == [v for v in range(1, 24) if v % 5]
    assert [e.previous_version for e in whole] == [0, *(e.version for e in whole[:-1])]

    for after in (0, 1, 4, 5, 6, 10, 22, 23):
        for most in (2, 100):
            tail, found = store.tail(after), []
            while tail.wait(0):
                found += tail.read(most)
                assert tail.after >= (found[-1].version if found else after)
            assert found == [e for e in whole if e.version > after] == list(store.changes(after))
            assert (tail.after, tail.lag) == (23, 0)


def test_it_follows_as_the_log_grows(tmp_path: Path) -> None:
    """A reader that waits is woken by each commit of another writer, long before it would give up."""
    store = Store.create(tmp_path)
    tail, waited = store.tail(), []
    for number in range(5):
        begun: list[float] = []

        def append(number: int = number, begun: list[float] = begun) -> None:
            time.sleep(0.05)
            store.append([task_change("t", "update", NOON + number, [(f"n:a#c{number}", "n:b#x")])])
            begun.append(time.monotonic())

        thread = threading.Thread(target=append)
        thread.start()
        assert tail.wait(20)
        entries = tail.read()
        waited.append(time.monotonic())
        thread.join()
        assert [e.version for e in entries] == [number + 1]
        waited[-1] -= begun[0]
    assert min(waited) < 2, waited


def test_what_is_not_acknowledged_is_not_told(tmp_path: Path) -> None:
    """A commit whose writer died before it was forced to disk is reported only when a writer has made it so."""
    store = Store.create(tmp_path)
    fill(store, 0, 2)
    with failpoints.armed("p3:after:raise"), pytest.raises(FailpointError):
        fill(store, 2, 3)
    tail = Store.open(tmp_path).tail(2)
    assert not tail.wait(0.05)
    assert tail.read() == []

    fill(Store.open(tmp_path), 3, 4)
    assert tail.wait(10)
    assert [e.version for e in tail.read()] == [3, 4]


@pytest.mark.long
def test_a_cursor_beyond_the_end_and_one_before_the_horizon(tmp_path: Path) -> None:
    """A version that is not there yet is refused; so is one whose successors were dropped, with where to start."""
    from lineage_tt.log.log import Log
    from lineage_tt.log.retention import Horizon
    from lineage_tt.log.rewriting.rewrite import replace

    store = Store.create(tmp_path, clock=ManualClock(NOON))
    fill(store, 0, 8)
    with pytest.raises(VersionNotReachedError):
        store.tail(9)
    following = store.tail(2)
    replace(Log.open(store.log_path), [], Horizon(6, store.log()[5].system_time))
    store = Store.open(tmp_path)
    for read in (lambda: store.tail(5), lambda: list(store.changes(5)), lambda: following.refresh()):
        with pytest.raises(GapError) as raised:
            read()
        assert raised.value.snapshot == 6
    assert [e.version for e in store.changes(6)] == [7, 8]

    command = [COMMAND, "--store", str(tmp_path), "changes", "--after", "5", "--format", "json"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60)
    error = json.loads(ran.stderr.splitlines()[-1])["error"]
    assert (ran.returncode, error["kind"]) == (3, "gap")
    assert "version 6" in error["hint"]


def test_a_damaged_data_file_is_found(tmp_path: Path) -> None:
    """Bytes that are not what was written are an error, not other changes."""
    store = Store.create(tmp_path)
    fill(store, 0, 3)
    path = store.opened_log.files()[1]
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))

    with pytest.raises(CorruptError, match="cut or altered"):
        list(Store.open(tmp_path).changes())


@pytest.mark.long
def test_changes_as_events_on_the_command_line(tmp_path: Path) -> None:
    """``changes --follow --format events`` prints a CloudEvent a line, those that come later too."""
    store = Store.create(tmp_path)
    fill(store, 0, 2)
    command = [COMMAND, "--store", str(tmp_path), "changes", "--after", "1", "--follow", "--format", "events"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        first = json.loads(process.stdout.readline())
        fill(store, 2, 3)
        second = json.loads(process.stdout.readline())
    finally:
        process.kill()
        process.communicate()
    assert [event["id"] for event in (first, second)] == ["2", "3"]
    assert second["source"] == f"urn:lineage-tt:store:{store.id}"


def test_a_cursor_up_to_a_version_stays_there(tmp_path: Path) -> None:
    """What is committed later is not waited for; it names the last change before it."""
    store = Store.create(tmp_path, clock=ManualClock(NOON))
    fill(store, 0, 4)
    tail = Tail(store.opened_log, 1, upto=3)
    assert (tail.version, tail.previous, tail.lag) == (3, 1, 2)
    fill(store, 4, 7)

    assert [entry.version for entry in tail.entries()] == [2, 3]
    assert (tail.after, tail.lag) == (3, 0)
    assert tail.read() == []


def test_a_tail_up_to_a_version_stays_there(tmp_path: Path) -> None:
    """It gives nothing after it, however often it looks, and does not wait for what is not for it."""
    store = Store.create(tmp_path)
    fill(store, 0, 2)
    tail = Tail(store.opened_log, 0, upto=1)

    assert [entry.version for entry in tail.read()] == [1]
    assert not tail.wait(30)
    assert (tail.refresh(), tail.version, tail.lag) == (1, 1, 0)
    assert tail.read() == []
