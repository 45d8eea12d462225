"""Three writers at once at a store in a bucket: MinIO, and a gateway whose conditional put is not atomic."""

from __future__ import annotations

import os
import threading
import time

import pytest
from gateway import running
from objectstores import BUILD_TIMEOUT
from writers import ended, go, start, verify

from lineage_tt import Store, TaskChange
from lineage_tt.maintenance.check import check
from lineage_tt.storage.location import place
from lineage_tt.testing import task_change
from scripts.object_store_lib.server import ObjectStore

pytestmark = [pytest.mark.slow, pytest.mark.timeout(BUILD_TIMEOUT)]
SEED = int(os.environ.get("LINEAGE_TT_SEED", "1"))
WRITERS = 3
EACH = 8


def message(number: int) -> TaskChange:
    """A message of its own."""
    return task_change(f"t{number}", "online", "2024-05-01T12:00:00Z", [(f"n:a#c{number}", "n:b#x")])


def race(uri: str, tries: int, environment: dict[str, str] | None = None) -> None:
    """Let three writers create the store and append at once; require that what they were told is so."""
    processes = [start(uri, me, EACH, tries=tries, environment=environment) for me in range(WRITERS)]
    go(processes)
    acknowledged, errors = ended(processes)
    sent = {f"{me}/{n}" for me in range(WRITERS) for n in range(EACH)}
    verify(uri, acknowledged, sent)

    assert acknowledged == sent, errors


def test_three_writers_at_once_lose_nothing(bucket: str) -> None:
    """Three processes create one store and append 8 messages each: all are in it, once, and it is sound (W01, W03)."""
    race(f"s3://{bucket}/store", tries=1)


@pytest.mark.parametrize("kind", ["looks first", "ignores the condition"])
def test_a_conditional_put_that_is_not_atomic_loses_nothing(bucket: str, object_store: ObjectStore, kind: str) -> None:
    """Behind a gateway that looks first and writes later, or never looks, who is overwritten notices: nothing is lost.

    That commits really were overwritten is counted by the gateway.
    """
    print(f"LINEAGE_TT_SEED={SEED}")
    with running(object_store, SEED) as gateway:
        gateway.window = 0.3
        gateway.ignores = kind == "ignores the condition"
        race(f"s3://{bucket}/store", tries=8, environment=object_store.environment(gateway.address))

        assert gateway.broken > 0, "the writers never met: the test shows nothing"


def test_an_overwritten_writer_does_not_acknowledge(
    bucket: str, object_store: ObjectStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two puts of one commit that both succeed, the first is not believed while the other may still overwrite it.

    Its writer is overwritten, notices, and comes after.
    """
    with running(object_store) as gateway:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{gateway.address}")
        gateway.window = 0.0
        uri = f"s3://{bucket}/store"
        slow, fast = Store.create(uri), Store.create(uri)
        received: list[int] = []
        overtaking = threading.Thread(target=lambda: received.extend(r.version for r in fast.append([message(2)])))
        waiting: list[bool] = []

        def between() -> None:
            """Let the other writer put the same commit; see whether it takes that for its own."""
            overtaking.start()
            while not any(
                r.path.endswith("01.json") and (r.method, r.status) == ("PUT", 200) for r in gateway.requests
            ):
                time.sleep(0.01)
            time.sleep(1)
            waiting.append(overtaking.is_alive())

        gateway.between = between
        received.insert(0, slow.append([message(1)])[0].version)
        overtaking.join()

        assert waiting == [True], "acknowledged while another writer's put was on its way"
        assert gateway.broken == 1
        assert received == [1, 2]
        assert [entry.task_id for entry in Store.open(uri).log()] == ["t1", "t2"]
        assert [finding for finding in check(place(uri)) if finding.kind == "damage"] == []


def test_put_carries_its_condition_whatever_the_environment_says(
    bucket: str, object_store: ObjectStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """AWS_S3_ALLOW_UNSAFE_RENAME in the environment does not make commits unconditional."""
    monkeypatch.setenv("AWS_S3_ALLOW_UNSAFE_RENAME", "true")
    with running(object_store) as gateway:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{gateway.address}")
        store = Store.create(f"s3://{bucket}/store")
        for number in range(3):
            store.append([message(number)])

        commits = [r for r in gateway.requests if r.method == "PUT" and "/_delta_log/" in r.path]
        assert len(commits) == 4
        assert all(request.conditional for request in commits)
