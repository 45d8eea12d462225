"""Data files are what their names state, and together they hold each version once."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from lineage_tt.log.verify import last_version, verified_files, verify_file, verify_tail
from lineage_tt.model.errors import CorruptError, UnavailableError
from lineage_tt.storage import durable
from lineage_tt.storage.location import Place


class Files:
    """A log of files that hold so many versions each."""

    def __init__(self, folder: Path, *spans: tuple[int, int], version: int | None = None) -> None:
        self.verified: set[Place] = set()
        self.version = spans[-1][1] if version is None else version
        self._files = []
        for first, last in spans:
            data = f"{first} to {last}".encode()
            name = f"{first:020d}-{last:020d}-{hashlib.sha256(data).hexdigest()}-{'0' * 32}.parquet"
            (folder / name).write_bytes(data)
            self._files.append(folder / name)

    def files(self) -> list[Path]:
        """Return the files in order."""
        return self._files


def test_files_that_follow_each_other_are_verified_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second look hashes nothing; only files after a version are looked at."""
    log = Files(tmp_path, (1, 3), (4, 4), (5, 9))
    assert [last_version(path) for path in verified_files(log, after=3)] == [4, 9]
    assert len(log.verified) == 2

    hashed: list[Path] = []
    digest = durable.sha256_file

    def noted(path: Path) -> str:
        hashed.append(path)
        return digest(path)

    monkeypatch.setattr(durable, "sha256_file", noted)
    assert verified_files(log) == log.files()
    assert hashed == log.files()[:1]


@pytest.mark.parametrize(
    ("spans", "version", "words"),
    [([(1, 3), (5, 6)], 6, "version 4 should be"), ([(1, 3), (3, 6)], 6, "version 4 should be"),
     ([(2, 3)], 3, "version 1"), ([(1, 3)], 5, "end at version 3, not 5"), ([(1, 3)], 2, "end at version 3, not 2")],
    ids=["gap", "overlap", "no first", "cut", "too many"],
)  # fmt: skip
def test_versions_that_are_missing_or_doubled_are_damage(
    tmp_path: Path, spans: list[tuple[int, int]], version: int, words: str
) -> None:
    """DuckDB would add them up in silence."""
    with pytest.raises(CorruptError, match=words):
        verified_files(Files(tmp_path, *spans, version=version))


def test_damage_names_the_file_and_its_versions(tmp_path: Path) -> None:
    """A flipped bit, a missing file, a name that is none."""
    log = Files(tmp_path, (1, 3), (4, 9))
    path = log.files()[1]
    path.write_bytes(b"4 to 8")
    with pytest.raises(CorruptError, match=r"was cut or altered: versions 4 to 9 are damaged"):
        verify_tail(log)
    path.unlink()
    with pytest.raises(CorruptError, match="is missing: versions 4 to 9"):
        verified_files(log)
    with pytest.raises(CorruptError, match="is not named as a data file"):
        verify_file(tmp_path / "part-0.parquet")


def test_a_limit_of_the_system_is_no_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Too many open files, or no permission: the way out is not a restore."""

    def refused(path: Path) -> str:
        raise PermissionError(13, "Permission denied")

    log = Files(tmp_path, (1, 3))
    monkeypatch.setattr(durable, "sha256_file", refused)
    with pytest.raises(UnavailableError, match="cannot be read: Permission denied"):
        verify_tail(log)
