"""From a source to the store: read, validate, extract, append, a batch at a time.

While one batch is parsed into lineage, placed and committed in a thread of its own, the next one is read and validated.
A batch is acknowledged when its commit is on disk; a run that is killed loses nothing that was acknowledged, and the
same command again carries on: the log knows how far a file was read, and every message counts once whatever happens.
"""

from __future__ import annotations

import gc
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import TracebackType
from typing import Final, NamedTuple, Self

from ingest.lines import Lines
from ingest.mapping import FieldMapping
from ingest.messages import parse_message, parse_object, refusal
from ingest.resolve import SqlResolver
from lineage_tt import failpoints
from lineage_tt.answers import DeadLetter
from lineage_tt.messages import Message, Receipt, RejectedMessage, SourcePosition, TaskChange
from lineage_tt.overtime import replay_cause
from lineage_tt.store import Store
from lineage_tt.writer import SystemTimes

#: A batch ends at so many bytes, too: long SQL is parsed and committed in smaller portions.
MOST_BATCH_BYTES: Final = 16 * 1024 * 1024
#: A history import keeps messages of one recorded_at in one batch, up to so many.
MOST_TIED: Final = 100_000


class Progress(NamedTuple):
    """How far an ingest has come: bytes of the source read, of how many (None: not known), messages received."""

    bytes_read: int
    bytes_total: int | None
    received: int


@dataclass(slots=True)
class Summary:
    """What became of a source's messages."""

    source: str
    received: int = 0
    accepted: int = 0
    rejected: int = 0
    duplicates: int = 0
    ignored: int = 0
    changes: int = 0
    seconds: float = 0.0
    first_version: int | None = None
    last_version: int | None = None
    reasons: dict[str, int] = field(default_factory=dict)


class Ingester:
    """Feeds files, or dead letters once more, into a store."""

    def __init__(
        self,
        store: Store,
        *,
        mapping: FieldMapping | None = None,
        workers: int = 2,
        batch: int = 4096,
        system_times: SystemTimes = "clock",
        progress: Callable[[Progress], None] | None = None,
    ) -> None:
        self._store = store
        self._mapping = mapping
        self._batch = batch
        self._system_times = system_times
        self._progress = progress
        self._resolver = SqlResolver(workers)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._resolver.close()

    def ingest_file(self, path: str) -> Summary:
        """Ingest a file of JSON Lines (plain, gzip, zstd), or standard input for ``-``.

        Raises UnavailableError where the file or the store cannot be read or written; what was acknowledged stays.
        """
        begun = time.monotonic()
        with Lines(path) as lines, _few_collections(), ThreadPoolExecutor(1, "append") as executor:
            summary = Summary(lines.name)
            known = self._store.writer.log.source_position(lines.name) if lines.resumable else None
            if known and lines.skip_to(known):
                summary.received = summary.duplicates = known.offset
            waiting: Future[list[Receipt]] | None = None
            for batch, place in self._batches(lines, summary):
                if waiting:
                    _count(waiting.result(), summary)
                waiting = executor.submit(self._append, batch, lines.name, [place] if lines.resumable else [])
                self._report(lines, summary)
            if waiting:
                _count(waiting.result(), summary)
            self._report(lines, summary)
        if summary.rejected and summary.first_version:
            refused = (e for e in self._store.log(after=summary.first_version - 1) if e.rejected_code)
            summary.reasons = dict(Counter(str(entry.rejected_code) for entry in refused))
        summary.seconds = time.monotonic() - begun
        return summary

    def replay(self, letter: DeadLetter) -> Receipt:
        """Send a dead letter through once more, as a message of its own whose cause names it.

        A message that is refused again for the same bytes stays the dead letter it was (a duplicate receipt).
        """
        message = self.parse(letter.raw, letter.source_position)
        if isinstance(message, TaskChange):
            message.cause = replay_cause(letter.version)
        elif message is None:
            message = RejectedMessage(letter.raw, "ignored", "the mapping ignores this message")
        return self._store.append([message], source=letter.source, resolver=self._resolver)[0]

    def parse(self, raw: bytes, position: int | None = None) -> Message | None:
        """Return the message in ``raw``, mapped if there is a mapping; None where the mapping ignores it."""
        if self._mapping is None:
            return parse_message(raw, position)
        try:
            return self._mapping.apply(parse_object(raw), raw, position)
        except (ValueError, RecursionError) as error:
            return refusal(raw, error, position)

    def _append(self, batch: list[Message], source: str, places: list[SourcePosition]) -> list[Receipt]:
        return self._store.append(
            batch, source=source, positions=places, resolver=self._resolver, system_times=self._system_times
        )

    def _batches(self, lines: Lines, summary: Summary) -> Iterator[tuple[list[Message], SourcePosition]]:
        """Yield batches with the place in the source behind each."""
        batch: list[Message] = []
        size = 0
        place = lines.position
        for raw in lines:
            failpoints.reach("p0:after")
            summary.received += 1
            message = self.parse(raw, lines.count - 1) if raw.strip() else None
            if message is None:
                summary.ignored += 1
                continue
            if batch and self._full(batch, size, message):
                yield batch, place
                batch, size = [], 0
            batch.append(message)
            size += len(raw)
            if len(batch) >= self._batch or size >= MOST_BATCH_BYTES:
                place = lines.position
        if batch:
            yield batch, lines.position

    def _full(self, batch: list[Message], size: int, following: Message) -> bool:
        """Say whether the batch ends before ``following``; a history import does not part equal times."""
        if len(batch) < self._batch and size < MOST_BATCH_BYTES:
            return False
        tied = self._system_times == "recorded_at" and following.recorded_at == batch[-1].recorded_at
        return not tied or len(batch) >= MOST_TIED

    def _report(self, lines: Lines, summary: Summary) -> None:
        if self._progress:
            self._progress(Progress(lines.bytes_read, lines.bytes_total, summary.received))


def _count(receipts: list[Receipt], summary: Summary) -> None:
    for receipt in receipts:
        if receipt.status == "duplicate":
            summary.duplicates += 1
            continue
        summary.last_version = receipt.version
        summary.first_version = summary.first_version or receipt.version
        summary.changes += receipt.changes
        if receipt.status == "accepted":
            summary.accepted += 1
        else:
            summary.rejected += 1


@contextmanager
def _few_collections() -> Iterator[None]:
    """Let the garbage collector run seldom: a batch makes millions of small values, none of them in cycles."""
    before = gc.get_threshold()
    gc.set_threshold(200_000, 50, 1_000)
    try:
        yield
    finally:
        gc.set_threshold(*before)
