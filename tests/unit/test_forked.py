"""Commands that are forked: one that cannot be started, or takes too long, leaves no process and no open file."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import forked
import pytest

from lineage_tt.model.clock import unique_name

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing is forked")


@pytest.fixture(autouse=True)
def forkable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out of the environment, say of a user with PYTHONPATH, what a command is not forked with."""
    for name in forked.AT_START:
        monkeypatch.delenv(name, raising=False)


def open_files() -> int:
    """How many files this process has open."""
    return len(os.listdir("/proc/self/fd"))


def test_a_command_that_takes_too_long_is_killed(tmp_path: Path) -> None:
    """When a command exceeds its time, the caller gets an error and the process has ended."""
    noted = tmp_path / "pid"
    text = f"import os, time; open({str(noted)!r}, 'w').write(str(os.getpid())); time.sleep(60)"
    forked.run(["-c", ""])
    before = open_files()
    with pytest.raises(subprocess.TimeoutExpired):
        forked.run(["-c", text], timeout=0.5)

    assert noted.exists()
    assert not os.path.exists(f"/proc/{noted.read_text()}")
    assert open_files() == before


@pytest.mark.parametrize("sent", [b"", b"\0\0\1\0", b"\0\0\1\0 too little"])
def test_a_request_that_is_cut_off_ends_nothing(sent: bytes) -> None:
    """When a test ends while it asks for a command, the commands of other tests still run."""
    for name in (forked.address(), f"{forked.address()}{forked.WORKERS}"):
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.connect(f"\0{name}")
            connection.sendall(sent)

    assert forked.run(["-c", "print('there')"]).stdout == b"there\n"
    life, end = os.pipe()
    worker = forked.Worker("[]", life)
    worker.kill()
    assert worker.wait(10) == -signal.SIGKILL
    for each in (worker.stdin, worker.stdout):
        each.close()
    for fd in (life, end):
        os.close(fd)


def test_a_worker_that_cannot_be_forked_leaves_no_file_open() -> None:
    """Where nothing listens, the error is raised and both pipes are closed."""
    before = open_files()
    with pytest.raises(ConnectionError):
        forked.Worker("[]", 0, at=unique_name())

    assert open_files() == before


def test_a_command_for_shells_ends_as_its_process_does(tmp_path: Path) -> None:
    """One that is killed at a failpoint of its environment gives the shell the status of a kill."""
    command = f"{forked.folder_of_command()}/lineage-tt"
    ingest = f"LINEAGE_FAILPOINT=p0:after:kill {command} ingest - --store {tmp_path}/s --no-progress"
    text = f"echo '{{}}' | {ingest}; echo $?; {command} --help >/dev/null; echo $?"
    env = os.environ | {forked.ADDRESS: forked.address()}

    done = subprocess.run(["bash", "-c", text], env=env, capture_output=True, text=True, timeout=60)

    assert done.stdout.split() == [str(128 + signal.SIGKILL), "0"], done.stderr
