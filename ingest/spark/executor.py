"""What runs on the executors, inside Spark's Python workers: files to messages, SQL to extractions.

A statement may hang, crash or use up all memory: it does so in a separate process below the Python worker, in a pool
that outlives the task, so that only the statement is lost, not the task. Nothing here depends on Spark.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from ingest.messages.parsing import Chunk, Packed, pack_lines
from ingest.sql.jobs import ExtractionJob, Lookups
from ingest.workers.cache import ExtractionCache, Key, pack
from ingest.workers.pool import ExtractionPool
from lineage_tt.model.messages import SourcePosition
from lineage_tt.spark.garbage import freeze_once

if TYPE_CHECKING:
    from ingest.messages.mapping import FieldMapping

#: Lines that travel together.
CHUNK_LINES = 4096


class Parsed(NamedTuple):
    """One job's extraction, packed, under the job's place."""

    place: int
    packed: bytes


class Spent(NamedTuple):
    """What one task parsed, and how long it was at it."""

    jobs: int
    characters: int
    seconds: float


@dataclass(frozen=True, slots=True)
class ParseSettings:
    """The settings of the workers below a Python worker."""

    function: str = "ingest.workers.work:run_job"
    time_limit: float = 5.0
    memory_limit: int | None = 2 << 30

    def pool(self, workers: int, cache: ExtractionCache | None = None) -> ExtractionPool:
        """Return a pool of ``workers``."""
        return ExtractionPool(
            workers,
            function=self.function,
            time_limit=self.time_limit,
            memory_limit=self.memory_limit,
            cache=cache,
        )


class ReadChunk(NamedTuple):
    """Lines of a source, read and validated: in the order of (source, chunk.first)."""

    source: int
    chunk: Chunk
    packed: list[Packed]


class _Keeping(ExtractionCache):
    """A cache that also hands out the bytes of what was just put into it: they travel on as they are."""

    def __init__(self) -> None:
        super().__init__()
        self.fresh: dict[Key, bytes] = {}

    def put(self, key: Key, lookups: Lookups, packed: bytes) -> None:
        super().put(key, lookups, packed)
        self.fresh[key] = packed


_pool: tuple[int, ParseSettings, ExtractionPool, _Keeping] | None = None


def extract(slices: Iterable[Sequence[tuple[int, ExtractionJob]]], settings: ParseSettings) -> Iterator[Parsed | Spent]:
    """Yield the extraction of every job, and how long each slice of jobs took."""
    freeze_once()
    for jobs in slices:
        begun = time.monotonic()
        pool, cache = _workers(settings)
        for (place, job), extraction in zip(jobs, pool.imap((job for _, job in jobs), 64), strict=True):
            yield Parsed(place, cache.fresh.pop(cache.key(job), b"") or pack(extraction))
        cache.fresh.clear()
        yield Spent(len(jobs), sum(len(job.sql) for _, job in jobs), time.monotonic() - begun)


def _workers(settings: ParseSettings) -> tuple[ExtractionPool, _Keeping]:
    """Return this Python worker's pool: Spark reuses the worker, and a new pool would cost half a second a task."""
    global _pool
    if _pool is None or _pool[:2] != (os.getpid(), settings):
        cache = _Keeping()
        _pool = os.getpid(), settings, settings.pool(1, cache), cache
    return _pool[2], _pool[3]


def validate_rows(rows: Iterable[str], source: int, mapping: FieldMapping | None) -> Iterator[ReadChunk]:
    """Yield the rows of a table, as JSON, in chunks of messages; their place in the order is not known here."""
    freeze_once()
    remaining = iter(rows)
    while taken := [row.encode() for row in islice(remaining, CHUNK_LINES)]:
        chunk = Chunk(0, taken, SourcePosition("", 0), 0)
        yield ReadChunk(source, chunk, pack_lines(mapping, chunk))


class RecordChunk(NamedTuple):
    """Consecutive records of one partition of a topic, validated."""

    partition: int
    offsets: list[int]
    chunk: Chunk
    packed: list[Packed]


def validate_records(rows: Iterable[tuple[int, int, bytes]], mapping: FieldMapping | None) -> Iterator[RecordChunk]:
    """Yield (partition, offset, value) rows of one offset range in chunks of messages."""
    freeze_once()
    remaining = iter(rows)
    while taken := list(islice(remaining, CHUNK_LINES)):
        chunk = Chunk(0, [bytes(value) for _, _, value in taken], SourcePosition("", 0), 0)
        yield RecordChunk(taken[0][0], [offset for _, offset, _ in taken], chunk, pack_lines(mapping, chunk))
