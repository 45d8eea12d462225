"""Programs that run beside a test, each in a process of its own, and what they print."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def running(program: str, *arguments: object, failpoint: str = "") -> Iterator[subprocess.Popen[str]]:
    """Run a program for the length of the block."""
    process = subprocess.Popen(
        [sys.executable, "-c", program, *map(str, arguments)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT), "LINEAGE_FAILPOINT": failpoint},
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def says(process: subprocess.Popen[str]) -> str:
    """Return the next line that a process prints."""
    assert process.stdout is not None
    return process.stdout.readline().strip()
