"""Real messages in any partitions through a bulk import and through topics: the lineage of an ingest in order."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from orders import Line, differences, free, instants, keyed, line_of, lineage_of, numbered, partitions, stream_slice

from ingest.kafka.ingest import KafkaIngester
from ingest.messages.mapping import FieldMapping, load_mapping
from ingest.pipeline import Ingester
from ingest.spark.importing import Importer
from ingest.spark.sources import sources_of
from ingest.spark.streaming import Streamer
from lineage_tt import Store
from lineage_tt.kafka.settings import read_topic
from scripts.broker_lib.server import Broker
from scripts.broker_lib.topics import produce

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SEED = int(os.environ.get("LINEAGE_TT_SEED", "1"))
#: How many deliveries are compared here, each way.
ORDERS = max(1, int(os.environ.get("LINEAGE_TT_ORDERS", "24")) // 24)
SAMPLE = Path(__file__).resolve().parents[2] / "lineage_tt" / "sample" / "retail.jsonl"

Story = tuple[list[Line], FieldMapping | None, list[int], dict[str, Counter[str]]]


@pytest.fixture(params=["sample", "stream"])
def story(request: pytest.FixtureRequest, tmp_path: Path) -> Story:
    """Messages in order, their mapping, valid times, and the lineage that an ingest of one file makes of them."""
    mapping, lines = None, [line_of(text) for text in SAMPLE.read_bytes().splitlines()]
    if request.param == "stream":
        shared = request.getfixturevalue("shared_dir")
        mapping, lines = load_mapping("bqetl_stream"), numbered(stream_slice(shared, 60, f"{SEED} Spark"))
    times, store = instants(lines, mapping), Store.create(tmp_path / "ingested")
    with Ingester(store, mapping=mapping, workers=1) as ingester:
        ingester.ingest_file(str(written(tmp_path / "ingested.jsonl", lines)))
    return lines, mapping, times, lineage_of(store, times)


def written(file: Path, lines: Sequence[Line]) -> Path:
    """Write messages to a file."""
    file.write_bytes(b"".join(line.text for line in lines))
    return file


def test_imports_of_any_partitions(story: Story, spark: SparkSession, tmp_path: Path) -> None:
    """A file for each partition, imported one after the other; with source versions, one file in any order, too."""
    lines, mapping, times, expected = story
    for number in range(ORDERS):
        draw = random.Random(f"{SEED} import {number}")
        whole = draw.random() < 0.5
        if whole:
            parts = [(keyed if mapping is None else draw.choice((keyed, free)))(lines, draw)]
        else:
            parts = partitions(lines, draw)
        batch = draw.choice((7, 40, 50_000))
        print(f"seed {SEED} import {number}: {len(parts)} files, a commit each {batch}")
        files = [str(written(tmp_path / f"{number}-{place}.jsonl", part)) for place, part in enumerate(parts)]
        store = Store.create(tmp_path / f"imported-{number}")
        with Importer(store, spark, mapping=mapping, batch=batch, least_sql=0, least_bytes=0) as importer:
            importer.run(sources_of(files))

        assert differences(expected, lineage_of(Store.open(tmp_path / f"imported-{number}"), times)) == []


def test_topics_of_any_partitions(
    story: Story, spark: SparkSession, tmp_path: Path, broker: Broker, topic: Callable[..., str]
) -> None:
    """The same topic by Structured Streaming and by ``ingest kafka://``, in micro-batches of any size."""
    lines, mapping, times, expected = story
    for number in range(ORDERS):
        draw = random.Random(f"{SEED} topic {number}")
        parts, most = partitions(lines, draw, 5), draw.choice((20, 80, None))
        print(f"seed {SEED} topic {number}: {len(parts)} partitions, {most} messages a batch")
        name = topic("orders", partitions=len(parts))
        for place, part in enumerate(parts):
            produce(broker.address, name, [line.text.rstrip() for line in part], partition=place)
        uri = f"kafka://{broker.address}/{name}"

        streamed = Store.create(tmp_path / f"streamed-{number}")
        with Importer(streamed, spark, mapping=mapping) as importer:
            streamer = Streamer(streamed, spark, importer, str(tmp_path / f"checkpoint-{number}"), mapping=mapping)
            streamer.topic(uri, most=most, until_end=True)
        ingested = Store.create(tmp_path / f"read-{number}")
        KafkaIngester(ingested, read_topic(uri), mapping=mapping, workers=1, batch=most or 4096).run(until_end=True)

        for store in (streamed, ingested):
            assert differences(expected, lineage_of(Store.open(str(store.log_path.parent)), times)) == []
