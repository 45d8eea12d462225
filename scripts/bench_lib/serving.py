"""The service measured over HTTP on loopback: one client, sixteen clients, a batch, what another process committed."""

from __future__ import annotations

import asyncio
import json
import random
import shutil
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx

from bench_lib import machine
from bench_lib.history import History
from ingest.messages.native import parse_message
from lineage_tt.model.times import format_instant
from lineage_tt.store import Store
from lineage_tt.testing import task_change

#: key → (what is asked, unit)
WANTED = {
    "http_ms_p50": ("≤ 3", "ms"),
    "http_ms_p99": ("", "ms"),
    "http_hot_ms_p50": ("", "ms"),
    "http_answers_per_s": ("≥ 500", "answers/s"),
    "http_ms_p50_of_16": ("", "ms"),
    "batch_ms": ("≤ 60", "ms"),
    "batch_with_edges_ms": ("", "ms"),
    "freshness_ms": ("≤ 200", "ms"),
    "freshness_p99_ms": ("", "ms"),
    "listening_s": ("", "s"),
    "first_answer_s": ("≤ 1", "s"),
    "first_answer_behind_listening_s": ("", "s"),
    "full_speed_s": ("≤ 15 (L)", "s"),
    "ready_s": ("≤ 15 (L)", "s"),
    "service_rss_mib": ("", "MiB"),
}
CLIENTS = 16
HOPS = 3
SEED = 7


def measured(history: History, work: Path, *, seconds: float = 5.0, questions: int = 1000) -> dict[str, Any]:
    """Measure a service over the history's store in ``work``."""
    store = Store.open(work / "store")
    nodes, hot, (first, last) = _nodes(store)
    draw = random.Random(SEED)
    result: dict[str, Any] = {"http_seed": SEED, "http_nodes": len(nodes)}
    with _served(work, nodes[0]) as (base, started):
        result |= started
        machine.tell("one client ...")
        asked = [_question(draw.choice(nodes), draw.randint(first, last)) for _ in range(questions)]
        spent, sizes = asyncio.run(_ask(base, [asked]))
        result |= {"http_ms_p50": machine.median(spent), "http_ms_p99": _p99(spent)}
        result["http_bytes_p50"] = statistics.median(sizes)
        spent, sizes = asyncio.run(
            _ask(base, [[_question(draw.choice(hot), draw.randint(first, last)) for _ in range(200)]])
        )
        result |= {"http_hot_ms_p50": machine.median(spent), "http_hot_bytes_p50": statistics.median(sizes)}
        machine.tell(f"{CLIENTS} clients ...")
        shares = [
            [_question(draw.choice(nodes), draw.randint(first, last)) for _ in range(500)] for _ in range(CLIENTS)
        ]
        begun = time.perf_counter()
        spent, _ = asyncio.run(_ask(base, shares, until=begun + seconds))
        result["http_answers_per_s"] = machine.rounded(len(spent) / (time.perf_counter() - begun))
        result["http_ms_p50_of_16"] = machine.median(spent)
        machine.tell("a batch of 400 columns at 3 points ...")
        result |= _batch(base, draw.sample(nodes, min(400, len(nodes))), (first, last))
        machine.tell("what another process commits ...")
        result |= _freshness(base, store, history)
        stats = httpx.get(f"{base}/v1/stats").json()["result"]
        result["service_rss_mib"] = machine.rounded(stats["memory"]["resident_bytes"] / 2**20)
    return result


def make_store(history: History, folder: Path, *, compacted: bool) -> None:
    """Make the store to be served: a copy of the compacted one that is kept beside the history, or ingested now."""
    if compacted:
        from bench_lib.graph_store import compacted_store  # Spark, which the others need not have

        shutil.copytree(compacted_store(history), folder)
        return
    machine.tell("ingesting the history ...")
    command = [machine.cli(), "ingest", str(history.messages), "--store", str(folder), "--no-progress"]
    machine.seconds([*command, "--system-time-from", "recorded_at"])


def _nodes(store: Store) -> tuple[list[str], list[str], tuple[int, int]]:
    """Return columns that edges come from, those that most come from, and the first and last instant of the history."""
    first, last = store.fetch("SELECT epoch_us(min(effective_at)), epoch_us(max(effective_at)) FROM log")[0]
    rows = store.fetch(
        """SELECT source, count(DISTINCT target) FROM changes WHERE contains(source, '#')
        GROUP BY source ORDER BY 2 DESC, 1"""
    )
    return [node for node, _ in rows], [node for node, _ in rows[:10]], (first, last)


def _question(node: str, valid_at: int) -> bytes:
    path = f"/v1/lineage?node={quote(node)}&direction=down&depth={HOPS}&valid_at={format_instant(valid_at)}"
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()


