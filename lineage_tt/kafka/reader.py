"""Reads a change topic: each version's event once, complete and in order; a gap raises an error."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Any, Final, Self

import orjson

from lineage_tt.events import Event
from lineage_tt.feed.parts import Sequencer
from lineage_tt.kafka.library import load
from lineage_tt.kafka.settings import Topic, read_topic
from lineage_tt.kafka.topics import Described, describe, unavailable
from lineage_tt.model.errors import CorruptError, InvalidRequestError

_CE: Final = "ce_"
#: The most records that one poll takes.
MAX_RECORDS: Final = 2_000
#: Bytes fetched at once. A part of a large event may be larger, up to the limit of the topic.
FETCH_BYTES: Final = 8 * 1024 * 1024


class TopicReader:
    """Reads a change topic from after a version on: ``for event in TopicReader(address, after=v): ...``.

    It belongs to no consumer group: its cursor is a version, which the caller keeps together with what it makes of the
    events. Raises GapError where versions that it needs are gone, CorruptError where this is not a change topic.
    """

    def __init__(self, topic: Topic | str, *, after: int = 0, options: Iterable[str] = ()) -> None:
        self.topic = read_topic(topic, options) if isinstance(topic, str) else topic
        self._sequencer = Sequencer(after)
        self._kafka = load()
        described = describe(self.topic)
        if described.compacted:
            raise InvalidRequestError(
                f"{self.topic.name} is compacted: it keeps the latest record of a key, not the history",
                hint="read a topic of changes, whose cleanup.policy is delete",
            )
        self._consumer = open_consumer(self.topic, described)
        self._parts = [self._kafka.TopicPartition(self.topic.name, number) for number in described.partitions]
        self._blocked_until: dict[Any, int] | None = None
        try:
            self._go_to(after)
        except BaseException:
            self.close()
            raise

    @property
    def after(self) -> int:
        """The last version that was returned: store it together with its effects, and start again after it."""
        return self._sequencer.after

    @property
    def config(self) -> dict[str, Any]:
        """The consumer's effective settings, including secrets."""
        settings: dict[str, Any] = self._consumer.config
        return settings

    def poll(self, timeout: float = 1.0) -> list[Event]:
        """Return the events that arrived; wait at most ``timeout`` seconds for the first."""
        result: list[Event] = []
        deadline = time.monotonic() + timeout
        while True:
            try:
                batches = self._consumer.poll(max(0, int(1000 * (deadline - time.monotonic()))), MAX_RECORDS)
            except self._kafka.errors.OffsetOutOfRangeError:
                self._skip_what_is_gone()
                continue
            except self._kafka.errors.KafkaError as error:
                raise unavailable(self.topic, error) from error
            for records in batches.values():
                for record in records:
                    result += self._sequencer.take(event_in(record))
            self._check_blocked()
            if result or time.monotonic() >= deadline:
                return result

    def at_end(self) -> bool:
        """Return whether everything that the topic holds now has been read."""
        ends = self._consumer.end_offsets(self._parts)
        return all(self._consumer.position(part) >= ends[part] for part in self._parts)

    def read_to_end(self) -> Iterator[Event]:
        """Yield events up to the topic's end as it is now."""
        ends = self._consumer.end_offsets(self._parts)
        while any(self._consumer.position(part) < ends[part] for part in self._parts):
            yield from self.poll(0.5)

    def __iter__(self) -> Iterator[Event]:
        """Yield events without end."""
        while True:
            yield from self.poll()

    def close(self) -> None:
        """Close the consumer."""
        self._consumer.close(autocommit=False, timeout_ms=2000)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _skip_what_is_gone(self) -> None:
        """Continue after records that retention removed; the version before the next event shows what was lost."""
        begins = self._consumer.beginning_offsets(self._parts)
        for part in self._parts:
            if self._consumer.position(part) < begins[part]:
                self._consumer.seek(part, begins[part])

    def _check_blocked(self) -> None:
        """Raise GapError for a gap once everything that the topic held when the gap was seen has been read.

        No partition can fill the gap then.
        """
        if self._sequencer.blocked is None:
            self._blocked_until = None
            return
        if self._blocked_until is None:
            self._blocked_until = self._consumer.end_offsets(self._parts)
        if all(self._consumer.position(part) >= end for part, end in self._blocked_until.items()):
            self._sequencer.refuse()

    def _go_to(self, after: int) -> None:
        begins, ends = assign(self._consumer, self._parts)
        starts = dict(begins)
        if after:
            starts = {p: find_version(self._consumer, p, begins[p], ends[p], after) for p in self._parts}
        for part in self._parts:
            self._consumer.seek(part, starts[part])


