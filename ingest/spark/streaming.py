"""Streams into the store: files as they arrive in a folder, or a topic, a micro-batch at a time.

Structured Streaming plans the micro-batches and keeps, in its checkpoint, which were begun and which are done. What
counts is in the log: each commit holds the places that it reaches in its sources, in the same transaction as the rows.
A micro-batch that is run once more, for the driver died between the log's commit and the checkpoint's, finds its
places in the log and adds nothing; a lost checkpoint costs a look at what was there.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlparse

from ingest.parsing import Chunk, unpack_lines
from ingest.spark import executor, kafka_source
from ingest.spark.failures import spark_failures
from ingest.spark.importing import Importer, ImportReport
from ingest.spark.reading import Part
from ingest.spark.sources import LinesFile
from lineage_tt.kafka.settings import read_topic
from lineage_tt.kafka.topics import describe
from lineage_tt.messages import SourcePosition
from lineage_tt.store import Store

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming.readwriter import DataStreamWriter

    from ingest.mapping import FieldMapping

#: Micro-batches follow one another this fast, where there is something to read.
EVERY: Final = 1.0
#: The columns of Spark's binaryFile; none but the path is read.
_FILES: Final = "path string, modificationTime timestamp, length bigint, content binary"


class Streamer:
    """Feeds a stream into a store. ``told`` is given the report of each micro-batch that held messages."""

    def __init__(
        self,
        store: Store,
        spark: SparkSession,
        importer: Importer,
        checkpoint: str,
        *,
        mapping: FieldMapping | None = None,
        every: float = EVERY,
        told: Callable[[ImportReport], None] | None = None,
    ) -> None:
        self._store = store
        self._spark = spark
        self._importer = importer
        self._checkpoint = checkpoint
        self._mapping = mapping
        self._every = every
        self._told = told or (lambda report: None)
        self._failure: BaseException | None = None

    def files(self, folder: str, *, most: int | None = None, until_end: bool = False) -> None:
        """Take in the files of a folder, and those that come, in the order of their names within a micro-batch.

        A file must be put there whole, by a rename. ``most`` files make a micro-batch. With ``until_end`` it returns
        when all that is there is in the log; else never, but by an error.
        """
        reader = self._spark.readStream.format("binaryFile").schema(_FILES)
        if most is not None:
            reader = reader.option("maxFilesPerTrigger", str(most))
        arriving = reader.load(Path(folder).resolve().as_uri()).select("path")
        self._run(arriving.writeStream, self._take_files, until_end)

    def topic(
        self, uri: str, settings: Sequence[str] = (), *, most: int | None = None, until_end: bool = False
    ) -> None:
        """Take in a topic, a partition behind the other within a micro-batch of at most ``most`` records."""
        self._spark.dataSource.register(kafka_source.TaskTopic)
        log = self._store.writer.log
        starting = {
            str(number): place.offset
            for number in describe(read_topic(uri, settings)).partitions
            if (place := log.source_position(partition_name(uri, number))) is not None
        }
        options = {"topic": uri, "settings": json.dumps(list(settings)), "starting": json.dumps(starting)}
        reader = self._spark.readStream.format(kafka_source.NAME).options(**options)
        if most is not None:
            reader = reader.option("most", str(most))

        def take(batch: DataFrame, number: int) -> None:
            self._take_records(uri, batch)

        self._run(reader.load().writeStream, take, until_end)

    def _run(self, writing: DataStreamWriter, take: Callable[[DataFrame, int], None], until_end: bool) -> None:
        def safely(batch: DataFrame, number: int) -> None:
            try:
                take(batch, number)
            except BaseException as error:
                self._failure = error  # Spark would hand on its text only
                raise

        writing = writing.foreachBatch(safely).option("checkpointLocation", self._checkpoint)
        writing = (
            writing.trigger(availableNow=True)
            if until_end
            else writing.trigger(processingTime=f"{self._every} seconds")
        )
        with spark_failures("go on with the stream"):
            query = writing.start()
            try:
                query.awaitTermination()
            except Exception:
                if self._failure is not None:
                    raise self._failure from None
                raise
            finally:
                query.stop()

    def _take_files(self, batch: DataFrame, number: int) -> None:
        paths = sorted(unquote(urlparse(row.path).path) for row in batch.collect())
        if paths:
            self._told(self._importer.run([LinesFile(path) for path in paths]))

    def _take_records(self, uri: str, batch: DataFrame) -> None:
        mapping = self._mapping
        chunks = batch.rdd.mapPartitions(lambda rows: executor.validate_records(rows, mapping)).collect()
        chunks.sort(key=lambda chunk: (chunk.partition, chunk.offsets[0]))
        numbers = sorted({chunk.partition for chunk in chunks})
        names = [partition_name(uri, number) for number in numbers]
        log = self._store.writer.log
        done = {n: place.offset for n, name in enumerate(names) if (place := log.source_position(name)) is not None}
        found = (_part(chunk, numbers.index(chunk.partition), names, done) for chunk in chunks)
        if chunks:
            self._told(self._importer.take(names, (part for part in found if part.messages)))


def _part(read: executor.RecordChunk, source: int, names: Sequence[str], done: Mapping[int, int]) -> Part:
    """Return what a chunk holds behind what the log has ``done`` of its partition."""
    messages = unpack_lines(read.chunk, read.packed)
    for message, offset in zip(messages, read.offsets, strict=True):
        if message is not None:
            message.position = offset
    skip = bisect_left(read.offsets, done.get(source, 0))
    place = SourcePosition(names[source], read.offsets[-1] + 1)
    return Part(source, Chunk(read.offsets[0], read.chunk.lines[skip:], place, 0), messages[skip:])


def partition_name(uri: str, partition: int) -> str:
    """Return how the log calls a partition of a topic."""
    return f"{uri}/{partition}"
