"""The process from which commands and workers of tests are forked: it has imported the product, but opened nothing."""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import marshal
import os
import selectors
import signal
import socket
import sys
import time
import types
import warnings
from pathlib import Path
from typing import Any, Final, NoReturn

#: The slowest imports of commands when they run: DuckDB, the service with its protocols, the graph, and the modules
#: that parse and check messages, and write and check a store.
HEAVY: Final = (
    "lineage_tt.store", "lineage_tt.api.server", "lineage_tt.cli.receiving", "lineage_tt.governance.governance",
    "lineage_tt.graph.load.from_snapshot", "lineage_tt.graph.pictures.svg", "lineage_tt.impact.assess",
    "lineage_tt.impact.base.from_store", "lineage_tt.cli.progress", "lineage_tt.cli.render.tables",
    "lineage_tt.export", "ingest.pipeline", "ingest.resolve.comparing", "ingest.events.intake", "ingest.events.policy",
    "ingest.messages.mapping", "ingest.sql.dialects.dialects", "lineage_tt.write.writer",
    "lineage_tt.write.past.few_files", "lineage_tt.write.planning.deriving", "lineage_tt.write.subjects.spill",
    "lineage_tt.maintenance.check", "lineage_tt.maintenance.check_snapshot", "lineage_tt.maintenance.stats",
    "lineage_tt.log.rewriting.rewrite", "sqlglot.dialects.spark", "duckdb", "numba.np.arraymath",
    "pyarrow.dataset", "pyarrow.compute", "rich.console", "uvicorn.loops.uvloop",
    "uvicorn.protocols.http.httptools_impl", "uvicorn.lifespan.on", "encodings.idna",
)  # fmt: skip


#: The modules that a worker imports while it runs.
READING: Final = (
    "ingest.workers.serving", "ingest.workers.work", "ingest.resolve.comparing", "ingest.sql.masked",
    "ingest.sql.statements.templated", "ingest.sql.compare.compare",
)  # fmt: skip


class _AskedError(Exception):
    """Raised in a forked process, with the request that it must run."""

    def __init__(self, args: list[str], env: dict[str, str], cwd: str, fds: list[int]) -> None:
        super().__init__()
        self.asked = args, env, cwd, fds


def become(name: str) -> NoReturn:
    """Import the product, then fork a process for each request to the abstract socket ``name``, until stdin closes.

    A second process does the same for workers.
    """
    import forked

    sys.path[0] = str(Path(sys.executable).parent)  # as for the installed command
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    server, workers = _bound(name), _bound(name + forked.WORKERS)
    os.write(1, b"listening\n")  # requests wait until all is imported
    os.dup2(2, 1)
    if os.fork() == 0:
        server.close()
        _import_parser()
        _work(*_first_asked(workers))
    workers.close()
    _import()
    asked = _first_asked(server)
    forked.fork_workers(name + forked.WORKERS)
    _run(*asked)


def _bound(name: str) -> socket.socket:
    server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    server.bind(f"\0{name}")
    server.listen(64)
    return server


def _first_asked(server: socket.socket) -> tuple[list[str], dict[str, str], str, list[int]]:
    """Listen until stdin closes; return only in a forked process, with the request that it must run."""
    try:
        _listen(server)
    except _AskedError as asked:
        return asked.asked


def _import_parser() -> None:
    from sqlglot.dialects.dialect import Dialect

    from ingest.sql.dialects.registry import DIALECTS

    for module in READING:
        importlib.import_module(module)
    for dialect in {rules.parser for rules in DIALECTS}:
        Dialect.get(dialect)
    gc.collect()
    gc.freeze()


def _import() -> None:
    from lineage_tt.cli import app

    for module in dict.fromkeys(app.VERBS.values()):
        importlib.import_module(f"lineage_tt.cli.commands.{module}")
    for module in HEAVY:
        importlib.import_module(module)
    from lineage_tt.api.reads.loading import draw_once

    draw_once()  # also loads all of numba that runs compiled functions
    gc.collect()
    gc.freeze()


