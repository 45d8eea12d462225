"""Delivers one history in different orders, partitions and batches, and compares the resulting stores.

A *keyed* order distributes the subjects (tasks and datasets) over partitions and keeps the order within each, as a
topic does. A *free* order is any permutation; it requires a ``source_version`` in every message, because otherwise the
later of two messages with the same subject and time wins.
"""

from __future__ import annotations

import gzip
import json
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import duckdb

from ingest.messages.mapping import FieldMapping
from ingest.messages.parsing import parse_line
from lineage_tt import Store

#: Probabilities that a batch ends after a message.
CUTS = (1.0, 0.3, 0.05, 0.01)
#: Number of valid times at which columns and tasks are compared; edges are compared at all times.
TIMES = 3
#: Maximum average number of batches in a delivery.
MAX_BATCHES = 60


class Line(NamedTuple):
    """A message as it is in a file, and its subject, which is the key in a topic."""

    key: str
    text: bytes


def line_of(text: bytes, **more: Any) -> Line:
    """Return a message with its subject, and with additional fields."""
    document = json.loads(text)
    key = document.get("task_id") or document.get("dataset") or document.get("node") or ""
    return Line(str(key), json.dumps(document | more).encode() + b"\n" if more else text.rstrip(b"\n") + b"\n")


def numbered(lines: Iterable[Line]) -> list[Line]:
    """Return the messages with their positions as ``source_version``, so that the order does not matter."""
    return [line_of(line.text, source_version=number) for number, line in enumerate(lines, 1)]


def stream_sample(shared: Path) -> list[Line]:
    """Return the 200 tasks of the sample of the real stream, with the schemas of the datasets they read, in order."""
    folder = shared / "data" / "bqetl_stream"
    lines = [
        text
        for name in ("sample-200-schemas.jsonl", "sample-200.jsonl")
        for text in (folder / name).read_bytes().splitlines()
    ]
    return [line_of(text) for text in sorted(lines, key=_turn)]


def stream_slice(shared: Path, count: int, seed: str) -> list[Line]:
    """Return all tasks and schemas of some datasets of the real stream, at least ``count`` messages, in order.

    A dataset is returned together with the dataset that its views read, whose name differs by a suffix.
    """
    groups = _groups(shared)
    names = sorted(name for name, lines in groups.items() if len(lines) <= count)
    random.Random(seed).shuffle(names)
    chosen: list[bytes] = []
    for name in names:
        if len(chosen) < count:
            chosen += groups[name]
    return [line_of(text) for text in sorted(chosen, key=_turn)]


@cache
def _groups(shared: Path) -> dict[str, list[bytes]]:
    groups: dict[str, list[bytes]] = {}
    for file in sorted((shared / "data" / "bqetl_stream").glob("*-20*.jsonl.gz")):
        for text in gzip.decompress(file.read_bytes()).splitlines():
            dataset = line_of(text).key.rpartition(".")[0]
            groups.setdefault(dataset.removesuffix("_derived"), []).append(text)
    return groups


def _turn(text: bytes) -> tuple[str, int, bool]:
    document = json.loads(text)
    return document["recorded_at"], document["commit_no"], document.get("kind") != "dataset"


def partitions(lines: Sequence[Line], draw: random.Random, most: int = 8) -> list[list[Line]]:
    """Distribute the subjects over up to ``most`` partitions, each in order."""
    count = draw.randint(1, most)
    of = {key: draw.randrange(count) for key in sorted({line.key for line in lines})}
    found: list[list[Line]] = [[] for _ in range(count)]
    for line in lines:
        found[of[line.key]].append(line)
    return [part for part in found if part]


def keyed(lines: Sequence[Line], draw: random.Random) -> list[Line]:
    """Return the messages as a reader of partitions receives them: in short or long runs from each partition."""
    waiting = [part[::-1] for part in partitions(lines, draw)]
    longest = draw.choice((1, 5, 50, len(lines)))
    result: list[Line] = []
    while waiting:
        part = draw.choice(waiting)
        for _ in range(draw.randint(1, longest)):
            if part:
                result.append(part.pop())
        waiting = [part for part in waiting if part]
    return result


def free(lines: Sequence[Line], draw: random.Random) -> list[Line]:
    """Return the messages in random order."""
    return draw.sample(lines, len(lines))


def batches(lines: Sequence[Line], draw: random.Random) -> list[list[Line]]:
    """Divide the messages into batches of different lengths."""
    cut = min(draw.choice(CUTS), MAX_BATCHES / len(lines))
    found: list[list[Line]] = [[]]
    for line in lines:
        found[-1].append(line)
        if draw.random() < cut:
            found.append([])
    return [batch for batch in found if batch]


def instants(lines: Sequence[Line], mapping: FieldMapping | None) -> list[int]:
    """Return some valid times from the first effective_at to the last, and the microsecond before the first."""
    parsed = (parse_line(mapping, line.text, None) for line in lines)
    found = sorted({at for message in parsed if (at := getattr(message, "effective_at", None)) is not None})
    return [found[0] - 1, *found[len(found) // TIMES :: max(1, len(found) // TIMES)], found[-1]]


_EDGES = """SELECT task_id, source, target, "type", subtype, expression, epoch_us(valid_from), epoch_us(valid_to)
    FROM changes GROUP BY ALL HAVING sum(sign) <> 0"""
_COLUMNS = """SELECT $at, dataset, "column", ordinal, "type", mode, nested, origin, epoch_us(valid_from)
    FROM columns_as_of(make_timestamptz($at))"""
_TASKS = """SELECT $at, t.task_id, t.event_id, t.coverage, CAST(c.reasons AS VARCHAR), c.reads, c.writes
    FROM tasks_as_of(make_timestamptz($at)) AS t
    LEFT JOIN completeness_as_of(make_timestamptz($at)) AS c USING (task_id)"""


def lineage_of(store: Store, times: Iterable[int]) -> dict[str, Counter[str]]:
    """Return all data that must not depend on the order: edges at all times, columns and tasks at some times."""
    with duckdb.connect() as connection:
        connection.execute(store.setup_sql())
        connection.execute("CREATE TABLE held AS FROM log; CREATE OR REPLACE VIEW log AS FROM held")

        def rows(query: str, **known: Any) -> list[str]:
            return list(map(str, connection.execute(query, known).fetchall()))

        points = sorted(set(times))
        return {
            "edges": Counter(rows(_EDGES)),
            "columns": Counter(row for at in points for row in rows(_COLUMNS, at=at)),
            "tasks": Counter(row for at in points for row in rows(_TASKS, at=at)),
        }


def differences(expected: dict[str, Counter[str]], found: dict[str, Counter[str]]) -> list[str]:
    """Return descriptions of some rows that are missing and some that are unexpected, of each kind."""
    words = []
    for kind, ours in expected.items():
        for name, left in (("missing", ours - found[kind]), ("too many", found[kind] - ours)):
            words += [f"{len(left)} {name} {kind}: {each[:500]}" for each in sorted(left)[:3]]
    return words
