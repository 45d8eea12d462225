"""A Spark standalone cluster from the installed pyspark, on loopback: its processes are ours and are ended by pid."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

import psutil
import pyspark

HOME = Path(pyspark.__file__).parent
MASTER, WORKER = "org.apache.spark.deploy.master.Master", "org.apache.spark.deploy.worker.Worker"
LIMIT = 240.0


class Cluster:
    """A master and some workers of one core each; a context manager."""

    def __init__(self, folder: Path, workers: int, memory: str = "512M") -> None:
        self._folder = folder
        self._workers = workers
        self._memory = memory
        self._processes: list[subprocess.Popen[bytes]] = []
        self.url = ""

    def __enter__(self) -> Self:
        try:
            self._start_all()
        except BaseException as error:
            self.__exit__(type(error), error, error.__traceback__)
            raise
        return self

    def _start_all(self) -> None:
        log = self._start("master", MASTER, "--host", "127.0.0.1", "--port", "0", "--webui-port", "0")
        port = self._said(log, r"Starting Spark master at spark://127\.0\.0\.1:(\d+)")
        self.url = f"spark://127.0.0.1:{port}"
        options = ["--host", "127.0.0.1", "--webui-port", "0", "--cores", "1", "--memory", self._memory, "--work-dir"]
        logs = [
            self._start(f"worker{n}", WORKER, *options, str(self._folder / f"work{n}"), self.url)
            for n in range(self._workers)
        ]
        for log in logs:
            self._said(log, r"(Successfully registered with master)")

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for process in reversed(self._processes):
            below = self._below(process.pid)
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(10)
            for left in [*below, psutil.Process(process.pid)] if process.poll() is None else below:
                with contextlib.suppress(psutil.NoSuchProcess):
                    left.kill()
            process.wait(10)

    def _start(self, name: str, kind: str, *options: str) -> Path:
        log = self._folder / f"{name}.log"
        environment = os.environ | {
            "SPARK_HOME": str(HOME),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_DAEMON_JAVA_OPTS": f"-Djava.io.tmpdir={self._folder} -XX:-UsePerfData",
            "SPARK_LOCAL_DIRS": str(self._folder / "local"),
            "PYSPARK_PYTHON": sys.executable,
        }
        with log.open("wb") as output:
            command = [str(HOME / "bin" / "spark-class"), kind, *options]
            self._processes.append(
                subprocess.Popen(command, stdout=output, stderr=output, stdin=subprocess.DEVNULL, env=environment)
            )
        return log

    def _said(self, log: Path, pattern: str) -> str:
        """Wait until a process has said something; return the pattern's group."""
        deadline = time.monotonic() + LIMIT
        while time.monotonic() < deadline:
            match = re.search(pattern, log.read_text(errors="replace"))
            if match:
                return match.group(1)
            time.sleep(0.1)
        raise AssertionError(f"{log.name}: {pattern} did not come:\n{log.read_text(errors='replace')[-2000:]}")

    @staticmethod
    def _below(pid: int) -> list[psutil.Process]:
        try:
            return psutil.Process(pid).children(recursive=True)
        except psutil.NoSuchProcess:
            return []

    def executors(self) -> Iterator[psutil.Process]:
        """Yield the executors that run now."""
        for process in self._processes[1:]:
            for child in self._below(process.pid):
                with contextlib.suppress(psutil.NoSuchProcess):
                    if any("CoarseGrainedExecutorBackend" in word for word in child.cmdline()):
                        yield child

    def parsing(self) -> psutil.Process | None:
        """Return an executor below which SQL is being parsed now, None where there is none."""
        for executor in self.executors():
            with contextlib.suppress(psutil.NoSuchProcess):
                below = executor.children(recursive=True)
                if any("ingest.workers.serving" in " ".join(process.cmdline()) for process in below):
                    return executor
        return None

    def kill_one_that_parses(self, until: float) -> int:
        """Kill an executor in the middle of its parsing, waiting for one until then (monotonic); return its pid."""
        while time.monotonic() < until:
            victim = self.parsing()
            if victim is not None:
                os.kill(victim.pid, signal.SIGKILL)
                return victim.pid
            time.sleep(0.02)
        raise AssertionError("no executor came to parse anything")