def _listen(server: socket.socket) -> NoReturn:
    waiting: dict[int, socket.socket] = {}
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    with server, selectors.DefaultSelector() as events:
        for each in (server, woken, 0):
            events.register(each, selectors.EVENT_READ)
        while True:
            for key, _ in events.select():
                if key.fileobj == 0:
                    os._exit(0)
                elif key.fileobj == woken:
                    os.read(woken, 1024)
                    _report_ended(waiting, events)
                elif key.fileobj is server:
                    connection, _ = server.accept()
                    try:
                        asked, fds = _request(connection)
                    except ConnectionError:  # the client has already disconnected
                        connection.close()
                        continue
                    pid = _fork(asked, fds, [connection, server, *waiting.values()], [woken, wake])
                    waiting[pid] = connection
                    with contextlib.suppress(ConnectionError):  # the last branch handles this client
                        connection.sendall(pid.to_bytes(4, "big"))
                    events.register(connection, selectors.EVENT_READ, pid)
                else:  # the client has disconnected, which ends its command
                    events.unregister(key.fileobj)
                    if key.data in waiting:
                        with contextlib.suppress(ProcessLookupError):
                            os.kill(key.data, signal.SIGKILL)


def _report_ended(waiting: dict[int, socket.socket], events: selectors.BaseSelector) -> None:
    while waiting:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if not pid:
            return
        connection = waiting.pop(pid, None)
        if connection is None:
            continue  # the process for workers, for which nobody waits
        with contextlib.suppress(KeyError):
            events.unregister(connection)
        with contextlib.suppress(OSError), connection:
            connection.sendall(os.waitstatus_to_exitcode(status).to_bytes(4, "big", signed=True))


def _request(connection: socket.socket) -> tuple[Any, list[int]]:
    """Return (arguments, environment, folder) and the files of a request; ConnectionError if it is cut off."""
    import forked

    size, fds, _, _ = socket.recv_fds(connection, 4, 4)
    try:
        return marshal.loads(forked.exactly(connection, int.from_bytes(size, "big") or 1)), fds
    except ConnectionError:
        for fd in fds:
            os.close(fd)
        raise


def _fork(asked: Any, fds: list[int], sockets: list[socket.socket], pipes: list[int]) -> int:
    args, env, cwd = asked
    pid = os.fork()
    if pid == 0:
        signal.set_wakeup_fd(-1)
        for each in sockets:
            each.detach() if each.fileno() < 0 else os.close(each.detach())
        for pipe in pipes:
            os.close(pipe)
        raise _AskedError(args, env, cwd, fds)
    for fd in fds:
        os.close(fd)
    return pid


def _run(args: list[str], env: dict[str, str], cwd: str, fds: list[int]) -> NoReturn:
    """Run the command in this process, as if the process had started with this environment."""
    _take_over(env, cwd, fds)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if env.get("PYTHONWARNINGS") == "error":
        warnings.simplefilter("error")
    sys.stdin, sys.stdout, sys.stderr = _stream(0, "r"), _stream(1, "w"), _stream(2, "w")
    if args[:1] == ["-c"]:
        _run_text(args[1])
    sys.argv = [str(Path(sys.executable).with_name("lineage-tt")), *args]
    from lineage_tt.cli import main
    from lineage_tt.storage.failpoints import armed

    with armed(env.get("LINEAGE_FAILPOINT", "")):
        main()


def _run_text(text: str) -> NoReturn:
    """Run Python code in this process as ``python -c`` does."""
    main = sys.modules["__main__"] = types.ModuleType("__main__")
    sys.argv, sys.path[0] = ["-c"], ""
    exec(compile(text, "<string>", "exec"), main.__dict__)
    sys.exit()


def _work(args: list[str], env: dict[str, str], cwd: str, fds: list[int]) -> NoReturn:
    """Serve in this process, as a worker."""
    _take_over(env, cwd, fds[:3])
    sys.path[:] = json.loads(args[0])
    sys.argv = ["-c", args[0], str(fds[3])]
    from ingest.workers.serving import serve
    from lineage_tt.storage.failpoints import armed

    with armed(env.get("LINEAGE_FAILPOINT", "")):
        serve()
    os._exit(0)


def _take_over(env: dict[str, str], cwd: str, fds: list[int]) -> None:
    for number in (signal.SIGCHLD, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    time.tzset()
    for place, fd in enumerate(fds):
        os.dup2(fd, place)
        os.close(fd)


def _stream(fd: int, mode: str) -> Any:
    unbuffered = fd == 2
    errors = "backslashreplace" if unbuffered else "strict"
    buffering = 1 if mode == "w" and (unbuffered or os.isatty(fd)) else -1
    return open(fd, mode, buffering, encoding="utf-8", errors=errors, closefd=False)
