"""Reading messages out of lines: in this process for a few, in a second process for many.

Validation takes half of what an explicit-edge message costs, and Python runs one thread at a time; a second process
doubles the rate of a long file. It starts only when a file proves to be long, and does nothing that the first one could
not do.
"""

from __future__ import annotations

import gc
import os
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from operator import attrgetter
from types import TracebackType
from typing import Any, Final, Self

from ingest.messages.lines import Lines
from ingest.messages.mapping import FieldMapping
from ingest.messages.native import parse_message, parse_object
from ingest.messages.refusals import refusal
from lineage_tt.model.messages import Lineage, Message, SourcePosition, TaskChange
from lineage_tt.storage import failpoints
from lineage_tt.write.admission import catch_all
from lineage_tt.write.admission.rules import admitted

#: The bytes at which a chunk of lines ends, too.
MAX_CHUNK_BYTES: Final = 16 * 1024 * 1024
#: How many chunks are read ahead of the one that is appended.
MAX_AHEAD: Final = 2
#: The bytes of input from which a second process is worth its start.
LONG: Final = 6 * 1024 * 1024


#: A message on its way between the processes: whole, or its fields and edges in a tuple.
Packed = Message | tuple[Any, ...] | None


@dataclass(slots=True)
class Chunk:
    """Consecutive lines of a source: the number of the first one, and the position after the last."""

    first: int
    lines: list[bytes]
    place: SourcePosition
    bytes_read: int


def read_chunks(lines: Lines, size: int) -> Iterator[Chunk]:
    """Yield the lines of a source in chunks of ``size`` lines, fewer where they are long."""
    chunk: list[bytes] = []
    weight = 0
    for raw in lines:
        failpoints.reach("p0:after")
        chunk.append(raw)
        weight += len(raw)
        if len(chunk) >= size or weight >= MAX_CHUNK_BYTES:
            yield Chunk(lines.count - len(chunk), chunk, lines.position, lines.bytes_read)
            chunk, weight = [], 0
    if chunk:
        yield Chunk(lines.count - len(chunk), chunk, lines.position, lines.bytes_read)


def parse_line(mapping: FieldMapping | None, raw: bytes, position: int | None) -> Message | None:
    """Return the message in ``raw``, mapped if there is a mapping; None for a blank line or one the mapping ignores."""
    try:
        if not raw.strip():
            return None
        return parse_message(raw, position) if mapping is None else _mapped(mapping, raw, position)
    except Exception as error:  # the last resort: no message may stop the reading of the others
        if not catch_all.is_bug(error):
            raise
        return catch_all.refusal_of(raw, error, position)


def _mapped(mapping: FieldMapping, raw: bytes, position: int | None) -> Message | None:
    try:
        return mapping.apply(parse_object(raw), raw, position)
    except (ValueError, RecursionError) as error:
        return refusal(raw, error, position)


