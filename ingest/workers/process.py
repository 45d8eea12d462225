"""One worker process: the parent's handle on it, and what runs inside.

The parent starts a fresh interpreter and speaks to it through two pipes, each message a pickle behind its length. A
fork would inherit the threads and locks of pyarrow and Rust in no usable state, and ``multiprocessing`` would import
the caller's main module again.

A worker ends whatever it is stuck in: the kernel kills it when a job has used its CPU time (SIGPROF with no handler)
and when the parent is gone (SIGIO from a pipe that only the parent holds open), both without the interpreter running
another line. Wall time is no limit: on a busy machine it says nothing about a text.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import pickle
import signal
import struct
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ingest.workers.cache import pack

_LENGTH: Final = struct.Struct("<Q")
_CHUNK: Final = 1 << 18
_STACK: Final = 64 << 20
# With the guard's limits no text comes near it; a tree walk of another shape may still go deeper than the usual 1,000.
_RECURSION: Final = 5_000
# Trees of a text are full of cycles: collect them by how much text was read, not by how many objects were made.
_COLLECT_EVERY: Final = 1 << 18
_BOOT: Final = "import json,sys; sys.path[:]=json.loads(sys.argv[1]); from ingest.workers.process import serve; serve()"

READY: Final = "ready"
UNUSABLE: Final = "unusable"
DONE: Final = "done"
CRASH: Final = "crash"
#: The states of a thread that waits for no one but the machine: running or runnable, and waiting for its disk.
_AT_WORK: Final = frozenset("RD")
_TICKS: Final = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


@dataclass(frozen=True, slots=True)
class Setup:
    """What a worker receives once: the function by dotted name, further arguments, limits of CPU time and memory.

    ``time_limit`` is in seconds of CPU time for a job, and as many again for each MiB of its text; ``memory_limit`` is
    in bytes of address space.
    """

    function: str
    arguments: tuple[Any, ...]
    time_limit: float
    memory_limit: int | None

    def seconds(self, characters: int, factor: float = 1.0) -> float:
        """Return how many seconds of CPU time a text of so many characters may take, ``factor`` times the usual."""
        return self.time_limit * (1 + characters / (1 << 20)) * factor


_serving = False


def is_worker() -> bool:
    """Say whether this process is a worker, in which nothing runs but jobs."""
    return _serving


def load_function(name: str) -> Callable[..., Any]:
    """Return the function of ``module:attribute``; raises ImportError or AttributeError where there is none."""
    module, _, attribute = name.partition(":")
    function: Callable[..., Any] = getattr(importlib.import_module(module), attribute)
    return function


class WorkerProcess:
    """A running worker. Nothing here blocks but :meth:`kill`; replies come in the order of the requests."""

    def __init__(self, setup: Setup) -> None:
        life, self._life = os.pipe()
        try:
            self._process = subprocess.Popen(  # noqa: S603 (our own interpreter and code)
                [sys.executable, "-c", _BOOT, json.dumps([path or os.getcwd() for path in sys.path]), str(life)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                pass_fds=(life,),
            )
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

        It works where a thread runs, or would if the machine let it, or where it used a twentieth of the time.
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
        """Queue a request; :meth:`flush` brings it on its way."""
        body = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
        self._outgoing += _LENGTH.pack(len(body)) + body

    def flush(self) -> None:
        """Write as much as the pipe takes; a worker that is gone shows when it is read from."""
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
        position, size = 0, _LENGTH.size
        while len(self._incoming) >= position + size:
            end = position + size + _LENGTH.unpack_from(self._incoming, position)[0]
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


def serve() -> None:
    """Run jobs from standard input until it closes; the body of a worker process."""
    global _serving
    _serving = True
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    requests = os.fdopen(os.dup(0), "rb")
    replies = os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    _die_with_parent(int(sys.argv[2]))
    setup: Setup = _read(requests)
    _limit_memory(setup.memory_limit)
    try:
        function = load_function(setup.function)
    except BaseException as error:
        _write(replies, (UNUSABLE, f"{setup.function} cannot be imported: {type(error).__name__}"))
        os._exit(1)
    collector = Collector()
    sys.setrecursionlimit(_RECURSION)
    threading.stack_size(_STACK)
    _write(replies, (READY, os.getpid()))
    thread = threading.Thread(target=_run_jobs, args=(requests, replies, function, setup, collector), daemon=True)
    thread.start()
    thread.join()
    os._exit(0)


class Collector:
    """Looks for cycles between two texts instead of within one; it takes the interpreter's own collection's place."""

    def __init__(self) -> None:
        gc.collect()
        gc.freeze()
        gc.disable()
        self._debt = 0

    def read(self, characters: int) -> None:
        """Note that a text was read, and collect if it is time."""
        self._debt += characters
        if self._debt > _COLLECT_EVERY:
            gc.collect()
            self._debt = 0


def _run_jobs(requests: Any, replies: int, function: Callable[..., Any], setup: Setup, collector: Collector) -> None:
    while True:
        try:
            request: tuple[Any, float] = _read(requests)
        except EOFError:
            return
        job, factor = request
        signal.setitimer(signal.ITIMER_PROF, setup.seconds(len(job.sql), factor))
        reply = _answer(function, job, setup.arguments)
        signal.setitimer(signal.ITIMER_PROF, 0)
        os_write_all(replies, reply)
        collector.read(len(job.sql))  # after the answer: no caller waits for it


def _answer(function: Callable[..., Any], job: Any, arguments: tuple[Any, ...]) -> bytes:
    try:
        return _packed((DONE, pack(function(job, *arguments))))
    except BaseException as error:
        return _packed((CRASH, describe(error)))


def describe(error: BaseException) -> str:
    """Return an exception's kind and place: its message might quote the text, and with it a password."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" in {os.path.basename(frames[-1].filename)}, line {frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{place}"


def _packed(message: object) -> bytes:
    body = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return _LENGTH.pack(len(body)) + body


def _write(replies: int, message: object) -> None:
    os_write_all(replies, _packed(message))


def os_write_all(descriptor: int, data: bytes) -> None:
    """Write all of ``data`` to a blocking descriptor."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _read(requests: Any) -> Any:
    head = requests.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise EOFError
    return pickle.loads(requests.read(_LENGTH.unpack(head)[0]))  # noqa: S301 (our own parent)


def _die_with_parent(life: int) -> None:
    """Have the kernel end this process when the last writer of the pipe ``life``, the parent, is gone."""
    try:
        import fcntl

        fcntl.fcntl(life, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(life, fcntl.F_SETFL, fcntl.fcntl(life, fcntl.F_GETFL) | os.O_ASYNC)
    except (ImportError, OSError, AttributeError):
        return  # without it an idle worker ends when its input closes, a busy one at its time limit


def _limit_memory(limit: int | None) -> None:
    """Bound the address space, and offer this process first when the machine runs out of memory."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        if limit is not None:
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as score:
        score.write("800")
