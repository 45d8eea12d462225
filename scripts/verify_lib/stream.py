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

#: as it stands in the file, with the version that the log must give it
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
    """Return the messages of datasets drawn at random until there are ``count``, written to a file of their own.

    A dataset comes whole, with all years of all its tasks: tasks read one another's tables inside it.
    """
    by_dataset: dict[str, list[Raw]] = {}
    for message in stream.messages:
        by_dataset.setdefault(message["task_id"].rpartition(".")[0], []).append(message)
    chosen: list[Raw] = []
    names = sorted(by_dataset)
    random.Random(seed).shuffle(names)
    for name in names:
        if len(chosen) < count and len(by_dataset[name]) <= count:
            chosen += by_dataset[name]
    chosen.sort(key=lambda message: message["version"])
    lines = [message["line"] for message in chosen]
    path = folder / "sample.jsonl"
    path.write_bytes(b"".join(lines))
    return Stream((path,), _numbered(lines))


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
