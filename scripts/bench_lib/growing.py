"""How cost grows when work grows tenfold: import and ingest as run from the command line, names of one wide version.

Memory is the largest resident set of any one process of the command's tree, the JVM's included.
"""

from __future__ import annotations

import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import psutil

from bench_lib import machine
from bench_lib.history import SCALES, bench_folder, made_history

#: key → (what is asked, unit)
WANTED: Final = {
    "names_growth": ("≤ 11", "times"),
    "import_peak_mib": ("≤ 1536", "MiB"),
    "import_peak_ratio": ("≤ 1.2", "times"),
    "import_growth": ("≤ 11", "times"),
    "ingest_growth": ("≤ 11", "times"),
}
#: A tenth of each scale.
_TENTH: Final = {"tiny": 200, "S": SCALES["tiny"], "L": SCALES["S"]}
_WIDE: Final = (4_000, 40_000)
_ROUNDS: Final = 3


def measured(scale: str, tasks: int | None = None) -> dict[str, Any]:
    """Return the figures at a scale and at a tenth of it."""
    count = tasks or SCALES[scale]
    small = made_history(scale, max(100, count // 10) if tasks else _TENTH[scale])
    large = made_history(scale, count)
    result: dict[str, Any] = _names_growth()
    for command in ("ingest", "import"):
        seconds, peaks = [], []
        for history in (small, large):
            machine.tell(f"{command} of {history.facts['messages']:,} messages ...")
            spent, peak = _command(command, history.messages)
            seconds.append(spent)
            peaks.append(peak)
        result |= {
            f"{command}_growth": machine.rounded(seconds[1] / seconds[0]),
            f"{command}_s": machine.rounded(seconds[1]),
            f"{command}_tenth_s": machine.rounded(seconds[0]),
            f"{command}_peak_mib": max(peaks[1].values()),
            f"{command}_tenth_peak_mib": max(peaks[0].values()),
            f"{command}_peak_ratio": machine.rounded(max(peaks[1].values()) / max(peaks[0].values())),
            f"{command}_peaks_mib": peaks[1],
        }
    return result


def _command(command: str, messages: Path) -> tuple[float, dict[str, int]]:
    """Run a command on a file of messages; return seconds, and the peak of each kind of process in MiB."""
    with tempfile.TemporaryDirectory(dir=bench_folder()) as folder:
        words = [
            machine.cli(),
            command,
            str(messages),
            "--store",
            f"{folder}/store",
            "--system-time-from",
            "recorded_at",
        ]
        begun = time.perf_counter()
        running = psutil.Popen([*words, "--no-progress"], stdout=subprocess.DEVNULL)
        peaks: dict[str, int] = {}
        while running.poll() is None:
            for process in _tree(running):
                with suppress(psutil.Error):
                    kind = "driver" if process.pid == running.pid else process.name()
                    peaks[kind] = max(peaks.get(kind, 0), process.memory_info().rss >> 20)
            time.sleep(0.2)
        if running.returncode:
            raise subprocess.CalledProcessError(running.returncode, words)
        return time.perf_counter() - begun, peaks


def _tree(running: psutil.Popen) -> list[psutil.Process]:
    try:
        return [running, *running.children(recursive=True)]
    except psutil.Error:
        return []


def _names_growth() -> dict[str, Any]:
    """Measure how long the words of one version are looked for, with ten times the changes."""
    from lineage_tt.spark import compact_frames
    from lineage_tt.spark.session import spark_session

    spark = spark_session("local[2]")
    for name, value in compact_frames.SETTINGS.items():
        spark.conf.set(name, value)
    seconds = []
    for count in _WIDE:
        changes = (
            "named_struct('sign', 1Y, 'source', concat('n:a#', i), 'target', concat('n:b#', i), 'type', 'DIRECT', "
            "'subtype', 'TRANSFORMATION', 'expression', concat('f', i), 'valid_from', now(), 'valid_to', now())"
        )
        rows = spark.sql(
            f"SELECT id AS version, 't' AS task_id, transform(sequence(1, {count}), i -> {changes}) AS changes "
            "FROM range(8)"
        ).localCheckpoint()
        compact_frames.words_of(spark, rows).count()
        took = [machine.timed(lambda rows=rows: compact_frames.words_of(spark, rows).count()) for _ in range(_ROUNDS)]
        seconds.append(min(took))
    spark.stop()
    return {"names_growth": machine.rounded(seconds[1] / seconds[0]), "names_wide_s": machine.rounded(seconds[1])}
