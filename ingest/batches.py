"""Messages in batches, and a tally of their outcomes. Each batch becomes one commit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from ingest.messages.parsing import Chunk
from lineage_tt.log.system_times import SystemTimes
from lineage_tt.model.messages import Message, Problem, Receipt, SourcePosition, TaskChange

if TYPE_CHECKING:
    from lineage_tt.store import Store


@dataclass(slots=True)
class Summary:
    """The outcome of a source's messages.

    ``superseded`` were accepted without effect; ``taken_up`` are messages of the source that an earlier run rejected
    and this run accepted; ``waiting`` are those that were rejected before and have been neither accepted nor dismissed
    since. ``repeated`` counts messages by the version of the dead letter that they repeat. ``partial`` and ``opaque``
    were accepted with lineage that was not complete when they came: a later message may have completed it. ``problems``
    counts, by code, the reasons for that and the fields that had no effect, each with an example.
    """

    source: str
    received: int = 0
    accepted: int = 0
    rejected: int = 0
    duplicates: int = 0
    ignored: int = 0
    superseded: int = 0
    taken_up: int = 0
    waiting: int = 0
    partial: int = 0
    opaque: int = 0
    changes: int = 0
    seconds: float = 0.0
    first_version: int | None = None
    last_version: int | None = None
    reasons: dict[str, int] = field(default_factory=dict)
    problems: dict[str, tuple[int, str]] = field(default_factory=dict)
    repeated: Counter[int] = field(default_factory=Counter)

    def count(self, receipts: Sequence[Receipt]) -> None:
        """Add the outcome of a batch."""
        for receipt in receipts:
            if receipt.status == "duplicate":
                self.duplicates += 1
                if receipt.repeats_rejected:
                    self.repeated[receipt.version] += 1
                continue
            self.last_version = receipt.version
            self.first_version = self.first_version or receipt.version
            self.changes += receipt.changes
            if receipt.status == "accepted":
                self.accepted += 1
                self.superseded += receipt.superseded_by is not None
                self.partial += receipt.coverage == "partial"
                self.opaque += receipt.coverage == "opaque"
                if receipt.problems:
                    self.note(receipt.problems)
            else:
                self.rejected += 1

    def explain(self, store: Store) -> None:
        """Count why messages were rejected, and how many rejected earlier still wait. Raises as ``Store.log``."""
        if self.rejected and self.first_version:
            entries = (e for e in store.log(after=self.first_version - 1) if e.version <= (self.last_version or 0))
            self.reasons = dict(Counter(str(entry.rejected_code) for entry in entries if entry.rejected_code))
        if self.repeated:
            waiting = {letter.version for letter in store.dead_letters() if letter.waits}
            self.waiting += sum(count for version, count in self.repeated.items() if version in waiting)

    def join_problems(self, other: Summary) -> None:
        """Add the problems that another summary counts."""
        for code, (number, example) in other.problems.items():
            self._count(code, number, example)

    def note(self, problems: Iterable[Problem]) -> None:
        """Count the problems of one message, each code once."""
        for code, detail in {problem.code: problem.detail for problem in problems}.items():
            self._count(code, 1, detail)

    def _count(self, code: str, number: int, example: str) -> None:
        count, first = self.problems.get(code, (0, example))
        self.problems[code] = count + number, first


class Batch(NamedTuple):
    """Consecutive messages of one source, a place not after their end, and how far the source was read."""

    messages: list[Message]
    place: SourcePosition | None
    bytes_read: int


class Batcher:
    """Cuts the messages of one source into batches.

    A batch is cut after a chunk once it has ``least`` messages or ``max_bytes`` bytes, and within a chunk at
    ``max_sql`` characters of SQL. A history import keeps up to ``max_tied`` messages of one ``recorded_at`` together:
    those at the end of a batch wait for the next chunk. The batch's place is then before them; a message that is read
    twice counts once.
    """

    def __init__(
        self,
        summary: Summary,
        system_times: SystemTimes,
        *,
        max_sql: int,
        max_tied: int,
        least: int = 1,
        max_bytes: int | None = None,
    ) -> None:
        self._summary = summary
        self._imports = system_times == "recorded_at"
        self._least = least
        self._max_sql = max_sql
        self._max_tied = max_tied
        self._max_bytes = max_bytes

    def batches(self, chunks: Iterable[tuple[Chunk, Sequence[Message | None]]]) -> Iterator[Batch]:
        """Yield the messages of the chunks in batches; None is a line that holds no message."""
        batch: list[Message] = []
        chunk: Chunk | None = None
        safe = previous = None  # all before ``safe`` was yielded; ``previous`` is the place before this chunk
        earlier = 0  # how many messages of the batch came with earlier chunks
        size = 0
        for chunk, parsed in chunks:
            messages = [message for message in parsed if message is not None]
            self._summary.received += len(parsed)
            self._summary.ignored += len(parsed) - len(messages)
            earlier = len(batch)
            batch += messages
            size += sum(map(len, chunk.lines))
            is_large = self._max_bytes is not None and size >= self._max_bytes
            if len(batch) < self._least and not is_large and sum(map(_weight, batch)) < self._max_sql:
                previous = chunk.place
                continue
            tied = _tied_at_end(batch) if self._imports and len(batch) < self._max_tied else 0
            if len(batch) > tied:
                *early, last = self._portions(batch[: len(batch) - tied])
                for portion in early:
                    yield Batch(portion, safe, chunk.bytes_read)
                safe = chunk.place if not tied else previous if tied <= len(batch) - earlier else safe
                yield Batch(last, safe, chunk.bytes_read)
                batch = batch[len(batch) - tied :]
                size = 0
            previous = chunk.place
        if batch and chunk:
            *early, last = self._portions(batch)
            for portion in early:
                yield Batch(portion, safe, chunk.bytes_read)
            yield Batch(last, chunk.place, chunk.bytes_read)

    def _portions(self, messages: list[Message]) -> list[list[Message]]:
        """Cut messages where their SQL grows long; a history import is not cut between equal times."""
        portions: list[list[Message]] = [[]]
        weight = 0
        for message in messages:
            whole = portions[-1]
            tied = self._imports and whole and whole[-1].recorded_at == message.recorded_at
            if weight > self._max_sql and not tied:
                portions.append([])
                weight = 0
            portions[-1].append(message)
            weight += _weight(message)
        return portions


def _weight(message: Message) -> int:
    return len(message.sql or "") if isinstance(message, TaskChange) else 0


def _tied_at_end(batch: Sequence[Message]) -> int:
    """Return how many messages at a batch's end have the ``recorded_at`` of the last one, or lack it as it does."""
    count = 0
    last = batch[-1].recorded_at if batch else None
    for message in reversed(batch):
        if message.recorded_at != last:
            break
        count += 1
    return count
