"""Folders of a checkout's cache, each made once for all processes."""

from __future__ import annotations

import fcntl
from collections.abc import Callable
from pathlib import Path


def fetched(cache: Path, name: str, fetch: Callable[[Path], None]) -> Path:
    """Return a folder of the cache; ``fetch`` makes it where it is not there, one process at a time."""
    cache.mkdir(parents=True, exist_ok=True)
    with (cache / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # several test processes want it at once
        result = cache / name
        if not result.is_dir():
            fetch(result)
    return result
