"""A store in a bucket is compacted: snapshot, level, fewer files in the log; answers stay."""

from __future__ import annotations

from typing import Any

import pytest
from objectstores import BUILD_TIMEOUT
from sparks import need_spark

from lineage_tt import Store
from lineage_tt.log.retention import Horizon
from lineage_tt.log.rewriting.vacuum import vacuum
from lineage_tt.maintenance.check import check
from lineage_tt.model.errors import BeyondHorizonError
from lineage_tt.spark.compact import compact
from lineage_tt.spark.session import spark_session
from lineage_tt.storage.location import place
from lineage_tt.testing import task_change

pytestmark = [pytest.mark.slow, pytest.mark.timeout(BUILD_TIMEOUT)]
NOON = 1_714_564_800_000_000


@pytest.fixture(scope="module", autouse=True)
def spark() -> None:
    """Spark is there, or the tests are skipped; they fail where CI=true."""
    need_spark()


def append(store: Store, count: int) -> None:
    """Append so many messages of three tasks, each in a commit of its own."""
    for number in range(store.version, store.version + count):
        edges = [(f"n:a#c{number % 5}", "n:b#x"), ("n:a#c9", f"n:b#y{number % 2}")]
        store.append([task_change(f"t{number % 3}", "update", NOON + number, edges, event_id=f"e{number}")])


def answers(store: Store, versions: list[int]) -> list[Any]:
    """Edges as of some versions, at the end of valid time."""
    return [store.as_of(NOON + 50, version=version).edges() for version in versions]


def test_a_store_in_a_bucket_is_compacted(bucket: str) -> None:
    """In full, by a level, with a horizon: the same answers before and after, check is clean, files are fewer."""
    uri = f"s3://{bucket}/store"
    store = Store.create(uri)
    append(store, 6)
    before = answers(store, [1, 4, 6])
    done = compact(uri, spark_session)

    assert (done.mode, done.log_files_before, done.log_files) == ("full", 6, 1)
    assert answers(Store.open(uri), [1, 4, 6]) == before
    store.refresh()
    append(store, 1)
    before = answers(store, [4, 6, 7])
    assert compact(uri, spark_session).mode == "level"
    again = Store.open(uri)
    assert again.snapshot is not None
    assert (again.snapshot.version, len(again.snapshot.levels)) == (7, 2)
    assert answers(again, [4, 6, 7]) == before
    compact(uri, spark_session, horizon=Horizon(4, store.basis(version=4).system_time))
    again = Store.open(uri)
    assert answers(again, [4, 6, 7]) == before
    with pytest.raises(BeyondHorizonError):
        again.as_of(NOON, version=3)
    assert [finding for finding in check(place(uri)) if finding.kind == "damage"] == []
    assert vacuum(place(uri) / "log", 0).files > 0
    assert answers(Store.open(uri), [4, 6, 7]) == before
