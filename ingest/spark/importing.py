"""Bulk import: messages read and parsed on Spark, placed and committed here, in order.

The executors do the expensive work: they decompress, validate and parse SQL. Small amounts of it are done here, where
sending them would cost more. The results go to the same writer that an ingest uses, a long stretch of messages per
commit; it numbers, places and checks everything as it always does. So an import gives the store that an ingest would
have given, row for row, and only the placing is done here: some hundred microseconds per message. While one stretch is
placed, the next one is parsed.

A run that dies has committed each stretch as a whole or not at all; run again, it continues after the last one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from operator import attrgetter
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from ingest.batches import Batch, Batcher, Summary
from ingest.spark.executor import ParseSettings
from ingest.spark.pool import LEAST_SQL, SparkPool
from ingest.spark.reading import LEAST_BYTES, Part, parts
from ingest.spark.sources import LinesFile, Source
from ingest.spark.speculative_parsing import Foresight
from lineage_tt.log import verify
from lineage_tt.log.log import Log
from lineage_tt.log.system_times import SystemTimes
from lineage_tt.model.messages import Message, SourcePosition, TaskChange
from lineage_tt.storage.processes import no_collections
from lineage_tt.store import Store
from lineage_tt.write.past import history

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from ingest.messages.mapping import FieldMapping

#: A stretch ends at this many messages, bytes of lines (in memory they take many times as much), or characters of SQL
#: for each task that Spark runs at once.
MAX_MESSAGES: Final = 50_000
MAX_STRETCH_BYTES: Final = 16 << 20
SQL_A_CORE: Final = 8 << 20
#: The most messages of one recorded_at that a history import keeps in one commit.
MAX_TIED: Final = 200_000
_SEEN: Final = (
    "SELECT task_id, event_id FROM log WHERE status = 'accepted' AND event_id IN (SELECT unnest($events::VARCHAR[]))"
)


@dataclass(slots=True)
class Stage:
    """The result of one stage of an import."""

    name: str
    rows_in: int = 0
    rows_out: int = 0
    bytes: int = 0
    files: int = 0
    seconds: float = 0.0
    skew: float | None = None


@dataclass(slots=True)
class ImportReport:
    """The outcome of the sources' messages, and what the stages took."""

    summaries: list[Summary]
    stages: list[Stage] = field(default_factory=list)
    commits: int = 0
    seconds: float = 0.0
    parsed: int = 0  # texts, those parsed again included
    surprises: int = 0  # texts parsed at their turn, not foreseen


