"""How a log is kept in an object store.

There is nothing to force to a disk. But a put may have failed although it is done, be done although it failed, or be
overwritten by another writer's, where the store's conditional put is not atomic. So every file is read back before it
is relied on, and every commit after the head is settled (``settle``) before it is acknowledged, built upon or answered
from.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NoReturn

from deltalake.exceptions import CommitFailedError, DeltaError

from lineage_tt.log import commits
from lineage_tt.log.commits import Commit, Head
from lineage_tt.log.stores.local import overtaken, plain
from lineage_tt.log.stores.reservation import Reservations
from lineage_tt.log.stores.settle import FRESH_SECONDS, Attempts
from lineage_tt.model.errors import CorruptError, LineageError, UnavailableError
from lineage_tt.storage import durable
from lineage_tt.storage.cache import shared

if TYPE_CHECKING:
    from lineage_tt.storage.objects import ObjectPath
    from lineage_tt.storage.write_queue import Passenger

#: How often a commit is put whose put failed without a trace: the server was away.
MAX_PUTS: Final = 3
_MAX_HEADS: Final = 20
_NOT_FIT: Final = "a store cannot be kept in it: see docs/how-to/object-stores.md"


class ObjectKeeper:
    """Keeps a log under a prefix of a bucket."""

    def __init__(self, path: ObjectPath) -> None:
        self._path = path
        self._attempts = Attempts(path)
        self._tag: str | None = None
        self._reservations = Reservations(path)
        self._inside = False
        #: The commit that this writer put last, settled; until it is taken in.
        self._own: Commit | None = None

    @contextmanager
    def turn(
        self, messages: int, meanwhile: Callable[[], None] | None = None, passenger: Passenger | None = None
    ) -> Iterator[None]:
        """Hold back while another writer has the log reserved; what is reserved in the block is free after it."""
        if self._inside:
            yield
            return
        self._inside = True
        try:
            self._reservations.hold_back()
            yield
        finally:
            self._inside = False
            self._reservations.done()

    def offers(self) -> list[tuple[str, bytes]]:
        """Return nothing: writers of an object store do not wait in a queue."""
        return []

    def arrived(self, names: Iterable[str]) -> None:
        """Return at once: nobody offers anything."""

    def back_off(self) -> None:
        """Let a writer that lost a commit come again: after a while, or first of all if it lost too often."""
        self._reservations.lost()

    @property
    def is_contended(self) -> bool:
        """Whether other writers wait for their turn: there are no turns."""
        return False

    def acknowledging(self) -> AbstractContextManager[None]:
        """Return a context in which the head file is moved: its conditional put decides between writers."""
        return nullcontext()

    def checkpointing(self) -> AbstractContextManager[bool]:
        """Return a context in which a checkpoint is made."""
        return nullcontext(True)

    def drafting(self) -> AbstractContextManager[None]:
        """Return a context in which a large append is planned."""
        return nullcontext()

    def newest_head(self, known: Head | None, upto: int) -> Head | None:
        """Return the head that is there, where another writer may have moved it since ``known``."""
        return known if known is None or known.delta_version + 1 >= upto else commits.read_head(self._path)

    def make(self, put: Callable[[], None], writer: str) -> None:
        """Put the first commit, unless another process just did; return when it is settled whose it is."""
        failed = self._try(put, 0, writer)
        if self._attempts.settle(0) is None:
            raise self._missed("create a store", failed)

    def read_tail(self, head: Head | None) -> list[Commit]:
        """Return the commits since the last checkpoint; of those not yet acknowledged, what they settle at."""
        chain = commits.read_tail(self._path)
        acknowledged = head.delta_version if head else -1
        for place, commit in enumerate(chain):
            if commit.delta_version > acknowledged:
                chain[place] = self._attempts.settle(commit.delta_version) or _missing(commit.delta_version)
        commits.verify_chain(chain)
        return chain

    def write(self, target: Any, data: bytes) -> None:
        """Write a data file and read it back; the bytes read are this process's local copy too."""
        stated = commits.DATA_FILE.fullmatch(target.name)
        durable.write_new(target, data)
        try:
            shared().put(target, target.read_bytes(), stated.group(3) if stated else None)
        except (FileNotFoundError, durable.DigestError):
            raise UnavailableError(
                f"the object store does not return what was written ({target.name})", hint=_NOT_FIT
            ) from None

    def put(self, put: Callable[[], None], delta_version: int, writer: str, targets: Sequence[Any]) -> None:
        """Put the next commit, read it back, and return when no writer can overwrite it any more.

        Raises ConflictError where another writer was first, or overwrote this one's.
        """
        unknown = False
        for turn in range(MAX_PUTS):
            failed = self._try(put, delta_version, writer)
            unknown = unknown or not _over(failed)
            settled = self._attempts.settle(delta_version)
            if settled is not None:
                break
            time.sleep(2**turn)
        else:
            raise self._missed("append", failed)
        if settled.meta["writer"] == writer:
            self._own = settled
            self._attempts.clear(delta_version)
            return
        if not unknown:
            for target in targets:
                target.unlink(missing_ok=True)
        raise overtaken()

    def _try(self, put: Callable[[], None], delta_version: int, writer: str) -> Exception | None:
        """Announce the commit, put it, take the announcement back if the put is over; return what deltalake says."""
        while True:
            begun = time.monotonic()
            self._attempts.announce(delta_version, writer)
            if time.monotonic() - begun < FRESH_SECONDS:  # else others may take it for that of the dead too early
                break
        failed: Exception | None = None
        try:
            put()
        except (DeltaError, OSError) as error:
            failed = error
        if _over(failed):
            self._attempts.withdraw(delta_version, writer)
        else:
            self._attempts.give_up(delta_version, writer)
        return failed

    def put_file(self, data: bytes, delta_version: int, writer: str, targets: Sequence[Any]) -> bool:
        """Leave it to deltalake, whose put-if-absent knows how the object store says that a name is taken."""
        return False

    def news(self, last: Commit, head: Head | None) -> list[Commit]:
        """Return the commits after ``last``, settled; one listing if there are none."""
        before = last.delta_version
        own, self._own = self._own, None
        there = [own.delta_version] if own is not None else commits.listed_commits(self._path, before)
        if not there:
            return []
        if own is None:
            head = commits.read_head(self._path)
        try:
            fresh = [self._commit(v, own, head) for v in range(before + 1, there[-1] + 1)]
            commits.verify_chain([last, *fresh])
        except (DeltaError, OSError) as error:
            raise self.failure("read the log", error) from None
        return fresh

    def _commit(self, delta_version: int, own: Commit | None, head: Head | None) -> Commit:
        if own is not None and own.delta_version == delta_version:
            return own
        if head is not None and delta_version <= head.delta_version:
            return commits.read_commit(self._path, delta_version)
        return self._attempts.settle(delta_version) or _missing(delta_version)

    def sync(self, delta_versions: Iterable[int]) -> None:
        """Do nothing: an object store answers when the bytes are on its disks."""

    def write_head(self, head: Head) -> Head:
        """Put the head file, unless another writer's is further on already; return the one that then is there."""
        place = self._path / commits.HEAD_NAME
        for _ in range(_MAX_HEADS):
            try:
                self._tag = place.write_if(head.to_bytes(), self._tag)
                return head
            except FileNotFoundError:
                self._tag = None
            except FileExistsError:
                try:
                    stored = place.read()
                except FileNotFoundError:  # some stores say of no object that its tag differs
                    self._tag = None
                    continue
                theirs, self._tag = commits.parse_head(stored.data), stored.tag
                if theirs.delta_version > head.delta_version:
                    noted = theirs.checkpoints | head.checkpoints
                    if noted == theirs.checkpoints:
                        return theirs
                    head = replace(theirs, checkpoints=noted)
        raise UnavailableError("the head file changes faster than it can be written", hint="write in larger batches")

    def failure(self, what: str, error: Exception) -> LineageError:
        """Return our error for one of deltalake's."""
        return self._path.bucket.failure(what, RuntimeError(plain(error)))

    def _missed(self, what: str, error: Exception | None) -> LineageError:
        if error is not None:
            return self.failure(what, error)
        return UnavailableError(
            f"cannot {what}: the object store reported success, but does not have it", hint=_NOT_FIT
        )


def _over(failed: Exception | None) -> bool:
    """Return whether a put has ended, done or rejected; after any other failure it may yet take effect."""
    return failed is None or isinstance(failed, CommitFailedError)


def _missing(delta_version: int) -> NoReturn:
    raise CorruptError(f"commit {delta_version} of the log is missing ({delta_version:020d}.json)")
