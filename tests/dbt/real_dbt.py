"""dbt itself, with DuckDB and OpenLineage's wrapper, in an environment of its own that git ignores."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path

from needs import lacking

#: By release: dbt pins libraries that this project must not take. OpenLineage's wrapper comes with the first one.
PACKAGES = {
    "1.10": ("dbt-core>=1.10,<1.11", "dbt-duckdb>=1.10,<1.11", "openlineage-dbt>=1.54,<1.55"),
    "1.11": ("dbt-core>=1.11,<1.12", "dbt-duckdb>=1.10"),
}
CACHES = Path(__file__).resolve().parents[2] / ".cache" / "dbt"


def commands(release: str) -> Path:
    """Return the folder of dbt's commands, installed once; skip the test where they cannot be had."""
    cache = CACHES / release
    cache.mkdir(parents=True, exist_ok=True)
    with (cache / "lock").open("w") as lock:  # several test processes
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (cache / "done").exists():
            python, uv = cache / "venv" / "bin" / "python", (sys.executable, "-m", "uv")
            for command in (
                [*uv, "venv", "--quiet", "--clear", "--python", sys.executable, str(cache / "venv")],
                [*uv, "pip", "install", "--quiet", "--python", str(python), *PACKAGES[release]],
                [str(python), "-c", "import dbt.cli.main"],  # installed, it may not run on this Python
            ):
                done = subprocess.run(command, capture_output=True, text=True, timeout=280, check=False)
                if done.returncode:
                    lacking(f"dbt {release} cannot be installed, or does not run: {done.stderr.strip()[-300:]}")
            (cache / "done").touch()
    return cache / "venv" / "bin"


def run(project: Path, *command: str, release: str = "1.10") -> None:
    """Run one of dbt's commands in a project; AssertionError with its output where it fails."""
    folder = commands(release)
    environment = os.environ | {
        "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "DBT_SEND_ANONYMOUS_USAGE_STATS": "false",
        "DBT_PROFILES_DIR": str(project), "OPENLINEAGE_CONFIG": str(project / "openlineage.yml"),
        "OPENLINEAGE_NAMESPACE": "dbt", "PYTHONPATH": "",
    }  # fmt: skip
    done = subprocess.run(
        [str(folder / command[0]), *command[1:]],
        cwd=project, env=environment, capture_output=True, text=True, timeout=200, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
