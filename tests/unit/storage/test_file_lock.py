"""Locks that end with their holder, and that can be taken from one that is stuck."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lineage_tt.storage import file_lock
from lineage_tt.storage.file_lock import FileLock, NoLocksError, is_abandoned, try_lock

HOLDER = """
import sys
from pathlib import Path
from lineage_tt.storage.file_lock import FileLock
lock = FileLock(Path(sys.argv[1]))
print(lock.try_acquire(), flush=True)
sys.stdin.read()
"""


@pytest.fixture
def holder(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the lock ``l``."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path / "l")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stdout.readline() == "True\n"
        yield process
        process.kill()


def test_a_lock_is_one_holders_until_it_is_released(tmp_path: Path) -> None:
    """Two open files of one process are two holders; released, the file stays and the other has it at once."""
    one, other = FileLock(tmp_path / "l"), FileLock(tmp_path / "l")

    assert one.try_acquire()
    assert not other.try_acquire()
    one.release()
    assert other.try_acquire()
    assert not one.acquire(0.01)


def test_a_killed_holder_loses_it(tmp_path: Path, holder: subprocess.Popen[str]) -> None:
    """No clean-up is needed after a crash."""
    lock = FileLock(tmp_path / "l")
    assert not lock.try_acquire()
    assert not is_abandoned(tmp_path / "l")

    holder.kill()
    holder.wait()
    assert is_abandoned(tmp_path / "l")
    assert lock.acquire(5)


def test_a_stuck_holder_is_passed_over(tmp_path: Path, holder: subprocess.Popen[str]) -> None:
    """Who replaces the file locks a new one; the holder's lock on the old one keeps nobody out."""
    lock = FileLock(tmp_path / "l")
    assert not lock.try_acquire()

    lock.replace()
    assert lock.try_acquire()
    assert holder.poll() is None
    assert not FileLock(tmp_path / "l").try_acquire()


def test_a_note_shows_the_holders_progress(tmp_path: Path) -> None:
    """The last one alone, also where it is shorter than the one before; without a file there is none."""
    lock = FileLock(tmp_path / "l")
    assert lock.read() == b""
    assert lock.try_acquire()
    lock.note(b"a long note")
    lock.note(b"short")

    assert lock.read() == b"short"


def test_a_file_that_is_gone_is_not_abandoned(tmp_path: Path) -> None:
    """Its owner took it away itself."""
    assert not is_abandoned(tmp_path / "gone")


def test_a_system_without_locks_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Callers then do without a queue; they must not take silence for a lock."""
    monkeypatch.setattr(file_lock, "fcntl", None)
    with (tmp_path / "l").open("w") as file, pytest.raises(NoLocksError, match="no flock"):
        try_lock(file.fileno())
    with pytest.raises(NoLocksError):
        FileLock(tmp_path / "l").try_acquire()
