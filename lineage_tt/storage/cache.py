"""Local copies of immutable objects, for DuckDB to read: addressed by content, verified, bounded.

The folder is ``$LINEAGE_TT_CACHE``, else ``lineage-tt`` in the user's cache folder; only the user may read it. A file
is kept under the SHA-256 of its bytes (or, where that is not known, of the object's address and entity tag). A process
*pins* a file that it uses by a hard link in its own folder, so that no reader loses a file that is dropped from the
cache. A process verifies a file before it pins it. When the cache holds more than ``$LINEAGE_TT_CACHE_BYTES`` (10 GiB),
the least recently used files are dropped. A process that dies leaves its links; another process removes them.
"""

from __future__ import annotations

import atexit
import fcntl
import hashlib
import os
import shutil
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final

from lineage_tt.model.clock import SystemClock, unique_name
from lineage_tt.model.errors import InvalidRequestError, UnavailableError
from lineage_tt.storage import durable

if TYPE_CHECKING:
    from lineage_tt.storage.objects import ObjectPath
    from lineage_tt.storage.place import Place

FOLDER_VARIABLE: Final = "LINEAGE_TT_CACHE"
BYTES_VARIABLE: Final = "LINEAGE_TT_CACHE_BYTES"
DEFAULT_BYTES: Final = 10 << 30
AT_ONCE: Final = 8
#: A folder of links younger than this may belong to a process that has not locked it yet.
_YOUNG_SECONDS: Final = 60


def fetch_all(files: Sequence[tuple[Place, str | None]]) -> list[Path]:
    """Return local files with the bytes of these places, in the same order."""
    cache = shared()

    def local(each: tuple[Place, str | None]) -> Path:
        place, digest = each
        return place if isinstance(place, Path) else cache.fetch(place, digest)

    return [path for _, path in durable.side_by_side(local, files, AT_ONCE)]


def drop(digests: Sequence[str]) -> None:
    """Drop the copies with these SHA-256, also those that this process pinned; other processes keep theirs."""
    if digests and (_folder() / "files").is_dir():
        shared().drop(digests)


def shared() -> Cache:
    """Return this process's cache."""
    return _cache(_folder(), _bytes(), os.getpid())


@lru_cache(maxsize=4)
def _cache(folder: Path, limit: int, process: int) -> Cache:
    return Cache(folder, limit)


def _folder() -> Path:
    setting = os.environ.get(FOLDER_VARIABLE)
    if setting:
        return Path(setting)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "lineage-tt"


def _bytes() -> int:
    setting = os.environ.get(BYTES_VARIABLE, "")
    if setting and not setting.isdecimal():
        raise InvalidRequestError(f"${BYTES_VARIABLE} is not a number of bytes")
    return int(setting) if setting else DEFAULT_BYTES


