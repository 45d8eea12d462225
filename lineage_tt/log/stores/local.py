"""How a log is kept on a local disk: what is forced to disk, and when a commit counts as made.

``objects`` does the same for an object store; the log uses one or the other.
"""

from __future__ import annotations

import errno
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import TYPE_CHECKING, Final

from deltalake.exceptions import CommitFailedError, DeltaError

from lineage_tt.log import commits
from lineage_tt.log.commits import Commit, Head
from lineage_tt.model.errors import ConflictError, LineageError, UnavailableError
from lineage_tt.storage import durable
from lineage_tt.storage.file_lock import FileLock
from lineage_tt.storage.write_queue import CHECKPOINT_LOCK, DRAFT_LOCK, FOLDER, HEAD_LOCK, Passenger, WriteQueue

if TYPE_CHECKING:
    from pathlib import Path

    from lineage_tt.storage.location import Place

#: The errors of a file system that has no links, or does not allow them.
_NO_LINKS: Final = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EMLINK, errno.ENOSYS})
#: The longest wait for the right to move the head file.
MAX_HEAD_SECONDS: Final = 1.0
#: The longest wait for the right to plan.
MAX_DRAFT_SECONDS: Final = 0.5
_DRAFTS: Final = min(max((os.cpu_count() or 1) - 1, 1), 8)
_POLL: Final = 0.002
_PAINT: Final = re.compile(r"\x1b\[[0-9;]*m|↳")


