"""A proxy for a broker that can drop its replies, so that a client gets no acknowledgement of what it wrote."""

from __future__ import annotations

import contextlib
import socket
import threading

from scripts.server_lib.process import free_port


class LossyProxy:
    """Forwards connections from ``port`` to the broker at ``to``; drops the broker's replies if ``losing`` is true."""

    def __init__(self) -> None:
        self.port = free_port()
        self.to = 0
        self.losing = False
        self.lost = 0
        self._open: set[socket.socket] = set()
        self._listener = socket.create_server(("127.0.0.1", self.port))
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def address(self) -> str:
        """The address for clients."""
        return f"127.0.0.1:{self.port}"

    def cut(self) -> None:
        """Close all connections, as after a network failure."""
        for each in list(self._open):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Stop listening and close all connections."""
        self._listener.close()
        self.cut()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
                broker = socket.create_connection(("127.0.0.1", self.to))
            except OSError:
                if self._listener.fileno() < 0:
                    return
                continue
            self._open |= {client, broker}
            threading.Thread(target=self._pump, args=(client, broker, False), daemon=True).start()
            threading.Thread(target=self._pump, args=(broker, client, True), daemon=True).start()

    def _pump(self, source: socket.socket, target: socket.socket, reply: bool) -> None:
        try:
            while data := source.recv(65536):
                if reply and self.losing:
                    self.lost += 1
                else:
                    target.sendall(data)
        except OSError:
            pass
        for each in (source, target):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
            self._open.discard(each)
