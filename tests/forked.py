"""Runs commands in processes that are forked from a process that has already imported the product.

The start of Python and the import of the product take half of the time of a short command, and the tests run hundreds
of commands. ``Forked`` is such a process: with its own streams, folder, environment, signals and exit status, it runs
the main function of ``lineage-tt``, or Python code after ``-c``. ``Worker`` is a process that parses SQL, forked from a
process that has imported only the parser. ``folder_of_command`` holds a ``lineage-tt`` for shells that requests such a
process. Tests of the start itself (its imports, the command line in ``/proc``) and of the processes of a command run
the installed command; ``unit/workers`` starts real workers.

Run as a script, this file is the process from which they are forked (``serve NAME``), or the ``lineage-tt`` for shells.
"""

from __future__ import annotations

import atexit
import contextlib
import marshal
import os
import signal
import socket
import sys
import time

TYPE_CHECKING = False  # the lineage-tt for shells imports this file: no typing, no subprocess
if TYPE_CHECKING:
    import subprocess
    from pathlib import Path
    from typing import Any

#: Environment variables that are read when a module is imported, or when Python starts.
AT_START = ("LINEAGE_TT_CACHE", "PYTHONPATH", "PYTHONHASHSEED")
ADDRESS = "FORKED_FROM"
WORKERS = "-workers"
_running: dict[str, subprocess.Popen[bytes]] = {}
_folders: list[str] = []


def can_fork(env: dict[str, str]) -> bool:
    """Return whether a command with this environment may be forked."""
    return sys.platform == "linux" and not any(env.get(name) for name in AT_START)


class Forked:
    """A running ``lineage-tt``, with the part of Popen's interface that the tests use."""

    def __init__(
        self, args: list[str], fds: tuple[int, ...], env: dict[str, str], cwd: str | None = None, at: str | None = None
    ) -> None:
        self.returncode: int | None = None
        request = marshal.dumps((args, env, cwd or os.getcwd()))
        to = f"\0{at or env.get(ADDRESS) or address()}"
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.connect(to)
            socket.send_fds(self._socket, [len(request).to_bytes(4, "big")], list(fds))
            self._socket.sendall(request)
            self.pid = int.from_bytes(exactly(self._socket, 4), "big")
        except BaseException:
            self._socket.close()  # if a process was forked nevertheless, closing the socket ends it
            raise

    def poll(self) -> int | None:
        """Return the exit status if the process has ended, otherwise None."""
        self._await(0.000_001)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait until the process has ended; return its exit status as Popen does, or raise TimeoutExpired."""
        self._await(timeout)
        if self.returncode is None:
            import subprocess

            raise subprocess.TimeoutExpired("lineage-tt", timeout or 0)
        return self.returncode

    def _await(self, timeout: float | None) -> None:
        if self.returncode is None:
            self._socket.settimeout(timeout)
            try:
                self.returncode = int.from_bytes(exactly(self._socket, 4), "big", signed=True)
            except TimeoutError:
                return
            self._socket.close()

    def send_signal(self, number: int) -> None:
        """Send a signal if the process has not ended."""
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):  # it ended in the meantime
                os.kill(self.pid, number)

    def terminate(self) -> None:
        """Send SIGTERM."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Send SIGKILL."""
        self.send_signal(signal.SIGKILL)


class Worker(Forked):
    """A process that parses SQL, with the interface of those that ``ingest.workers.process`` starts."""

    def __init__(self, paths: str, life: int, at: str | None = None) -> None:
        requests, answers = os.pipe(), os.pipe()
        nothing = os.open(os.devnull, os.O_WRONLY)
        theirs = (requests[0], answers[1], nothing)
        try:
            super().__init__([paths], (*theirs, life), dict(os.environ), at=at or f"{address()}{WORKERS}")
        except BaseException:
            for fd in (requests[1], answers[0]):
                os.close(fd)
            raise
        finally:
            for fd in theirs:
                os.close(fd)
        self.stdin, self.stdout = os.fdopen(requests[1], "wb", 0), os.fdopen(answers[0], "rb", 0)

    def _await(self, timeout: float | None) -> None:
        try:
            super()._await(timeout)
        except ConnectionError:  # the process from which it was forked has ended, which also ended it
            self.returncode = -signal.SIGKILL


def fork_workers(at: str | None = None) -> None:
    """From now on, fork the worker processes that this process starts, if possible (``can_fork``)."""
    from ingest.workers import process

    start = process.start_serving

    def start_serving(paths: str, life: int) -> Any:
        return Worker(paths, life, at) if can_fork(dict(os.environ)) else start(paths, life)

    process.start_serving = start_serving


