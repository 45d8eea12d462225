"""Processes of this machine as others see them."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading

import orjson
import pytest
from waiting import until

from lineage_tt.storage import processes


def test_a_process_is_told_from_a_later_one_of_its_number() -> None:
    """By when it started; one that is gone has not started."""
    me = processes.this_process()
    assert processes.is_here(me)
    assert processes.started(os.getpid()) == me["started"] != ""
    child = subprocess.Popen([sys.executable, "-c", "pass"])
    child.wait()

    assert processes.started(child.pid) == ""
    assert not processes.is_here(me | {"machine": "another"})
    assert not processes.is_here({})


def test_a_suspended_process_is_seen() -> None:
    """Until it continues; where it cannot be seen it is not said."""
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    try:
        who = processes.this_process() | {"process": child.pid, "started": processes.started(child.pid)}
        assert not processes.is_stopped(who)
        child.send_signal(signal.SIGSTOP)
        until(lambda: processes.is_stopped(who), "it is seen as suspended")
        assert not processes.is_stopped(who | {"started": "another"})
        assert not processes.is_stopped(who | {"machine": "another"})
    finally:
        child.kill()
        child.wait()


def test_a_lock_is_known_to_be_of_this_very_thread() -> None:
    """One of another thread may be waited for."""
    note = orjson.dumps(processes.this_thread())
    found: list[bool] = []
    thread = threading.Thread(target=lambda: found.append(processes.is_of_this_thread(note)))
    thread.start()
    thread.join()

    assert processes.is_of_this_thread(note)
    assert found == [False]


@pytest.mark.parametrize(
    ("note", "number"), [(b'{"turn": 7}', 7), (b'{"turn": "7"}', 0), (b"{", 0), (b"", 0), (b"[1]", 0), (b"{}", 0)]
)
def test_a_note_may_be_half_written(note: bytes, number: int) -> None:
    """It says nothing then."""
    assert processes.number_in(note, "turn") == number
    assert not processes.is_of_this_thread(note)


@pytest.mark.parametrize("is_enabled", [True, False])
def test_the_garbage_collector_is_left_as_it_was(is_enabled: bool) -> None:
    """Also where the block fails."""
    before = gc.isenabled()
    seen: list[bool] = []

    def fails() -> None:
        with processes.no_collections():
            seen.append(gc.isenabled())
            raise ZeroDivisionError

    try:
        (gc.enable if is_enabled else gc.disable)()
        with pytest.raises(ZeroDivisionError):
            fails()
        assert (seen, gc.isenabled()) == ([False], is_enabled)
    finally:
        (gc.enable if before else gc.disable)()
