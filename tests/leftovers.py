"""Fails a test run if a process or a file remains after it.

The run has its own folder for temporary files, and all its processes and their children inherit an environment variable
that identifies them. When the last worker has ended, the folder is checked and removed. The folders of pytest are
elsewhere: it keeps those of failed tests for inspection.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
import uuid
from pathlib import Path

import psutil
import pytest

#: The variable that marks a run's processes; tests that clear LINEAGE_TT_… and PYTEST_… pass it on.
MARK = "TEST_RUN"
#: Seconds within which processes that are ending must end.
PATIENCE = float(os.environ.get("TEST_LEFT_PATIENCE", "15"))
#: Folders that tools keep in the project's folder between runs; git ignores them.
KEPT = {".cache", ".hypothesis", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".venv", "__pycache__"}

_run = pytest.StashKey["Run"]()


class Run:
    """One run: its mark, its folder, and the previous content of the project's folder."""

    def __init__(self, project: Path) -> None:
        self.project = project
        self.mark = uuid.uuid4().hex
        self.usual = tempfile.gettempdir()
        self.folder = Path(tempfile.mkdtemp(prefix="tests-"))
        self.before = set(os.listdir(project))
        self.left: list[str] = []

    def begin(self) -> None:
        """Set the environment that all processes of the run inherit."""
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", self.usual)
        os.environ[MARK] = self.mark
        os.environ["TMPDIR"] = str(self.folder)
        # the JVM of Spark must use this folder, and must not write performance data, which remains after a kill
        options = f"-Djava.io.tmpdir={self.folder} -XX:-UsePerfData"
        os.environ["SPARK_SUBMIT_OPTS"] = f"{os.environ.get('SPARK_SUBMIT_OPTS', '')} {options}".strip()
        tempfile.tempdir = None

    def end(self) -> list[str]:
        """Return a description of each leftover; remove the folder."""
        processes = self._processes()
        deadline = time.monotonic() + PATIENCE
        while processes and time.monotonic() < deadline:
            time.sleep(0.1)
            processes = self._processes()
        self.left = [f"process {one.pid}: {_command(one)}" for one in processes]
        self.left += [f"in the temporary folder: {name}" for name in sorted(os.listdir(self.folder))]
        new = set(os.listdir(self.project)) - self.before - KEPT
        self.left += [f"in the project's folder: {name}" for name in sorted(new)]
        shutil.rmtree(self.folder, ignore_errors=True)
        tempfile.tempdir = self.usual
        return self.left

    def _processes(self) -> list[psutil.Process]:
        return [one for one in psutil.process_iter() if one.pid != os.getpid() and self._is_ours(one)]

    def _is_ours(self, one: psutil.Process) -> bool:
        try:
            ours = one.environ().get(MARK) == self.mark and one.status() != psutil.STATUS_ZOMBIE
            return ours and "multiprocessing.resource_tracker" not in _command(one)  # ends with this process
        except psutil.Error:
            return False


def _command(one: psutil.Process) -> str:
    try:
        return " ".join(one.cmdline())[:300]
    except psutil.Error:
        return "(ended)"


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Begin the run, in the process that starts the workers."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        config.stash[_run] = Run(config.rootpath)
        config.stash[_run].begin()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail the run if anything is left."""
    run = session.config.stash.get(_run, None)
    if run is not None and run.end() and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print what is left."""
    run = config.stash.get(_run, None)
    if run is not None and run.left:
        terminalreporter.section("left behind", red=True)
        for line in run.left:
            terminalreporter.write_line(line)
