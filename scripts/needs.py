"""What a script needs beside Python's own library; the environment that scripts/demo makes lacks some of it."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_TRIED = "LINEAGE_TT_ENVIRONMENT_MADE"


def need(*modules: str) -> None:
    """Make the development environment and start the script again in it where a module is missing.

    Exits with status 3, saying what to run, where the environment cannot be made or still lacks one.
    """
    missing = [name for name in modules if find_spec(name) is None]
    if not missing:
        return
    command = ["bash", "-c", '. "$0/scripts/environment" dev', str(ROOT)]
    if os.environ.get(_TRIED) or subprocess.run(command, check=False).returncode:
        print(f"error: {', '.join(missing)} is missing: run . scripts/environment dev", file=sys.stderr)
        sys.exit(3)
    os.environ[_TRIED] = "1"
    python = str(ROOT / ".venv" / "bin" / "python")
    os.execv(python, [python, *sys.argv])