class Command(Forked):
    """A running ``lineage-tt``, forked, whose output goes to files; ``communicate`` is that of Popen."""

    def __init__(self, args: list[str], env: dict[str, str], cwd: str | None = None, given: bytes = b"") -> None:
        import tempfile

        self._open = contextlib.ExitStack()
        opened = (tempfile.TemporaryFile() for _ in range(3))  # noqa: SIM115  (closed by communicate)
        self._files = [self._open.enter_context(file) for file in opened]
        try:
            self._files[0].write(given)
            self._files[0].seek(0)
            super().__init__(args, tuple(file.fileno() for file in self._files), env, cwd)
        except BaseException:
            self._open.close()
            raise

    def communicate(self, timeout: float | None = None) -> tuple[bytes, bytes]:
        """Wait until the process has ended; return its output and errors, or raise TimeoutExpired."""
        self.wait(timeout)
        for file in self._files:
            file.seek(0)
        _, out, err = (file.read() for file in self._files)
        self._open.close()
        return out, err


def start(
    args: list[str], env: dict[str, str], *, cwd: Path | None = None, given: bytes = b"", fresh: bool = False
) -> Command | subprocess.Popen[bytes]:
    """Start ``lineage-tt`` with ``given`` as standard input: forked if possible, and not if it must be ``fresh``."""
    import subprocess
    import tempfile

    if can_fork(env) and not fresh:
        return Command(args, env, str(cwd) if cwd else None, given)
    command = [os.path.join(os.path.dirname(sys.executable), "lineage-tt"), *args]
    with tempfile.TemporaryFile() as standard:
        standard.write(given)
        standard.seek(0)
        pipe = subprocess.PIPE
        return subprocess.Popen(command, stdin=standard, stdout=pipe, stderr=pipe, env=env, cwd=cwd)


def run(
    args: list[str],
    *,
    given: bytes = b"",
    env: dict[str, str] | None = None,
    cwd: Path | None = None,
    timeout: float = 60,
) -> subprocess.CompletedProcess[bytes]:
    """Run ``lineage-tt``, forked if possible, with ``given`` as standard input; return the completed process."""
    import subprocess

    process = start(args, dict(os.environ) if env is None else env, cwd=cwd, given=given)
    try:
        out, err = process.communicate(timeout=timeout)
    except BaseException:
        process.kill()
        process.communicate(timeout=10)
        raise
    assert process.returncode is not None
    return subprocess.CompletedProcess(args, process.returncode, out, err)


def address() -> str:
    """Return the address of the process from which commands are forked; start it if needed, until this one ends.

    The workers of a run share that of the process that started them, which is in their environment.
    """
    import subprocess

    if ADDRESS in os.environ:
        return os.environ[ADDRESS]
    if not _running:
        name = f"lineage-tt-tests-{os.getpid()}-{time.monotonic_ns()}"
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("LINEAGE_TT", "PYTEST"))}
        process = subprocess.Popen(
            [sys.executable, __file__, "serve", name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=kept
        )
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            with process.stdout as printed:
                assert printed.readline() == b"listening\n"
        except BaseException:
            _end_serving(process)
            raise
        _running[name] = process
        atexit.register(end)
    return next(iter(_running))


def share() -> None:
    """Start that process for all workers of this run."""
    os.environ[ADDRESS] = address()


def end() -> None:
    """End the process from which commands are forked, and remove the folder with the command for shells."""
    import shutil

    try:
        while _running:
            _end_serving(_running.popitem()[1])
    finally:
        while _folders:
            shutil.rmtree(_folders.pop())


def _end_serving(process: subprocess.Popen[bytes]) -> None:
    """Close the standard input of the process, which ends it; kill it if it does not end."""
    import subprocess

    assert process.stdin is not None
    process.stdin.close()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(10)
        raise


def folder_of_command() -> str:
    """Return a folder with the ``lineage-tt`` for shells whose environment has ``ADDRESS``."""
    if not _folders:
        import tempfile

        folder = tempfile.mkdtemp(prefix="command-")
        atexit.register(end)
        with open(os.path.join(folder, "lineage-tt"), "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\nexec {sys.executable} -ISE {__file__} call "$@"\n')
            os.fchmod(file.fileno(), 0o755)
        _folders.append(folder)
    return _folders[0]


def exactly(connection: socket.socket, size: int) -> bytes:
    """Read ``size`` bytes; ConnectionError if the other end closes first."""
    read = b""
    while len(read) < size:
        part = connection.recv(size - len(read))
        if not part:
            raise ConnectionError("the other end has ended")
        read += part
    return read


def _call(args: list[str]) -> int:
    """Run one command with the streams of this process, and pass signals on to it; return its exit status."""
    if not can_fork(dict(os.environ)):  # a shell may set variables that are read at the start, such as the cache
        command = os.path.join(os.path.dirname(sys.executable), "lineage-tt")
        os.execv(command, [command, *args])
    process = Forked(args, (0, 1, 2), dict(os.environ))
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _frame: process.send_signal(number))
    for fd in (0, 1):  # the other end of a pipe may wait until all processes have closed it
        os.close(fd)
    status = process.wait()
    if status < 0:
        if -status not in (signal.SIGKILL, signal.SIGSTOP):  # these cannot be handled, so they have no other handler
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    return status


if __name__ == "__main__":
    if sys.argv[1] == "call":
        os._exit(_call(sys.argv[2:]))
    from forked_from import become

    become(sys.argv[2])
