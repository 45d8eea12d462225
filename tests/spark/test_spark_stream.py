"""Streaming: the same messages give the same store as an ingest, whatever stops in between."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from crashes import history
from imported import checksum, is_sound, rows, sample_lines

from ingest.kafka.ingest import KafkaIngester
from ingest.kafka.topic import LostMessagesError
from ingest.pipeline import Ingester
from ingest.spark.importing import Importer, ImportReport
from ingest.spark.streaming import Streamer
from lineage_tt import Store
from lineage_tt.kafka.settings import read_topic
from lineage_tt.model.errors import InvalidRequestError
from scripts.broker_lib.server import Broker
from scripts.broker_lib.topics import produce

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TIMELESS = ("system_time", "checksum")


class Stream:
    """A store, and streams into it with one checkpoint."""

    def __init__(self, spark: SparkSession, path: Path) -> None:
        self.spark, self.path, self.checkpoint = spark, path, path.with_suffix(".checkpoint")
        self.reports: list[ImportReport] = []

    def files(self, folder: Path, most: int | None = None) -> None:
        """Take in the files of a folder with their system times."""
        store = Store.create(self.path)
        with Importer(store, self.spark, system_times="recorded_at") as importer:
            self._streamer(store, importer).files(str(folder), most=most, until_end=True)

    def topic(self, uri: str, most: int | None = None, fail_after: int = 0) -> None:
        """Take in a topic; with ``fail_after``, die after the commit of the so-many-th micro-batch."""
        store = Store.create(self.path)
        before = len(self.reports)

        def told(report: ImportReport) -> None:
            self.reports.append(report)
            if len(self.reports) - before == fail_after:
                raise RuntimeError("died after the log's commit, before the checkpoint's")

        with Importer(store, self.spark) as importer:
            self._streamer(store, importer, told).topic(uri, most=most, until_end=True)

    def _streamer(
        self, store: Store, importer: Importer, told: Callable[[ImportReport], None] | None = None
    ) -> Streamer:
        return Streamer(store, self.spark, importer, str(self.checkpoint), on_report=told or self.reports.append)


@pytest.fixture
def stream(spark: SparkSession, tmp_path: Path) -> Stream:
    """A stream into a store of its own."""
    return Stream(spark, tmp_path / "streamed")


def test_files_give_the_store_that_an_ingest_gives(stream: Stream, messages: Path, tmp_path: Path) -> None:
    """Files that are there, files that come, a second start, and a start without the checkpoint."""
    lines = sample_lines()
    for name, part in (("1.jsonl", lines[:60]), ("2.jsonl", lines[60:110])):
        (messages / name).write_bytes(b"".join(part))
    stream.files(messages, most=1)
    (messages / "3.jsonl").write_bytes(b"".join(lines[110:]))
    stream.files(messages)
    stream.files(messages)
    shutil.rmtree(stream.checkpoint)
    stream.files(messages)

    with Ingester(Store.create(tmp_path / "ingested"), workers=1, system_times="recorded_at") as ingester:
        for number in (1, 2, 3):
            ingester.ingest_file(str(messages / f"{number}.jsonl"))
    assert checksum(stream.path) == checksum(tmp_path / "ingested")
    accepted = [sum(summary.accepted for summary in report.summaries) for report in stream.reports]
    assert len(accepted) == 4, "two micro-batches, one more, none, and one that finds all in the log"
    assert accepted[-1] == 0
    assert is_sound(stream.path)


def test_files_below_folders_are_read(stream: Stream, messages: Path, tmp_path: Path) -> None:
    """As ``import`` reads them: also in folders that look like partitions; not where a name begins with _ or a dot."""
    lines = sample_lines()
    places = ("1.jsonl", "a/2.jsonl", "day=1/3.jsonl", "_tmp/4.jsonl", ".5.jsonl")
    for place, line in zip(places, lines, strict=False):
        (messages / place).parent.mkdir(exist_ok=True)
        (messages / place).write_bytes(line)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "6.jsonl").write_bytes(lines[5])
    (messages / "linked").symlink_to(tmp_path / "elsewhere")
    stream.files(messages)

    read = {line["event_id"] for line in map(json.loads, (*lines[:3], lines[5]))}
    assert {entry.event_id for entry in Store.open(stream.path).log()} == read


def test_a_link_to_a_folder_around_it_is_refused(stream: Stream, messages: Path) -> None:
    """Spark followed it until the path had forty links."""
    (messages / "a").mkdir()
    (messages / "a" / "back").symlink_to(messages)

    with pytest.raises(InvalidRequestError, match="a/back leads to a folder that contains it"):
        stream.files(messages)


def test_a_topic_gives_the_store_that_an_ingest_gives(
    stream: Stream, tmp_path: Path, broker: Broker, topic: Callable[..., str]
) -> None:
    """SQL, edges and junk from a real broker: the same rows, sources and positions as lineage-tt ingest."""
    name = topic("tasks")
    produce(broker.address, name, [line.rstrip() for line in sample_lines()] + history(120))
    uri = f"kafka://{broker.address}/{name}"

    stream.topic(uri, most=100)

    ingested = Store.create(tmp_path / "ingested")
    KafkaIngester(ingested, read_topic(uri), workers=1).run(until_end=True)
    assert len(stream.reports) == 3
    assert rows(stream.path, *TIMELESS) == rows(tmp_path / "ingested", *TIMELESS)
    assert ingested.writer.log.source_position(rows(stream.path)[0][rows_source()]) is not None


def rows_source() -> int:
    """Return the place of the source among the columns of a row."""
    from lineage_tt.model.format import LogRow

    return LogRow._fields.index("source")


def test_several_partitions_each_in_its_order(stream: Stream, broker: Broker, topic: Callable[..., str]) -> None:
    """Each partition's messages come once, in the order of their offsets; what comes later is after."""
    name = topic("tasks", partitions=3)
    uri = f"kafka://{broker.address}/{name}"
    sent = history(200)
    for number in range(3):
        produce(broker.address, name, sent[number:100:3], partition=number)
    stream.topic(uri)
    for number in range(3):
        produce(broker.address, name, sent[100 + number :: 3], partition=number)
    stream.topic(uri)

    store = Store.open(stream.path)
    ordered = store.sql("SELECT source, list(source_position ORDER BY version) FROM log GROUP BY 1 ORDER BY 1")[1]
    assert len(ordered) == 3
    assert all(positions == sorted(positions) for _, positions in ordered)
    received = sum(summary.received for report in stream.reports for summary in report.summaries)
    assert received == 200
    assert is_sound(stream.path)


