"""Writers and servers that die, replies that get lost, objects that rot: what was acknowledged is there, once."""

from __future__ import annotations

import os
import random
import shutil
import time
from pathlib import Path

import obstore
import pytest
from gateway import running
from objectstores import BUILD_TIMEOUT
from writers import ended, go, line, start, verify

from lineage_tt import LineageError, Store, TaskChange
from lineage_tt.maintenance.check import check
from lineage_tt.model.errors import CorruptError
from lineage_tt.storage.location import place
from lineage_tt.testing import task_change
from scripts.object_store_lib.server import ObjectStore

pytestmark = [pytest.mark.slow, pytest.mark.timeout(BUILD_TIMEOUT)]
SEED = int(os.environ.get("LINEAGE_TT_SEED", "1"))
KILLS = int(os.environ.get("LINEAGE_TT_OBJECT_KILLS", "6"))
NOON = "2024-05-01T12:00:00Z"


def message(number: int) -> TaskChange:
    """A message of its own."""
    return task_change(f"t{number}", "online", NOON, [(f"n:a#c{number}", "n:b#x")])


def keys(server: ObjectStore, bucket: str) -> list[str]:
    """Return the keys of all objects of a bucket."""
    return sorted(found["path"] for page in obstore.list(server.client(bucket)) for found in page)


def test_writers_killed_at_random_lose_nothing(bucket: str) -> None:
    """Two writers append, one of them is killed -9 at random moments and begun again: acknowledged is there, once.

    What it was killed in is sent again, and counts once (N1, N2, N3); the store is sound (N6).
    """
    print(f"LINEAGE_TT_SEED={SEED}")
    draw = random.Random(SEED)
    uri = f"s3://{bucket}/store"
    other = start(uri, "other", 15, tries=5)
    go([other])
    acknowledged: set[str] = set()
    killed = first = 0
    while killed < KILLS:
        victim = start(uri, "victim", 200, first=first, tries=5)
        go([victim])
        heard = {line(victim).removeprefix("acked ")}
        time.sleep(draw.uniform(0, 0.3))
        victim.kill()
        heard |= ended([victim])[0]
        acknowledged |= heard
        first = 1 + max(int(event.partition("/")[2]) for event in heard)  # that one may be there, and is sent again
        killed += 1
    last = start(uri, "victim", 5, first=first, tries=5)
    go([last])
    heard, errors = ended([last, other])
    acknowledged |= heard
    sent = {f"victim/{n}" for n in range(first + 5)} | {f"other/{n}" for n in range(15)}
    verify(uri, acknowledged, sent)

    assert acknowledged >= {f"other/{n}" for n in range(15)}, errors
    assert acknowledged >= {f"victim/{n}" for n in range(first, first + 5)}, errors


@pytest.mark.parametrize("point", ["p3:before", "p3:data", "p3:after", "p4:after", "p5:before"])
def test_a_writer_that_dies_at_a_named_point(bucket: str, point: str) -> None:
    """Killed before, within and after its commit, a writer leaves a store that continues; its message counts once."""
    uri = f"s3://{bucket}/store"
    before = start(uri, "w", 3)
    go([before])
    acknowledged, _ = ended([before])
    dies = start(uri, "w", 1, first=3, environment={"LINEAGE_FAILPOINT": f"{point}:kill"})
    go([dies])
    ended([dies])
    assert dies.returncode == -9

    again = start(uri, "w", 2, first=3)
    go([again])
    acknowledged |= ended([again])[0]

    held = verify(uri, acknowledged, {f"w/{n}" for n in range(5)})
    assert len(held) == 5


