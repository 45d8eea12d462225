"""Locks on files that end with the process that holds them: Linux's ``flock``.

A lock belongs to an open file, so the kernel releases it when its holder is killed. Nothing here waits: a caller that
wants to wait asks again, so that it can do other work meanwhile and bound its wait.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

try:
    import fcntl
except ImportError:  # no flock on this system: writers do without a queue
    fcntl = None  # type: ignore[assignment]

_POLL: Final = 0.0005


class NoLocksError(OSError):
    """This system, or this file system, has no locks."""


def try_lock(descriptor: int) -> bool:
    """Lock an open file for its holder alone; False where another holds it. NoLocksError where there are no locks."""
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
    """Return whether a file that its owner keeps locked has lost its owner; False where the file is gone."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        return try_lock(descriptor)
    finally:
        os.close(descriptor)


class FileLock:
    """One lock on a file that is made when it is needed. ``replace`` takes it away from a holder that is stuck.

    The file keeps open between uses: to lock it again costs one system call and a look whether it is still the file of
    that name.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    def try_acquire(self) -> bool:
        """Take the lock; False where another holds it.

        Raises OSError where the file cannot be made, NoLocksError where there are no locks.
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
        """Take the lock within ``seconds``; False where another still holds it. Raises ``try_acquire``'s.

        For locks that are held for moments.
        """
        until = time.monotonic() + seconds
        while not self.try_acquire():
            if time.monotonic() > until:
                return False
            time.sleep(_POLL)
        return True

    def note(self, note: bytes) -> None:
        """Write into the locked file, which also shows waiting processes that its holder makes progress."""
        if self._descriptor is not None:
            with suppress(OSError):  # a full disk: the lock holds all the same
                os.pwrite(self._descriptor, note, 0)
                os.ftruncate(self._descriptor, len(note))

    def release(self) -> None:
        """Release the lock; the file stays."""
        if self._descriptor is not None and fcntl is not None:
            with suppress(OSError):
                fcntl.flock(self._descriptor, fcntl.LOCK_UN)

    def read(self) -> bytes:
        """Return what the holder wrote, nothing where there is no file."""
        try:
            return self._path.read_bytes()
        except OSError:
            return b""

    def replace(self) -> None:
        """Remove the file's name from its holder: the next process creates a new file, and locks that."""
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
