"""Bytes that outlive a power cut on a local disk: deltalake calls no fsync, so the store does."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path


def write_new(path: Path, data: bytes) -> None:
    """Create ``path`` with ``data`` and force it to disk; OSError leaves no half-written file."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        path.unlink(missing_ok=True)
        raise


def replace(path: Path, data: bytes) -> None:
    """Put ``data`` at ``path`` in one step: a reader, or a power cut, sees the old bytes or the new ones."""
    fresh = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    fresh.unlink(missing_ok=True)
    write_new(fresh, data)
    fresh.replace(path)


def sync(path: Path) -> None:
    """Force a file, or the names in a folder, to disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sha256_file(path: Path) -> str:
    """Return the SHA-256 of a file's bytes in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
