"""The policy for texts on Spark: what imports and streams bring in, and snapshots of a store that is tightened."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from policy_texts import CANARY, MESSAGES, STRICT, edges, holders, ingest, lines_of, made, told

from ingest.resolve.resolver import SqlResolver
from ingest.spark.importing import Importer
from ingest.spark.sources import sources_of
from ingest.spark.streaming import Streamer
from lineage_tt import Store
from lineage_tt.maintenance.check import check
from lineage_tt.spark.compact import compact

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


def test_a_snapshot_of_old_texts_goes_and_the_next_is_of_the_new(tmp_path: Path, spark: SparkSession) -> None:
    """In between the log answers; a compaction that began before the policy was tightened does not commit."""
    (tmp_path / "in").mkdir()
    store = made(tmp_path, "keep")
    place = tmp_path / "store-keep"
    ingest(store, MESSAGES[:5], tmp_path / "in")
    compact(place, lambda: spark)
    ingest(store, MESSAGES[5:], tmp_path / "in")
    before = edges(store)
    reader = Store.open(place)
    assert reader.snapshot is not None
    assert holders(place / "snapshot") != []

    def begun() -> SparkSession:
        """Let somebody tighten the policy when a compaction has read the log."""
        with SqlResolver(1) as resolver:
            Store.open(place).set_text_policy("mask-literals", "the audit", history=True, resolver=resolver)
        return spark

    done = compact(place, begun)

    assert (done.mode, "rewritten" in done.reason) == ("none", True), json.dumps(done.reason)
    assert edges(reader) == before
    assert holders(place) == []
    store.refresh()
    assert edges(store) == before
    assert compact(place, lambda: spark).mode == "full"
    reader = Store.open(place)
    assert reader.snapshot is not None
    assert edges(reader) == before
    assert CANARY not in told(reader)
    assert holders(place) == []
    assert [finding for finding in check(place) if finding.kind == "damage"] == []


def test_a_compaction_whose_files_are_taken_away_ends_in_order(tmp_path: Path, spark: SparkSession) -> None:
    """Spark fails midway at a file that is gone: the compaction commits nothing, says why, and the next one works."""
    (tmp_path / "in").mkdir()
    store = made(tmp_path, "keep")
    place = tmp_path / "store-keep"
    ingest(store, MESSAGES[:5], tmp_path / "in")
    ingest(store, MESSAGES[5:], tmp_path / "in")
    before, stages = edges(store), list[str]()

    def tell(words: str) -> None:
        stages.append(words)
        if len(stages) == 1:
            with SqlResolver(1) as resolver:
                Store.open(place).set_text_policy("mask-literals", "the audit", history=True, resolver=resolver)

    done = compact(place, lambda: spark, tell=tell)

    assert (done.mode, "rewritten" in done.reason) == ("none", True), json.dumps(done.reason)
    assert edges(Store.open(place)) == before
    assert holders(place) == []
    assert compact(place, lambda: spark).mode == "full"
    assert edges(Store.open(place)) == before
    assert holders(place) == []
