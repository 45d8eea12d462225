"""Locks on files that end with the process that holds them: Linux's ``flock``.

A lock belongs to an open file, so the kernel releases it when its holder is killed. Locking never blocks: a caller that
wants to wait tries again, so that it can do other work meanwhile and bound its wait (``FileLock.acquire`` does).
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

try:
    import fcntl
except ImportError:  # no flock on this system: writers work without a queue
    fcntl = None  # type: ignore[assignment]

_POLL: Final = 0.0005


class NoLocksError(OSError):
    """This system, or this file system, has no locks."""


def try_lock(descriptor: int) -> bool:
    """Lock an open file exclusively; False where another holds it. NoLocksError where locks are not available."""
    if fcntl is None:
        raise NoLocksError("no flock on this system")
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        raise NoLocksError(error.errno, "the file system has no locks") from error
    return True


def is_abandoned(path: Path) -> bool:
    """Return whether the owner of a file, who keeps it locked, has died; False where the file does not exist."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        return try_lock(descriptor)
    finally:
        os.close(descriptor)


class FileLock:
    """One lock on a file that is created when needed. ``replace`` takes the lock away from a stuck holder.

    The file stays open between uses: to lock it again costs one system call and a check that the name still belongs to
    the same file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    def try_acquire(self) -> bool:
        """Take the lock; False where another holds it.

        Raises OSError where the file cannot be created, NoLocksError where locks are not available.
        """
        while True:
            if self._descriptor is None:
                self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            if not self._is_current():
                self.close()
            elif not try_lock(self._descriptor):
                return False
            elif self._is_current():
                return True
            else:  # replaced in between
                self.close()

    def acquire(self, seconds: float) -> bool:
        """Take the lock within ``seconds``; False where another still holds it. Raises what ``try_acquire`` raises.

        For locks that are held only for a short time.
        """
        until = time.monotonic() + seconds
        while not self.try_acquire():
            if time.monotonic() > until:
                return False
            time.sleep(_POLL)
        return True

    def note(self, note: bytes) -> None:
        """Write a note into the locked file. A new note also shows waiting processes that the holder makes progress."""
        if self._descriptor is not None:
            with suppress(OSError):  # a full disk: the lock is held all the same
                os.pwrite(self._descriptor, note, 0)
                os.ftruncate(self._descriptor, len(note))

    def release(self) -> None:
        """Release the lock; the file stays."""
        if self._descriptor is not None and fcntl is not None:
            with suppress(OSError):
                fcntl.flock(self._descriptor, fcntl.LOCK_UN)

    def read(self) -> bytes:
        """Return what the holder wrote, empty where there is no file."""
        try:
            return self._path.read_bytes()
        except OSError:
            return b""

    def replace(self) -> None:
        """Remove the name of the file that the holder has locked: the next process locks a new file instead."""
        self._path.unlink(missing_ok=True)
        self.close()

    def close(self) -> None:
        """Close the file, which releases the lock if it is held."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _is_current(self) -> bool:
        """Return whether the open file is still the one of that name."""
        try:
            named = os.stat(self._path)
        except FileNotFoundError:
            return False
        opened = os.fstat(self._descriptor or 0)
        return (named.st_ino, named.st_dev) == (opened.st_ino, opened.st_dev)

    def __del__(self) -> None:
        with suppress(OSError):
            self.close()
