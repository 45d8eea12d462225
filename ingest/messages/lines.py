"""JSON Lines from a file or standard input: plain, gzip or zstd, recognised by their first bytes."""

from __future__ import annotations

import gzip
import hashlib
import io
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self, cast

from ingest.messages.bombs import Unpacked
from ingest.messages.native import MAX_BYTES
from lineage_tt.model.errors import InvalidRequestError, UnavailableError
from lineage_tt.model.messages import SourcePosition

#: Lines that are read to see whether a file holds messages at all.
LOOKED_AT: Final = 20
_MARK: Final = b"\xef\xbb\xbf"  # what some editors put before a text, to say that it is UTF-8
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
_BLANK: Final = b" \t"
#: A longer line is not a badly cut message: its file is something else.
MAX_LINE: Final = 1 << 30
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"


class Lines:
    """The lines of one source, with the place reached and a digest of all that was read up to it."""

    def __init__(self, path: str) -> None:
        self.name = path if path == "-" else Path(path).resolve().as_uri()
        self._path = path
        self._open()

    def _open(self) -> None:
        try:
            opened = sys.stdin.buffer if self._path == "-" else Path(self._path).open("rb", 1 << 20)  # noqa: SIM115
            self._raw = cast(io.BufferedReader, opened)
            self.bytes_total = None if self._path == "-" else Path(self._path).stat().st_size
            self._lines = _decompressed(self._raw, self._path)
        except OSError as error:
            raise UnavailableError(f"cannot read {self._path}: {error.strerror}", hint="check the path") from error
        self._digest = hashlib.sha256()
        self._to_digest: list[bytes] = []
        self.count = 0

    @property
    def resumable(self) -> bool:
        """Whether the source can be read again from the start."""
        return self._path != "-"

    @property
    def bytes_read(self) -> int:
        """How many bytes of the file (compressed, if it is) were read."""
        return self._raw.tell() if self.resumable else 0

    @property
    def position(self) -> SourcePosition:
        """The place reached: lines read, and the digest of their bytes."""
        self._flush_digest()
        return SourcePosition(self.name, self.count, self._digest.hexdigest())

    def __iter__(self) -> Iterator[bytes]:
        """Yield each line without its end; a line over the limit is cut to one byte more than the limit."""
        try:
            while line := read_line(self._lines, self._note):
                self.count += 1
                yield line.rstrip(b"\r\n").removeprefix(_MARK if self.count == 1 else b"")
        except (OSError, EOFError) as error:
            raise UnavailableError(
                f"{self._path} breaks off after line {self.count}: {error}",
                hint="what comes before is in the store; fix the file and run the same command again",
            ) from error

    def _note(self, data: bytes) -> None:
        """Take bytes into the digest, many lines at a time: hashing gives up the interpreter lock at each call."""
        self._to_digest.append(data)
        if len(self._to_digest) >= 1024 or len(data) >= 1 << 20:
            self._flush_digest()

    def _flush_digest(self) -> None:
        self._digest.update(b"".join(self._to_digest))
        self._to_digest.clear()

    def skip_to(self, place: SourcePosition) -> bool:
        """Skip what ``place`` says was read before; return False, back at the start, where this is a different file."""
        for _ in self:
            if self.count == place.offset:
                break
        if self.position == place:
            return True
        self._raw.close()
        self._open()
        return False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self.resumable:
            self._raw.close()


def read_line(file: IO[bytes], note: Callable[[bytes], object]) -> bytes:
    """Read a line with its end, empty at the end of the file; ``note`` is called with all bytes that were read.

    A line over the limit is cut to at most two bytes more than the limit; the rest is read and left out. Raises
    InvalidRequestError for one of more than ``MAX_LINE`` bytes.
    """
    line = file.readline(MAX_BYTES + 2)
    note(line)
    size = len(line)
    while len(line) > MAX_BYTES and not line.endswith(b"\n"):
        rest = file.readline(min(MAX_BYTES, 1 << 24))
        note(rest)
        size += len(rest)
        if size > MAX_LINE:
            raise InvalidRequestError(
                f"a line has more than {MAX_LINE} bytes", hint="give a file of messages, one JSON object a line"
            )
        if not rest or rest.endswith(b"\n"):
            break
    return line


def refuse_other_formats(path: str) -> None:
    """Raise InvalidRequestError for a file whose first lines are all something other than JSON objects.

    Single lines that are not messages become dead letters; a file of SQL or Parquet is a wrong call.
    """
    if not Path(path).is_file():  # a pipe cannot be looked into
        return
    with Lines(path) as lines:
        begun = [line.lstrip(_BLANK)[:40] for line in islice((line for line in lines if line.strip()), LOOKED_AT)]
    if not begun or any(line.startswith(b"{") for line in begun):
        return
    if begun[0].startswith(_UTF_16):
        raise InvalidRequestError(
            f"{path} is UTF-16, and messages are UTF-8", hint="convert it: iconv -f UTF-16 -t UTF-8"
        )
    if begun[0].startswith(b"PAR1"):
        raise InvalidRequestError(f"{path} is a Parquet file", hint="read it with: lineage-tt import FILE")
    if begun[0].startswith(b"["):
        raise InvalidRequestError(
            f"{path} holds a JSON array, not one message a line", hint="split it, for example with: jq -c '.[]' FILE"
        )
    shown = begun[0].decode(errors="replace")
    raise InvalidRequestError(
        f"{path} holds no messages: its first lines are not JSON objects (the first begins {shown!r})",
        hint="give one JSON object a line (lineage-tt schema task-change); lineage-tt extract FILE reads SQL alone; "
        "the store takes it as the sql field of a message",
    )


def is_compressed(path: str) -> bool:
    """Return whether a file begins as gzip or zstd does."""
    with open(path, "rb") as file:
        start = file.read(4)
    return start.startswith(_GZIP) or start == _ZSTD


def _decompressed(raw: io.BufferedReader, path: str) -> IO[bytes]:
    """Return a buffered reader of the plain bytes."""
    start = raw.peek(4)[:4]
    if start.startswith(_GZIP):
        return io.BufferedReader(Unpacked(cast(IO[bytes], gzip.GzipFile(fileobj=raw)), raw, path), 1 << 20)
    if start == _ZSTD:
        import pyarrow  # python-zstandard takes a truncated file for a whole one

        return io.BufferedReader(Unpacked(pyarrow.CompressedInputStream(raw, "zstd"), raw, path), 1 << 20)
    return raw
