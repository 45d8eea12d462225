"""What Maven fetches for the servers that tests run: once for all processes, into a cache of the checkout."""

from __future__ import annotations

import fcntl
import shutil
import subprocess
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


def copied(cache: Path, pom: str, *arguments: str, seconds: float) -> str | None:
    """Run a goal of Maven that copies files; return its output where it fails, None where it succeeds.

    Its local repository is one of its own: the user's (``~/.m2``) may hold poms that are not those of the central
    repository. It is removed afterwards, as everything is copied.
    """
    repository = cache / "repository"
    (cache / "pom.xml").write_text(pom, encoding="utf-8")
    command = ["mvn", "-q", "-B", "-f", str(cache / "pom.xml"), f"-Dmaven.repo.local={repository}", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    shutil.rmtree(repository, ignore_errors=True)
    return (done.stdout + done.stderr)[-2000:] or "no output" if done.returncode else None
