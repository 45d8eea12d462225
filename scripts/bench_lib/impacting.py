"""The impact diff measured: one changed task and four hundred, against a store and against a server."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench_lib import machine
from bench_lib.history import ROOT, History
from ingest.pipeline import Ingester
from lineage_tt.store import Store

WANTED = {
    "one_task_s": ("≤ 1.5", "s"),
    "one_task_server_s": ("≤ 0.6", "s"),
    "tasks400_s": ("≤ 10", "s"),
}
RUNS = 5
MANY = 400


def measured(history: History, work: Path) -> dict[str, Any]:
    """Measure fresh processes of ``lineage-tt impact`` over a history."""
    machine.tell("ingesting ...")
    store = Store.create(work / "store")
    with Ingester(store, system_times="recorded_at") as ingester:
        ingester.ingest_file(str(history.messages))
    ((at,),) = store.fetch("SELECT strftime(max(effective_at), '%Y-%m-%dT%H:%M:%SZ') FROM log")
    changed = list(_changed(store, at, MANY))
    one, many = work / "one.json", work / "many.json"
    one.write_text(json.dumps(changed[:1]))
    many.write_text(json.dumps(changed))
    machine.tell("one changed task, a fresh process ...")
    result: dict[str, Any] = {"one_task_s": _runs(one, str(work / "store"), at, RUNS)}
    machine.tell(f"{len(changed)} changed tasks ...")
    result["tasks400_s"] = _runs(many, str(work / "store"), at, 3)
    result["changed_tasks"] = len(changed)
    machine.tell("one changed task, against a server ...")
    with _served(work / "store") as url:
        result["one_task_server_s"] = _runs(one, url, at, RUNS)
        result["server_answer_s"] = machine.median([_answer(url, changed[:1], at) for _ in range(RUNS)])
    return result


def _changed(store: Store, at: str, count: int) -> Iterator[dict[str, Any]]:
    """Yield candidates: tasks drawn over the whole range, each without one of its target columns and with a new one."""
    rows = store.fetch(
        "SELECT task_id, list((source, target) ORDER BY source, target) FROM edges_as_of($at::TIMESTAMPTZ) "
        "GROUP BY task_id HAVING count(*) >= 6 ORDER BY hash(task_id) LIMIT $count",
        at=at,
        count=count,
    )
    for task, edges in rows:
        gone = edges[0][1]
        kept = [{"source": source, "target": target} for source, target in edges if target != gone]
        fresh = {"source": edges[-1][0], "target": f"{gone.partition('#')[0]}#added"}
        yield {"task_id": task, "edges": [*kept, fresh]}


def _runs(given: Path, base: str, at: str, runs: int) -> float:
    """Return the median time of a fresh process from its start to its end."""
    command = [machine.cli(), "impact", "-", "--store", base, "--effective-at", at, "--format", "json"]
    times = []
    for _ in range(runs):
        with given.open("rb") as stdin:
            begun = time.perf_counter()
            done = subprocess.run(command, stdin=stdin, capture_output=True, check=False)
            times.append(time.perf_counter() - begun)
        if done.returncode:
            raise SystemExit(done.stderr.decode())
        result = json.loads(done.stdout)["result"]
        if not result["counts"]["tasks"] or not result["counts"]["readers"]:
            raise SystemExit(f"nothing to find in {given.name}: the figures mean nothing")
    return machine.median(times)


@contextmanager
def _served(folder: Path) -> Iterator[str]:
    """Yield the address of a service over a store, once it is at full speed."""
    command = [machine.cli(), "serve", "--store", str(folder), "--port", "0", "--read-only"]
    with (
        tempfile.TemporaryFile() as errors,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=errors, text=True, cwd=ROOT, env=os.environ
        ) as process,
    ):
        assert process.stdout is not None
        match = re.search(r"http://\S+", process.stdout.readline())
        if not match:
            raise SystemExit("the service did not start")
        while not _is_ready(match.group()):
            time.sleep(0.2)
        try:
            yield match.group()
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(30)


def _is_ready(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/readyz", timeout=60) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def _answer(url: str, candidates: list[dict[str, Any]], at: str) -> float:
    """Return the seconds of the service's own answer, without a process of the command line around it."""
    body = json.dumps({"candidates": candidates, "effective_at": at}).encode()
    request = urllib.request.Request(f"{url}/v1/impact", body, {"Content-Type": "application/json"})
    begun = time.perf_counter()
    with urllib.request.urlopen(request, timeout=120) as answer:
        json.loads(answer.read())
    return time.perf_counter() - begun


if __name__ == "__main__":
    sys.exit("run scripts/bench impact")
