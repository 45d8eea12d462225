"""Data files are what their names state, and together they hold each version once."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from lineage_tt.log.verify import last_version, retried, verified_files, verify_file, verify_tail
from lineage_tt.model.errors import CorruptError, UnavailableError
from lineage_tt.storage import durable
from lineage_tt.storage.location import Place


class Files:
    """A log of files that hold so many versions each."""

    def __init__(self, folder: Path, *spans: tuple[int, int], version: int | None = None) -> None:
        self.verified: set[Place] = set()
        self.replaced = -1
        self.version = spans[-1][1] if version is None else version
        self._files = []
        for first, last in spans:
            data = f"{first} to {last}".encode()
            name = f"{first:020d}-{last:020d}-{hashlib.sha256(data).hexdigest()}-{'0' * 32}.parquet"
            (folder / name).write_bytes(data)
            self._files.append(folder / name)

    def files(self) -> list[Path]:
        """Return the files in order."""
        return list(self._files)

    def refresh(self) -> None:
        """Follow an append, which others make between any two looks."""
        self.version += 1
        self._files += Files(self._files[0].parent, (self.version, self.version)).files()


class Replaced(Files):
    """Files that one takes the place of."""

    def refresh(self) -> None:
        """Follow the commit that took the old ones away."""
        self._files = Files(self._files[0].parent, (1, self.version)).files()
        self.replaced += 1


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


def test_a_file_that_is_missing_is_damage_while_others_append(tmp_path: Path) -> None:
    """More files than before are none in its place: it is read once."""
    log, reads = Files(tmp_path, (1, 3), (4, 4)), []
    log.files()[0].unlink()

    def read() -> list[Path]:
        reads.append(len(log.files()))
        assert len(reads) < 3
        return verified_files(log)

    with pytest.raises(CorruptError, match="is missing"):
        retried(log, read)
    assert reads == [2]


def test_files_in_the_place_of_those_listed_are_read_whoever_moved_on_to_them(tmp_path: Path) -> None:
    """Another thread may have followed the commit between the list and the read; other errors are raised."""
    log = Replaced(tmp_path, (1, 3), (4, 4))
    old = log.files()

    def read() -> list[Path]:
        files = log.files()
        if files == old:
            log.refresh()
            old[0].unlink(missing_ok=True)
        for path in files:
            verify_file(path)
        return files

    assert [last_version(path) for path in retried(log, read)] == [4]
    log.files()[0].write_bytes(b"other")
    with pytest.raises(CorruptError, match="cut or altered"):
        retried(log, read)
