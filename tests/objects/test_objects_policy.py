"""A policy tightened for history in a bucket: the objects, and this machine's copies of them, hold nothing more."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from objectstores import BUILD_TIMEOUT
from policy_texts import CANARY, MESSAGES, edges, ingest, told

from ingest.resolve.resolver import SqlResolver
from lineage_tt import Store
from lineage_tt.maintenance.check import check
from lineage_tt.storage import failpoints
from lineage_tt.storage.location import place

pytestmark = [pytest.mark.slow, pytest.mark.timeout(BUILD_TIMEOUT)]


def objects_with(uri: str) -> list[str]:
    """The objects that hold the canary."""
    folder, objects = place(uri), []
    assert not isinstance(folder, Path)
    for entry in folder.below():
        data = (folder / entry.name).read_bytes()
        said = (
            repr(pq.read_table(pa.BufferReader(data)).to_pylist()).encode() if entry.name.endswith("parquet") else b""
        )
        if CANARY.encode() in data + said:
            objects.append(entry.name)
    return objects


def copies_with(cache: Path) -> list[Path]:
    """The local copies that hold the canary."""
    return [p for p in cache.rglob("*") if p.is_file() and p.stat().st_size and p.name != ".lock"
            and CANARY in repr(pq.read_table(p).to_pylist())]  # fmt: skip


@pytest.mark.parametrize("point", ["", "t1:data", "t1:after", "t2:log", "t2:snapshot"])
def test_nothing_is_left_in_a_bucket(bucket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, point: str) -> None:
    """Failed at any step, the same call makes it good; one who has the store open reads and writes on."""
    from lineage_tt.storage import cache

    monkeypatch.setenv(cache.FOLDER_VARIABLE, str(tmp_path / "cache"))
    (tmp_path / "in").mkdir()
    uri = f"s3://{bucket}/store"
    store = Store.create(uri)
    for each in MESSAGES:
        ingest(store, [each], tmp_path / "in")
    reader, before, version = Store.open(uri), edges(store), store.version
    assert edges(reader) == before
    assert objects_with(uri) != []
    assert copies_with(tmp_path / "cache") != []

    with SqlResolver(1) as resolver:
        if point:
            with failpoints.armed(f"{point}:raise"), pytest.raises(failpoints.FailpointError):
                store.set_text_policy("mask-literals", "a test", history=True, resolver=resolver)
            assert edges(Store.open(uri)) == before
        Store.open(uri).set_text_policy("mask-literals", "a test", history=True, resolver=resolver)

    assert objects_with(uri) == []
    assert copies_with(tmp_path / "cache") == []
    assert edges(reader) == before
    assert ingest(reader, MESSAGES, tmp_path / "in").duplicates == len(MESSAGES)
    reader.refresh()
    assert reader.version == version + 2
    assert CANARY not in told(reader)
    assert [finding for finding in check(place(uri)) if finding.kind == "damage"] == []
