"""What the process of a command does not import, though it is installed."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from needs import lacking

from lineage_tt import Store
from lineage_tt.testing import task_change

HIDE = "import sys\nfrom lineage_tt.cli import app\nsys.meta_path.insert(0, app._WithoutPandas())\n"
ARRAY = "import sys, pyarrow\npyarrow.array([1])\nprint('pandas' in sys.modules)\n"
COMMAND = "import sys\nfrom lineage_tt.cli import main\nsys.argv = ['', 'changes', '--store', sys.argv[1]]\nmain()"


def said(code: str, *options: str, args: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    """Run code in a new Python."""
    return subprocess.run([sys.executable, *options, "-c", code, *args], capture_output=True, text=True, check=True)


def test_pyarrow_does_without_pandas() -> None:
    """PyArrow would import pandas for its first array; in a process of a user's own it may."""
    if find_spec("pandas") is None:
        lacking("pandas is not installed")

    assert said(ARRAY).stdout == "True\n"
    assert said(HIDE + ARRAY).stdout == "False\n"
    assert said(HIDE + "import pyarrow\nprint(pyarrow.array([1]).to_numpy().tolist())").stdout == "[1]\n"


def test_spark_finds_pandas() -> None:
    """Where pyspark is imported, pandas is found as always."""
    if find_spec("pyspark") is None:
        lacking("pyspark is not installed")

    assert said(HIDE + "import pyspark, pandas\nprint(pandas.Series([1]).sum())").stdout == "1\n"


def test_a_command_over_arrow_does_not_import_it(tmp_path: Path) -> None:
    """The feed is read with Arrow."""
    Store.create(tmp_path / "s").append([task_change("t", "online", 1, [("n:a#x", "n:b#x")])])
    done = said(COMMAND, "-X", "importtime", args=(str(tmp_path / "s"),))

    assert "n:a#x" in done.stdout
    assert "pyarrow" in done.stderr
    assert "pandas.core" not in done.stderr
