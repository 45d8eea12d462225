"""The policy for texts on Spark: what imports and streams bring in, and snapshots of a store that is tightened."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from policy_texts import CANARY, MESSAGES, STRICT, edges, holders, ingest, lines_of, made, told

from ingest.spark.importing import Importer
from ingest.spark.sources import sources_of
from ingest.spark.streaming import Streamer
from lineage_tt import Store
from lineage_tt.maintenance.check import check

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.mark.parametrize("policy", STRICT)
@pytest.mark.parametrize("way", ["import", "stream"])
def test_what_spark_brings_in_is_kept_as_the_policy_says(
    tmp_path: Path, spark: SparkSession, policy: str, way: str
) -> None:
    """SQL is read in tasks of Spark; rows, dead letters and files of the store hold what an ingest leaves in them."""
    (tmp_path / "in").mkdir()
    (tmp_path / "given").mkdir()
    kept, strict = made(tmp_path, "keep"), made(tmp_path, policy)
    ingest(kept, MESSAGES, tmp_path / "in")
    (tmp_path / "given" / "a.jsonl").write_bytes(b"\n".join(lines_of(MESSAGES)) + b"\n")

    with Importer(strict, spark, least_sql=0, least_bytes=0) as importer:
        if way == "import":
            importer.run(sources_of([str(tmp_path / "given" / "a.jsonl")], (), {}))
        else:
            checkpoint = str(tmp_path / "checkpoint")
            Streamer(strict, spark, importer, checkpoint).files(str(tmp_path / "given"), most=None, until_end=True)

    strict = Store.open(tmp_path / f"store-{policy}")
    assert edges(strict) == edges(kept)
    assert CANARY not in told(strict)
    assert holders(tmp_path / f"store-{policy}") == []
    assert check(tmp_path / f"store-{policy}") == []