class Importer:
    """Imports sources into a store through Spark.

    ``batch`` messages make a commit, more where those of one ``recorded_at`` must stay together. ``progress`` receives
    the stage, and how many messages are through it.
    """

    def __init__(
        self,
        store: Store,
        spark: SparkSession,
        *,
        mapping: FieldMapping | None = None,
        batch: int = MAX_MESSAGES,
        system_times: SystemTimes = "clock",
        progress: Callable[[str, int], None] | None = None,
        settings: ParseSettings | None = None,
        sql_a_core: int = SQL_A_CORE,
        least_sql: int = LEAST_SQL,
        least_bytes: int = LEAST_BYTES,
    ) -> None:
        self._store = store
        self._spark = spark
        self._mapping = mapping
        self._batch = batch
        self._system_times = system_times
        self._progress = progress or (lambda stage, messages: None)
        self._pool = SparkPool(spark, settings, least=least_sql)
        self._least_bytes = least_bytes
        self._foresight: Foresight | None = None
        self._reader: Store | None = None  # of the log as it was before, for the thread that parses ahead
        self._max_sql = sql_a_core * self._pool.cores
        self._reading, self._parsing, self._placing = Stage("read"), Stage("parse"), Stage("place and commit")

    def run(self, sources: Sequence[Source]) -> ImportReport:
        """Import the sources, one after the other; UnavailableError where Spark or the store gives up."""
        log = self._store.writer.log
        names = [source.name for source in sources]
        known = {n: place for n, name in enumerate(names) if (place := log.source_position(name)) is not None}
        self._reading.files = sum(isinstance(source, LinesFile) for source in sources)
        self._reader = Store(Log.open(self._store.log_path)) if log.version else None
        with no_collections():
            return self.take(names, parts(self._spark, sources, known, self._mapping, self._least_bytes))

    def take(self, names: Sequence[str], arriving: Iterator[Part]) -> ImportReport:
        """Append the messages of these parts; ``names`` are those of the parts' sources, by number."""
        begun = time.monotonic()
        report = ImportReport([Summary(name) for name in names])
        foresight = self._begin()
        with ThreadPoolExecutor(1, "parse ahead") as ahead:
            stretches = self._foreseen(self._stretches(arriving), foresight, ahead)
            for number, group in groupby(stretches, attrgetter("source")):
                self._place(names[number], report.summaries[number], group, foresight, report)
        for summary in report.summaries:
            summary.explain(self._store)
        report.stages = self._stages()
        report.surprises = foresight.surprises
        report.parsed = self._pool.stage.jobs + report.surprises
        report.seconds = time.monotonic() - begun
        return report

    def _begin(self) -> Foresight:
        """Return the foresight over this store, made when the first messages come."""
        if self._foresight is None:
            log = self._store.writer.log
            past = verify.retried(log, partial(history.load, log))
            self._foresight = Foresight(self._pool, past, log.version)
            self._foresight.policy = log.texts.policy
        return self._foresight

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._foresight is not None:
            self._foresight.__exit__(kind, error, at)
            self._foresight = None

    def append(self, messages: Sequence[Message], name: str) -> Summary:
        """Append messages that are here already, their SQL parsed on Spark."""
        summary = Summary(name, received=len(messages))
        begun = time.monotonic()
        foresight = self._begin()
        for start in range(0, len(messages), self._batch):
            batch = messages[start : start + self._batch]
            foresight.foresee(batch)
            summary.count(self._store.append(batch, source=name, resolver=foresight))
            foresight.forget(batch)
        summary.seconds = time.monotonic() - begun
        return summary

    def _stretches(self, arriving: Iterator[Part]) -> Iterator[list[Part]]:
        """Yield parts of any sources in stretches that are parsed together."""
        stretch: list[Part] = []
        messages = weight = size = 0
        begun = time.monotonic()
        for part in arriving:
            stretch.append(part)
            messages += len(part.messages)
            size += (read := sum(map(len, part.chunk.lines)))
            weight += sum(len(m.sql or "") for m in part.messages if isinstance(m, TaskChange))
            self._reading.rows_in += len(part.messages)
            self._reading.rows_out += sum(m is not None for m in part.messages)
            self._reading.bytes += read
            if messages >= self._batch or weight >= self._max_sql or size >= MAX_STRETCH_BYTES:
                self._reading.seconds += time.monotonic() - begun
                yield stretch
                stretch, messages, weight, size = [], 0, 0, 0
                begun = time.monotonic()
        self._reading.seconds += time.monotonic() - begun
        if stretch:
            yield stretch

    def _foreseen(
        self, stretches: Iterator[list[Part]], foresight: Foresight, ahead: ThreadPoolExecutor
    ) -> Iterator[Part]:
        """Yield the parts of each stretch once it is parsed; the next one is read and parsed meanwhile."""

        def parsed() -> list[Part] | None:
            stretch = next(stretches, None)
            if stretch is not None:
                begun = time.monotonic()
                messages = self._new([m for part in stretch for m in part.messages if m is not None])
                self._progress("parse", self._reading.rows_out)
                foresight.foresee(messages)
                self._parsing.rows_in += len(messages)
                self._parsing.seconds += time.monotonic() - begun
            return stretch

        waiting: Future[list[Part] | None] = ahead.submit(parsed)
        while (stretch := waiting.result()) is not None:
            waiting = ahead.submit(parsed)
            yield from stretch

    def _new(self, messages: list[Message]) -> list[Message]:
        """Leave out what the log held before: a daily dump repeats earlier messages, which need not be parsed."""
        events = [m.event_id for m in messages if isinstance(m, TaskChange)]
        if self._reader is None or not events:
            return messages
        seen = set(self._reader.ask(_SEEN, events=events))
        return [m for m in messages if not isinstance(m, TaskChange) or (m.task_id, m.event_id) not in seen]

    def _place(
        self, name: str, summary: Summary, group: Iterator[Part], foresight: Foresight, report: ImportReport
    ) -> None:
        """Append the messages of one source, a batch a commit."""
        begun = time.monotonic()
        batcher = Batcher(
            summary, self._system_times, max_sql=self._max_sql, max_tied=MAX_TIED, least=self._batch,
            max_bytes=MAX_STRETCH_BYTES,
        )  # fmt: skip
        for batch in batcher.batches((part.chunk, part.messages) for part in self._skipping(group, summary)):
            self._append(name, summary, batch, foresight)
            report.commits += 1
        summary.seconds += time.monotonic() - begun

    def _skipping(self, group: Iterator[Part], summary: Summary) -> Iterator[Part]:
        for part in group:
            summary.received += part.skipped
            summary.duplicates += part.skipped
            if part.messages:
                yield part

    def _append(self, name: str, summary: Summary, batch: Batch, foresight: Foresight) -> None:
        begun = time.monotonic()
        places: list[SourcePosition] = [batch.place] if batch.place else []
        receipts = self._store.writer.append_in_pieces(
            batch.messages, source=name, positions=places, resolver=foresight, system_times=self._system_times
        )
        summary.count(receipts)
        foresight.forget(batch.messages)
        self._placing.rows_in += len(batch.messages)
        self._placing.rows_out += sum(receipt.status != "duplicate" for receipt in receipts)
        self._placing.seconds += time.monotonic() - begun
        self._progress("place and commit", self._placing.rows_in)

    def _stages(self) -> list[Stage]:
        stage = self._pool.stage
        self._parsing.rows_out = stage.jobs
        self._parsing.bytes = stage.characters
        self._parsing.skew = round(stage.skew, 2)
        return [self._reading, self._parsing, self._placing]
