"""Helpers for tests that kill an ingest: a history with all kinds of messages, the command, and the stored rows."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import forked
import pyarrow.parquet as pq

from lineage_tt import Store
from lineage_tt.log.arrow import from_table
from lineage_tt.maintenance.check import check
from lineage_tt.model.format import LogRow

COMMAND = str(Path(sys.executable).with_name("lineage-tt"))
NOON = 1_714_564_800_000_000
IMPORT = ("--system-time-from", "recorded_at")
LIMIT = 120
#: A command that was started: its own process, or one forked from a process that has imported the product.
Running = forked.Command | subprocess.Popen[bytes]


class Ended(NamedTuple):
    """How a command ended."""

    status: int
    out: str
    err: str


def history(count: int, seed: int = 1) -> list[bytes]:
    """Return lines: updates, late arrivals, corrections, offlines, retracts, duplicates, conflicts, ties, junk."""
    draw = random.Random(seed)
    lines: list[bytes] = []
    recorded = NOON
    sent: dict[str, list[str]] = {}
    for number in range(count):
        recorded += draw.choice((0, 0, 1_000_000, 60_000_000))
        task = f"t{draw.randrange(6)}"
        message: dict[str, Any] = {"event_id": f"e{number}", "task_id": task, "recorded_at": recorded}
        choice = draw.random()
        if choice < 0.05 and lines:
            lines.append(draw.choice(lines))  # a duplicate
            continue
        if choice < 0.10:
            lines.append(b'{"event_id": "cut %d' % number)
            continue
        if choice < 0.15 and sent.get(task):
            message |= {"op": "retract", "retracts": draw.choice(sent[task])}
        elif choice < 0.22:
            message |= {"op": "offline", "effective_at": NOON + draw.randrange(-8, 8) * 3_600_000_000}
        else:
            edges = [edge(draw) for _ in range(draw.randrange(6))]
            message |= {"op": "update", "effective_at": NOON + draw.randrange(-8, 8) * 3_600_000_000, "edges": edges}
        if choice > 0.97 and sent.get(task):
            message["event_id"] = sent[task][0]  # with different content: rejected
        sent.setdefault(task, []).append(message["event_id"])
        lines.append(json.dumps(message).encode())
    return lines


def edge(draw: random.Random) -> dict[str, str]:
    """Return an edge between few columns, so that edges begin and end often."""
    return {"source": f"n:a#c{draw.randrange(8)}", "target": f"n:b#c{draw.randrange(4)}"}


def write(path: Path, lines: list[bytes]) -> Path:
    """Write lines to a file."""
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


def start(
    store: Path, file: Path, *options: str, failpoint: str = "", wrapper: tuple[str, ...] = (), fresh: bool = False
) -> Running:
    """Start ``lineage-tt ingest`` in its own process, with a batch of eight messages unless ``options`` set another.

    The process is forked if possible; with a ``wrapper``, or ``fresh``, it is the installed command.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LINEAGE", "PYTEST"))}
    batch = () if "--batch" in options else ("--batch", "8")
    args = ["ingest", str(file), "--store", str(store), "--no-progress", *batch, *options]
    env = kept | {"LINEAGE_FAILPOINT": failpoint}
    if not wrapper:
        return forked.start(args, env, fresh=fresh)
    return subprocess.Popen(
        [*wrapper, COMMAND, *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env
    )


def finish(process: Running, timeout: float = LIMIT) -> Ended:
    """Wait for a command; if it exceeds the timeout, kill it and fail the test."""
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise
    assert process.returncode is not None
    return Ended(process.returncode, out.decode(), err.decode())


def ingest(store: Path, file: Path, *options: str, failpoint: str = "", fresh: bool = False) -> Ended:
    """Run ``lineage-tt ingest`` to its end."""
    return finish(start(store, file, *options, failpoint=failpoint, fresh=fresh))


def rows(store: Path, times: bool = False) -> list[LogRow]:
    """Return the rows of the log as stored; with system times and checksums only if ``times`` is true."""
    result: list[LogRow] = []
    for path in Store.open(store)._log.files():
        result += list(from_table(pq.read_table(path)))
    if not times:
        result = [row._replace(system_time=0, checksum=b"") for row in result]
    return result


def damage(store: Path) -> list[str]:
    """Return the damage that check reports; leftovers of killed writers are not damage."""
    return [f"{finding.path}: {finding.message}" for finding in check(store) if finding.kind == "damage"]
