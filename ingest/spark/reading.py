"""Sources read and validated on the executors, their messages taken in here in order, a part at a time."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ingest.parsing import Chunk, unpack_lines
from ingest.spark import executor
from ingest.spark.executor import FileTask, ReadChunk
from ingest.spark.failures import spark_failures
from ingest.spark.sources import LinesFile, Source, Table, bytes_of, rows_of
from lineage_tt.messages import Message, SourcePosition

if TYPE_CHECKING:
    from pyspark import RDD
    from pyspark.sql import SparkSession

    from ingest.mapping import FieldMapping

#: About so many bytes of lines come here at once.
PART_BYTES: Final = 32 << 20
#: Files that together hold less than this are read here: on their way through Spark they would cost more.
LEAST_BYTES: Final = 32 << 20
#: A compressed file is taken to hold so many times its bytes.
RATIO: Final = 8


class Part(NamedTuple):
    """Consecutive messages of the source with this number; None for a line that holds none.

    ``skipped`` messages before them are in the log already.
    """

    source: int
    chunk: Chunk
    messages: list[Message | None]
    skipped: int = 0


def parts(
    spark: SparkSession,
    sources: Sequence[Source],
    known: Mapping[int, SourcePosition],
    mapping: FieldMapping | None,
    least: int = LEAST_BYTES,
) -> Iterator[Part]:
    """Yield the messages of the sources in order, from the ``known`` place of each on if it is still the same one.

    Files of fewer than ``least`` bytes together are read here.
    """
    for are_files, group in groupby(enumerate(sources), lambda numbered: isinstance(numbered[1], LinesFile)):
        with spark_failures("read the messages"):
            if are_files:
                yield from _file_parts(spark, list(group), known, mapping, least)
            else:
                for number, source in group:
                    assert isinstance(source, Table)
                    yield from _table_parts(spark, number, source, known.get(number), mapping)


def _file_parts(
    spark: SparkSession,
    files: list[tuple[int, Source]],
    known: Mapping[int, SourcePosition],
    mapping: FieldMapping | None,
    least: int,
) -> Iterator[Part]:
    """Yield the parts of files: read in one stage, a task a file; put in order by a second one, in even portions."""
    tasks: list[FileTask] = []
    weight = 0
    for number, source in files:
        assert isinstance(source, LinesFile)
        size = (bytes_of(source) or 0) * (RATIO if _compressed(source.path) else 1)
        first, last = weight // PART_BYTES, (weight + size) // PART_BYTES
        tasks.append(FileTask(number, source.path, known.get(number), mapping, first, last - first + 1))
        weight += size
    for chunk in _read_here(tasks) if weight < least else _read_in_spark(spark, tasks):
        skipped = chunk.chunk.first if not chunk.chunk.lines else 0
        yield Part(chunk.source, chunk.chunk, unpack_lines(chunk.chunk, chunk.packed), skipped)


def _read_here(tasks: Sequence[FileTask]) -> Iterator[ReadChunk]:
    return (chunk for _, chunk in executor.read_files(tasks))


def _read_in_spark(spark: SparkSession, tasks: Sequence[FileTask]) -> Iterator[ReadChunk]:
    count = tasks[-1].first_bin + tasks[-1].bins
    read = spark.sparkContext.parallelize(tasks, len(tasks)).mapPartitions(executor.read_files)
    return _arriving(read.partitionBy(count, int).mapPartitions(_in_order))


def _in_order(given: Iterable[tuple[int, ReadChunk]]) -> Iterator[ReadChunk]:
    chunks = [chunk for _, chunk in given]
    return iter(sorted(chunks, key=lambda each: (each.source, each.chunk.first, len(each.chunk.lines))))


def _table_parts(
    spark: SparkSession, number: int, table: Table, known: SourcePosition | None, mapping: FieldMapping | None
) -> Iterator[Part]:
    """Yield the parts of a table; the place of a row is its number in the table's order."""
    rows: RDD[Any] = rows_of(spark, table).rdd.map(lambda row: row[0])
    chunks = rows.mapPartitions(lambda given: executor.validate_rows(given, number, mapping))
    skip = known.offset if known and _place(_arriving(chunks), table.name, known.offset) == known else 0
    digest, count = hashlib.sha256(), 0
    if skip:
        yield Part(number, Chunk(skip, [], known or SourcePosition("", 0), 0), [], skip)
    for read in _arriving(chunks):
        messages = unpack_lines(read.chunk, read.packed)
        for position, (line, message) in enumerate(zip(read.chunk.lines, messages, strict=True), count):
            digest.update(line + b"\n")
            if message is not None:
                message.position = position
        first, count = count, count + len(messages)
        if count > skip:
            behind = max(skip - first, 0)
            place = SourcePosition(table.name, count, digest.hexdigest())
            yield Part(number, Chunk(first + behind, read.chunk.lines[behind:], place, 0), messages[behind:])


def _place(chunks: Iterator[ReadChunk], name: str, offset: int) -> SourcePosition:
    """Return the place behind the first ``offset`` rows."""
    digest, left = hashlib.sha256(), offset
    for read in chunks:
        for line in read.chunk.lines[:left]:
            digest.update(line + b"\n")
        left -= min(left, len(read.chunk.lines))
        if not left:
            break
    return SourcePosition(name, offset - left, digest.hexdigest())


def _arriving(chunks: RDD[ReadChunk]) -> Iterator[ReadChunk]:
    return iter(chunks.toLocalIterator(prefetchPartitions=True))


def _compressed(path: str) -> bool:
    with open(path, "rb") as file:
        return file.read(4)[:2] in (b"\x1f\x8b", b"\x28\xb5")
