"""Snapshot + tail = log, for a real platform's stream: a full snapshot, a level on it, and messages behind both."""

from __future__ import annotations

import gzip
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from rounds import rounds

from ingest.messages.mapping import load_mapping
from ingest.pipeline import Ingester
from lineage_tt import Store
from lineage_tt.log.verify import verified_files
from lineage_tt.maintenance.check import check
from lineage_tt.read.macros.asof import setup_sql
from lineage_tt.read.macros.session import connect_with, fetch
from lineage_tt.read.view import View
from lineage_tt.spark.compact import compact
from lineage_tt.spark.session import spark_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

#: Years of the stream: the first, or those given, as in ``2019,2020,2021,2022,2023,2024``.
YEARS = os.environ.get("LINEAGE_TT_REAL_YEARS", "2019").split(",")
SEED = int(os.environ.get("LINEAGE_TT_SEED", "1"))
POINT = "make_timestamptz($at), make_timestamptz($st)"
QUESTIONS = [
    f"SELECT * REPLACE (epoch_us(valid_from) AS valid_from, epoch_us(valid_to) AS valid_to) FROM {macro}({POINT})"
    for macro in ("edges_as_of", "facts_as_of")
]
HISTORY = """SELECT * REPLACE (epoch_us(valid_from) AS valid_from, epoch_us(valid_to) AS valid_to,
    epoch_us(system_from) AS system_from, epoch_us(system_to) AS system_to) FROM edge_history($node) ORDER BY ALL"""


def parts(folder: Path, messages: Path) -> Iterator[Path]:
    """Write the stream in three files, most of it in the first."""
    lines: list[bytes] = []
    for year in YEARS:
        with gzip.open(messages / f"messages-{year}.jsonl.gz") as stream:
            lines += stream
    first, second = len(lines) * 8 // 10, len(lines) * 9 // 10
    for number, part in enumerate((lines[:first], lines[first:second], lines[second:])):
        path = folder / f"part-{number}.jsonl"
        path.write_bytes(b"".join(part))
        yield path


@pytest.fixture(scope="module")
def store(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory, shared_dir: Path) -> Store:
    """The stream, compacted after its first part and after its second."""
    folder = tmp_path_factory.mktemp("real")
    path = folder / "store"
    made = Store.create(path)
    first, second, third = parts(folder, shared_dir / "data" / "bqetl_stream")
    with Ingester(made, mapping=load_mapping("bqetl_stream"), system_times="recorded_at") as ingester:
        ingester.ingest_file(str(first))
        assert compact(path, spark_session).mode == "full"
        ingester.ingest_file(str(second))
        assert compact(path, spark_session).mode == "level"
        ingester.ingest_file(str(third))
    opened = Store.open(path)
    assert opened.snapshot is not None
    assert opened.snapshot.version < opened.version
    return opened


def test_every_answer_is_that_of_the_log(store: Store) -> None:
    """Edges, facts and histories at points before, in and after the snapshot; and nothing contradicts the log (I3)."""
    draw = random.Random(SEED)
    seen = 0
    with connect_with(setup_sql(verified_files(store.opened_log))) as log:
        for version, at in points(store, draw, rounds(40)):
            known: dict[str, Any] = {"at": at, "st": store.basis(version=version).system_time}
            for query in QUESTIONS:
                expected = fetch(log, f"{query} ORDER BY ALL", known)
                seen += len(expected)

                assert store.fetch(f"{query} ORDER BY ALL", **known) == expected, f"seed {SEED}, {version}, {at}"
        for node in nodes(store, draw, rounds(20)):
            assert store.fetch(HISTORY, node=node) == fetch(log, HISTORY, {"node": node})
    assert seen > rounds(10_000)
    assert check(Path(str(store.log_path)).parent) == []


def test_walks_are_those_of_the_macro(store: Store) -> None:
    """Hop by hop over snapshot and tail, or through all edges in force: the same lineage."""
    draw, count = random.Random(SEED + 1), rounds(25)
    for (version, at), node in zip(points(store, draw, count), nodes(store, draw, count), strict=True):
        basis, depth = store.basis(at, version=version), draw.choice([1, 2, 3, None])
        expected = View(store.fetch, basis, store.check_nodes).lineage(node, depth=depth)

        assert store.as_of(at, version=version).lineage(node, depth=depth) == expected, f"seed {SEED}"


def points(store: Store, draw: random.Random, count: int) -> list[tuple[int, int]]:
    """Draw versions, each with an instant at which a message of the stream takes effect, or just before it."""
    instants = [
        at
        for (at,) in store.fetch(
            "SELECT DISTINCT epoch_us(effective_at) FROM log WHERE effective_at IS NOT NULL ORDER BY 1"
        )
    ]
    return [
        (draw.randint(1, store.version), draw.choice(instants) - draw.randint(0, 1))
        for _ in range(count)
    ]  # fmt: skip


def nodes(store: Store, draw: random.Random, count: int) -> list[str]:
    """Draw nodes."""
    return draw.sample([node for (node,) in store.fetch("SELECT node FROM nodes ORDER BY node")], count)
