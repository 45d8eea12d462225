"""Verification of data files by the SHA-256 in their names: DuckDB reads a file with a flipped bit without an error."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from lineage_tt.log import commits
from lineage_tt.model.errors import CorruptError, UnavailableError
from lineage_tt.storage import durable, location

if TYPE_CHECKING:
    from lineage_tt.storage.location import Place


Answer = TypeVar("Answer")


class DataFiles(Protocol):
    """What verification needs from a log: its version, its files, and which of them were verified already."""

    verified: set[Place]

    @property
    def version(self) -> int:
        """The last version."""
        ...

    def files(self) -> Sequence[Place]:
        """Return the data files in version order."""
        ...


class LiveFiles(DataFiles, Protocol):
    """Data files that can be read as of the newest commit."""

    @property
    def replaced(self) -> int:
        """A number that changes when the log moves past a commit that removed files."""
        ...

    def refresh(self) -> object:
        """Move to the newest commit."""
        ...


def retried(log: LiveFiles, read: Callable[[], Answer]) -> Answer:
    """Read data files; if some are gone because newer commits replaced them, read again from the new files.

    Tightening a policy for history removes the old files at once, a compaction after a grace period. Another thread
    may have moved the log to the new files meanwhile. Raises what ``read`` raises if no new files replaced those that
    it read.
    """
    while True:
        before = log.replaced
        try:
            return read()
        except (CorruptError, FileNotFoundError):
            if not moved(log) and log.replaced == before:
                raise


def moved(log: LiveFiles) -> bool:
    """Move to the newest commit if data files are gone; return whether other files replaced them.

    A file that is gone and still in force is damage, whatever others append meanwhile.
    """
    missing = gone(log.files())
    if not missing:
        return False
    log.refresh()
    return missing.isdisjoint(log.files())


def gone(files: Iterable[Place]) -> set[Place]:
    """Return those files that do not exist."""
    return {path for path in files if not path.exists()}


def verified_files(log: DataFiles, after: int = 0) -> list[Path]:
    """Return the data files that hold versions after ``after``, each verified once by this process.

    Raises CorruptError where a file is not what was written, or where the files together do not hold every version of
    the log exactly once.
    """
    files, expected = log.files(), 1
    for path in files:
        stated = commits.DATA_FILE.fullmatch(path.name)
        if not stated or int(stated.group(1)) != expected:
            raise CorruptError(f"the log names {path.name} where the data file of version {expected} should be")
        expected = int(stated.group(2)) + 1
    if expected != log.version + 1:
        raise CorruptError(f"the log's data files end at version {expected - 1}, not {log.version}")
    needed = [path for path in files if last_version(path) > after]
    local = [path for path in needed if isinstance(path, Path)]
    if len(local) < len(needed):
        return _fetched(needed)
    for path, _ in durable.side_by_side(verify_file, [path for path in local if path not in log.verified]):
        log.verified.add(path)
    return local


def _fetched(files: Sequence[Place]) -> list[Path]:
    """Return local copies of data files in an object store, verified by this process against their names."""
    digests = [stated.group(3) for stated in (commits.DATA_FILE.fullmatch(path.name) for path in files) if stated]
    try:
        return location.local_files(zip(files, digests, strict=True))
    except (FileNotFoundError, durable.DigestError):
        for path in files:  # to find out which one
            verify_file(path)
        raise


def verify_tail(log: DataFiles) -> None:
    """Raise CorruptError unless the data file of the last commit holds the bytes that were written."""
    for path in log.files()[-1:]:
        verify_file(path)


def verify_file(path: Place) -> None:
    """Raise CorruptError unless a data file's bytes are those that its name states."""
    stated = commits.DATA_FILE.fullmatch(path.name)
    if not stated:
        raise CorruptError(f"{path.name} is not named as a data file of the log")
    first, last, digest = stated.groups()
    try:
        if durable.sha256_file(path) == digest:
            return
        problem = "was cut or altered"
    except FileNotFoundError:
        problem = "is missing"
    except OSError as error:
        if error.errno != errno.EIO:
            raise UnavailableError(
                f"data file {path.name} cannot be read: {error.strerror}",
                hint="raise the limit or fix the permissions, then run the same command again",
            ) from error
        problem = f"cannot be read ({error})"
    raise CorruptError(f"data file {path.name} {problem}: versions {int(first)} to {int(last)} are damaged")


def last_version(path: Place) -> int:
    """Return the last version that a data file's name states."""
    stated = commits.DATA_FILE.fullmatch(path.name)
    return int(stated.group(2)) if stated else 0
