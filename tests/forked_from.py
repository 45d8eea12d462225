"""The process that the tests' commands are forked from: it has imported the product, and has run nothing of it."""

from __future__ import annotations

import contextlib
import gc
import importlib
import marshal
import os
import selectors
import signal
import socket
import sys
import time
import warnings
from pathlib import Path
from typing import Any, Final, NoReturn

#: What commands import when they run, the heaviest: the service with its protocols, the graph, pandas (which pyarrow
#: looks for at its first array), what messages are parsed and checked with.
HEAVY: Final = (
    "lineage_tt.store", "lineage_tt.api.server", "lineage_tt.cli.receiving", "lineage_tt.governance.governance",
    "lineage_tt.graph.load.from_snapshot", "lineage_tt.graph.pictures.svg", "lineage_tt.impact.assess",
    "lineage_tt.impact.base.from_store", "lineage_tt.cli.progress", "lineage_tt.cli.render.tables",
    "lineage_tt.export", "ingest.pipeline", "ingest.resolve.comparing", "ingest.events.intake", "ingest.events.policy",
    "ingest.messages.mapping", "numba.np.arraymath", "pandas", "pyarrow.dataset", "pyarrow.compute", "rich.console",
    "uvicorn.loops.uvloop", "uvicorn.protocols.http.httptools_impl", "uvicorn.lifespan.on", "encodings.idna",
)  # fmt: skip


class _AskedError(Exception):
    """In a forked process: what it is to run."""

    def __init__(self, args: list[str], env: dict[str, str], cwd: str, fds: list[int]) -> None:
        super().__init__()
        self.asked = args, env, cwd, fds


def become(name: str) -> NoReturn:
    """Import the product, then fork a process for each request to the abstract socket ``name``, until stdin closes."""
    _import()
    try:
        _listen(name)
    except _AskedError as asked:
        args, env, cwd, fds = asked.asked
    _run(args, env, cwd, fds)


def _import() -> None:
    sys.path[0] = str(Path(sys.executable).parent)  # as for the installed command
    from lineage_tt.cli import app

    for module in dict.fromkeys(app.VERBS.values()):
        importlib.import_module(f"lineage_tt.cli.commands.{module}")
    for module in HEAVY:
        importlib.import_module(module)
    gc.collect()
    gc.freeze()


def _listen(name: str) -> None:
    waiting: dict[int, socket.socket] = {}
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server, selectors.DefaultSelector() as events:
        server.bind(f"\0{name}")
        server.listen(64)
        for each in (server, woken, 0):
            events.register(each, selectors.EVENT_READ)
        os.write(1, b"ready\n")
        while True:
            for key, _ in events.select():
                if key.fileobj == 0:
                    os._exit(0)
                elif key.fileobj == woken:
                    os.read(woken, 1024)
                    _report_ended(waiting, events)
                elif key.fileobj is server:
                    connection, _ = server.accept()
                    pid = _fork(connection, [server, *waiting.values()], [woken, wake])
                    waiting[pid] = connection
                    connection.sendall(pid.to_bytes(4, "big"))
                    events.register(connection, selectors.EVENT_READ, pid)
                else:  # whoever asked is gone: its command ends with it
                    events.unregister(key.fileobj)
                    if key.data in waiting:
                        with contextlib.suppress(ProcessLookupError):
                            os.kill(key.data, signal.SIGKILL)


def _report_ended(waiting: dict[int, socket.socket], events: selectors.BaseSelector) -> None:
    while waiting:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if not pid:
            return
        connection = waiting.pop(pid)
        with contextlib.suppress(KeyError):
            events.unregister(connection)
        with contextlib.suppress(OSError), connection:
            connection.sendall(os.waitstatus_to_exitcode(status).to_bytes(4, "big", signed=True))


def _fork(connection: socket.socket, sockets: list[socket.socket], pipes: list[int]) -> int:
    size, fds, _, _ = socket.recv_fds(connection, 4, 3)
    asked = b""
    while len(asked) < int.from_bytes(size, "big"):
        asked += connection.recv(1 << 20)
    args, env, cwd = marshal.loads(asked)
    pid = os.fork()
    if pid == 0:
        signal.set_wakeup_fd(-1)
        for each in (connection, *sockets):
            each.detach() if each.fileno() < 0 else os.close(each.detach())
        for pipe in pipes:
            os.close(pipe)
        raise _AskedError(args, env, cwd, fds)
    for fd in fds:
        os.close(fd)
    return pid


def _run(args: list[str], env: dict[str, str], cwd: str, fds: list[int]) -> NoReturn:
    """Run the command in this process, which becomes what one that starts with this environment is."""
    for number in (signal.SIGCHLD, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    time.tzset()
    if env.get("PYTHONWARNINGS") == "error":
        warnings.simplefilter("error")
    for place, fd in enumerate(fds):
        os.dup2(fd, place)
        os.close(fd)
    sys.stdin, sys.stdout, sys.stderr = _stream(0, "r"), _stream(1, "w"), _stream(2, "w")
    sys.argv = [str(Path(sys.executable).with_name("lineage-tt")), *args]
    from lineage_tt.cli import main

    main()


def _stream(fd: int, mode: str) -> Any:
    unbuffered = fd == 2
    errors = "backslashreplace" if unbuffered else "strict"
    buffering = 1 if mode == "w" and (unbuffered or os.isatty(fd)) else -1
    return open(fd, mode, buffering, encoding="utf-8", errors=errors, closefd=False)