class LineParser:
    """Parses chunks of lines in order, ahead of the consumer."""

    def __init__(self, mapping: FieldMapping | None) -> None:
        self._mapping = mapping
        self._pool: ProcessPoolExecutor | None = None
        self._seen = 0

    def submit(self, chunk: Chunk) -> Future[list[Packed]]:
        """Begin to parse a chunk; its future holds, for ``result``, a message or None for each line."""
        self._seen += sum(map(len, chunk.lines))
        if self._pool is None and self._seen > LONG:
            self._pool = ProcessPoolExecutor(1, get_context("spawn"), _start, (self._mapping, os.getpid()))
        if self._pool is not None:
            try:
                return self._pool.submit(_parse_without_raw, chunk.lines, chunk.first)
            except BrokenProcessPool:
                self._pool = None  # killed: the lines are still here
        done: Future[list[Packed]] = Future()
        done.set_result([*self._parse(chunk)])
        return done

    def result(self, chunk: Chunk, parsed: Future[list[Packed]]) -> list[Message | None]:
        """Wait for a chunk's messages and give them back their bytes."""
        try:
            return unpack_lines(chunk, parsed.result())
        except BrokenProcessPool:
            return unpack_lines(chunk, [*self._parse(chunk)])

    def _parse(self, chunk: Chunk) -> list[Message | None]:
        return [parse_line(self._mapping, raw, chunk.first + i) for i, raw in enumerate(chunk.lines)]

    def close(self) -> None:
        """End the second process, if there is one."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def parsed_chunks(lines: Lines, parser: LineParser, size: int) -> Iterator[tuple[Chunk, list[Message | None]]]:
    """Yield the lines of a source in chunks of ``size`` with their messages, parsing a few chunks ahead."""
    ahead: deque[tuple[Chunk, Future[list[Packed]]]] = deque()
    for chunk in read_chunks(lines, size):
        ahead.append((chunk, parser.submit(chunk)))
        if len(ahead) > MAX_AHEAD:
            first, parsed = ahead.popleft()
            yield first, parser.result(first, parsed)
    for first, parsed in ahead:
        yield first, parser.result(first, parsed)


def pack_lines(mapping: FieldMapping | None, chunk: Chunk) -> list[Packed]:
    """Return the messages of a chunk's lines, ready to travel to a process that has the lines too."""
    return [_packed(parse_line(mapping, raw, chunk.first + i)) for i, raw in enumerate(chunk.lines)]


def unpack_lines(chunk: Chunk, packed: Sequence[Packed]) -> list[Message | None]:
    """Return the messages that ``pack_lines`` made of the chunk, with their bytes."""
    messages = [_unpacked(message) for message in packed]
    for message, raw in zip(messages, chunk.lines, strict=True):
        if message is not None:
            message.raw = raw
    return messages


_mapping: FieldMapping | None = None


def _start(mapping: FieldMapping | None, parent: int) -> None:
    """Set up the second process; it ends with the first one, however that one ends."""
    global _mapping
    _mapping = mapping
    gc.disable()  # what is parsed is in no cycle, and leaves this process at once
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(0)


def _parse_without_raw(lines: Sequence[bytes], first: int) -> list[Packed]:
    return [_packed(parse_line(_mapping, raw, first + i)) for i, raw in enumerate(lines)]


def _packed(message: Message | None) -> Packed:
    """Return a message as it is sent to the first process, which has its bytes: they are not sent back.

    Most messages carry edges and little else, and may be admitted as they are. These travel as a tuple, which is made
    and read twice as fast as the object, and the first process need not check them again.
    """
    if message is None:
        return None
    if (
        isinstance(message, TaskChange)
        and message.lineage is not None
        and _rest(message) == _NO_REST
        and _is_admitted(message)
    ):
        return (*_sent(message), message.lineage.edges)
    message.raw = b""
    return message


def _unpacked(packed: Packed) -> Message | None:
    if not isinstance(packed, tuple):
        return packed
    *fields, edges = packed
    return TaskChange(**dict(zip(_SENT, fields, strict=True)), lineage=Lineage(edges, ordered=True), admitted=True)


def _is_admitted(message: TaskChange) -> bool:
    """Return whether the writer would admit a message as it is: not reject it, mask names in it, or fail."""
    try:
        return admitted(message) is message
    except Exception:
        return False


#: The fields of a message that carries edges and little else; all others are at their defaults.
_SENT: Final = (
    "event_id", "task_id", "op", "effective_at", "source_version", "recorded_at", "produced_at", "actor", "reason",
    "position", "digest",
)  # fmt: skip
_NOT_SENT: Final = tuple(
    name for name in TaskChange.__dataclass_fields__ if name not in (*_SENT, "raw", "lineage", "admitted")
)
_sent: Final = attrgetter(*_SENT)
_rest: Final = attrgetter(*_NOT_SENT)
_NO_REST: Final = _rest(TaskChange("", "", "offline"))
