"""Streams into the store: files as they arrive in a folder, or a topic, a micro-batch at a time.

Structured Streaming plans the micro-batches and keeps, in its checkpoint, which were begun and which are done. What
counts is in the log: each commit holds the places that it reaches in its sources, in the same transaction as the rows.
A micro-batch that is run again, because the driver died between the log's commit and the checkpoint's, finds its places
in the log and adds nothing. A lost checkpoint only costs another look at what was read before.
"""

from __future__ import annotations

import json
import os
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlparse

from ingest.messages.parsing import Chunk, unpack_lines
from ingest.spark import executor, kafka_source
from ingest.spark.failures import spark_failures
from ingest.spark.importing import Importer, ImportReport
from ingest.spark.reading import Part
from ingest.spark.sources import LinesFile
from ingest.spark.stream_positions import check_places
from lineage_tt.kafka.settings import read_topic
from lineage_tt.kafka.topics import describe
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.messages import SourcePosition
from lineage_tt.store import Store

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming.readwriter import DataStreamWriter

    from ingest.messages.mapping import FieldMapping

#: How often a thread that waits for a micro-batch looks whether the query still runs, in seconds.
LOOK: Final = 0.2
#: Micro-batches follow one another this fast, where there is something to read.
EVERY: Final = 1.0
#: The columns of Spark's binaryFile; none but the path is read.
_FILES: Final = "path string, modificationTime timestamp, length bigint, content binary"


class Streamer:
    """Feeds a stream into a store. ``on_report`` is called with the report of each micro-batch that held messages."""

    def __init__(
        self,
        store: Store,
        spark: SparkSession,
        importer: Importer,
        checkpoint: str,
        *,
        mapping: FieldMapping | None = None,
        every: float = EVERY,
        on_report: Callable[[ImportReport], None] | None = None,
    ) -> None:
        self._store = store
        self._spark = spark
        self._importer = importer
        self._checkpoint = checkpoint
        self._mapping = mapping
        self._every = every
        self._on_report = on_report or (lambda report: None)

    def files(self, folder: str, *, most: int | None = None, until_end: bool = False) -> None:
        """Take in the files below a folder, and those that arrive later, in the order of their paths in a micro-batch.

        Names that begin with ``_`` or ``.`` are not read. A file must be put there whole, by a rename. ``most`` files
        make a micro-batch. With ``until_end`` it returns when all present files are in the log; otherwise it ends only
        with an error. Raises InvalidRequestError where a link leads to a folder that contains it.
        """
        refuse_loops(folder)
        reader = self._spark.readStream.format("binaryFile").schema(_FILES).option("recursiveFileLookup", "true")
        if most is not None:
            reader = reader.option("maxFilesPerTrigger", str(most))
        with spark_failures("read the folder"):
            arriving = reader.load(Path(folder).resolve().as_uri()).select("path")
            self._run(arriving.writeStream, self._take_files, until_end)

    def topic(
        self, uri: str, settings: Sequence[str] = (), *, most: int | None = None, until_end: bool = False
    ) -> None:
        """Read a topic, one partition after the other within a micro-batch of at most ``most`` records."""
        self._spark.dataSource.register(kafka_source.TaskTopic)
        described = describe(read_topic(uri, settings))
        names = {n: f"kafka://{described.cluster}/{read_topic(uri).name}/{n}" for n in described.partitions}
        log = self._store.writer.log
        known = {n: place for n, name in names.items() if (place := log.source_position(name)) is not None}
        starting = {n: place.offset for n, place in known.items() if place.digest == described.identity}
        check_places(uri, settings, starting, self._checkpoint)
        options = {
            "topic": uri,
            "settings": json.dumps(list(settings)),
            "starting": json.dumps({str(number): offset for number, offset in starting.items()}),
        }
        reader = self._spark.readStream.format(kafka_source.NAME).options(**options)
        if most is not None:
            reader = reader.option("most", str(most))

        def take(batch: DataFrame) -> None:
            self._take_records(batch, names, described.identity)

        with spark_failures("read the topic"):
            self._run(reader.load().writeStream, take, until_end)

    def _run(self, writing: DataStreamWriter, take: Callable[[DataFrame], None], until_end: bool) -> None:
        """Run a query; this thread takes in the micro-batches, while the thread in which Spark calls us waits."""
        batches: SimpleQueue[tuple[DataFrame, Future[None]]] = SimpleQueue()

        def hand_over(batch: DataFrame, number: int) -> None:
            taken: Future[None] = Future()
            batches.put((batch, taken))
            taken.result()

        writing = writing.foreachBatch(hand_over).option("checkpointLocation", self._checkpoint)
        trigger = {"availableNow": True} if until_end else {"processingTime": f"{self._every} seconds"}
        query = writing.trigger(**trigger).start()
        try:
            while query.isActive or not batches.empty():
                with suppress(Empty):
                    batch, taken = batches.get(timeout=LOOK)
                    try:
                        take(batch)
                        taken.set_result(None)
                    except BaseException as error:
                        taken.set_exception(RuntimeError("this batch failed"))
                        raise error
            query.awaitTermination()
        finally:
            query.stop()

    def _take_files(self, batch: DataFrame) -> None:
        paths = sorted(unquote(urlparse(row.path).path) for row in batch.collect())
        if paths:
            self._on_report(self._importer.run([LinesFile(path) for path in paths]))

    def _take_records(self, batch: DataFrame, names: Mapping[int, str], identity: str) -> None:
        mapping = self._mapping
        chunks = batch.rdd.mapPartitions(lambda rows: executor.validate_records(rows, mapping)).collect()
        chunks.sort(key=lambda chunk: (chunk.partition, chunk.offsets[0]))
        numbers = sorted({chunk.partition for chunk in chunks})
        log = self._store.writer.log
        done = {}
        for number in numbers:
            place = log.source_position(names[number])
            done[number] = place.offset if place is not None and place.digest == identity else 0
        parts = (
            part_of(chunk, numbers.index(chunk.partition), done[chunk.partition], names[chunk.partition], identity)
            for chunk in chunks
        )
        if chunks:
            self._on_report(self._importer.take([names[n] for n in numbers], (part for part in parts if part.messages)))


def part_of(read: executor.RecordChunk, source: int, done: int, name: str, identity: str) -> Part:
    """Return what a chunk holds after what the log has ``done`` of its partition."""
    messages = unpack_lines(read.chunk, read.packed)
    for message, offset in zip(messages, read.offsets, strict=True):
        if message is not None:
            message.position = offset
    skip = bisect_left(read.offsets, done)
    place = SourcePosition(name, read.offsets[-1] + 1, identity)
    return Part(source, Chunk(read.offsets[0], read.chunk.lines[skip:], place, 0), messages[skip:])


def refuse_loops(folder: str) -> None:
    """Raise InvalidRequestError for a link to a folder that contains it: Spark would read the files again and again."""
    for top, names, _ in os.walk(folder):
        for link in (Path(top, name) for name in names):
            if link.is_symlink() and link.parent.resolve().is_relative_to(link.resolve()):
                raise InvalidRequestError(
                    f"the link {link} leads to a folder that contains it", hint="remove it: a stream follows links"
                )
