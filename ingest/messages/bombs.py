"""Small files that unpack to far more than messages would: rejected before they use up the time or the disk."""

from __future__ import annotations

import io
from pathlib import Path
from typing import IO, Any, Final

from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.os_errors import files_below

#: The bytes to which any file may unpack; beyond that, the largest multiple of its size.
UNPACKED_BYTES: Final = 1 << 30
MAX_RATIO: Final = 1000
#: The rows that any Parquet file may have; beyond that, the most rows for each of its bytes.
PARQUET_ROWS: Final = 1_000_000
MAX_ROWS_A_BYTE: Final = 100
_HINT: Final = "if it is valid, unpack it first"


class Unpacked(io.RawIOBase):
    """The plain bytes of a packed file; InvalidRequestError where they become too many for the bytes they came from."""

    def __init__(self, plain: IO[bytes], packed: IO[bytes], path: str) -> None:
        self._plain, self._packed, self._path = plain, packed, path
        self._bytes = 0

    def readable(self) -> bool:
        """Return True: the object exists to be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read plain bytes; see the class."""
        count: int = self._plain.readinto(buffer)  # type: ignore[attr-defined]
        self._bytes += count
        if self._bytes > UNPACKED_BYTES:
            taken = _position(self._packed)
            if taken is not None and self._bytes > MAX_RATIO * taken:
                raise InvalidRequestError(
                    f"{self._path} unpacks to more than {MAX_RATIO} times its size: {self._bytes} bytes so far",
                    hint=_HINT,
                )
        return count


def _position(file: IO[bytes]) -> int | None:
    """Return how many bytes of a file were read; None for a pipe."""
    try:
        return file.tell()
    except (OSError, ValueError):
        return None


def refuse_parquet_bombs(place: str) -> None:
    """Raise InvalidRequestError for a Parquet file, or one in a folder, whose footer states too much for its size.

    What is not a Parquet file, or is not on a local disk, is left to its reader.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    root = Path(place)
    inside = sorted(each for each in files_below(root) if each.suffix == ".parquet")
    for path in inside or ([root] if root.is_file() else []):
        size = path.stat().st_size
        try:
            footer = pq.read_metadata(path)
        except (pa.ArrowException, OSError):
            continue
        unpacked = sum(footer.row_group(number).total_byte_size for number in range(footer.num_row_groups))
        if unpacked > UNPACKED_BYTES and unpacked > MAX_RATIO * size:
            raise InvalidRequestError(f"{path} has {size} bytes and unpacks to {unpacked}", hint=_HINT)
        if footer.num_rows > PARQUET_ROWS and footer.num_rows > MAX_ROWS_A_BYTE * size:
            raise InvalidRequestError(f"{path} has {size} bytes and {footer.num_rows} rows", hint=_HINT)
