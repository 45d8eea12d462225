"""From a Kafka topic to the store: as many messages as have come, up to a bound, become one commit.

A single message does not wait: while one batch is appended in its own thread, the next one fills; when the thread is
free, that batch is appended. The offsets reached are in the log's own commit, so each message counts once, whichever
process dies: a message that is read twice is recognised by its event id.
"""

from __future__ import annotations

import time
from collections import defaultdict, deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from typing import Any, Final, NamedTuple

from ingest.batches import Summary
from ingest.kafka.topic import TaskTopic, connect
from ingest.messages.mapping import FieldMapping
from ingest.messages.parsing import parse_line
from ingest.resolve.resolver import SqlResolver
from lineage_tt.kafka.settings import Topic
from lineage_tt.model.messages import Message, Receipt, TaskChange
from lineage_tt.storage import failpoints
from lineage_tt.store import Store

#: Characters of SQL at which a batch ends: parsing takes time, and parsed messages should soon be safe.
MAX_SQL: Final = 2 * 1024 * 1024
#: Batches that are fetched ahead of the one that is appended.
MAX_AHEAD: Final = 4
#: How long to wait for messages before looking whether to stop, in seconds.
LOOK_UP_EVERY: Final = 0.25
#: The time between two fetches of messages while a batch is appended, in seconds.
GLANCE: Final = 0.02
#: How long a broker may be away at the start, with ``until_end`` and without.
PATIENCE: Final = 10.0
FOREVER: Final = 10.0**9


class Status(NamedTuple):
    """The state of a run: messages received and in the log, records not in it yet (None: not known), rebalances.

    ``problem`` says why nothing comes, where the cluster cannot be reached.
    """

    received: int
    done: int
    lag: int | None
    partitions: int
    rebalances: int
    problem: str = ""


class KafkaIngester:
    """Feeds a topic of task changes into a store, as one member of a consumer group."""

    def __init__(
        self,
        store: Store,
        topic: Topic,
        *,
        group: str | None = None,
        mapping: FieldMapping | None = None,
        workers: int = 2,
        batch: int = 4096,
        accept_loss: bool = False,
        watch: Callable[[Status], None] | None = None,
    ) -> None:
        self._store = store
        self._topic = topic
        self._group = group or f"lineage-tt-{store.id}"
        self._mapping = mapping
        self._batch = batch
        self._accept_loss = accept_loss
        self._watch = watch
        self._resolver = SqlResolver(workers)
        self._fetched: dict[Any, deque[Any]] = defaultdict(deque)
        self._running: tuple[Any, int, Future[list[Receipt]]] | None = None
        self._source: TaskTopic | None = None
        self.summary = Summary(topic.uri)
        self.stopping = False

    def run(self, *, until_end: bool = False) -> Summary:
        """Ingest until ``stopping`` is set, or with ``until_end`` until all that the topic holds now is in the log.

        Raises UnavailableError where the store or the cluster fails; offsets are committed only after the rows.
        """
        begun = time.monotonic()
        patience = PATIENCE if until_end else FOREVER
        try:
            self._source = connect(self._open, lambda: self.stopping, patience, self._complain)
            if self._source is not None:
                with ThreadPoolExecutor(1, "append") as executor:
                    self._loop(self._source, executor, until_end)
        finally:
            if self._source is not None:
                self._source.close()
            self._resolver.close()
        self.summary.seconds = time.monotonic() - begun
        self.summary.explain(self._store)
        return self.summary

    def _open(self) -> TaskTopic:
        return TaskTopic(
            self._topic, self._group, self._store.writer.log.source_position, accept_loss=self._accept_loss
        )

    def _complain(self, problem: str) -> None:
        if self._watch:
            self._watch(Status(0, 0, None, 0, 0, problem))

    def _loop(self, source: TaskTopic, executor: ThreadPoolExecutor, until_end: bool) -> None:
        ends: dict[Any, int] | None = None
        seen = -1
        while not self.stopping:
            self._drop_revoked(source)
            if source.unplaced and self._running is None:
                self._store.refresh()
                source.seek()
            if until_end and seen != source.rebalances and source.joined() and not source.unplaced:
                ends, seen = source.ends(), source.rebalances
            self._fetch(source)
            self._collect(source, block=sum(map(len, self._fetched.values())) >= MAX_AHEAD * self._batch)
            self._submit(source, executor)
            self._tell(source)
            idle = self._running is None and not any(self._fetched.values())
            if until_end and ends is not None and idle and source.joined() and source.past(ends):
                break
        self._collect(source, block=True, last=True)
        self._tell(source)

    def _drop_revoked(self, source: TaskTopic) -> None:
        while source.revoked:
            self._fetched.pop(source.revoked.pop(), None)

    def _fetch(self, source: TaskTopic) -> None:
        fetched = sum(map(len, self._fetched.values()))
        if self._running:  # asleep until the append is done: the next batch goes at once
            wait_for([self._running[2]], GLANCE)
        timeout = 0.0 if self._running or fetched else LOOK_UP_EVERY
        for part, records in source.poll(timeout, self._batch).items():
            failpoints.reach("p0:after")
            if part not in source.revoked:
                self._fetched[part].extend(records)

    def _submit(self, source: TaskTopic, executor: ThreadPoolExecutor) -> None:
        """Give the append thread, if it is free, the batch of the partition whose first record waits longest."""
        waiting = [(records[0].timestamp, part) for part, records in self._fetched.items() if records]
        if self._running is not None or not waiting:
            return
        part = min(waiting)[1]
        messages, offset = self._parse(self._fetched[part])
        place = source.place(part, offset)
        future = executor.submit(self._append, messages, source.source(part), place)
        self._running = part, offset, future

    def _parse(self, records: deque[Any]) -> tuple[list[Message], int]:
        """Take a batch of records off a queue; return their messages, and the offset after them."""
        messages: list[Message] = []
        weight = taken = 0
        offset = 0
        while records and taken < self._batch and weight < MAX_SQL:
            record = records.popleft()
            taken, offset = taken + 1, record.offset + 1
            message = None if record.value is None else parse_line(self._mapping, bytes(record.value), record.offset)
            self.summary.received += 1
            if message is None:
                self.summary.ignored += 1
                continue
            messages.append(message)
            weight += len(message.sql or "") if isinstance(message, TaskChange) else 0
        return messages, offset

    def _append(self, messages: list[Message], source: str, place: Any) -> list[Receipt]:
        if not messages:
            return []
        return self._store.append(messages, source=source, positions=[place], resolver=self._resolver)

    def _collect(self, source: TaskTopic, *, block: bool, last: bool = False) -> None:
        """Take over what the append thread has finished; then, and only then, commit to the broker."""
        if self._running is None:
            return
        part, offset, future = self._running
        if not block and not future.done():
            return
        wait_for([future])
        self._running = None
        self.summary.count(future.result())
        failpoints.reach("p6:before")
        source.commit({part: offset}, wait=last)
        failpoints.reach("p6:after")

    def _tell(self, source: TaskTopic) -> None:
        if self._watch:
            done = self.summary.accepted + self.summary.rejected + self.summary.duplicates + self.summary.ignored
            fetched = sum(map(len, self._fetched.values()))
            lag = source.lag()
            self._watch(
                Status(
                    self.summary.received, done, None if lag is None else lag + fetched, source.partitions,
                    source.rebalances,
                )
            )  # fmt: skip