@contextmanager
def _served(work: Path, node: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Run the service; yield its address and how long it took to listen, to answer, to be at full speed."""
    begun = time.perf_counter()
    command = [machine.cli(), "serve", "--store", str(work / "store"), "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        base = next(word for word in process.stdout.readline().split() if word.startswith("http://"))
        listening = time.perf_counter() - begun
        answered = httpx.get(f"{base}/v1/lineage", params={"node": node, "depth": HOPS}, timeout=120)
        answered.raise_for_status()
        first_answer = time.perf_counter() - begun
        engine = _engine(base)
        _await(lambda: _engine(base) == "graph")
        full_speed = time.perf_counter() - begun
        _await(lambda: httpx.get(f"{base}/readyz").status_code == 200)
        yield (
            base,
            {
                "listening_s": machine.rounded(listening),
                "first_answer_s": machine.rounded(first_answer),
                "first_answer_behind_listening_s": machine.rounded(first_answer - listening),
                "first_answer_from": engine,
                "full_speed_s": machine.rounded(full_speed),
                "ready_s": machine.rounded(time.perf_counter() - begun),
            },
        )
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(20)


def _engine(base: str) -> str:
    """Return where answers come from now."""
    result: str = httpx.get(f"{base}/v1/stats").json()["result"]["engine"]
    return result


def _await(done: Callable[[], bool], limit: float = 300.0) -> None:
    deadline = time.monotonic() + limit
    while not done():
        if time.monotonic() > deadline:
            raise SystemExit("the service did not get ready")
        time.sleep(0.02)


async def _ask(base: str, shares: list[list[bytes]], until: float | None = None) -> tuple[list[float], list[int]]:
    """Ask, each share over a connection of its own; return milliseconds and bytes of all answers."""
    spent: list[float] = []
    sizes: list[int] = []
    await asyncio.gather(*(_client(base, share, until, spent, sizes) for share in shares))
    return spent, sizes


async def _client(base: str, share: list[bytes], until: float | None, spent: list[float], sizes: list[int]) -> None:
    host, port = base.removeprefix("http://").rsplit(":", 1)
    reader, writer = await asyncio.open_connection(host, int(port), limit=2**26)
    turn = 0
    while turn < len(share) if until is None else time.perf_counter() < until:
        begun = time.perf_counter()
        writer.write(share[turn % len(share)])
        head = await reader.readuntil(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 200"):
            raise SystemExit(f"the service answered {head.decode()}")
        length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
        await reader.readexactly(length)
        spent.append((time.perf_counter() - begun) * 1000)
        sizes.append(length)
        turn += 1
    writer.close()
    await writer.wait_closed()


def _batch(base: str, nodes: list[str], ends: tuple[int, int]) -> dict[str, Any]:
    """Measure the closure of many columns upstream, to the end, at three points in one call: names, and with edges."""
    points = [{"valid_at": format_instant(ends[0] + int((ends[1] - ends[0]) * share))} for share in (0.3, 0.6, 1.0)]
    result = {}
    with httpx.Client(base_url=base, timeout=120) as client:
        for key, edges in (("batch_ms", False), ("batch_with_edges_ms", True)):
            spent = []
            for _ in range(7):
                body = json.dumps({"nodes": nodes, "points": points, "direction": "up", "edges": edges})
                begun = time.perf_counter()
                answer = client.post("/v1/lineage", content=body, headers={"content-type": "application/json"})
                spent.append((time.perf_counter() - begun) * 1000)
            answer.raise_for_status()
            if len(answer.json()["result"]) != len(nodes) * len(points):
                raise SystemExit("the batch is not whole")
            result[key] = machine.median(spent)
    return result


def _freshness(base: str, store: Store, history: History, times: int = 50) -> dict[str, Any]:
    """Measure from the moment another process's commit is durable until the service answers with it.

    That other process is this one; half of the messages are of the history's own tail, half of a task of their own.
    """
    spent = []
    tail = [parse_message(line.rstrip()) for line, _ in zip(history.tail(), range(times), strict=False)]
    with httpx.Client(base_url=base, timeout=60) as client:
        for turn in range(times):
            edge = (f"bench:fresh.t{turn}#a", f"bench:fresh.t{turn}#b")
            store.append(
                [task_change(f"bench/fresh-{turn}", "online", "2020-01-01T00:00:00Z", [edge]), *tail[turn : turn + 1]]
            )
            begun = time.perf_counter()
            while client.get("/v1/lineage", params={"node": edge[0]}).status_code != 200:
                if time.perf_counter() - begun > 30:
                    raise SystemExit("what was committed does not show")
            spent.append((time.perf_counter() - begun) * 1000)
            time.sleep(random.Random(turn).random() * 0.05)
    return {"freshness_ms": machine.median(spent), "freshness_p99_ms": _p99(spent)}


def _p99(values: list[float]) -> float:
    return machine.rounded(statistics.quantiles(values, n=100)[98])


if __name__ == "__main__":
    print(json.dumps(measured(History(Path(sys.argv[2]), {}), Path(sys.argv[1])), indent=1))
