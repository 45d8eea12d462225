"""Plain files read by ranges of bytes: a task reads one range, so one large file keeps every core busy.

A range holds the lines that begin in it. No task knows the number of its first line or the digest of what is before it:
the driver counts lines and reads the bytes once more for the digest, which costs it a few seconds for 4 GB.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain
from typing import IO, TYPE_CHECKING, Final, NamedTuple

from ingest.messages.lines import Lines, read_line
from ingest.messages.parsing import Chunk, Packed, pack_lines
from ingest.spark.executor import CHUNK_LINES
from lineage_tt.model.errors import UnavailableError
from lineage_tt.model.messages import SourcePosition

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from ingest.messages.mapping import FieldMapping

#: Bytes of a range. The driver holds what a window of ranges becomes, several times its size: keep it small.
RANGE_BYTES: Final = 8 << 20


@dataclass(frozen=True, slots=True)
class FileRange:
    """The lines of a file that begin at byte ``begin`` or later and before byte ``end``."""

    number: int
    path: str
    begin: int
    end: int
    mapping: FieldMapping | None


class RangeChunk(NamedTuple):
    """Lines of a range with their messages: of the source ``number``, ``size`` bytes of the file."""

    number: int
    lines: list[bytes]
    packed: list[Packed]
    size: int


class Place:
    """How far a file was read: lines, bytes and the digest of the bytes."""

    def __init__(self, path: str, known: SourcePosition | None) -> None:
        self._path = path
        with Lines(path) as lines:
            self.name = lines.name
            if known is not None:
                lines.skip_to(known)
            self.lines = self.skipped = lines.count
            self.bytes = lines.bytes_read
        self._digest = hashlib.sha256()
        self._take(0, self.bytes)

    def reached(self) -> Chunk:
        """Return the place as a chunk without lines."""
        return Chunk(self.lines, [], SourcePosition(self.name, self.lines, self._digest.hexdigest()), self.bytes)

    def advance(self, chunk: RangeChunk) -> Chunk:
        """Take in the chunk that follows; return it with its place in the file."""
        first = self.lines
        self._take(self.bytes, chunk.size)
        self.lines += len(chunk.lines)
        self.bytes += chunk.size
        place = self.reached()
        return Chunk(first, chunk.lines, place.place, place.bytes_read)

    def _take(self, begin: int, size: int) -> None:
        with open(self._path, "rb") as file:
            file.seek(begin)
            while size and (data := file.read(min(size, 1 << 20))):
                self._digest.update(data)
                size -= len(data)
        if size:
            raise UnavailableError(
                f"{self._path} became shorter while it was read",
                hint="run the same command again when nothing writes to it",
            )


def ranges_of(number: int, path: str, begin: int, end: int, mapping: FieldMapping | None) -> list[FileRange]:
    """Return the ranges of a file from a byte at which a line begins to its end."""
    starts = range(begin, end, RANGE_BYTES)
    return [FileRange(number, path, at, min(at + RANGE_BYTES, end), mapping) for at in starts]


def read_ranges(spark: SparkSession, ranges: list[FileRange]) -> Iterator[RangeChunk]:
    """Yield the chunks of the ranges in order: a window of tasks is read while the one before is taken in."""
    context, bins = spark.sparkContext, _bins(ranges)
    tasks, width = context.parallelize(bins, len(bins)), int(context.defaultParallelism)

    def read(first: int) -> list[RangeChunk]:
        return list(context.runJob(tasks, _read, range(first, min(first + width, len(bins)))))

    with ThreadPoolExecutor(1, "read ahead") as ahead:
        waiting: Future[list[RangeChunk]] = ahead.submit(read, 0)
        for first in range(width, len(bins) + width, width):
            chunks = waiting.result()
            if first < len(bins):
                waiting = ahead.submit(read, first)
            yield from chunks


def _bins(ranges: list[FileRange]) -> list[list[FileRange]]:
    """Return the ranges by task: those of small files share one."""
    bins: list[list[FileRange]] = []
    weight = RANGE_BYTES
    for each in ranges:
        if weight + each.end - each.begin > RANGE_BYTES:
            bins.append([])
            weight = 0
        bins[-1].append(each)
        weight += each.end - each.begin
    return bins


def _read(bins: Iterable[list[FileRange]]) -> Iterator[RangeChunk]:
    """Read ranges, in a task of Spark."""
    for each in chain.from_iterable(bins):
        yield from _chunks(each)


def _chunks(file_range: FileRange) -> Iterator[RangeChunk]:
    with open(file_range.path, "rb", 1 << 20) as file:
        at = _first_line(file, file_range.begin)
        lines: list[bytes] = []
        begun = at
        while at < file_range.end and (line := read_line(file, lambda _: None)):
            at = file.tell()
            lines.append(line.rstrip(b"\r\n"))
            if len(lines) == CHUNK_LINES:
                yield _chunk(file_range, lines, at - begun)
                lines, begun = [], at
        if lines:
            yield _chunk(file_range, lines, at - begun)


def _chunk(file_range: FileRange, lines: list[bytes], size: int) -> RangeChunk:
    packed = pack_lines(file_range.mapping, Chunk(0, lines, SourcePosition("", 0), 0))
    return RangeChunk(file_range.number, lines, packed, size)


def _first_line(file: IO[bytes], begin: int) -> int:
    """Go to the first line that begins at ``begin`` or later; return its place."""
    if begin:
        file.seek(begin - 1)
        while (rest := file.readline(1 << 20)) and not rest.endswith(b"\n"):
            pass
    return file.tell()
