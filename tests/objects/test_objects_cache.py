"""The local copies of objects: fetched once, verified, bounded, and taken from nobody who reads them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from gateway import running
from objectstores import BUILD_TIMEOUT

from lineage_tt import Store, TaskChange
from lineage_tt.storage.cache import BYTES_VARIABLE
from lineage_tt.storage.location import local_file, place
from lineage_tt.testing import task_change
from scripts.object_store_lib.server import ObjectStore

pytestmark = [pytest.mark.slow, pytest.mark.timeout(BUILD_TIMEOUT)]
NOON = "2024-05-01T12:00:00Z"
#: Opens a store in a process of its own and says how many edges it finds.
READ = "import sys; from lineage_tt import Store; print(len(Store.open(sys.argv[1]).as_of(sys.argv[2]).edges()))"


def message(number: int) -> TaskChange:
    """A message of its own."""
    return task_change(f"t{number}", "online", NOON, [(f"n:a#c{number}", "n:b#x")])


def read(uri: str) -> int:
    """Return how many edges another process finds in the store."""
    done = subprocess.run(
        [sys.executable, "-c", READ, uri, NOON], capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    return int(done.stdout)


@pytest.fixture
def uri(bucket: str) -> str:
    """A store with six files, in a bucket."""
    store = Store.create(f"s3://{bucket}/store")
    for number in range(6):
        store.append([message(number)])
    return f"s3://{bucket}/store"


def test_a_file_is_fetched_once_for_all_processes(
    uri: str, object_store: ObjectStore, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The first process fetches the data files, the second finds them; a copy that rotted is fetched again."""
    cache = tmp_path / "own"
    monkeypatch.setenv("LINEAGE_TT_CACHE", str(cache))
    with running(object_store) as gateway:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{gateway.address}")

        def fetched() -> int:
            """Count the data files read since the last time."""
            count = len([r for r in gateway.requests if r.method == "GET" and r.path.endswith(".parquet")])
            gateway.requests.clear()
            return count

        assert (read(uri), fetched()) == (6, 6)
        assert (read(uri), fetched()) == (6, 0)
        kept = sorted((cache / "files").glob("*/*"))
        assert len(kept) == 6
        rotten = bytearray(kept[0].read_bytes())
        rotten[len(rotten) // 2] ^= 1
        kept[0].write_bytes(rotten)
        assert (read(uri), fetched()) == (6, 1)
    assert (cache.stat().st_mode & 0o777) == 0o700


def test_the_cache_is_bounded_and_takes_nothing_from_a_reader(
    uri: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A cache of two files keeps two; a store with six that is open continues answering from all of them."""
    cache = tmp_path / "small"
    size = max(path.stat().st_size for path in (Path(os.environ["LINEAGE_TT_CACHE"]) / "files").glob("*/*"))
    monkeypatch.setenv("LINEAGE_TT_CACHE", str(cache))
    monkeypatch.setenv(BYTES_VARIABLE, str(size * 5 // 2))
    store = Store.open(uri)

    assert len(store.as_of(NOON).edges()) == 6
    assert 1 <= len(list((cache / "files").glob("*/*"))) <= 2
    assert len(store.as_of(NOON).edges()) == 6
    assert len(store.log()) == 6


def test_the_links_of_the_dead_are_removed(uri: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A process that was killed leaves links; the next one that looks later removes them, and none of the living."""
    cache = tmp_path / "links"
    monkeypatch.setenv("LINEAGE_TT_CACHE", str(cache))
    program = READ + "; import os; os.kill(os.getpid(), 9)"
    done = subprocess.run([sys.executable, "-c", program, uri, NOON], capture_output=True, timeout=60)
    assert done.returncode == -9
    [left] = (cache / "pins").iterdir()
    assert len(list(left.glob("*.parquet"))) == 6
    store = Store.open(uri)
    assert len(store.as_of(NOON).edges()) == 6
    assert left.is_dir()  # too young to tell
    for folder in (cache / "pins").iterdir():
        os.utime(folder, (1_000_000_000, 1_000_000_000))

    assert read(uri) == 6

    assert not left.exists()
    assert len(list((cache / "pins").iterdir())) == 1  # this process's own
    assert len(store.as_of(NOON).edges()) == 6


def test_a_file_without_a_known_hash(bucket: str, object_store: ObjectStore) -> None:
    """A file whose hash nobody knows is kept under its address and tag: another object there is another file."""
    client = place(f"s3://{bucket}/some/file")
    client.write_bytes(b"one")
    first = local_file(client)

    assert first.read_bytes() == b"one"
    assert local_file(tmp := Path(first)) == tmp
    with pytest.raises(FileNotFoundError):
        local_file(place(f"s3://{bucket}/none"))
