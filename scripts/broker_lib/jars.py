"""Kafka's own jars, fetched once with Maven into a folder that git ignores; ~/.m2 is neither read nor written."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

from scripts.server_lib.caching import fetched
from scripts.server_lib.maven import copied

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
    return fetched(CACHE, "jars", _fetch)


def _fetch(target: Path) -> None:
    partial = CACHE / "jars.partial"
    shutil.rmtree(partial, ignore_errors=True)
    wanted = _COPY, "-DincludeScope=runtime", f"-DoutputDirectory={partial}"
    failure = copied(CACHE, _POM, *wanted, seconds=600)
    if failure or not list(partial.glob(f"kafka_2.13-{KAFKA}.jar")):
        raise NoBrokerError(f"Maven could not fetch Kafka {KAFKA}: {failure or 'its jar is missing'}")
    partial.rename(target)