class DiskKeeper:
    """Keeps a log in a folder."""

    def __init__(self, path: Path) -> None:
        self._path = path
        #: The commit whose bytes ``put_file`` forced to disk before the file had its name.
        self._forced = -1
        self._queue = WriteQueue(path)
        self._head_lock = FileLock(path / FOLDER / HEAD_LOCK)
        self._checkpoint_lock = FileLock(path / FOLDER / CHECKPOINT_LOCK)
        self._draft_locks = [FileLock(path / FOLDER / f"{DRAFT_LOCK}{number}") for number in range(_DRAFTS)]
        #: What identifies the head file that this process last read or wrote.
        self._head_seen: tuple[int, ...] | None = None

    def turn(
        self, messages: int, meanwhile: Callable[[], None] | None = None, passenger: Passenger | None = None
    ) -> AbstractContextManager[None]:
        """Return a context that waits for, and holds, this writer's turn; see ``WriteQueue.turn``."""
        return self._queue.turn(messages, meanwhile, passenger)

    def offers(self) -> list[tuple[str, bytes]]:
        """Return what waiting writers offer to the writer whose turn it is: ticket names and offers, in order."""
        return self._queue.offers()

    def arrived(self, names: Iterable[str]) -> None:
        """Tell writers that their offers were committed."""
        self._queue.arrived(names)

    def back_off(self) -> None:
        """Return at once: a writer that lost a commit still has its turn."""

    @property
    def is_contended(self) -> bool:
        """Whether other writers wait for their turn."""
        return self._queue.is_contended

    @contextmanager
    def acknowledging(self) -> Iterator[None]:
        """Hold the right to move the head file, which one writer has at a time.

        A writer that waited may find its commit acknowledged already: one writer does this for all that wait. If the
        lock cannot be had (its holder is suspended, or there are no locks), the block runs without it.
        """
        held = False
        try:
            with suppress(OSError):
                held = self._head_lock.acquire(MAX_HEAD_SECONDS)
            yield
        finally:
            if held:
                self._head_lock.release()

    @contextmanager
    def checkpointing(self) -> Iterator[bool]:
        """Try to hold the right to make a checkpoint; yields False where another writer has it.

        Of two checkpoints made at once, the older might stay.
        """
        try:
            is_mine = self._checkpoint_lock.try_acquire()
        except OSError:  # no locks
            is_mine = True
        try:
            yield is_mine
        finally:
            self._checkpoint_lock.release()

    @contextmanager
    def drafting(self) -> Iterator[None]:
        """Hold one of the rights to plan a large append while other writers wait; there is one per processor, less one.

        So one processor is left to the writer whose turn it is. After ``MAX_DRAFT_SECONDS`` the block runs without it.
        """
        lock: FileLock | None = None
        if self._queue.is_contended:
            until = time.monotonic() + MAX_DRAFT_SECONDS
            with suppress(OSError):
                while (lock := self._free_draft_lock()) is None and time.monotonic() < until:
                    time.sleep(_POLL)
        try:
            yield
        finally:
            if lock is not None:
                lock.release()

    def _free_draft_lock(self) -> FileLock | None:
        return next((lock for lock in self._draft_locks if lock.try_acquire()), None)

    def newest_head(self, known: Head | None, upto: int) -> Head | None:
        """Return the current head; ``known`` is the one that this process last read or wrote."""
        if known is None or self._head_file() != self._head_seen:
            self._head_seen = self._head_file()
            return commits.read_head(self._path)
        return known

    def _head_file(self) -> tuple[int, ...] | None:
        try:
            status = os.stat(self._path / commits.HEAD_NAME)
        except FileNotFoundError:
            return None
        return status.st_ino, status.st_mtime_ns, status.st_size

    def make(self, put: Callable[[], None], writer: str) -> None:
        """Put the first commit, unless another process just did."""
        try:
            put()
        except (DeltaError, OSError) as error:
            if isinstance(error, OSError) or not commits.commit_path(self._path, 0).exists():
                raise unavailable(f"create a store at {self._path}", error) from error

    def read_tail(self, head: Head | None) -> list[Commit]:
        """Return the commits since the last checkpoint, verified as a chain."""
        return commits.read_tail(self._path)

    def write(self, target: Place, data: bytes) -> None:
        """Write a data file and force it to disk."""
        self._queue.progress()
        try:
            durable.write_new(target, data)
            durable.sync(self._path)
        except OSError as error:
            raise unavailable("append", error) from error

    def put(self, put: Callable[[], None], delta_version: int, writer: str, targets: Sequence[Place]) -> None:
        """Write the next commit by ``put``, whose metadata name ``writer``; on failure remove the files it adds.

        Raises ConflictError where another writer was first.
        """
        try:
            put()
        except (DeltaError, OSError) as error:
            self._check_failed(error, delta_version, writer, targets)

    def put_file(self, data: bytes, delta_version: int, writer: str, targets: Sequence[Place]) -> bool:
        """Write these bytes as the next commit; False where the file system has no links, and another way is needed.

        A link appears complete or not at all, and never replaces another file. Until then the file has a name such as
        deltalake gives to files that it is writing, which everyone who lists the folder ignores.
        """
        path = self._path / "_delta_log" / f"{delta_version:020d}.json"
        fresh = path.with_name(f"{path.name}{commits.IN_FLIGHT}{int(writer, 16)}")
        try:
            durable.write_new(fresh, data)
            os.link(fresh, path)
            self._forced = delta_version
        except OSError as error:
            if error.errno in _NO_LINKS:
                return False
            self._check_failed(error, delta_version, writer, targets)
        finally:
            with suppress(OSError):
                fresh.unlink(missing_ok=True)
        return True

    def news(self, last: Commit, head: Head | None) -> list[Commit]:
        """Return the verified commits after ``last``; if the next commit file does not exist, there are none."""
        fresh: list[Commit] = []
        while True:
            following = (fresh[-1] if fresh else last).delta_version + 1
            if commits.commit_path(self._path, following).exists():
                fresh.append(commits.read_commit(self._path, following))
            elif not commits.commit_path(self._path, following + 1).exists():
                break
            elif not commits.commit_path(self._path, following).exists():  # it was not committed between the two checks
                commits.read_commit(self._path, following)
        commits.verify_chain([last, *fresh])
        return fresh

    def _check_failed(
        self, error: DeltaError | OSError, delta_version: int, writer: str, targets: Sequence[Place]
    ) -> None:
        """Return if a commit exists although its reply was lost; otherwise remove ``targets`` and raise."""
        path = commits.commit_path(self._path, delta_version)
        if path.exists() and writer.encode() in path.read_bytes():
            return
        for target in targets:
            target.unlink(missing_ok=True)
        if isinstance(error, CommitFailedError | FileExistsError) and path.exists():
            raise overtaken() from None
        raise unavailable("append", error) from error

    def sync(self, delta_versions: Iterable[int]) -> None:
        """Force these commit files and their names to disk; for one that this process just put, only the name."""
        for delta_version in delta_versions:
            if delta_version != self._forced:
                durable.sync(commits.commit_path(self._path, delta_version))
        durable.sync(self._path / "_delta_log")

    def write_head(self, head: Head) -> Head:
        """Replace the head file and force it to disk; return the head that is then in place."""
        commits.write_head(self._path, head)
        self._head_seen = self._head_file()
        return head

    def failure(self, what: str, error: Exception) -> LineageError:
        """Return our error for an error of deltalake or the system."""
        return unavailable(what, error)


def overtaken() -> ConflictError:
    """Return the error for a writer that another writer overtook."""
    return ConflictError("another writer committed first", hint="read the log again and retry")


def unavailable(what: str, error: Exception) -> UnavailableError:
    """Return our error for an error of deltalake or the system on a local disk."""
    return UnavailableError(
        f"cannot {what}: {plain(error)}", hint="free space or fix the permissions, then run the same command again"
    )


def plain(error: Exception) -> str:
    """Return an error's message in one line: those of deltalake are coloured and have several lines."""
    return " ".join(_PAINT.sub("", str(error)).split())
