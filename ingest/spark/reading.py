"""Sources read and validated on the executors, their messages taken in here in order, a part at a time."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ingest.messages.lines import Lines, is_compressed
from ingest.messages.parsing import Chunk, LineParser, parsed_chunks, unpack_lines
from ingest.spark import executor
from ingest.spark.executor import CHUNK_LINES, ReadChunk
from ingest.spark.failures import spark_failures
from ingest.spark.ranges import FileRange, Place, ranges_of, read_ranges
from ingest.spark.sources import LinesFile, Source, Table, bytes_of, rows_of
from lineage_tt.model.messages import Message, SourcePosition

if TYPE_CHECKING:
    from pyspark import RDD
    from pyspark.sql import SparkSession

    from ingest.messages.mapping import FieldMapping

#: Files that together hold less than this are read here: reading them through Spark would cost more.
LEAST_BYTES: Final = 32 << 20


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
    """Yield the messages of the sources in order, each from its ``known`` place on, if it is still the same one.

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
    """Yield the parts of files: plain ones by ranges on the executors, compressed and few ones read here."""
    few = sum(bytes_of(source) or 0 for _, source in files) < least
    for apart, group in groupby(files, lambda numbered: not few and not is_compressed(_path(numbered[1]))):
        if apart:
            yield from _range_parts(spark, list(group), known, mapping)
        else:
            for number, source in group:
                yield from _parts_here(number, _path(source), known.get(number), mapping)


def _parts_here(number: int, path: str, known: SourcePosition | None, mapping: FieldMapping | None) -> Iterator[Part]:
    """Yield the parts of a file read in this process; a long one is validated in a process beside it."""
    with Lines(path) as lines, LineParser(mapping) as parser:
        if known is not None:
            lines.skip_to(known)
        yield Part(number, Chunk(lines.count, [], lines.position, lines.bytes_read), [], lines.count)
        for chunk, messages in parsed_chunks(lines, parser, CHUNK_LINES):
            yield Part(number, chunk, messages)


def _range_parts(
    spark: SparkSession,
    files: list[tuple[int, Source]],
    known: Mapping[int, SourcePosition],
    mapping: FieldMapping | None,
) -> Iterator[Part]:
    """Yield the parts of plain files read on the executors."""
    places = {number: Place(_path(source), known.get(number)) for number, source in files}
    ranges: list[FileRange] = []
    for number, source in files:
        ranges += ranges_of(number, _path(source), places[number].bytes, bytes_of(source) or 0, mapping)
    started: set[int] = set()
    for read in read_ranges(spark, ranges) if ranges else ():
        yield from _skipped(places, read.number, started)
        chunk = places[read.number].advance(read)
        messages = unpack_lines(chunk, read.packed)
        for position, message in enumerate(messages, chunk.first):
            if message is not None:
                message.position = position
        yield Part(read.number, chunk, messages)
    for number, _ in files:
        yield from _skipped(places, number, started)


def _skipped(places: Mapping[int, Place], number: int, started: set[int]) -> Iterator[Part]:
    """Yield what the log held of a file before, once, ahead of what is new in it."""
    if number not in started:
        started.add(number)
        if places[number].skipped:
            yield Part(number, places[number].reached(), [], places[number].skipped)


def _path(source: Source) -> str:
    assert isinstance(source, LinesFile)
    return source.path


def _table_parts(
    spark: SparkSession, number: int, table: Table, known: SourcePosition | None, mapping: FieldMapping | None
) -> Iterator[Part]:
    """Yield the parts of a table; the place of a row is its number in the table's order."""
    rows: RDD[Any] = rows_of(spark, table).rdd.map(lambda row: row[0])
    chunks = rows.mapPartitions(lambda partition: executor.validate_rows(partition, number, mapping))
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
            done = max(skip - first, 0)
            place = SourcePosition(table.name, count, digest.hexdigest())
            yield Part(number, Chunk(first + done, read.chunk.lines[done:], place, 0), messages[done:])


def _place(chunks: Iterator[ReadChunk], name: str, offset: int) -> SourcePosition:
    """Return the position after the first ``offset`` rows."""
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
