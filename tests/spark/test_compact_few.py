"""Compaction of few rows on Spark gives the snapshot that the path for many rows gives."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from compacted import append, last_job, make

from lineage_tt import Store
from lineage_tt.read.snapshots.snapshot import COLUMNS, Snapshot
from lineage_tt.spark import compact_stages

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def tables(path: Path) -> dict[str, list[Any]]:
    """Return the rows of each partition of a store's snapshot, in order."""
    snapshot = Snapshot.open(path)
    assert snapshot is not None
    return {name: sorted(snapshot.table(name).to_pylist(), key=repr) for name in COLUMNS}


#: Limits that select the path: of rows and words, and of bytes.
LIMITS = (("FEW_ROWS", "FEW_WORDS"), ("FEW_BYTES",))


def test_many_rows_or_bytes_give_the_same_snapshot_as_few(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A level and a full compaction by more jobs, as of many rows or of huge texts, number and write the same."""
    few = tmp_path / "few"
    store = Store.create(few)
    append(store, 60)
    make(few)
    append(store, 10)
    copies = [(limits, Path(shutil.copytree(few, tmp_path / limits[0]))) for limits in LIMITS]

    for mode in ("level", "full"):
        begun = last_job(spark)
        assert make(few, rebuild=mode == "full").mode == mode
        jobs, expected = last_job(spark) - begun, tables(few)
        for limits, many in copies:
            begun = last_job(spark)
            with monkeypatch.context() as patch:
                for limit in limits:
                    patch.setattr(compact_stages, limit, 0)
                assert make(many, rebuild=mode == "full").mode == mode

            assert last_job(spark) - begun > jobs, limits
            assert tables(many) == expected, limits
