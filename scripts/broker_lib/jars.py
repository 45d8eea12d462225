"""Kafka's own jars, fetched once with Maven into a folder that git ignores; ~/.m2 is neither read nor written."""

from __future__ import annotations

import fcntl
import shutil
import subprocess
from pathlib import Path
from typing import Final

KAFKA: Final = "4.1.1"
CACHE: Final = Path(__file__).resolve().parents[2] / ".cache" / "kafka" / KAFKA
_COPY: Final = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"
_POM: Final = f"""<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>io.lineage-tt</groupId><artifactId>broker</artifactId><version>1</version>
  <dependencies><dependency>
    <groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>{KAFKA}</version>
  </dependency></dependencies>
</project>
"""


class NoBrokerError(RuntimeError):
    """A broker cannot be run here: Java or Maven is missing, or the jars cannot be fetched."""


def missing() -> str:
    """Say what is missing to run a broker, nothing where all is there."""
    if not shutil.which("java"):
        return "Java 17 is not there: install a JRE to run a Kafka broker"
    if not (CACHE / "jars").is_dir() and not shutil.which("mvn"):
        return "Maven is not there: install it to fetch Kafka's jars"
    return ""


def jars() -> Path:
    """Return the folder of Kafka's jars, fetched if need be; NoBrokerError where that fails."""
    if reason := missing():
        raise NoBrokerError(reason)
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # several test processes want it at once
        result = CACHE / "jars"
        if not result.is_dir():
            _fetch(result)
    return result


def _fetch(target: Path) -> None:
    pom, partial = CACHE / "pom.xml", CACHE / "jars.partial"
    pom.write_text(_POM, encoding="utf-8")
    shutil.rmtree(partial, ignore_errors=True)
    # A repository of its own: the user's (~/.m2) may hold poms that are not those of the central repository.
    command = [
        "mvn", "-q", "-B", "-f", str(pom), f"-Dmaven.repo.local={CACHE / 'repository'}",
        _COPY, "-DincludeScope=runtime", f"-DoutputDirectory={partial}",
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode or not list(partial.glob(f"kafka_2.13-{KAFKA}.jar")):
        raise NoBrokerError(f"Maven could not fetch Kafka {KAFKA}: {(done.stdout + done.stderr)[-2000:]}")
    partial.rename(target)
    shutil.rmtree(CACHE / "repository", ignore_errors=True)  # every jar is copied
