"""From a source to the store: read, validate, extract, append, a batch at a time.

While one batch is parsed into lineage, placed and committed in its own thread, the next one is read and validated. A
batch is acknowledged when its commit is on disk; a run that is killed loses nothing that was acknowledged. The same
command, run again, continues: the log knows how far a file was read, and every message counts once whatever happens.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Final, NamedTuple, Self

from ingest.batches import Batcher, Summary
from ingest.messages.lines import Lines
from ingest.messages.mapping import FieldMapping
from ingest.messages.parsing import LineParser, parsed_chunks
from ingest.replay import Replayed, Replayer
from ingest.resolve.resolver import SqlResolver
from lineage_tt.log.system_times import SystemTimes
from lineage_tt.model.answers import DeadLetter
from lineage_tt.model.messages import Message, Receipt, SourcePosition
from lineage_tt.model.os_errors import system_errors
from lineage_tt.storage.processes import no_collections
from lineage_tt.store import Store

#: Characters of SQL at which a batch ends: parsing takes time, and parsed messages should soon be safe.
MAX_SQL: Final = 2 * 1024 * 1024
#: The most messages of one recorded_at that a history import keeps in one batch.
MAX_TIED: Final = 100_000


class Progress(NamedTuple):
    """How far an ingest has come: bytes of the source read, of how many (None: not known), messages received."""

    bytes_read: int
    bytes_total: int | None
    received: int


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

    @system_errors("ingest the file")
    def ingest_file(self, path: str) -> Summary:
        """Ingest a file of JSON Lines (plain, gzip, zstd), or standard input for ``-``.

        Raises UnavailableError where the file or the store cannot be read or written; what was acknowledged stays.
        """
        begun = time.monotonic()
        with Lines(path) as lines, LineParser(self._mapping) as parser, no_collections():
            summary = Summary(lines.name)
            known = self._store.writer.log.source_position(lines.name) if lines.resumable else None
            if known and lines.skip_to(known):
                summary.received = summary.duplicates = known.offset
                self._take_up(summary)
            with ThreadPoolExecutor(1, "append") as executor:
                waiting: Future[list[Receipt]] | None = None
                batcher = Batcher(summary, self._system_times, max_sql=MAX_SQL, max_tied=MAX_TIED)
                for batch, place, bytes_read in batcher.batches(parsed_chunks(lines, parser, self._batch)):
                    if waiting:
                        summary.count(waiting.result())
                    waiting = executor.submit(
                        self._append, batch, lines.name, [place] if place and lines.resumable else []
                    )
                    self._report(bytes_read, lines.bytes_total, summary)
                if waiting:
                    summary.count(waiting.result())
            self._report(lines.bytes_read, lines.bytes_total, summary)
        summary.explain(self._store)
        summary.seconds = time.monotonic() - begun
        return summary

    def replay(self, letter: DeadLetter) -> Receipt:
        """Replay a dead letter, as a separate message whose cause names it.

        A message that is rejected again for the same bytes stays the dead letter it was (a duplicate receipt).
        """
        return self._replayer().replay([letter])[0].receipt

    def replays(self, letters: Sequence[DeadLetter], system_times: SystemTimes | None = None) -> list[Replayed]:
        """Send dead letters through once more, in order; see ``ingest.replay``.

        ``system_times`` says where their system times come from: by default those of the history, where the store's
        last messages are a history import, else the clock.
        """
        return self._replayer(system_times).replay(letters)

    def _replayer(self, system_times: SystemTimes | None = None) -> Replayer:
        if system_times is None and self._system_times == "recorded_at":
            system_times = "history"
        return Replayer(self._store, self._mapping, self._resolver, system_times or self._store.late_system_times())

    def _take_up(self, summary: Summary) -> None:
        """Replay what an earlier run of this source rejected, where there is a mapping now; count what still waits."""
        letters = [letter for letter in self._store.dead_letters(summary.source) if letter.waits]
        if self._mapping is not None and letters:
            for outcome in self.replays(letters):
                if outcome.status == "accepted":
                    summary.count([outcome.receipt])
                    summary.taken_up += 1
            summary.duplicates -= summary.taken_up
            letters = [letter for letter in self._store.dead_letters(summary.source) if letter.waits]
        summary.waiting = len(letters)

    def _append(self, batch: list[Message], source: str, places: list[SourcePosition]) -> list[Receipt]:
        return self._store.writer.append_in_pieces(
            batch, source=source, positions=places, resolver=self._resolver, system_times=self._system_times
        )

    def _report(self, bytes_read: int, bytes_total: int | None, summary: Summary) -> None:
        if self._progress:
            self._progress(Progress(bytes_read, bytes_total, summary.received))
