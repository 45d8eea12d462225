"""Fuzzed messages through Spark: an import gives the store that an ingest gives, dead letter by dead letter."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import fuzzed
import pytest

from ingest.pipeline import Ingester
from ingest.spark.importing import Importer
from ingest.spark.sources import sources_of
from lineage_tt import Store

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.mark.timeout(2 * fuzzed.SECONDS + 240)
def test_in_an_import(tmp_path: Path, spark: SparkSession) -> None:
    """Read and parsed in tasks of Spark, from two files."""
    given = fuzzed.lines()
    files = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    half = len(given) // 2
    for file, part in zip(files, (given[:half], given[half:]), strict=True):
        file.write_bytes(b"\n".join(part))
    with Importer(Store.create(tmp_path / "s"), spark, least_sql=0, least_bytes=0) as importer:
        found = importer.run(sources_of([str(file) for file in files])).summaries
    with Ingester(Store.create(tmp_path / "ingested"), workers=2) as ingester:
        for file in files:
            ingester.ingest_file(str(file))

    received, accepted, rejected, duplicates = (
        sum(getattr(each, name) for each in found) for name in ("received", "accepted", "rejected", "duplicates")
    )
    fuzzed.assert_counts(received, accepted, rejected, duplicates, given)
    fuzzed.assert_each_is_accounted_for(tmp_path / "s", given)
    assert codes(tmp_path / "ingested") == codes(tmp_path / "s")


def codes(folder: Path) -> list[tuple[int, str, bytes]]:
    """The dead letters of a store."""
    return [(letter.version, letter.code, letter.raw) for letter in Store.open(folder).dead_letters()]