def open_consumer(topic: Topic, described: Described, **ours: Any) -> Any:
    """Return a consumer for a topic that reads committed records only, commits no offsets and never resets silently."""
    kafka = load()
    whole = max(FETCH_BYTES, 2 * described.max_bytes)
    settings = topic.client(
        kafka.KafkaConsumer.DEFAULT_CONFIG,
        **{
            "client_id": "lineage-tt",
            "enable_auto_commit": False,
            "isolation_level": "read_committed",
            "auto_offset_reset": "none",
            "allow_auto_create_topics": False,
            "max_partition_fetch_bytes": whole,
            "metrics_enabled": False,
        }
        | ours,
    )
    try:
        return kafka.KafkaConsumer(**settings)
    except kafka.errors.KafkaError as error:
        raise unavailable(topic, error) from error


def assign(consumer: Any, parts: list[Any]) -> tuple[dict[Any, int], dict[Any, int]]:
    """Assign these partitions to a consumer, all at their beginning; return where each begins and ends."""
    consumer.assign(parts)
    begins: dict[Any, int] = consumer.beginning_offsets(parts)
    ends: dict[Any, int] = consumer.end_offsets(parts)
    for part in parts:
        consumer.seek(part, begins[part])
    return begins, ends


def event_in(record: Any) -> Event:
    """Return the event in a record, structured or binary; CorruptError where there is none."""
    headers = dict(record.headers)
    try:
        if record.value is None:
            raise ValueError("a tombstone: this is a topic of current state")
        value = orjson.loads(record.value)
        if "ce_type" in headers:
            attributes = {n.removeprefix(_CE): v.decode() for n, v in headers.items() if n.startswith(_CE)}
            value = attributes | {"datacontenttype": headers["content-type"].decode(), "data": value}
        if not isinstance(value, dict) or "data" not in value:
            raise ValueError("no CloudEvent")
    except (ValueError, KeyError) as error:
        raise CorruptError(
            f"record {record.offset} of partition {record.partition} of {record.topic} is not an event: {error}",
            hint="read the topic that lineage-tt relay fills",
        ) from None
    return value


def last_record(consumer: Any, part: Any, begin: int, end: int) -> Any:
    """Return the last committed record of a partition, None where there is none.

    The last offsets may be transaction markers, or records of an aborted transaction, so it looks back step by step.
    """
    back, upto = 16, end
    while upto > begin:
        start = max(begin, end - back)
        if records := _records(consumer, part, start, upto):
            return records[-1]
        back, upto = back * 8, start
    return None


def find_version(consumer: Any, part: Any, begin: int, end: int, after: int) -> int:
    """Return, by binary search, an offset from which a partition holds everything after a version."""
    low, high = begin, end
    while low < high:
        middle = (low + high) // 2
        records = _records(consumer, part, middle, high, first=True)
        if not records or _version(records[0]) > after:
            high = middle
        else:
            low = records[0].offset + 1
    return low


def _version(record: Any) -> int:
    return int(event_in(record)["data"]["version"])


def _records(consumer: Any, part: Any, start: int, end: int, *, first: bool = False) -> list[Any]:
    """Return a partition's committed records in [start, end), or the first of them."""
    others = [other for other in consumer.assignment() if other != part]
    consumer.pause(*others)
    consumer.resume(part)
    consumer.seek(part, start)
    result: list[Any] = []
    while consumer.position(part) < end and not (first and result):
        for records in consumer.poll(500).values():
            result += [record for record in records if record.offset < end]
    consumer.resume(*others)
    return result
