"""Runs the service with uvicorn in one process; SIGTERM or Ctrl-C stops it within seconds."""

from __future__ import annotations

import gc
import logging
import os
import signal
import socket
import sys
import threading
import time
from typing import Any, Final

import uvicorn

from lineage_tt.api.app import create_app
from lineage_tt.api.browsing.operations import Operations
from lineage_tt.api.http.protocol import BoundedProtocol
from lineage_tt.api.intake import Receive
from lineage_tt.api.reads.reading import Reading
from lineage_tt.api.settings import Settings
from lineage_tt.impact.texts import Analyst
from lineage_tt.model.errors import UnavailableError
from lineage_tt.store import Store

#: Seconds for which a stopping service waits for answers in progress before it aborts them.
STOPPING: Final = 4
#: Seconds for which the process then waits for threads whose answers nobody needs.
_LEAVING: Final = 1.0
_LOGGING: Final[dict[str, Any]] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {"err": {"class": "logging.StreamHandler", "formatter": "plain", "stream": "ext://sys.stderr"}},
    "loggers": {
        "uvicorn": {"handlers": ["err"], "level": "WARNING", "propagate": False},
        "lineage_tt": {"handlers": ["err"], "level": "INFO", "propagate": False},
    },
}


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket; UnavailableError if the address is taken or does not belong to this machine."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listening = socket.socket(family)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(2048)
    except OSError as error:
        raise UnavailableError(
            f"cannot listen on {host} port {port}: {error.strerror or error}", hint="give another --port or --host"
        ) from None
    return listening


def serve(
    store: Store,
    settings: Settings,
    receive: Receive | None,
    listening: socket.socket,
    analyst: Analyst | None = None,
    reading: Reading | None = None,
    receive_events: Receive | None = None,
    operations: Operations | None = None,
) -> None:
    """Serve on a listening socket until the process is stopped."""
    app = create_app(
        store,
        settings=settings,
        receive=receive,
        analyst=analyst,
        reading=reading,
        receive_events=receive_events,
        operations=operations,
    )
    config = uvicorn.Config(
        app,
        http=BoundedProtocol,
        ws="none",
        lifespan="on",
        access_log=False,
        log_config=_LOGGING,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=STOPPING,
    )
    server = Server(config, app.state.service)
    signal.signal(signal.SIGTERM, _ended)
    # An answer is many small objects, few of them in cycles. With default thresholds, half of its time is collection.
    gc.set_threshold(100_000, 50, 100)
    server.run(sockets=[listening])
    logging.getLogger("lineage_tt.api").info("stopped")
    _leave()


def _leave() -> None:
    """End the process even if a thread is busy: nobody needs its answer, and acknowledged messages are on disk."""
    deadline = time.monotonic() + _LEAVING
    others = [t for t in threading.enumerate() if t is not threading.current_thread() and not t.daemon]
    for thread in others:
        thread.join(max(0.0, deadline - time.monotonic()))
    if any(thread.is_alive() for thread in others):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)


def _ended(number: int, frame: Any) -> None:
    """Ignore the SIGTERM that uvicorn raises again after it has stopped, so that the process ends with status 0."""


class Server(uvicorn.Server):
    """A server that notifies the service as soon as it must stop, so that event streams end."""

    def __init__(self, config: uvicorn.Config, service: Any) -> None:
        super().__init__(config)
        self._service = service

    def handle_exit(self, sig: int, frame: Any) -> None:
        """Notify the service, then handle the signal."""
        self._service.stop_soon()
        super().handle_exit(sig, frame)
