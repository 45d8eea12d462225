"""How a log is kept in an object store.

Nothing has to be forced to a disk. But a put that was reported as done may have failed, a put that was reported as
failed may be done, and another writer may overwrite a put where the store's conditional put is not atomic. So every
file is read back before it is relied on, and every commit after the head is settled (``settle``) before it is
acknowledged, appended to or used for an answer.
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

#: How often a commit is put if its put failed and left no trace, for example because the server was down.
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
        #: The commit that this writer put last, settled, until ``news`` returns it.
        self._own: Commit | None = None

    @contextmanager
    def turn(
        self, messages: int, meanwhile: Callable[[], None] | None = None, passenger: Passenger | None = None
    ) -> Iterator[None]:
        """Wait while another writer has the log reserved; a reservation made in the block ends with the block."""
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
        """Wait a random time after a lost commit; reserve the log if this writer lost too often."""
        self._reservations.lost()

    @property
    def is_contended(self) -> bool:
        """False: there are no turns that other writers could wait for."""
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
        """Return the current head, which is read again only if another writer may have moved it since ``known``."""
        return known if known is None or known.delta_version + 1 >= upto else commits.read_head(self._path)

    def make(self, put: Callable[[], None], writer: str) -> None:
        """Put the first commit, unless another process just did; return when the first commit is settled."""
        failed = self._try(put, 0, writer)
        if self._attempts.settle(0) is None:
            raise self._missed("create a store", failed)

    def read_tail(self, head: Head | None) -> list[Commit]:
        """Return the commits since the last checkpoint; those not yet acknowledged are settled first."""
        chain = commits.read_tail(self._path)
        acknowledged = head.delta_version if head else -1
        for place, commit in enumerate(chain):
            if commit.delta_version > acknowledged:
                chain[place] = self._attempts.settle(commit.delta_version) or _missing(commit.delta_version)
        commits.verify_chain(chain)
        return chain

    def write(self, target: Any, data: bytes) -> None:
        """Write a data file and read it back; the bytes read also become this process's local copy."""
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
        """Announce the commit, put it, withdraw the announcement if the put has ended; return deltalake's error."""
        while True:
            begun = time.monotonic()
            self._attempts.announce(delta_version, writer)
            if time.monotonic() - begun < FRESH_SECONDS:  # otherwise others may treat its writer as dead too early
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
        """Return False: deltalake's put-if-absent knows how the object store reports that a name is taken."""
        return False

    def news(self, last: Commit, head: Head | None) -> list[Commit]:
        """Return the commits after ``last``, settled; if there are none, this costs one listing."""
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
        """Put the head file, unless another writer's head is ahead of it; return the head that is then in place."""
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
                except FileNotFoundError:  # some stores report a missing object as one with another tag
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
        """Return our error for an error of deltalake."""
        return self._path.bucket.failure(what, RuntimeError(plain(error)))

    def _missed(self, what: str, error: Exception | None) -> LineageError:
        if error is not None:
            return self.failure(what, error)
        return UnavailableError(
            f"cannot {what}: the object store reported success, but does not have it", hint=_NOT_FIT
        )


def _over(failed: Exception | None) -> bool:
    """Return whether a put has ended, as done or rejected; after any other failure it may still take effect."""
    return failed is None or isinstance(failed, CommitFailedError)


def _missing(delta_version: int) -> NoReturn:
    raise CorruptError(f"commit {delta_version} of the log is missing ({delta_version:020d}.json)")
