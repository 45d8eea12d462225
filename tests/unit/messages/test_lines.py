"""Reading lines: compression told by content, the place reached, lines that are too long, files that break off."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import pyarrow
import pytest

from ingest.messages import lines as reading
from ingest.messages.lines import Lines, refuse_other_formats
from lineage_tt.model.errors import InvalidRequestError, UnavailableError


def zstd(data: bytes) -> bytes:
    """Compress in two frames, as programs do that append to a file."""
    half = len(data) // 2
    return _frame(data[:half]) + _frame(data[half:])


def _frame(data: bytes) -> bytes:
    return bytes(pyarrow.compress(data, codec="zstd", asbytes=True))


TEXT = b"one\n\ntwo\r\nthree"


@pytest.mark.parametrize("compress", [bytes, gzip.compress, zstd])
def test_plain_gzip_and_zstd_give_the_same_lines(tmp_path: Path, compress: object) -> None:
    """The name does not matter: the first bytes tell how a file is compressed."""
    (tmp_path / "f").write_bytes(compress(TEXT))  # type: ignore[operator]

    with Lines(str(tmp_path / "f")) as lines:
        assert list(lines) == [b"one", b"", b"two", b"three"]
        assert lines.count == 4
        assert lines.bytes_read == lines.bytes_total


def test_a_place_is_found_again_in_the_same_file_grown_longer(tmp_path: Path) -> None:
    """Reading continues after what was read before, if the file still begins with it."""
    path = tmp_path / "f"
    path.write_bytes(b"a\nb\n")
    with Lines(str(path)) as lines:
        list(lines)
        place = lines.position
    path.write_bytes(b"a\nb\nc\n")

    with Lines(str(path)) as lines:
        assert lines.skip_to(place)
        assert list(lines) == [b"c"]


def test_another_file_of_the_same_name_is_read_from_the_start(tmp_path: Path) -> None:
    """A file whose beginning changed is not the file that was read: nothing of it is skipped."""
    path = tmp_path / "f"
    path.write_bytes(b"a\nb\n")
    with Lines(str(path)) as lines:
        list(lines)
        place = lines.position
    path.write_bytes(b"x\nb\nc\n")

    with Lines(str(path)) as lines:
        assert not lines.skip_to(place)
        assert list(lines) == [b"x", b"b", b"c"]


def test_a_shorter_file_is_read_from_the_start(tmp_path: Path) -> None:
    """A file with fewer lines than were read is another one."""
    path = tmp_path / "f"
    path.write_bytes(b"a\nb\n")
    with Lines(str(path)) as lines:
        list(lines)
        place = lines.position
    path.write_bytes(b"a\n")

    with Lines(str(path)) as lines:
        assert not lines.skip_to(place)
        assert list(lines) == [b"a"]


@pytest.mark.parametrize("compress", [gzip.compress, zstd])
def test_a_compressed_file_that_breaks_off_says_where(tmp_path: Path, compress: object) -> None:
    """A cut file gives its whole lines, then an error that names the last of them."""
    numbers = random.Random(1)
    text = b"".join(b"%d\n" % numbers.getrandbits(64) for _ in range(20_000))
    (tmp_path / "f").write_bytes(compress(text)[:-2000])  # type: ignore[operator]

    with Lines(str(tmp_path / "f")) as lines, pytest.raises(UnavailableError, match="breaks off"):
        list(lines)


def test_a_file_that_is_not_there_is_a_clear_error(tmp_path: Path) -> None:
    """A wrong path is named."""
    with pytest.raises(UnavailableError, match=r"nowhere\.jsonl"):
        Lines(str(tmp_path / "nowhere.jsonl"))


def test_a_line_over_the_limit_is_cut_and_the_next_one_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Memory is bounded: an endless line is not read into it, and the line after it is found."""
    monkeypatch.setattr(reading, "MAX_BYTES", 10)
    (tmp_path / "f").write_bytes(b"x" * 100 + b"\nnext\n")

    with Lines(str(tmp_path / "f")) as lines:
        assert [len(line) for line in lines] == [12, 4]


def test_a_mark_before_the_first_line_belongs_to_no_message(tmp_path: Path) -> None:
    """Some editors put one before UTF-8; anywhere else it is a part of the line."""
    mark = b"\xef\xbb\xbf"
    path = tmp_path / "f"
    path.write_bytes(mark + b"{}\n" + mark + b"{}\n")

    with Lines(str(path)) as lines:
        assert list(lines) == [b"{}", mark + b"{}"]
    refuse_other_formats(str(path))


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_a_file_of_another_encoding_is_named_by_it(tmp_path: Path, encoding: str) -> None:
    """Its messages would all be rejected as malformed."""
    path = tmp_path / "f"
    path.write_bytes(("\ufeff" + '{"task_id": "t"}\n').encode(encoding))

    with pytest.raises(InvalidRequestError, match="is UTF-16, and messages are UTF-8"):
        refuse_other_formats(str(path))
