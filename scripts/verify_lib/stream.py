"""The raw stream: its messages, its commits, a sample of it, and which tasks are alive after each commit."""

from __future__ import annotations

import gzip
import hashlib
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

#: as it is in the file, with the version that the log must give it
Raw = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Stream:
    """Messages in order, and the files that hold just these."""

    files: tuple[Path, ...]
    messages: tuple[Raw, ...]

    def commits(self) -> Iterator[list[Raw]]:
        """Yield the messages of each commit, in order."""
        group: list[Raw] = []
        for message in self.messages:
            if group and message["commit_no"] != group[0]["commit_no"]:
                yield group
                group = []
            group.append(message)
        if group:
            yield group


def read_stream(folder: Path) -> Stream:
    """Return the whole stream: the six years in order."""
    files = sorted(folder.glob("messages-*.jsonl.gz"))
    lines = [line for file in files for line in gzip.decompress(file.read_bytes()).splitlines(keepends=True)]
    return Stream(tuple(files), _numbered(lines))


def sampled(stream: Stream, count: int, seed: int, folder: Path) -> Stream:
    """Return about ``count`` messages, written to a file of their own: of datasets drawn at random, and of late tasks.

    A dataset comes whole, with all years of all its tasks: tasks read one another's tables inside it. Half are of tasks
    that have a message in force from before one that came earlier: these are few, and the ones to look at.
    """
    late = late_tasks(stream)
    parts: dict[str, list[Raw]] = {}
    for message in stream.messages:
        task = message["task_id"]
        parts.setdefault(task if task in late else task.rpartition(".")[0], []).append(message)
    names = sorted(parts)
    random.Random(seed).shuffle(names)
    chosen: list[Raw] = []
    for wanted, limit in ((late, count // 2), (parts.keys() - late, count)):
        for name in names:
            if name in wanted and len(chosen) < limit and len(parts[name]) <= limit:
                chosen += parts[name]
    chosen.sort(key=lambda message: message["version"])
    path = folder / "sample.jsonl"
    path.write_bytes(b"".join(message["line"] for message in chosen))
    return Stream((path,), _numbered([message["line"] for message in chosen]))


def late_messages(stream: Stream) -> tuple[list[Raw], list[Raw]]:
    """Return the messages that occurred before any that came earlier, and before one of their own task."""
    latest, newest = 0, dict[str, int]()
    behind, late = [], []
    for message in stream.messages:
        task, at = message["task_id"], message["occurred_at"]
        if at < latest:
            behind.append(message)
        if at < newest.get(task, at):
            late.append(message)
        latest = max(at, latest)
        newest[task] = max(at, newest.get(task, at))
    return behind, late


def late_tasks(stream: Stream) -> set[str]:
    """Return the tasks that have a message in force from before one of theirs that came earlier."""
    return {message["task_id"] for message in late_messages(stream)[1]}


def _numbered(lines: list[bytes]) -> tuple[Raw, ...]:
    messages = []
    for version, line in enumerate(lines, 1):
        message = json.loads(line)
        message |= {"version": version, "line": line}
        for name in ("recorded_at", "occurred_at"):
            message[name] = microseconds(message[name])
        messages.append(message)
    return tuple(messages)


def microseconds(text: str) -> int:
    """Return ISO 8601 in UTC as microseconds."""
    moment = datetime.fromisoformat(text)
    return int(moment.timestamp()) * 1_000_000 + moment.microsecond


def apply(alive: dict[str, Raw], message: Raw) -> None:
    """Let one message bring a task online, change it or take it away."""
    if message["op"] == "offline":
        alive.pop(message["task_id"], None)
    else:
        alive[message["task_id"]] = message


def sha256(message: Raw) -> str:
    """Return the SHA-256 of a message's text."""
    return hashlib.sha256(message["sql"].encode()).hexdigest()
