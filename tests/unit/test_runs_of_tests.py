"""What the tests' own machinery promises: a hang ends as a failure that shows where, and what a run leaves fails it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
#: Waits in C, where no signal's handler runs, as a lock of a buffered stream does.
HANGS = """
import signal, time, pytest
@pytest.fixture
def stuck():
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
    time.sleep(120)
def test_that_hangs(stuck): pass
def test_that_passes(): pass
"""
HEEDS = """
import time, pytest
@pytest.fixture
def slow(): time.sleep(120)
def test_that_is_slow(slow): pass
def test_that_passes(): pass
"""
LEAVES = """
import subprocess, tempfile
def test_that_leaves():
    tempfile.mkdtemp(prefix="left-")
    open("left.db", "w").close()
    subprocess.Popen(["setsid", "sleep", "45"])
"""


def run(folder: Path, code: str, *options: str) -> tuple[int, str]:
    """Run a file of tests with the plugins of these; return pytest's exit status and what it printed."""
    (folder / "test_it.py").write_text(code)
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "tmp").mkdir()
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    command = [sys.executable, "-m", "pytest", "-p", "leftovers", "-p", "limits", "-p", "no:cacheprovider", *options]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=120, check=False,
        env=kept | {"PYTHONPATH": str(TESTS), "PYTEST_DEBUG_TEMPROOT": str(folder / "tmp")}
        | {"TEST_LIMIT_GRACE": "2", "TEST_LEFT_PATIENCE": "1"},
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


@pytest.mark.long
def test_a_fixture_that_heeds_no_signal_ends_as_a_failure_with_its_stack(tmp_path: Path) -> None:
    """The worker prints where it hangs and ends; its test has failed, the others are run by another."""
    status, said = run(tmp_path, HANGS, "-n", "1", "--timeout", "1")

    assert status == 1
    assert "crashed while running 'test_it.py::test_that_hangs'" in said
    assert 'test_it.py", line 6 in stuck' in said
    assert "1 failed, 1 passed" in said


@pytest.mark.long
def test_a_slow_fixture_fails_its_test(tmp_path: Path) -> None:
    """A time limit covers the fixtures."""
    status, said = run(tmp_path, HEEDS, "-n", "0", "--timeout", "1")

    assert status == 1
    assert "Timeout (>1.0s) from pytest-timeout" in said
    assert "1 passed, 1 error" in said


@pytest.mark.long
def test_what_a_run_leaves_fails_it(tmp_path: Path) -> None:
    """A process, wherever it went, a temporary folder, and a file in the project's folder, each by name."""
    status, said = run(tmp_path, LEAVES, "-n", "1")

    assert status == 1
    assert "1 passed" in said
    left = [line.partition(": ")[2] for line in said.partition("left behind")[2].splitlines()[1:4]]
    assert left[0] == "sleep 45"
    assert left[1].startswith("left-")
    assert left[2] == "left.db"


@pytest.mark.long
def test_a_run_that_leaves_nothing_passes(tmp_path: Path) -> None:
    """Nothing is reported where nothing is left, pytest's own folders neither."""
    status, said = run(tmp_path, "def test_one(tmp_path): (tmp_path / 'a').mkdir()", "-n", "1")

    assert (status, "left behind" in said) == (0, False), said
