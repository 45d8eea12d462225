"""One server as a child process on loopback: killed, stopped, paused, and never outliving the one that started it."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self

STOP_LIMIT: Final = 20.0


class ServerProcess:
    """What every such server has; a kind of server says how it is started: ``with Kind(folder) as server: ...``."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        self.folder = folder
        self.port = port or free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        """Host and port, as clients want it."""
        return f"127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        """The process number of the running server."""
        assert self._process is not None, "the server was not started"
        return self._process.pid

    @property
    def running(self) -> bool:
        """Whether the server's process lives."""
        return self._process is not None and self._process.poll() is None

    @property
    def output(self) -> Path:
        """The file of what the server prints."""
        return self.folder / "server.log"

    def start(self) -> Self:
        """Start the server, on the data that is there if it ran before; return when it takes requests."""
        raise NotImplementedError

    def kill(self) -> None:
        """End the server as a power cut of its process does (SIGKILL)."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def stop(self) -> None:
        """End the server in an orderly way, or kill it where it does not end within twenty seconds."""
        if not self.running or self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(timeout=STOP_LIMIT)
        except subprocess.TimeoutExpired:
            self.kill()

    def pause(self) -> None:
        """Stop the process without ending it: once this returns, it accepts connections and says nothing."""
        os.kill(self.pid, signal.SIGSTOP)
        deadline = time.monotonic() + STOP_LIMIT
        while not all(state in "Tt" for state in self._thread_states()):  # a busy machine takes a while for all threads
            if time.monotonic() >= deadline:
                raise TimeoutError(f"process {self.pid} does not stop")
            time.sleep(0.01)

    def _thread_states(self) -> list[str]:
        result = []
        for task in Path(f"/proc/{self.pid}/task").glob("*/stat"):
            with suppress(FileNotFoundError, ProcessLookupError):  # a thread that ended
                result.append(task.read_text(encoding="utf-8").rpartition(") ")[2][0])
        return result

    def resume(self) -> None:
        """Let a paused process continue."""
        os.kill(self.pid, signal.SIGCONT)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.kill()

    def _run(self, command: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
        """Start the command in a session of its own, its words going to the output's file."""
        with self.output.open("ab") as output:
            self._process = subprocess.Popen(
                [*_dies_with_us(), *command], env=environment,
                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip

    def _last_words(self) -> str:
        return self.output.read_text(errors="replace")[-2000:]


def free_port() -> int:
    """Return a port of the loopback that nobody listens on."""
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        return int(trial.getsockname()[1])


def _dies_with_us() -> list[str]:
    """Return what makes a process end with the one that started it, where the system has it."""
    return ["setpriv", "--pdeathsig", "KILL"] if shutil.which("setpriv") else []
