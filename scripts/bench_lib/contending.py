"""Ten writers at one store: what they get done together, and how long any of them has to wait.

``ten_writers_ratio`` compares them with one writer that does the same: one process makes the same appends and
compactions in the order in which those of the ten ended, at a store of its own. The ratio is the time that it takes,
without the making of messages, over the time that the ten took up to the same operation. ``worst_wait_ratio`` is the
longest that an append, or the commit of a compaction, took beyond what it takes alone, in times of that; alone it is
measured on the same machine, each kind of writer for itself. ``ten_writers_alone_worst`` is the same for those runs of
one writer: this part is due to the machine.

``worst_turn_wait_ratio`` asks whether the queue is fair, on the machine as it is with ten writers: the longest that an
operation waited in the queue, in times of what the median one of its kind worked in the same run, between processes
that share the same processors and disk. What makes its own work slow (a history that is read, a slow disk, a processor
that another has) is in ``worst_wait_ratio`` and not here.

``worst_apart_ratio`` is the machine's floor: the same ten at once, each at a store of its own, so that none waits for
another one but for the processors and the disk. The longest that any operation took beyond what it takes alone, as in
``worst_wait_ratio``. Of that no queue and no shared commit takes anything away.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson

from bench_lib import machine
from lineage_tt import Store
from lineage_tt.maintenance.check import check

MIX = [*["single"] * 5, *["batch"] * 3, "import", "compaction"]
KINDS = ("single", "batch", "import", "compaction")
#: The longest that the one writer works, in seconds.
MAX_REPEATED_SECONDS = 120.0


def measured(work: Path, seconds: float) -> dict[str, Any]:
    """Measure each kind alone for a tenth of the time, then ten for ``seconds``, then one at the same."""
    alone: dict[str, list[float]] = {}
    for kind in KINDS:
        machine.tell(f"ten writers: {kind} alone ...")
        run = together(work / f"alone-{kind}", [kind], max(seconds / 10, 2.0))[0]
        alone[kind] = [operation["took"] for operation in run["operations"]]
    own = {kind: statistics.median(took) for kind, took in alone.items()}
    machine.tell(f"ten writers for {seconds:.0f} s ...")
    runs = together(work / "ten", MIX, seconds)
    machine.tell(f"ten writers, each at a store of its own, for {seconds:.0f} s ...")
    apart = _waits(together(work / "apart", MIX, seconds, shared=False), own)
    machine.tell("one writer at the same ...")
    done = {kind: [each for run in runs for each in run["operations"] if run["kind"] == kind] for kind in KINDS}
    waits = _waits(runs, own)
    beside = {
        kind: statistics.median(each["took"] - each["queued"] for each in operations)
        for kind, operations in done.items() if operations
    }  # fmt: skip
    turns = {kind: [each["queued"] / beside[kind] for each in operations] for kind, operations in done.items()}
    return {
        "ten_writers_ratio": machine.rounded(_ratio(runs, work / "one", seconds)),
        "worst_wait_ratio": machine.rounded(max(map(max, waits.values()))),
        "worst_apart_ratio": machine.rounded(max(map(max, apart.values()))),
        "worst_turn_wait_ratio": machine.rounded(max(max(each) for each in turns.values() if each)),
        "ten_writers_turn_waits": {kind: _spread(each) for kind, each in turns.items() if each},
        "ten_writers_beside_ms": {kind: machine.rounded(worked * 1000) for kind, worked in beside.items()},
        "ten_writers_waits": {kind: _spread(each) for kind, each in waits.items()},
        "ten_writers_apart_waits": {kind: _spread(each) for kind, each in apart.items()},
        "ten_writers_alone_ms": {kind: machine.rounded(took * 1000) for kind, took in own.items()},
        "ten_writers_alone_worst": {kind: machine.rounded(_wait(max(alone[kind]), own[kind])) for kind in KINDS},
        "ten_writers_messages": sum(run["messages"] for run in runs),
    }


def _waits(runs: Sequence[dict[str, Any]], own: dict[str, float]) -> dict[str, list[float]]:
    """Return by kind how long each operation waited beyond what it takes alone, in times of that."""
    took: dict[str, list[float]] = {}
    for run in runs:
        for each in run["operations"]:
            took.setdefault(run["kind"], []).append(_wait(each["took"], own[run["kind"]]))
    return {kind: took[kind] for kind in KINDS if kind in took}


def _wait(took: float, own: float) -> float:
    return (took - own) / own


def _spread(ratios: Sequence[float]) -> dict[str, float]:
    ordered = sorted(ratios)
    at = {"median": 0.5, "p99": 0.99, "worst": 1.0}
    return {name: machine.rounded(ordered[min(int(len(ordered) * p), len(ordered) - 1)]) for name, p in at.items()}


def _ratio(runs: Sequence[dict[str, Any]], folder: Path, seconds: float) -> float:
    """Return how long one writer takes for what ten did, over the time that they took."""
    done = sorted((each["ended"], run["kind"], run["me"]) for run in runs for each in run["operations"])
    writers = [[run["kind"], run["me"]] for run in runs]
    asked = {"writers": writers, "order": [[kind, me] for _, kind, me in done]}
    Store.create(folder)
    process = _started("repeat", str(folder), str(min(seconds, MAX_REPEATED_SECONDS)))
    try:
        answer, _ = process.communicate(orjson.dumps(asked).decode(), timeout=seconds * 4 + machine.LIMIT)
    finally:
        process.kill()
        process.wait()
    one = orjson.loads(answer)
    return float(one["spent"] / (done[one["count"] - 1][0] - min(run["begun"] for run in runs)))


def _started(*arguments: str) -> subprocess.Popen[str]:
    here = Path(__file__).resolve().parents[1]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(here), str(here.parent)])}
    return subprocess.Popen(
        [sys.executable, "-m", "bench_lib.contender", *arguments],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment,
    )  # fmt: skip


def together(folder: Path, kinds: Sequence[str], seconds: float, *, shared: bool = True) -> list[dict[str, Any]]:
    """Run writers of these kinds at one new store, or each at one of its own; SystemExit where messages are lost."""
    folders = [folder if shared else folder / f"w{number}" for number in range(len(kinds))]
    for each in dict.fromkeys(folders):
        Store.create(each)
    processes = [_started(kind, str(folders[n]), f"w{n}", str(seconds)) for n, kind in enumerate(kinds)]
    try:
        runs = _run(processes, seconds)
    finally:
        for process in processes:
            process.kill()
            process.wait()
    sent = Counter[Path]()
    for at, run in zip(folders, runs, strict=True):
        sent[at] += run["messages"] + run["warm"]
    for at, messages in sent.items():
        _assert_whole(at, messages)
    return runs


def _run(processes: Sequence[subprocess.Popen[str]], seconds: float) -> list[dict[str, Any]]:
    for process in processes:
        assert process.stdout is not None
        if process.stdout.readline() != "ready\n":
            raise SystemExit("a writer did not begin")
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    return [orjson.loads(process.communicate(timeout=seconds * 2 + machine.LIMIT)[0]) for process in processes]


def _assert_whole(folder: Path, sent: int) -> None:
    store = Store.open(folder)
    events = store.sql("SELECT count(*), count(DISTINCT (task_id, event_id)) FROM log")[1][0]
    damage = [finding.message for finding in check(folder) if finding.kind == "damage"]
    if tuple(events) != (sent, sent) or damage:
        raise SystemExit(f"of {sent} messages {events} are in the log; {damage}")
