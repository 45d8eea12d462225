"""Files that unpack to far more than messages would are refused in words; what came before them stays."""

from __future__ import annotations

import gzip
import tracemalloc
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ingest.messages import bombs, lines
from ingest.messages.bombs import refuse_parquet_bombs
from ingest.messages.lines import Lines
from ingest.pipeline import Ingester
from lineage_tt import Store
from lineage_tt.model.errors import InvalidRequestError

MIB = 1 << 20


def gz(data: bytes) -> bytes:
    """Pack with gzip."""
    return gzip.compress(data, 9)


def zst(data: bytes) -> bytes:
    """Pack with zstd."""
    return bytes(pa.compress(data, codec="zstd", asbytes=True))


@pytest.mark.long
@pytest.mark.parametrize("pack", [gz, zst])
@pytest.mark.parametrize("filler", [b"\n", b"x", b'{"a": 1}\n'])
def test_a_packed_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pack: object, filler: bytes) -> None:
    """Blank lines, one line, a line again and again: beyond the bound and the ratio it is not read on."""
    monkeypatch.setattr(bombs, "UNPACKED_BYTES", 8 * MIB)
    monkeypatch.setattr(bombs, "MAX_RATIO", 100)
    (tmp_path / "f").write_bytes(pack(filler * (24 * MIB // len(filler))))  # type: ignore[operator]

    with Lines(str(tmp_path / "f")) as found, pytest.raises(InvalidRequestError, match="times its size"):
        for _ in found:
            pass


@pytest.mark.parametrize("pack", [gz, zst])
def test_what_is_packed_well_is_read(tmp_path: Path, pack: object) -> None:
    """Below the bound no ratio counts."""
    (tmp_path / "f").write_bytes(pack(b'{"a": 1}\n' * 1_000_000))  # type: ignore[operator]

    with Lines(str(tmp_path / "f")) as found:
        assert sum(1 for _ in found) == 1_000_000


@pytest.mark.long
def test_a_line_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is read in pieces, none of which is kept."""
    monkeypatch.setattr(lines, "MAX_BYTES", 1 * MIB)
    monkeypatch.setattr(lines, "MAX_LINE", 256 * MIB)
    (tmp_path / "f").write_bytes(b"x" * (300 * MIB))

    tracemalloc.start()
    with Lines(str(tmp_path / "f")) as found, pytest.raises(InvalidRequestError, match="a line has more than"):
        list(found)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 64 * MIB


@pytest.mark.long
def test_what_stood_before_a_bomb_is_in_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error is the product's own; messages read before it are kept or read again."""
    monkeypatch.setattr(bombs, "UNPACKED_BYTES", 8 * MIB)
    monkeypatch.setattr(bombs, "MAX_RATIO", 100)
    (tmp_path / "f").write_bytes(gz(b"\n" * (24 * MIB)))
    store = Store.create(tmp_path / "s")
    with Ingester(store) as ingester, pytest.raises(InvalidRequestError, match="times its size"):
        ingester.ingest_file(str(tmp_path / "f"))


@pytest.mark.long
def test_a_parquet_bomb_is_refused_by_its_footer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Very many equal rows, or one text that unpacks to very much; in a folder, too. What is not Parquet passes."""
    monkeypatch.setattr(bombs, "UNPACKED_BYTES", 8 * MIB)
    (tmp_path / "rows").mkdir()
    pq.write_table(pa.table({"a": pa.array([1] * 3_000_000)}), tmp_path / "rows" / "f.parquet")
    pq.write_table(pa.table({"a": ["x" * 32 * MIB]}), tmp_path / "text.parquet", compression="zstd")
    pq.write_table(pa.table({"a": [str(n) for n in range(10_000)]}), tmp_path / "good.parquet")
    (tmp_path / "not.parquet").write_bytes(b"PAR1")

    with pytest.raises(InvalidRequestError, match="3000000 rows"):
        refuse_parquet_bombs(str(tmp_path / "rows"))
    with pytest.raises(InvalidRequestError, match="unpacks to"):
        refuse_parquet_bombs(str(tmp_path / "text.parquet"))
    for name in ("good.parquet", "not.parquet", "gone.parquet"):
        refuse_parquet_bombs(str(tmp_path / name))
