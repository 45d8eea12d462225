"""MinIO's program: built once from its Go module, at a pinned version, into a folder outside git."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

VERSION: Final = "v0.0.0-20260212201848-7aac2a2c5b7c"
MODULE: Final = "github.com/minio/minio"
CACHE: Final = Path(__file__).resolve().parents[2] / ".cache" / "minio"
PROGRAM: Final = CACHE / VERSION / "minio"
#: It takes some four minutes on two cores, the first time.
BUILD_LIMIT: Final = 1800


class NoObjectStoreError(Exception):
    """There is no object store, and why."""


def missing() -> str:
    """Return why MinIO cannot be had here, nothing if it can."""
    if PROGRAM.exists() or shutil.which("go"):
        return ""
    return "Go is not installed: it builds MinIO, the object store of these tests"


def program() -> Path:
    """Return MinIO's program; build it where it is not there yet. Whoever else wants it meanwhile waits."""
    if PROGRAM.exists():
        return PROGRAM
    if reason := missing():
        raise NoObjectStoreError(reason)
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not PROGRAM.exists():
            _build()
    return PROGRAM


def _build() -> None:
    print(f"building {MODULE}@{VERSION} with Go: some four minutes ...", file=sys.stderr, flush=True)
    folder = CACHE / "partial"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    environment = os.environ | {"GOBIN": str(folder), "GOTOOLCHAIN": "local"}
    command = ["go", "install", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", f"{MODULE}@{VERSION}"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=BUILD_LIMIT, check=False)
    if done.returncode:
        raise NoObjectStoreError(f"MinIO could not be built: {done.stderr[-2000:]}")
    shutil.rmtree(PROGRAM.parent, ignore_errors=True)
    folder.rename(PROGRAM.parent)
