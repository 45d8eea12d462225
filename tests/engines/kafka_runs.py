"""Helpers for tests with a broker: commands as processes, messages for them, and the expected content of a topic."""

from __future__ import annotations

import json
import os
import random
import subprocess
from pathlib import Path
from typing import Any

import forked
import orjson

from lineage_tt import Store
from lineage_tt.events import event_of
from scripts.broker_lib.topics import read_all

#: A command that was started: its own process, or one forked from a process that has imported the product.
Running = forked.Command | subprocess.Popen[bytes]
NOON = 1_714_564_800_000_000
SEED = int(os.environ.get("LINEAGE_TT_SEED", "1"))


def message(number: int, task: str | None = None, **fields: Any) -> tuple[bytes, bytes]:
    """Return (key, value) of a task change with explicit edges; the same number always gives the same message."""
    task = task or f"t{number % 7}"
    edges = [{"source": f"n:a#c{(number + j) % 11}", "target": f"n:b#d{j}"} for j in range(3)]
    body = {"event_id": f"e{number}", "task_id": task, "op": "update", "effective_at": NOON + number * 1_000_000}
    return task.encode(), json.dumps(body | {"edges": edges} | fields).encode()


def start(*arguments: str, failpoint: str = "", options: dict[str, str] | None = None, fresh: bool = False) -> Running:
    """Start ``lineage-tt`` in its own process: forked if possible, or the installed command if it must be ``fresh``."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LINEAGE", "PYTEST"))}
    return forked.start(list(arguments), kept | {"LINEAGE_FAILPOINT": failpoint} | (options or {}), fresh=fresh)


def finish(process: Running, limit: float = 90) -> tuple[int, str, str]:
    """Wait for a command; if it exceeds the limit, kill it and fail the test."""
    try:
        out, err = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        raise AssertionError(f"it did not end in {limit} s: {out.decode()} {err.decode()}") from None
    assert process.returncode is not None
    return process.returncode, out.decode(), err.decode()


def done(process: Running, limit: float = 90) -> str:
    """Wait for a command that must succeed; return what it printed."""
    status, out, err = finish(process, limit)
    assert status == 0, err
    return out


def published(address: str, topic: str) -> list[dict[str, Any]]:
    """Return the structured events of a topic in the order of the records, as a consumer reads them."""
    return [orjson.loads(record.value) for record in read_all(address, topic)]


def logged(store: Path | str) -> list[dict[str, Any]]:
    """Return the events that the log requires."""
    opened = Store.open(store)
    return [event_of(entry, opened.id) for entry in opened.changes()]


def assert_topic_equals_log(address: str, topic: str, store: Path | str) -> None:
    """Assert that the topic, deduplicated by version, equals the feed of the log in order, and duplicates are equal."""
    found: dict[int, dict[str, Any]] = {}
    last = 0
    for event in published(address, topic):
        version = event["data"]["version"]
        if version in found:
            assert found[version] == event
            continue
        assert version > last, f"version {version} follows {last}"
        last = version
        found[version] = event
    assert list(found.values()) == logged(store)


def draws(stem: str = "") -> random.Random:
    """Return a random generator and print its seed."""
    print(f"LINEAGE_TT_SEED={SEED} {stem}")
    return random.Random(f"{SEED}{stem}")
