"""A disk that is full, read-only or rationed: an error that says what to do, and nothing acknowledged is lost."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from crashes import damage, finish, history, ingest, rows, start, write
from in_namespace import digest
from needs import lacking

HERE = Path(__file__).resolve().parent
UNAVAILABLE = 3
LINES = 400


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file whose store takes about a megabyte."""
    return write(tmp_path_factory.mktemp("feed") / "history.jsonl", history(LINES))


@pytest.fixture(scope="module")
def whole(file: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """The rows of a store that nothing disturbed."""
    store = tmp_path_factory.mktemp("whole") / "s"
    assert ingest(store, file).status == 0
    return rows(store)


def in_namespace(action: str, tmp_path: Path, file: Path, free_kib: int = 0) -> dict[str, Any]:
    """Run ``in_namespace`` with a disk of its own; where this machine does not let us have one it is skipped."""
    unshare = shutil.which("unshare")
    if not unshare or subprocess.run([unshare, "-rm", "true"], capture_output=True, timeout=30).returncode:
        lacking("unshare -rm is not permitted here: no small disk of our own")
    disk = tmp_path / "disk"
    disk.mkdir()
    path = os.pathsep.join([str(HERE.parents[1]), str(HERE.parent)])
    done = subprocess.run(
        [unshare, "-rm", sys.executable, str(HERE / "in_namespace.py"), action, str(disk), str(file), str(free_kib)],
        capture_output=True, timeout=250, env=os.environ | {"PYTHONPATH": path}, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
    return document


@pytest.mark.parametrize("free_kib", [4, 24, 60, 300])
def test_a_full_disk_is_an_error_with_a_hint_and_the_same_command_completes(
    tmp_path: Path, file: Path, whole: list[Any], free_kib: int
) -> None:
    """Wherever the space ends, what was acknowledged is there, and with space again nothing is missing (C11)."""
    found = in_namespace("full", tmp_path, file, free_kib)
    assert found["first"][0] == UNAVAILABLE, found["first"]
    assert "free space" in found["first"][1]
    assert "Traceback" not in found["first"][1]
    assert found["sound"]
    assert found["again"] == [0, ""]
    assert found["damage"] == []
    assert found["after"][: len(found["before"])] == found["before"]
    assert found["after"] == [digest(row) for row in whole]


def test_a_read_only_disk_refuses_writing_and_answers(tmp_path: Path, file: Path) -> None:
    """On a read-only mount ingest is refused with a hint; reading continues as before (C12)."""
    found = in_namespace("readonly", tmp_path, file)

    assert found["first"][0] == UNAVAILABLE, found["first"]
    assert "Traceback" not in found["first"][1]
    assert found["read"] == 0
    assert found["before"] == found["after"]
    assert found["damage"] == []


#: A limit, and words of the error.
LIMITS = {
    "--fsize=1200": "create a store",
    "--fsize=16000": "append",
    "--nofile=24": "Too many open files",
}


@pytest.mark.parametrize("limit", LIMITS)
def test_limits_of_the_process_end_it_soon_and_lose_nothing(
    tmp_path: Path, file: Path, whole: list[Any], limit: str
) -> None:
    """No larger file or no more open ones: it ends without spinning, and without the limit it is completed (C12)."""
    prlimit = shutil.which("prlimit")
    if not prlimit:
        lacking("prlimit is not there")
    store = tmp_path / "s"
    before = os.times().children_user
    ended = finish(start(store, file, "--batch", "64", wrapper=(prlimit, limit, "--")), timeout=60)
    spent = os.times().children_user - before

    assert ended.status == UNAVAILABLE, ended
    assert LIMITS[limit] in ended.err
    assert "hint: " in ended.err
    assert "damage" not in ended.err
    assert "Traceback" not in ended.err
    assert spent < 20, "it spun"
    if (store / "log" / "_head.json").exists():
        assert damage(store) == []
    again = ingest(store, file, "--batch", "64")
    assert again.status == 0, again.err
    assert rows(store) == whole
    assert damage(store) == []
