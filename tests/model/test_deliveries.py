"""Real messages in any partitions, orders and batches: one lineage. ``scripts/faults orders`` has the long form."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import pytest
from orders import (
    Line,
    batches,
    differences,
    free,
    instants,
    keyed,
    line_of,
    lineage_of,
    numbered,
    stream_sample,
    stream_slice,
)
from rounds import rounds

from ingest.messages.mapping import FieldMapping, load_mapping
from ingest.messages.parsing import parse_line
from ingest.pipeline import Ingester
from ingest.resolve.resolver import SqlResolver
from lineage_tt import Store
from lineage_tt.maintenance.check import check

SEED = int(os.environ.get("LINEAGE_TT_SEED", "1"))
#: How many deliveries are compared, over all tests here.
ORDERS = int(os.environ.get("LINEAGE_TT_ORDERS", "24"))
SAMPLE = Path(__file__).resolve().parents[2] / "lineage_tt" / "sample" / "retail.jsonl"
#: Deliveries of one slice of the stream.
EACH = rounds(6, 2)

Order = Callable[[Sequence[Line], random.Random], list[Line]]


@pytest.fixture(scope="module")
def resolver() -> Iterator[SqlResolver]:
    """One resolver for all deliveries: a text under the same columns is parsed once."""
    with SqlResolver(0) as made:
        yield made


def delivered(
    folder: Path, parts: Iterable[Sequence[Line]], mapping: FieldMapping | None, resolver: SqlResolver, reopen: bool
) -> Store:
    """Return a store that took these batches, each perhaps by a writer of its own."""
    store = Store.create(folder)
    for part in parts:
        parsed = [parse_line(mapping, line.text, None) for line in part]
        store.append([message for message in parsed if message is not None], resolver=resolver)
        store = Store.open(folder) if reopen else store
    return Store.open(folder)


def compare(
    folder: Path, lines: Sequence[Line], orders: Sequence[Order], count: int, mapping: FieldMapping | None,
    resolver: SqlResolver, seed: str,
) -> None:  # fmt: skip
    """Deliver messages in order as one batch, then ``count`` times otherwise; the lineage is the same."""
    times = instants(lines, mapping)
    expected = lineage_of(delivered(folder / "whole", [lines], mapping, resolver, False), times)
    assert expected["edges"]
    for number in range(count):
        draw = random.Random(f"{seed} {number}")
        order = draw.choice(orders)
        parts = batches(order(lines, draw), draw)
        reopen = draw.random() < 0.3
        print(f"seed {seed} {number}: {order.__name__}, {len(parts)} batches{', reopened' if reopen else ''}")
        store = delivered(folder / str(number), parts, mapping, resolver, reopen)

        assert differences(expected, lineage_of(store, times)) == []
        assert number % 10 or check(store.log_path.parent) == []


@pytest.mark.long
def test_the_sample_in_any_partitions(tmp_path: Path, resolver: SqlResolver) -> None:
    """Late messages, plans, corrections, retracts and junk, each task in its own order: as told in one go."""
    lines = [line_of(text) for text in SAMPLE.read_bytes().splitlines()]
    compare(tmp_path, lines, [keyed], ORDERS // 3, None, resolver, f"{SEED} sample")


@pytest.mark.long
def test_the_real_sample_in_any_order(tmp_path: Path, resolver: SqlResolver, shared_dir: Path) -> None:
    """Two hundred tasks and the schemas of what they read, columns before and after the texts that need them."""
    mapping = load_mapping("bqetl_stream")
    lines = numbered(stream_sample(shared_dir))
    compare(tmp_path, lines, [keyed, free], max(2, ORDERS // 12), mapping, resolver, f"{SEED} stream sample")


@pytest.mark.long
@pytest.mark.parametrize("number", range(max(1, ORDERS // 12)))
def test_slices_of_the_real_stream_in_any_order(
    tmp_path: Path, resolver: SqlResolver, shared_dir: Path, number: int
) -> None:
    """Years of some datasets with their schemas: online, updates, offline and online again, in any order."""
    mapping = load_mapping("bqetl_stream")
    seed = f"{SEED} slice {number}"
    lines = numbered(stream_slice(shared_dir, 60, seed))
    compare(tmp_path, lines, [keyed, free], EACH, mapping, resolver, seed)


@pytest.mark.long
def test_files_that_are_ingested_in_any_partitions(tmp_path: Path, shared_dir: Path) -> None:
    """The same by the pipeline: a file for each batch, worker processes, one process after the other."""
    mapping = load_mapping("bqetl_stream")
    lines = numbered(stream_slice(shared_dir, 60, f"{SEED} files"))
    times = instants(lines, mapping)
    expected = None
    for number in range(3):
        draw = random.Random(f"{SEED} files {number}")
        parts = batches(keyed(lines, draw), draw) if number else [lines]
        store = Store.create(tmp_path / f"store-{number}")
        with Ingester(store, mapping=mapping, workers=2) as ingester:
            for place, part in enumerate(parts):
                file = tmp_path / f"{number}-{place}.jsonl"
                file.write_bytes(b"".join(line.text for line in part))
                ingester.ingest_file(str(file))
        found = lineage_of(Store.open(tmp_path / f"store-{number}"), times)
        expected = expected or found
        assert differences(expected, found) == []
