"""One broker, in KRaft mode: started, killed and started again on the same ports and data."""

from __future__ import annotations

import fcntl
import shutil
import socket
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Self

from scripts.broker_lib.jars import CACHE, NoBrokerError, jars
from scripts.server_lib.process import ServerProcess, free_port

HEAP_MB: Final = 384
START_LIMIT: Final = 90.0
_CLUSTER: Final = "lineage-tt-tests-cluster"
_DEFAULTS: Final = {
    "process.roles": "broker,controller",
    "node.id": "1",
    "controller.listener.names": "CONTROLLER",
    "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT",
    "auto.create.topics.enable": "false",
    "num.partitions": "1",
    "default.replication.factor": "1",
    "offsets.topic.replication.factor": "1",
    "offsets.topic.num.partitions": "1",
    "transaction.state.log.replication.factor": "1",
    "transaction.state.log.min.isr": "1",
    "transaction.state.log.num.partitions": "1",
    "share.coordinator.state.topic.replication.factor": "1",
    "share.coordinator.state.topic.min.isr": "1",
    "group.initial.rebalance.delay.ms": "0",
    "broker.session.timeout.ms": "1000",  # a killed broker is let in again only after it
    "broker.heartbeat.interval.ms": "250",
    "group.min.session.timeout.ms": "1000",
    "log.retention.check.interval.ms": "500",
    "log.initial.task.delay.ms": "500",
    "log.segment.delete.delay.ms": "100",
    "num.network.threads": "2",
    "num.io.threads": "4",
    "background.threads": "2",
}
_JAVA: Final = [
    "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-XX:+ExitOnOutOfMemoryError",
    "-XX:-UsePerfData",  # a killed JVM would leave its file of figures
]  # fmt: skip


class Broker(ServerProcess):
    """A single-node Kafka in a folder: ``with Broker(folder) as broker: ... broker.address``.

    ``advertised`` is the address it tells its clients, if that is not its own (a proxy's); ``extra_listeners`` are
    further names and ports, whose protocols the properties give.
    """

    def __init__(
        self,
        folder: Path,
        properties: Mapping[str, str] | None = None,
        *,
        port: int = 0,
        advertised: str = "",
        extra_listeners: Mapping[str, int] | None = None,
    ) -> None:
        super().__init__(folder, port)
        self._advertised = advertised
        self._extra = dict(extra_listeners or {})
        self._controller = free_port()
        self._given = dict(properties or {})

    def start(self) -> Self:
        """Start the broker, on the data that is there if it ran before; return when it takes requests."""
        found = jars()
        settings = self._write_settings()
        self._format(found, settings)
        (self.folder / "tmp").mkdir(exist_ok=True)
        self._run([*_java(found, HEAP_MB, f"-Djava.io.tmpdir={self.folder / 'tmp'}"), "kafka.Kafka", str(settings)])
        self._await()
        return self

    def _write_settings(self) -> Path:
        self.folder.mkdir(parents=True, exist_ok=True)
        extra = "".join(f",{name}://127.0.0.1:{port}" for name, port in self._extra.items())
        listeners = f"PLAINTEXT://{self.address},CONTROLLER://127.0.0.1:{self._controller}{extra}"
        settings = _DEFAULTS | {
            "listeners": listeners,
            "advertised.listeners": f"PLAINTEXT://{self._advertised or self.address}{extra}",
            "controller.quorum.voters": f"1@127.0.0.1:{self._controller}",
            "log.dirs": str(self.folder / "data"),
        }
        path = self.folder / "server.properties"
        lines = [f"{name}={value}\n" for name, value in (settings | self._given).items()]
        path.write_text("".join(lines), encoding="utf-8")
        return path

    def _format(self, found: Path, settings: Path) -> None:
        """Make the data folder; formatting takes a Java process of its own, so its result is kept for the next time."""
        data, template = self.folder / "data", CACHE / "formatted"
        if data.is_dir():
            return
        with (CACHE / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not template.is_dir():
                tool = ["kafka.tools.StorageTool", "format", "-t", _CLUSTER[:22], "-c", str(settings)]
                done = subprocess.run([*_java(found, 128), *tool], capture_output=True, text=True, check=False)
                if done.returncode:
                    raise NoBrokerError(f"the data folder could not be formatted: {done.stdout}{done.stderr}")
                shutil.copytree(data, CACHE / "formatted.partial", dirs_exist_ok=True)
                (CACHE / "formatted.partial").rename(template)
        shutil.copytree(template, data, dirs_exist_ok=True)

    def _await(self) -> None:
        """Wait until the broker answers; its port opens only when it has joined its own cluster."""
        deadline = time.monotonic() + START_LIMIT
        while time.monotonic() < deadline:
            if not self.running:
                raise NoBrokerError(f"the broker ended at once: {self._last_words()}")
            with socket.socket() as trial:
                trial.settimeout(0.5)
                if trial.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        raise NoBrokerError(f"the broker did not start in {START_LIMIT:.0f} s: {self._last_words()}")


def _java(found: Path, heap_mb: int, *options: str) -> list[str]:
    return ["java", f"-Xmx{heap_mb}m", f"-Xms{min(heap_mb, 128)}m", *_JAVA, *options, "-cp", f"{found}/*"]
