"""A topic of messages as a Python data source of Spark: offset ranges by partition, read by the executors.

Spark plans a micro-batch as ranges ``[from, until)`` of each partition; a task reads one of them with a consumer of its
own, through kafka-python. Nothing is committed to Kafka: the checkpoint holds what was planned, the log what is done.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, MutableMapping, Sequence
from contextlib import closing
from typing import Any, Final

from pyspark.sql.datasource import DataSource, DataSourceStreamReader, InputPartition
from pyspark.sql.streaming.datasource import ReadAllAvailable, ReadLimit, ReadMaxRows, SupportsTriggerAvailableNow
from pyspark.sql.types import StructType

from lineage_tt.kafka.library import load
from lineage_tt.kafka.reader import open_consumer
from lineage_tt.kafka.settings import Topic, read_topic
from lineage_tt.kafka.topics import describe, unavailable
from lineage_tt.model.errors import UnavailableError

NAME: Final = "lineage_tasks"
SCHEMA: Final = "partition int, offset bigint, value binary"
#: The most offsets that a task reads, so that several executors share a long backlog of one partition.
RANGE: Final = 20_000
#: A range that gives nothing for this many seconds is given up.
PATIENCE: Final = 60.0
_POLL_RECORDS: Final = 2_000

Offsets = dict[str, int]


class OffsetRange(InputPartition):
    """What one task reads: the offsets from ``first`` on, before ``until``, of a partition."""

    def __init__(self, partition: int, first: int, until: int) -> None:
        super().__init__((partition, first, until))
        self.partition = partition
        self.first = first
        self.until = until


class TaskTopic(DataSource):
    """The data source: options ``topic`` (a ``kafka://`` address), ``settings`` (words ``name=value``, as JSON),

    ``starting`` (offsets by partition, as JSON; a partition that is not named is read from its beginning) and ``most``
    (records a micro-batch).
    """

    @classmethod
    def name(cls) -> str:
        """Return the name that ``format`` takes."""
        return NAME

    def schema(self) -> str:
        """Return the columns."""
        return SCHEMA

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:  # noqa: N802 (Spark's name)
        """Return the reader of a stream."""
        return TopicStreamReader(self.options)


class TopicStreamReader(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """Plans micro-batches over a topic, and reads their ranges."""

    def __init__(self, options: MutableMapping[str, str]) -> None:
        # unresolved: values, secrets among them, are looked up where they are used, and are in no plan
        self._uri = options["topic"]
        self._words = json.loads(options.get("settings", "[]"))
        self._starting: Offsets = json.loads(options.get("starting", "{}"))
        self._most = int(options.get("most", "0"))
        self._target: Offsets | None = None

    def initialOffset(self) -> Offsets:  # noqa: N802
        """Return where the stream begins: after what the log holds."""
        begins = self._offsets(beginning=True)
        return {number: self._starting.get(number, begin) for number, begin in begins.items()}

    def getDefaultReadLimit(self) -> ReadLimit:  # noqa: N802
        """Return how much a micro-batch takes."""
        return ReadMaxRows(self._most) if self._most else ReadAllAvailable()

    def prepareForTriggerAvailableNow(self) -> None:  # noqa: N802
        """Take the topic's present end as the end of the stream."""
        self._target = self._offsets()

    def latestOffset(self, start: Offsets, limit: ReadLimit) -> Offsets:  # noqa: N802
        """Return where the next micro-batch ends."""
        ends = self._target or self._offsets()
        most = limit.max_rows if isinstance(limit, ReadMaxRows) else None
        share = None if most is None else max(1, most // max(1, len(ends)))
        return {
            number: max(begin, end if share is None else min(end, begin + share))
            for number, end in ends.items()
            for begin in [start.get(number, self._starting.get(number, 0))]
        }

    def partitions(self, start: Offsets, end: Offsets) -> Sequence[InputPartition]:
        """Return the ranges between two places, in order."""
        return [
            OffsetRange(int(number), first, min(first + RANGE, until))
            for number, until in sorted(end.items(), key=lambda place: int(place[0]))
            for first in range(start.get(number, self._starting.get(number, 0)), until, RANGE)
        ]

    def read(self, partition: InputPartition) -> Iterator[tuple[int, int, bytes]]:
        """Yield the records of a range, in order; runs on an executor."""
        assert isinstance(partition, OffsetRange)
        yield from records_of(read_topic(self._uri, self._words), partition)

    def commit(self, end: Offsets) -> None:
        """Do nothing: Spark is done with what is before ``end``, and the log holds it."""

    def _offsets(self, *, beginning: bool = False) -> Offsets:
        return offsets_of(read_topic(self._uri, self._words), beginning=beginning)


def offsets_of(topic: Topic, *, beginning: bool = False) -> Offsets:
    """Return a topic's offsets by partition: its end, or its beginning."""
    kafka = load()
    described = describe(topic)
    with closing(open_consumer(topic, described)) as consumer:
        parts = [kafka.TopicPartition(topic.name, number) for number in described.partitions]
        try:
            offsets: dict[Any, int] = (consumer.beginning_offsets if beginning else consumer.end_offsets)(parts)
        except kafka.errors.KafkaError as error:
            raise unavailable(topic, error) from error
    return {str(part.partition): offset for part, offset in offsets.items()}


def holds_records(topic: Topic, partition: int, first: int, until: int) -> bool:
    """Return whether there is a record in a range of offsets; ends of transactions are none."""
    return next(records_of(topic, OffsetRange(partition, first, until)), None) is not None


def records_of(topic: Topic, span: OffsetRange) -> Iterator[tuple[int, int, bytes]]:
    """Yield partition, offset and value of each record of a range, in order."""
    kafka = load()
    with closing(open_consumer(topic, describe(topic))) as consumer:
        part = kafka.TopicPartition(topic.name, span.partition)
        consumer.assign([part])
        consumer.seek(part, span.first)
        heard = time.monotonic()
        # transactions leave offsets without a record: the position shows that the range is done
        while consumer.position(part) < span.until:
            try:
                records = consumer.poll(500, _POLL_RECORDS).get(part, [])
            except kafka.errors.KafkaError as error:
                raise unavailable(topic, error) from error
            for record in records:
                if record.offset < span.until:
                    yield span.partition, record.offset, record.value or b""
            if records:
                heard = time.monotonic()
            elif time.monotonic() - heard > PATIENCE:
                raise UnavailableError(
                    f"{topic.uri}: nothing follows offset {consumer.position(part)} of partition {part.partition}",
                    hint="check the brokers; the stream continues where it stopped",
                )
