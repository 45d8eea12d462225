"""The parent's handle on one worker process; what runs inside is ``serving``.

The parent starts a fresh interpreter and writes to it and reads from it through two pipes. A fork would inherit the
threads and locks of pyarrow and Rust in no usable state, and ``multiprocessing`` would import the caller's main module
again. Wall time is not a limit of a job: on a busy machine it says nothing about a text.
"""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Final

from ingest.workers.protocol import LENGTH, Setup, framed

_CHUNK: Final = 1 << 18
_BOOT: Final = "import json,sys; sys.path[:]=json.loads(sys.argv[1]); from ingest.workers.serving import serve; serve()"

#: The states of a thread that waits for no one but the machine: running or runnable, and waiting for its disk.
_AT_WORK: Final = frozenset("RD")
_TICKS: Final = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


def start_serving(paths: str, life: int) -> subprocess.Popen[bytes]:
    """Start an interpreter that serves with ``paths`` (JSON) to import from, and lives while ``life`` has a writer."""
    return subprocess.Popen(  # noqa: S603 (our own interpreter and code)
        [sys.executable, "-c", _BOOT, paths, str(life)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        bufsize=0,
        pass_fds=(life,),
    )


class WorkerProcess:
    """A running worker. Nothing here blocks but :meth:`kill`; replies come in the order of the requests."""

    def __init__(self, setup: Setup) -> None:
        life, self._life = os.pipe()
        try:
            self._process = start_serving(json.dumps([path or os.getcwd() for path in sys.path]), life)
        finally:
            os.close(life)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self.stdin, self.stdout = self._process.stdin, self._process.stdout
        os.set_blocking(self.stdin.fileno(), False)
        os.set_blocking(self.stdout.fileno(), False)
        self._outgoing = bytearray()
        self._incoming = bytearray()
        self.pid = self._process.pid
        self.ready = False
        self._cpu = 0.0
        self._idle_looks = 0
        self.since = time.monotonic()
        self.send(setup)

    def heard(self) -> None:
        """Note that it answered, or was given work."""
        self.since, self._idle_looks = time.monotonic(), 0

    def is_stalled(self, looks: int) -> bool:
        """Look at a busy worker that has not answered; say whether it did nothing, ``looks`` times in a row.

        A worker does something if a thread runs, could run or waits for the disk, or if it used a twentieth of the
        time.
        """
        now, cpu = time.monotonic(), self._cpu_seconds()
        works = self._is_running() or (cpu is not None and cpu - self._cpu > (now - self.since) / 20)
        self.since, self._cpu = now, cpu or 0.0
        self._idle_looks = 0 if works else self._idle_looks + 1
        return self._idle_looks >= looks

    def _is_running(self) -> bool:
        try:
            states = [Path(task, "stat").read_text() for task in Path(f"/proc/{self.pid}/task").iterdir()]
        except OSError:
            return False
        return any(state.rpartition(")")[2].split()[0] in _AT_WORK for state in states)

    def _cpu_seconds(self) -> float | None:
        """Return the seconds of CPU time that it has used so far, None where the system does not say."""
        try:
            fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return None
        return (int(fields[11]) + int(fields[12])) / _TICKS

    @property
    def has_outgoing(self) -> bool:
        """Whether requests still wait for room in the pipe."""
        return bool(self._outgoing)

    def send(self, message: object) -> None:
        """Queue a request; :meth:`flush` sends it."""
        self._outgoing += framed(message)

    def flush(self) -> None:
        """Write as much as the pipe takes; a worker that has ended is noticed when it is read from."""
        with contextlib.suppress(BlockingIOError):
            while self._outgoing:
                try:
                    del self._outgoing[: os.write(self.stdin.fileno(), memoryview(self._outgoing)[:_CHUNK])]
                except BrokenPipeError:
                    self._outgoing.clear()

    def receive(self) -> tuple[list[tuple[str, Any]], bool]:
        """Return the whole replies that have come, and whether the worker has ended."""
        ended = False
        with contextlib.suppress(BlockingIOError):
            while True:
                piece = os.read(self.stdout.fileno(), _CHUNK)
                if not piece:
                    ended = True
                    break
                self._incoming += piece
                if len(piece) < _CHUNK:
                    break
        return list(self._frames()), ended

    def _frames(self) -> Any:
        position, size = 0, LENGTH.size
        while len(self._incoming) >= position + size:
            end = position + size + LENGTH.unpack_from(self._incoming, position)[0]
            if len(self._incoming) < end:
                break
            yield pickle.loads(memoryview(self._incoming)[position + size : end])  # noqa: S301 (our own process)
            position = end
        del self._incoming[:position]

    def kill(self) -> int:
        """End the process if it runs still; return its exit status, negative for a signal."""
        self._process.kill()
        status = self._process.wait()
        for stream in (self.stdin, self.stdout):
            with contextlib.suppress(OSError):
                stream.close()
        if self._life >= 0:
            os.close(self._life)
            self._life = -1
        return status