class Cache:
    """A cache in a folder, as one process uses it."""

    def __init__(self, folder: Path, limit: int) -> None:
        self._files = folder / "files"
        self._pins = folder / "pins" / f"{os.getpid()}-{unique_name()}"
        self._limit = limit
        self._process = os.getpid()
        self._lock = Lock()
        self._used: int | None = None
        self._pinned: dict[tuple[str, str], Path] = {}
        try:
            self._files.mkdir(parents=True, exist_ok=True)
            folder.chmod(0o700)
            self._pins.mkdir(parents=True)
            self._lock_file = os.open(self._pins / ".lock", os.O_RDWR | os.O_CREAT, 0o600)
            fcntl.flock(self._lock_file, fcntl.LOCK_EX)
            _remove_dead(self._pins.parent)
        except OSError as error:
            raise _unavailable(error) from error
        atexit.register(self.close)

    def fetch(self, place: ObjectPath, sha256: str | None = None) -> Path:
        """Return a pinned file with the object's bytes; see ``storage.local_file``."""
        result = self._pinned.get((str(place), sha256 or ""))
        if result:
            return result
        address = sha256 or hashlib.sha256(f"{place}\n{place.head_tag()}".encode()).hexdigest()
        cached = self._path_of(address)
        if sha256 and cached.exists() and _sha256(cached) != sha256:
            cached.unlink(missing_ok=True)  # this copy is damaged; the object may be sound
        try:
            return self._pin(place, sha256, address, cached)
        except FileNotFoundError:
            return self.put(place, place.read_bytes(), sha256, address)

    def put(self, place: ObjectPath, data: bytes, sha256: str | None, address: str | None = None) -> Path:
        """Store the bytes that were read from a place; return the pinned file. Raises DigestError."""
        if sha256 and hashlib.sha256(data).hexdigest() != sha256:
            raise durable.DigestError(str(place))
        address = address or sha256 or hashlib.sha256(data).hexdigest()
        cached = self._path_of(address)
        fresh = self._pins / f"{unique_name()}.tmp"
        try:
            cached.parent.mkdir(exist_ok=True)
            fresh.write_bytes(data)
            path = self._pin(place, sha256, address, fresh)  # before other processes see the kept file and may drop it
            fresh.replace(cached)
            self._make_room(len(data))
        except OSError as error:
            fresh.unlink(missing_ok=True)
            raise _unavailable(error) from error
        return path

    def drop(self, digests: Sequence[str]) -> None:
        """Drop the copies with these SHA-256, and this process's links to them."""
        for digest in digests:
            self._path_of(digest).unlink(missing_ok=True)
        with self._lock:
            for key, pinned in list(self._pinned.items()):
                if key[1] in digests or any(digest in pinned.name for digest in digests):
                    pinned.unlink(missing_ok=True)
                    del self._pinned[key]

    def close(self) -> None:
        """Release what this process pinned (not what the parent of a fork pinned)."""
        if self._process == os.getpid():
            shutil.rmtree(self._pins, ignore_errors=True)

    def _path_of(self, address: str) -> Path:
        return self._files / address[:2] / address

    def _pin(self, place: ObjectPath, sha256: str | None, address: str, file: Path) -> Path:
        """Link a file into this process's folder; FileNotFoundError where it does not exist (any more)."""
        name = place.name if sha256 and sha256 in place.name else f"{address[:16]}-{place.name}"
        pinned = self._pins / name
        with self._lock:
            if not pinned.exists():
                _link(file, pinned)
            os.utime(pinned)
            self._pinned[str(place), sha256 or ""] = pinned
        return pinned

    def _make_room(self, added: int) -> None:
        """Drop the least recently used files if the cache holds more than it may."""
        with self._lock:
            if self._used is not None and self._used + added <= self._limit:
                self._used += added
                return
            files = []
            for path in self._files.glob("*/*"):
                try:
                    status = path.stat()
                except FileNotFoundError:
                    continue
                files.append((status.st_mtime, status.st_size, path))
            self._used = sum(size for _, size, _ in files)
            goal = self._limit if self._used <= self._limit else self._limit * 9 // 10
            for _, size, path in sorted(files):
                if self._used <= goal:
                    break
                path.unlink(missing_ok=True)
                self._used -= size


def _link(file: Path, pinned: Path) -> None:
    try:
        os.link(file, pinned)
    except FileNotFoundError:
        raise
    except OSError:  # a file system without hard links
        shutil.copyfile(file, pinned)


def _sha256(path: Path) -> str:
    try:
        return durable.sha256_file(path)
    except OSError:
        return ""


def _remove_dead(pins: Path) -> None:
    """Remove the links of processes that have ended: they hold no lock."""
    for folder in pins.iterdir():
        try:
            if SystemClock().now() / 1e6 - folder.stat().st_mtime < _YOUNG_SECONDS:
                continue
            lock = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError:
            continue
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            pass
        finally:
            os.close(lock)


def _unavailable(error: OSError) -> UnavailableError:
    return UnavailableError(
        f"the cache of objects cannot be written: {error.strerror or error}",
        hint=f"free space, or name another folder in ${FOLDER_VARIABLE}",
    )