def test_a_batch_that_is_run_once_more_counts_once(
    stream: Stream, tmp_path: Path, broker: Broker, topic: Callable[..., str]
) -> None:
    """The driver dies between the log's commit and the checkpoint's; started again, nothing is lost or doubled."""
    name = topic("tasks")
    produce(broker.address, name, history(300, seed=7))
    uri = f"kafka://{broker.address}/{name}"
    with pytest.raises(RuntimeError, match="died after"):
        stream.topic(uri, most=100, fail_after=2)
    reached = Store.open(stream.path).version

    stream.topic(uri, most=100)

    whole = Stream(stream.spark, tmp_path / "whole")
    whole.topic(uri)
    assert 0 < reached < Store.open(stream.path).version
    assert rows(stream.path, *TIMELESS) == rows(whole.path, *TIMELESS)


def test_nothing_is_left_out_without_a_word(
    stream: Stream, tmp_path: Path, broker: Broker, topic: Callable[..., str]
) -> None:
    """A checkpoint that is ahead of the log is refused: it is another store's, or the store was put back."""
    name = topic("tasks")
    produce(broker.address, name, history(20))
    uri = f"kafka://{broker.address}/{name}"
    stream.topic(uri)
    other = Stream(stream.spark, tmp_path / "other")
    other.checkpoint = stream.checkpoint

    with pytest.raises(InvalidRequestError, match=r"the checkpoint .* is at offset 20 of partition 0, the log at 0"):
        other.topic(uri)

    shutil.rmtree(other.checkpoint)
    other.topic(uri)
    assert rows(other.path, *TIMELESS) == rows(stream.path, *TIMELESS)


def test_messages_that_retention_took_are_told(stream: Stream, broker: Broker, topic: Callable[..., str]) -> None:
    """Where the topic begins behind the log's place, the stream stops with the offsets that are gone."""
    from kafka import KafkaAdminClient, TopicPartition

    name = topic("tasks")
    uri = f"kafka://{broker.address}/{name}"
    produce(broker.address, name, history(10))
    stream.topic(uri)
    produce(broker.address, name, history(20, seed=2))
    admin = KafkaAdminClient(bootstrap_servers=broker.address)
    admin.delete_records({TopicPartition(name, 0): 15})
    admin.close()

    with pytest.raises(LostMessagesError, match="offsets 10 to 14 of partition 0"):
        stream.topic(uri)
