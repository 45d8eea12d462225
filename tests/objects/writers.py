"""Writers in processes of their own at one store in a bucket, and what the store must hold when they have ended."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import lineage_tt
from lineage_tt import Store
from lineage_tt.maintenance.check import check
from lineage_tt.storage.location import place

ROOT = Path(lineage_tt.__file__).parents[1]
NOON = "2024-05-01T12:00:00Z"
LIMIT = 60

#: Appends messages one by one, prints ``acked EVENT`` after each, or ``error KIND``, and then tries that one again.
PROGRAM = """
import sys, time
from lineage_tt import LineageError, Store
from lineage_tt.testing import task_change
uri, me, first, count, tries = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5])
print("ready", flush=True)
sys.stdin.readline()
store = None
for n in range(first, first + count):
    change = task_change(f"t{n % 3}", "update", 1_700_000_000_000_000 + n % 7 * 3_600_000_000,
                         [(f"n:a#c{n % 5}", "n:b#x"), (f"n:a#w{me}", "n:b#x")], event_id=f"{me}/{n}")
    for turn in range(tries):
        try:
            store = store or Store.create(uri)
            store.append([change])
            print(f"acked {me}/{n}", flush=True)
            break
        except LineageError as error:
            print(f"error {error.kind}: {error}", flush=True)
            store = None
            time.sleep(0.2)
"""


def start(
    uri: str, me: object, count: int, *, first: int = 0, tries: int = 1, environment: dict[str, str] | None = None
) -> subprocess.Popen[str]:
    """Start a writer; it waits for a line on its standard input."""
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, uri, str(me), str(first), str(count), str(tries)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | (environment or {}),
    )  # fmt: skip


def go(processes: Sequence[subprocess.Popen[str]]) -> None:
    """Let them all begin at once."""
    for process in processes:
        assert line(process) == "ready"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()


def line(process: subprocess.Popen[str]) -> str:
    """Return the next line that a process prints, and nothing of what comes after it: that is for ``ended``."""
    assert process.stdout is not None
    read = b""
    while not read.endswith(b"\n"):
        more = os.read(process.stdout.fileno(), 1)
        assert more, process.communicate(timeout=LIMIT)
        read += more
    return read.decode().strip()


def ended(processes: Sequence[subprocess.Popen[str]]) -> tuple[set[str], list[str]]:
    """Wait for them; return the events that were acknowledged, and what errors were stated."""
    acknowledged: set[str] = set()
    errors: list[str] = []
    said = []
    for process in processes:
        try:
            said.append(process.communicate(timeout=LIMIT))
        except subprocess.TimeoutExpired:
            process.kill()
            said.append(process.communicate())
            errors.append(f"writer {process.pid} did not end")
    for process, (out, err) in zip(processes, said, strict=True):
        assert process.returncode in (0, -9), err
        acknowledged |= {line.removeprefix("acked ") for line in out.splitlines() if line.startswith("acked ")}
        errors += [line.removeprefix("error ") for line in out.splitlines() if line.startswith("error ")]
    return acknowledged, errors


def verify(uri: str, acknowledged: set[str], sent: set[str]) -> Counter[str]:
    """Require that the store is sound and holds each acknowledged event once, and nothing that nobody sent (N1-N3)."""
    store = Store.open(uri)
    entries = store.log()
    held = Counter(str(entry.event_id) for entry in entries)

    assert acknowledged <= set(held), f"lost: {sorted(acknowledged - set(held))}"
    assert set(held) <= sent, f"nobody sent: {sorted(set(held) - sent)}"
    assert not [event for event, times in held.items() if times > 1]
    assert [entry.version for entry in entries] == list(range(1, len(entries) + 1))
    assert all(a.system_time < b.system_time for a, b in pairwise(entries))
    damage = [finding for finding in check(place(uri)) if finding.kind == "damage"]
    assert damage == []
    return held
