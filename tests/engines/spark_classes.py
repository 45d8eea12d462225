"""Archives the classes of Spark for its JVMs: loading them takes half of the time of a short Spark process.

``scripts/test`` makes the archive (Java's application class-data sharing) once for each checkout, while the tests run,
and every Spark that a test starts afterwards uses it. Run as a script, this file makes the archive if it is missing.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from lineage_tt.spark.session import java, spark_session

ROOT = Path(__file__).resolve().parents[2]
OPTIONS = "SPARK_SUBMIT_OPTS"
#: Spark runs only for seconds in a test: optimizing its code would take a third of the time without a benefit.
QUICK = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")


def archive() -> Path | None:
    """Return the path of the archive for this Java and this pyspark; None if one of them is missing."""
    executable, pyspark = java(), importlib.util.find_spec("pyspark")
    if executable is None or pyspark is None or pyspark.origin is None:
        return None
    known = [Path(executable).resolve(), Path(pyspark.origin).with_name("jars")]
    key = hashlib.sha256(repr([(str(path), path.stat().st_mtime_ns) for path in known]).encode()).hexdigest()
    return ROOT / ".cache" / f"spark-{key[:16]}.jsa"


_archive = archive()
_option = f"-XX:SharedArchiveFile={_archive}"


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Let each Spark that the test starts use the archive, if it exists."""
    options = os.environ.get(OPTIONS, "")
    if _archive is not None and _option not in options and _archive.exists():
        os.environ[OPTIONS] = f"{options} {shlex.quote(_option)}".strip()


def make(path: Path) -> None:
    """Make the archive of the classes that an import, a stream and a compaction load."""
    path.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent) as name:
        folder = Path(name)
        options = [f"-Djava.io.tmpdir={folder}", f"-XX:ArchiveClassesAtExit={folder / path.name}", *QUICK]
        os.environ[OPTIONS] = shlex.join(options)
        done = subprocess.run([sys.executable, __file__, str(folder)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode:
            sys.exit(f"the classes of Spark could not be archived: {done.stdout.decode()}")
        (folder / path.name).replace(path)


def load(folder: Path) -> int:
    """Run the commands in one Spark, and wait for its end, at which Java writes the archive."""
    from pyspark import SparkContext

    from lineage_tt.cli.app import run

    sample = ROOT / "lineage_tt" / "sample"
    store = ["--store", str(folder / "store"), "--no-progress"]
    shutil.copytree(sample, folder / "incoming", ignore=shutil.ignore_patterns("*.toml"))
    failed = (
        run(["import", str(sample / "retail.jsonl"), "--system-time-from", "recorded_at", *store])
        or run(["stream", str(folder / "incoming"), "--until-end", *store])
        or run(["compact", "--full", *store])
    )
    gateway = SparkContext._gateway
    assert gateway is not None
    spark_session().stop()
    process = gateway.proc
    process.stdin.close()
    return failed or process.wait(240)


if __name__ == "__main__":
    if sys.argv[1:]:
        sys.exit(load(Path(sys.argv[1])))
    if _archive is not None and not _archive.exists():
        make(_archive)
