"""What Maven fetches for the servers that tests run: once for all processes, into a cache of the checkout."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path


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
