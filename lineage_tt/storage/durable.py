"""Bytes that survive a power cut on a local disk: deltalake calls no fsync, so the store does.

The same calls write to an object store, which has the bytes on its disks when it answers.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from lineage_tt.storage.place import Place

Item = TypeVar("Item")
Result = TypeVar("Result")

#: Files that are read in parallel: hashing releases the interpreter lock.
AT_ONCE: Final = 4


class DigestError(Exception):
    """Bytes do not have the SHA-256 that they should have."""


def write_new(path: Place, data: bytes) -> None:
    """Create ``path`` with ``data`` and force it to disk; OSError leaves no half-written file.

    In an object store, no other process may write the same name, since a put whose reply is lost is repeated.
    """
    if not isinstance(path, Path):
        path.write_bytes(data)
        return
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        path.unlink(missing_ok=True)
        raise


def replace(path: Place, data: bytes) -> None:
    """Put ``data`` at ``path`` in one step: a reader, or a power cut, sees the old bytes or the new ones."""
    if not isinstance(path, Path):
        path.write_bytes(data)
        return
    fresh = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    fresh.unlink(missing_ok=True)
    write_new(fresh, data)
    fresh.replace(path)
    sync(path.parent)  # otherwise a power cut may lose the new name, although the bytes are on disk


def make_folder(path: Place) -> None:
    """Create a folder and its missing parents, and force their names to disk; does nothing if the folder exists."""
    if not isinstance(path, Path):
        path.mkdir(parents=True, exist_ok=True)
        return
    missing = [path]
    while not missing[-1].parent.exists():
        missing.append(missing[-1].parent)
    for folder in reversed(missing):
        try:
            folder.mkdir()
        except FileExistsError:
            if not folder.is_dir():
                raise
            continue
        sync(folder.parent)


def sync(path: Place) -> None:
    """Force a file's bytes, or a folder's names, to disk."""
    if not isinstance(path, Path):
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sha256_file(path: Place) -> str:
    """Return the SHA-256 of a file's bytes in hex."""
    if not isinstance(path, Path):
        return hashlib.sha256(path.read_bytes()).hexdigest()
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def side_by_side(
    look: Callable[[Item], Result], items: Sequence[Item], at_once: int = AT_ONCE
) -> Iterator[tuple[Item, Result]]:
    """Yield, in order, each item with the result of ``look``; several run in parallel, and the first error ends it."""
    if len(items) < 2:
        yield from ((item, look(item)) for item in items)
        return
    from concurrent.futures import ThreadPoolExecutor  # most importers look at one file only

    with ThreadPoolExecutor(min(at_once, len(items))) as pool:
        yield from zip(items, pool.map(look, items), strict=True)
