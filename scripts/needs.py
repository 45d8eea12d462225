"""What a script needs beside Python's own library: it runs in the checkout's environment, whoever starts it."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_ENVIRONMENT = ROOT / ".venv"
_PYTHON = _ENVIRONMENT / "bin" / "python"
_TRIED = "LINEAGE_TT_ENVIRONMENT_MADE"


def need(*modules: str) -> None:
    """Run the script in the checkout's environment, which is made where a module is missing.

    Starts the script again by that environment's Python. Exits with status 3, saying what to run, where the
    environment cannot be made or still lacks a module.
    """
    if _PYTHON.exists() and Path(sys.prefix) != _ENVIRONMENT:
        os.execv(_PYTHON, [str(_PYTHON), *sys.argv])
    missing = [name for name in modules if find_spec(name) is None]
    if not missing:
        return
    command = ["bash", "-c", '. "$0/scripts/environment" dev', str(ROOT)]
    if os.environ.get(_TRIED) or subprocess.run(command, check=False).returncode:
        print(f"error: {', '.join(missing)} is missing: run . scripts/environment dev", file=sys.stderr)
        sys.exit(3)
    os.environ[_TRIED] = "1"
    os.execv(_PYTHON, [str(_PYTHON), *sys.argv])
