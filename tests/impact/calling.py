"""Calls of ``lineage-tt impact`` and of git, as their users make them."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import forked
from releases import TASKS

from lineage_tt.cli.app import run

SALES = TASKS["sales"]
BROKEN = SALES.replace("amount, ", "")
CONTEXT = 'dialect = "spark"\nnamespace = "hive"\ndefault_database = "dw"\n'


class Done(NamedTuple):
    """A finished call."""

    status: int
    out: str
    err: str

    @property
    def result(self) -> Any:
        """The result of a JSON answer."""
        return json.loads(self.out)["result"]

    @property
    def tasks(self) -> dict[str, tuple[str, str]]:
        """The tasks of a JSON answer: id → (operation, class)."""
        return {task["task_id"]: (task["op"], task["class"]) for task in self.result["tasks"]}


def spawned(folder: Path, *args: str, stdin: str = "", **env: str) -> Done:
    """Run the command in a folder, against the store beside it, as a process of its own."""
    variables = _environment(folder) | {"PYTHONWARNINGS": "error"} | env
    done = forked.run(["impact", *args], given=stdin.encode(), cwd=folder, env=variables, timeout=280)
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


def impact(folder: Path, *args: str, stdin: str = "") -> Done:
    """Run the same command line in this process, which spares the start of Python: for the many small questions."""
    out, err, before = io.StringIO(), io.StringIO(), (dict(os.environ), sys.stdin)
    os.environ.clear()
    os.environ.update(_environment(folder))
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin.encode("utf-8", "surrogateescape")), encoding="utf-8")
    try:
        with contextlib.chdir(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = run(["impact", *args])
    finally:
        os.environ.clear()
        os.environ.update(before[0])
        sys.stdin = before[1]
    return Done(status, out.getvalue(), err.getvalue())


def _environment(folder: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LINEAGE_TT", "GITHUB", "CI_"))}
    return kept | {"LINEAGE_TT_STORE": str(folder.parent / "store")}


def git(folder: Path, *args: str) -> None:
    """Run git in a folder, as somebody."""
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *who, *args], cwd=folder, check=True, capture_output=True)
