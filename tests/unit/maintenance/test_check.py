"""What check finds in the log itself, and how it says so: every file is compared with what others state of it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from lineage_tt import Store
from lineage_tt.log.commits import HEAD_NAME, commit_path
from lineage_tt.maintenance.check import Finding, check
from lineage_tt.model.errors import UnavailableError
from lineage_tt.storage.write_queue import FOLDER
from lineage_tt.testing import ManualClock, task_change


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of four versions, each a commit."""
    folder = tmp_path_factory.mktemp("store")
    store = Store.create(folder, clock=ManualClock(90))
    for number in range(4):
        store.append([task_change(f"t{number}", "online", 10, [("n:a#x", "n:b#y")])])
    return folder


@pytest.fixture
def folder(template: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return shutil.copytree(template, tmp_path / "store")


def data_file(folder: Path, number: int) -> Path:
    """The data file of a version."""
    return sorted((folder / "log").glob("*.parquet"))[number - 1]


def flip(path: Path) -> None:
    """Change a byte in the middle."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def test_a_sound_store_has_no_findings(folder: Path) -> None:
    """Progress is reported file by file."""
    seen: list[tuple[int, int]] = []

    assert check(folder, lambda done, of: seen.append((done, of))) == []
    assert seen == [(number, 4) for number in range(1, 5)]


def test_there_is_no_store(tmp_path: Path) -> None:
    """With how to create one."""
    with pytest.raises(UnavailableError, match="there is no store"):
        check(tmp_path)


@pytest.mark.parametrize(
    ("damage", "path", "words"),
    [
        (lambda f: (f / "log" / HEAD_NAME).unlink(), HEAD_NAME, "head file is missing"),
        (lambda f: flip(f / "log" / HEAD_NAME), HEAD_NAME, "cut or altered"),
        (lambda f: commit_path(f / "log", 2).unlink(), f"{2:020d}.json", "missing"),
        (lambda f: commit_path(f / "log", 2).write_bytes(b"{"), f"{2:020d}.json", "cut or altered"),
        (lambda f: commit_path(f / "log", 4).unlink(), f"{4:020d}.json", ""),
    ],
    ids=["no head", "head", "no commit", "commit", "no last commit"],
)
def test_damage_is_named_by_its_file(folder: Path, damage: Callable[[Path], None], path: str, words: str) -> None:
    """In the words of what is wrong with it."""
    damage(folder)
    found = [finding for finding in check(folder) if finding.kind == "damage" and finding.path == path]

    assert found
    assert any(words in finding.message for finding in found)


@pytest.mark.parametrize("is_there", [True, False])
def test_a_damaged_data_file_says_which_versions_it_holds(folder: Path, is_there: bool) -> None:
    """Those of other files are looked at all the same."""
    place = data_file(folder, 2)
    if is_there:
        flip(place)
    else:
        place.unlink()
    found = [finding for finding in check(folder) if finding.kind == "damage"]

    assert [(f.path, f.first_version, f.last_version) for f in found] == [(place.name, 2, 2)]


@pytest.mark.parametrize(
    ("name", "words"),
    [("stray.parquet", "no commit adds this file"), ("_delta_log/x.tmp", "not a file of the Delta log"),
     (f"{FOLDER}/{7:020d}-{7:020d}-s-{'a' * 32}", "a ticket in the queue")],
)  # fmt: skip
def test_what_belongs_to_nothing_is_garbage(folder: Path, name: str, words: str) -> None:
    """It is never read as data, and is not damage."""
    (folder / "log" / FOLDER).mkdir(exist_ok=True)
    (folder / "log" / name).write_bytes(b"")
    (finding,) = check(folder)

    assert (finding.kind, finding.path) == ("garbage", name.rpartition("/")[2])
    assert words in finding.message


def test_damage_comes_before_garbage(folder: Path) -> None:
    """A file that is damaged is not called garbage as well."""
    (folder / "log" / "stray.parquet").write_bytes(b"")
    flip(data_file(folder, 1))
    found = check(folder)

    assert [finding.kind for finding in found] == ["damage", "garbage"]
    assert found[1] == Finding("garbage", "stray.parquet", found[1].message)
