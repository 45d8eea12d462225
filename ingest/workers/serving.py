"""What runs inside a worker process: it reads jobs from its standard input, answers each, and dies with its parent.

The kernel kills it when a job has used its CPU time (SIGPROF with no handler) and when the parent is gone (SIGIO from a
pipe that only the parent holds open), both without the interpreter running another line.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import pickle
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from typing import Any, Final

from ingest.sql.jobs import ExtractionJob
from ingest.workers.cache import pack
from ingest.workers.protocol import CRASH, DONE, LENGTH, READY, UNUSABLE, Setup, framed

_STACK: Final = 64 << 20
# With the guard's limits no text comes near it; a tree walk of another shape may still go deeper than the usual 1,000.
_RECURSION: Final = 5_000
# Trees of a text are full of cycles: collect them by how much text was read, not by how many objects were made.
_COLLECT_EVERY: Final = 1 << 18
_is_serving = False


def is_worker() -> bool:
    """Say whether this process is a worker, in which nothing runs but jobs."""
    return _is_serving


def load_function(name: str) -> Callable[..., Any]:
    """Return the function of ``module:attribute``; raises ImportError or AttributeError where there is none."""
    module, _, attribute = name.partition(":")
    function: Callable[..., Any] = getattr(importlib.import_module(module), attribute)
    return function


def serve() -> None:
    """Run jobs from standard input until it closes; the body of a worker process."""
    global _is_serving
    _is_serving = True
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
    """Looks for cycles between two texts instead of within one; it replaces the interpreter's own collection."""

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
        return framed((DONE, pack(function(job, *arguments))))
    except BaseException as error:
        return framed((CRASH, describe(error)))


def describe(error: BaseException) -> str:
    """Return an exception's kind and place: its message might quote the text, and with it a password."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" in {os.path.basename(frames[-1].filename)}, line {frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{place}"


def _write(replies: int, message: object) -> None:
    os_write_all(replies, framed(message))


def os_write_all(descriptor: int, data: bytes) -> None:
    """Write all of ``data`` to a blocking descriptor."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _read(requests: Any) -> Any:
    head = requests.read(LENGTH.size)
    if len(head) < LENGTH.size:
        raise EOFError
    return pickle.loads(requests.read(LENGTH.unpack(head)[0]))  # noqa: S301 (our own parent)


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


def run_here(setup: Setup, job: ExtractionJob) -> tuple[str, Any]:
    """Run a job in this process, which no limit ends; return the kind of the reply and its content."""
    try:
        return DONE, pack(load_function(setup.function)(job, *setup.arguments))
    except Exception as error:
        return CRASH, describe(error)