def test_the_server_is_killed_and_started_again_under_writers(
    own_object_store: ObjectStore, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """MinIO is killed -9 under two writers and comes back on the same data: both end, nothing acknowledged is lost."""
    own_object_store.make_bucket("restarts")
    for name, value in own_object_store.environment().items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("LINEAGE_TT_CACHE", str(tmp_path / "cache"))
    uri = "s3://restarts/store"
    processes = [start(uri, me, 12, tries=20) for me in range(2)]
    go(processes)
    first = {line(process).removeprefix("acked ") for process in processes}
    for _ in range(2):
        time.sleep(0.5)
        own_object_store.kill()
        time.sleep(0.5)
        own_object_store.start()
    acknowledged, errors = ended(processes)
    sent = {f"{me}/{n}" for me in range(2) for n in range(12)}

    assert acknowledged | first == sent, errors
    verify(uri, sent, sent)


@pytest.mark.parametrize("part", ["/_delta_log/00000000000000000002.json", ".parquet", "_head.json", "/_attempts/"])
def test_a_lost_reply(bucket: str, object_store: ObjectStore, monkeypatch: pytest.MonkeyPatch, part: str) -> None:
    """A put that landed though its reply got lost is found to have landed: the append succeeds, once (C08)."""
    with running(object_store) as gateway:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{gateway.address}")
        uri = f"s3://{bucket}/store"
        store = Store.create(uri)
        store.append([message(0)])
        gateway.drop_reply = (part, 1)

        assert store.append([message(1)])[0].version == 2
        assert gateway.drop_reply == (part, 0), "no reply was lost"
        assert store.append([message(2)])[0].version == 3
        assert [entry.task_id for entry in Store.open(uri).log()] == ["t0", "t1", "t2"]
        assert [finding for finding in check(place(uri)) if finding.kind == "damage"] == []


def test_a_store_that_forgets_what_it_acknowledged(
    bucket: str, object_store: ObjectStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that says a put is done, and has it not, gets no acknowledgement out of us."""
    with running(object_store) as gateway:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{gateway.address}")
        uri = f"s3://{bucket}/store"
        store = Store.create(uri)
        for part in (".parquet", "/_delta_log/"):
            gateway.fault = lambda method, path, _, part=part: (200, b"") if method == "PUT" and part in path else None
            with pytest.raises(LineageError, match=r"does not return|cannot append"):
                store.append([message(0)])
            gateway.fault = None
            store = Store.open(uri)
            assert store.version == 0
        assert store.append([message(0)])[0].version == 1


@pytest.mark.parametrize("damage", ["flip", "cut", "remove"])
@pytest.mark.parametrize("what", ["data", "commit", "last commit", "head", "checkpoint"])
def test_damage_in_the_bucket_is_found(
    template: tuple[str, ObjectStore], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, what: str, damage: str
) -> None:
    """An object with a flipped bit, cut short, or gone is found by check, and no question is answered from it (N6)."""
    source, server = template
    uri = copied(server, source, f"copy-{what.replace(' ', '')}-{damage}")
    for name, value in server.environment().items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("LINEAGE_TT_CACHE", str(tmp_path / "cache"))
    bucket = uri.removeprefix("s3://").partition("/")[0]
    ending = {
        "data": ".parquet", "commit": "0000034.json", "last commit": "0000036.json", "head": "_head.json",
        "checkpoint": ".checkpoint.parquet",
    }[what]  # fmt: skip
    key = next(key for key in keys(server, bucket) if key.endswith(ending))
    client = server.client(bucket)
    data = bytes(obstore.get(client, key).bytes())
    if damage == "remove":
        obstore.delete(client, key)
    else:
        middle = len(data) // 2
        flipped = data[:middle] + bytes([data[middle] ^ 4]) + data[middle + 1 :]
        obstore.put(client, key, flipped if damage == "flip" else data[:middle])

    found = [finding for finding in check(place(uri)) if finding.kind == "damage"]
    assert found, key
    if what in ("checkpoint",) or (what, damage) == ("head", "remove"):
        return  # nothing that is answered depends on it, or deltalake says what it cannot read
    with pytest.raises(CorruptError):
        Store.open(uri).log()


@pytest.fixture(scope="module")
def template(object_store: ObjectStore, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ObjectStore]:
    """A bucket with a store of 36 commits, to be copied."""
    object_store.make_bucket("template")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LINEAGE_TT_CACHE", str(tmp_path_factory.mktemp("cache")))
        store = Store.create("s3://template/store", storage_options=object_store.environment())
        for number in range(36):
            store.append([message(number)])
    return "template", object_store


def copied(server: ObjectStore, source: str, target: str) -> str:
    """Copy a bucket; return the URI of the store in it."""
    server.make_bucket(target)
    old, new = server.client(source), server.client(target)
    for key in keys(server, source):
        obstore.put(new, key, bytes(obstore.get(old, key).bytes()))
    return f"s3://{target}/store"


def test_a_full_disk_under_the_cache_is_said(bucket: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where the cache cannot be written the error names the variable that moves it."""
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    store = Store.create(f"s3://{bucket}/store")
    monkeypatch.setenv("LINEAGE_TT_CACHE", str(blocked / "cache"))
    with pytest.raises(LineageError, match="LINEAGE_TT_CACHE"):
        store.append([message(0)])
    shutil.rmtree(blocked, ignore_errors=True)
