"""Trino's server archive, fetched once with Maven into a folder that git ignores, and the Java that runs it."""

from __future__ import annotations

import os
import re
import shutil
import tarfile
from pathlib import Path
from typing import Final

from scripts.server_lib.caching import fetched
from scripts.server_lib.maven import copied

TRINO: Final = "476"
CACHE: Final = Path(__file__).resolve().parents[2] / ".cache" / "trino" / TRINO
#: The plugins that are kept of some sixty.
PLUGINS: Final = ("http-event-listener", "iceberg", "kafka-event-listener", "memory", "openlineage", "tpch")
#: The oldest Java that this Trino runs on.
JAVA: Final = 24
_COPY: Final = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy"
_POM: Final = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>io.lineage-tt</groupId><artifactId>trino</artifactId><version>1</version>
</project>
"""
_JAVA_HOMES: Final = ("/usr/lib/jvm", "/opt", "/Library/Java/JavaVirtualMachines")


class NoTrinoError(RuntimeError):
    """A Trino server cannot be run here: Java or Maven is missing, or the archive cannot be fetched."""


def java() -> Path | None:
    """Return a Java that is new enough: ``$TRINO_JAVA_HOME``, that on the path, or an installed one; else None."""
    homes = [Path(home) for home in (os.environ.get("TRINO_JAVA_HOME"), os.environ.get("JAVA_HOME")) if home]
    if on_path := shutil.which("java"):
        homes.append(Path(on_path).resolve().parents[1])
    for folder in map(Path, _JAVA_HOMES):
        homes += sorted(folder.glob("*jdk*"), reverse=True) if folder.is_dir() else []
    return next((home / "bin" / "java" for home in homes if _release(home) >= JAVA), None)


def missing() -> str:
    """Say what is missing to run a server, nothing where all is there."""
    if java() is None:
        return f"Java {JAVA} or newer is not there: install a JDK to run Trino, or set TRINO_JAVA_HOME"
    if not (CACHE / "server").is_dir() and not shutil.which("mvn"):
        return "Maven is not there: install it to fetch Trino"
    return ""


def server() -> Path:
    """Return the folder of the unpacked server, fetched if need be (800 MB); NoTrinoError where that fails."""
    if reason := missing():
        raise NoTrinoError(reason)
    return fetched(CACHE, "server", _fetch)


def _fetch(target: Path) -> None:
    partial, archive = CACHE / "server.partial", CACHE / f"trino-server-{TRINO}.tar.gz"
    shutil.rmtree(partial, ignore_errors=True)
    wanted = _COPY, f"-Dartifact=io.trino:trino-server:{TRINO}:tar.gz", f"-DoutputDirectory={CACHE}"
    failure = copied(CACHE, _POM, *wanted, seconds=1200)
    if failure or not archive.is_file():
        raise NoTrinoError(f"Maven could not fetch Trino {TRINO}: {failure or 'its archive is missing'}")
    with tarfile.open(archive) as packed:
        packed.extraction_filter = getattr(tarfile, "data_filter", None)  # Python before 3.11.4 has none
        packed.extractall(partial)  # all of it: jars of one plugin are links to those of another
    (inside,) = partial.iterdir()
    for plugin in (inside / "plugin").iterdir():
        if plugin.name not in PLUGINS:
            shutil.rmtree(plugin)
    archive.unlink()
    inside.rename(target)
    partial.rmdir()


def _release(home: Path) -> int:
    try:
        text = (home / "release").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return 0
    match = re.search(r'^JAVA_VERSION="(\d+)', text, re.MULTILINE)
    return int(match[1]) if match and (home / "bin" / "java").exists() else 0
