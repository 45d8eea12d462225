"""One Trino server, coordinator and worker in one process, on loopback."""

from __future__ import annotations

import json
import time
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Self
from urllib.error import URLError

from scripts.server_lib.process import ServerProcess
from scripts.trino_lib.files import NoTrinoError, java, server

START_LIMIT: Final = 240.0
_JAVA: Final = [
    "-Xmx1G", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:+ExitOnOutOfMemoryError", "-XX:-UsePerfData",
    "-Djdk.attach.allowAttachSelf=true", "-Dlog.enable-console=true", "-Dfile.encoding=UTF-8",
    "--add-modules=jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED",
    "--add-opens=java.base/java.nio=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow",
]  # fmt: skip


class QueryFailedError(RuntimeError):
    """Trino refused a statement, or it failed."""


class Trino(ServerProcess):
    """A server with the catalogs ``memory``, ``tpch`` and ``lake`` (Iceberg): ``with Trino(folder) as trino: ...``.

    ``listeners`` are the properties of event listeners, by any name.
    """

    def __init__(self, folder: Path, listeners: Mapping[str, Mapping[str, str]] | None = None) -> None:
        super().__init__(folder)
        self._listeners = dict(listeners or {})

    @property
    def uri(self) -> str:
        """Where it takes statements."""
        return f"http://{self.address}"

    def start(self) -> Self:
        """Start the server; return when it runs statements."""
        home, runs_on = server(), java()
        etc = self._write_settings(home)
        settings = {
            "config": etc / "config.properties", "node.environment": "test", "node.id": "one",
            "node.data-dir": self.folder / "data", "node.bind-ip": "127.0.0.1", "node.internal-address": "127.0.0.1",
            "java.io.tmpdir": self.folder / "tmp",
        }  # fmt: skip
        given = [f"-D{name}={value}" for name, value in settings.items()]
        self._run([str(runs_on), *_JAVA, *given, "-cp", f"{home / 'lib'}/*", "io.trino.server.TrinoServer"])
        self._await()
        return self

    def kill(self) -> None:
        """End the server as a power cut does, and remove the socket of a JVM that attaches to itself."""
        super().kill()
        if self._process is not None:
            Path(f"/tmp/.java_pid{self._process.pid}").unlink(missing_ok=True)

    def query(
        self, sql: str, *, catalog: str = "memory", schema: str = "default", source: str = "", tags: str = "",
        user: str = "test",
    ) -> list[list[Any]]:  # fmt: skip
        """Run a statement and return its rows; QueryFailedError with the reason where it fails."""
        headers = {"X-Trino-User": user, "X-Trino-Catalog": catalog, "X-Trino-Schema": schema}
        headers |= {name: value for name, value in (("X-Trino-Source", source), ("X-Trino-Client-Tags", tags)) if value}
        answer = _asked(urllib.request.Request(f"{self.uri}/v1/statement", sql.encode(), headers, method="POST"))
        rows: list[list[Any]] = []
        while True:
            rows += answer.get("data") or []
            if "error" in answer:
                raise QueryFailedError(answer["error"].get("message", "no reason given"))
            if "nextUri" not in answer:
                return rows
            answer = _asked(urllib.request.Request(answer["nextUri"], headers={"X-Trino-User": user}))

    def _write_settings(self, home: Path) -> Path:
        etc = self.folder / "etc"
        (etc / "catalog").mkdir(parents=True, exist_ok=True)
        (self.folder / "tmp").mkdir(exist_ok=True)
        for name, properties in self._listeners.items():
            _write(etc / f"{name}.properties", properties)
        listeners = ",".join(str(etc / f"{name}.properties") for name in self._listeners)
        config = {
            "coordinator": "true", "node-scheduler.include-coordinator": "true",
            "http-server.http.port": str(self.port),
            "discovery.uri": self.uri, "query.max-memory": "400MB", "query.max-memory-per-node": "300MB",
            "memory.heap-headroom-per-node": "200MB", "catalog.config-dir": str(etc / "catalog"),
            "plugin.dir": str(home / "plugin"), "catalog.management": "static",
            "http-server.log.enabled": "false",
        }  # fmt: skip
        _write(etc / "config.properties", config | ({"event-listener.config-files": listeners} if listeners else {}))
        _write(etc / "catalog" / "memory.properties", {"connector.name": "memory"})
        _write(etc / "catalog" / "tpch.properties", {"connector.name": "tpch"})
        lake = {
            "connector.name": "iceberg", "iceberg.catalog.type": "TESTING_FILE_METASTORE",
            "hive.metastore.catalog.dir": "local:///lake", "local.location": str(self.folder / "files"),
            "fs.native-local.enabled": "true", "iceberg.security": "allow-all",
        }  # fmt: skip
        (self.folder / "files" / "lake").mkdir(parents=True, exist_ok=True)
        _write(etc / "catalog" / "lake.properties", lake)
        return etc

    def _await(self) -> None:
        deadline = time.monotonic() + START_LIMIT
        while time.monotonic() < deadline:
            if not self.running:
                raise NoTrinoError(f"Trino ended at once: {self._last_words()}")
            try:
                if not _asked(urllib.request.Request(f"{self.uri}/v1/info"))["starting"]:
                    # A statement that a node must run: one of values alone runs before any node is announced.
                    self.query("SELECT count(*) FROM tpch.tiny.region")
                    return
            except (URLError, OSError, QueryFailedError):
                pass  # not yet
            time.sleep(0.2)
        raise NoTrinoError(f"Trino did not start within {START_LIMIT:.0f} s: {self._last_words()}")


def _asked(request: urllib.request.Request) -> Any:
    with urllib.request.urlopen(request, timeout=300) as answer:
        return json.load(answer)


def _write(path: Path, properties: Mapping[str, str]) -> None:
    path.write_text("".join(f"{name}={value}\n" for name, value in properties.items()), encoding="utf-8")
