"""From a Kafka topic of events to the store: new events are taken in with their offsets, then decided.

The journal's own commit holds the offsets together with the events, so that each event counts once, whichever process
dies; the broker's committed offsets are written only for tools that watch lag. Events of one run may be in several
partitions, and need no key: all members of the group that feed one store share its journal, on one machine.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

from ingest.batches import Summary
from ingest.events.files import count_problems
from ingest.events.intake import EventIntake
from ingest.events.runs import unfinished
from ingest.kafka.ingest import FOREVER, LOOK_UP_EVERY, PATIENCE, Status
from ingest.kafka.topic import TaskTopic, connect
from lineage_tt.kafka.settings import Topic
from lineage_tt.storage import failpoints
from lineage_tt.store import Store

#: The shortest time between two writes of observations, in seconds: identical runs come often, and commits cost.
OBSERVE_EVERY: Final = 30.0


class EventTopic:
    """Feeds a topic of OpenLineage events into a store, as one member of a consumer group."""

    def __init__(
        self,
        store: Store,
        intake: EventIntake,
        topic: Topic,
        *,
        group: str | None = None,
        batch: int = 4096,
        accept_loss: bool = False,
        watch: Callable[[Status], None] | None = None,
    ) -> None:
        self._store = store
        self._intake = intake
        self._topic = topic
        self._group = group or f"lineage-tt-events-{store.id}"
        self._batch = batch
        self._accept_loss = accept_loss
        self._watch = watch
        self._observed = time.monotonic()
        self.summary = Summary(topic.uri)
        self.runs = 0
        self.stopping = False

    def run(self, *, until_end: bool = False) -> Summary:
        """Ingest until ``stopping`` is set, or with ``until_end`` until all that the topic holds now is decided.

        Raises UnavailableError where the store, the journal or the cluster fails; offsets are in the journal with the
        events that they follow.
        """
        begun = time.monotonic()
        self._settle()  # what a process that ended had taken in
        source = connect(self._open, lambda: self.stopping, PATIENCE if until_end else FOREVER, self._complain)
        if source is not None:
            try:
                self._loop(source, until_end)
            finally:
                source.close()
        self._intake.observe()
        self.summary.seconds = time.monotonic() - begun
        self.summary.explain(self._store)
        self.summary.problems |= unfinished.waiting(self._intake.journal)
        return self.summary

    def _open(self) -> TaskTopic:
        return TaskTopic(self._topic, self._group, self._intake.journal.source_position, accept_loss=self._accept_loss)

    def _loop(self, source: TaskTopic, until_end: bool) -> None:
        ends: dict[Any, int] | None = None
        seen = -1
        while not self.stopping:
            source.revoked.clear()  # nothing is held back: what was fetched is in the journal
            if source.unplaced:
                source.seek()
            if until_end and seen != source.rebalances and source.joined() and not source.unplaced:
                ends, seen = source.ends(), source.rebalances
            polled = source.poll(LOOK_UP_EVERY, self._batch)
            offsets = {part: self._take(source, part, records) for part, records in polled.items() if records}
            if offsets:
                self._settle()
                failpoints.reach("p6:before")
                source.commit(offsets)
            self._observe()
            self._tell(source)
            if until_end and ends is not None and not polled and source.joined() and source.past(ends):
                source.commit(ends, wait=True)
                break

    def _take(self, source: TaskTopic, part: Any, records: list[Any]) -> int:
        """Take the records of a partition in; return the offset of the next one."""
        events = [self._intake.read(bytes(each.value), each.offset) for each in records if each.value is not None]
        offset = int(records[-1].offset) + 1
        taken = self._intake.take(events, source.place(part, offset))
        self.summary.received += len(records)
        self.summary.ignored += len(records) - len(events)
        self.summary.duplicates += sum(not each.new for each in taken)
        count_problems(self.summary, events, taken)
        return offset

    def _settle(self) -> None:
        settled = self._intake.settle()
        self.runs += settled.runs
        self.summary.count(settled.receipts)

    def _observe(self) -> None:
        now = time.monotonic()
        if now - self._observed >= OBSERVE_EVERY:
            self._observed = now
            self._intake.observe()

    def _tell(self, source: TaskTopic) -> None:
        if self._watch:
            done, lag = self.summary.received, source.lag()
            self._watch(Status(done, done, lag, source.partitions, source.rebalances))

    def _complain(self, problem: str) -> None:
        if self._watch:
            self._watch(Status(0, 0, None, 0, 0, problem))
