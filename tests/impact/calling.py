"""Calls of ``lineage-tt impact`` and of git, as their users make them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from releases import TASKS

COMMAND = str(Path(sys.executable).with_name("lineage-tt"))
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


def impact(folder: Path, *args: str, stdin: str = "", **env: str) -> Done:
    """Run the command in a folder, against the store beside it."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LINEAGE_TT", "GITHUB", "CI_"))}
    environment = kept | {"PYTHONWARNINGS": "error", "LINEAGE_TT_STORE": str(folder.parent / "store")} | env
    done = subprocess.run([COMMAND, "impact", *args], input=stdin.encode(), capture_output=True, cwd=folder,
                          env=environment, timeout=280)  # fmt: skip
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


def git(folder: Path, *args: str) -> None:
    """Run git in a folder, as somebody."""
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *who, *args], cwd=folder, check=True, capture_output=True)
