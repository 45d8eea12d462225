"""Processes and this machine: memory, time, cores, and how busy the machine was."""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import orjson

LIMIT = 3600


def facts() -> dict[str, Any]:
    """Return what the figures depend on besides the code."""
    return {
        "cores": len(os.sched_getaffinity(0)),
        "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        "load_before": round(os.getloadavg()[0], 2),
        "python": platform.python_version(),
        **{name: version(name) for name in ("deltalake", "duckdb", "sqlglot", "pyarrow")},
    }


def cli() -> str:
    """Return the path of the ``lineage-tt`` command of this environment."""
    return str(Path(sys.executable).parent / "lineage-tt")


def seconds(command: Sequence[str], **options: Any) -> float:
    """Run a command to its end and return its wall time; CalledProcessError where it fails."""
    begun = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=LIMIT, **options)
    return time.perf_counter() - begun


def measured_in_a_process(module: str, *words: str) -> dict[str, Any]:
    """Run ``python -m module words`` and return the JSON object that it prints."""
    here = Path(__file__).resolve().parents[1]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(here), str(here.parent)])}
    command = [sys.executable, "-m", module, *words]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, timeout=LIMIT, env=environment)
    document: dict[str, Any] = orjson.loads(done.stdout)
    return document


def median(values: Sequence[float]) -> float:
    """Return the median to four significant digits."""
    return rounded(statistics.median(values))


def rounded(value: float) -> float:
    """Return a value to four significant digits."""
    return float(f"{value:.4g}")


def timed(call: Callable[[], Any]) -> float:
    """Return how many seconds a call took."""
    begun = time.perf_counter()
    call()
    return time.perf_counter() - begun


def tell(words: str) -> None:
    """Say on standard error what is being measured."""
    print(words, file=sys.stderr, flush=True)
