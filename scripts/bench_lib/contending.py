"""Ten writers at one store: what they get done together, and how long any of them has to wait.

``ten_writers_ratio`` is the time that one writer alone would have taken for what ten did together, over the time
that they took. ``worst_wait_ratio`` is the longest that an append took beyond what it takes alone, in times of that;
alone it is measured on the same machine, each kind of writer for itself.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson

from bench_lib import machine
from lineage_tt import Store
from lineage_tt.maintenance.check import check

MIX = [*["single"] * 5, *["batch"] * 3, "import", "compaction"]
KINDS = ("single", "batch", "import", "compaction")


def measured(work: Path, seconds: float) -> dict[str, Any]:
    """Measure each kind alone for a tenth of the time, then ten for ``seconds``."""
    alone = {}
    for kind in KINDS:
        machine.tell(f"ten writers: {kind} alone ...")
        run = together(work / f"alone-{kind}", [kind], max(seconds / 10, 2.0))[0]
        alone[kind] = statistics.median(run["seconds"])
    machine.tell(f"ten writers for {seconds:.0f} s ...")
    runs = together(work / "ten", MIX, seconds)
    over = max(run["over"] for run in runs)
    done = sum(len(run["seconds"]) * alone[run["kind"]] for run in runs)
    waits: dict[str, list[float]] = {kind: [] for kind in KINDS}
    for run in runs:
        waits[run["kind"]] += [(took - alone[run["kind"]]) / alone[run["kind"]] for took in run["seconds"]]
    return {
        "ten_writers_ratio": machine.rounded(done / over),
        "worst_wait_ratio": machine.rounded(max(max(each) for each in waits.values() if each)),
        "ten_writers_waits": {kind: _spread(each) for kind, each in waits.items() if each},
        "ten_writers_alone_ms": {kind: machine.rounded(spent * 1000) for kind, spent in alone.items()},
        "ten_writers_messages": sum(run["messages"] for run in runs),
    }


def _spread(ratios: Sequence[float]) -> dict[str, float]:
    ordered = sorted(ratios)
    at = {"median": 0.5, "p99": 0.99, "worst": 1.0}
    return {name: machine.rounded(ordered[min(int(len(ordered) * p), len(ordered) - 1)]) for name, p in at.items()}


def together(folder: Path, kinds: Sequence[str], seconds: float) -> list[dict[str, Any]]:
    """Run writers of these kinds at one new store; SystemExit where messages are lost."""
    Store.create(folder)
    here = Path(__file__).resolve().parents[1]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(here), str(here.parent)])}
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "bench_lib.contender", kind, str(folder), f"w{number}", str(seconds)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment,
        )
        for number, kind in enumerate(kinds)
    ]  # fmt: skip
    try:
        return _run(processes, folder, seconds)
    finally:
        for process in processes:
            process.kill()
            process.wait()


def _run(processes: Sequence[subprocess.Popen[str]], folder: Path, seconds: float) -> list[dict[str, Any]]:
    for process in processes:
        assert process.stdout is not None
        if process.stdout.readline() != "ready\n":
            raise SystemExit("a writer did not begin")
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    runs = [orjson.loads(process.communicate(timeout=seconds * 2 + machine.LIMIT)[0]) for process in processes]
    sent = sum(run["messages"] + run["warm"] for run in runs)
    store = Store.open(folder)
    events = store.sql("SELECT count(*), count(DISTINCT (task_id, event_id)) FROM log")[1][0]
    damage = [finding.message for finding in check(folder) if finding.kind == "damage"]
    if tuple(events) != (sent, sent) or damage:
        raise SystemExit(f"of {sent} messages {events} are in the log; {damage}")
    return runs
