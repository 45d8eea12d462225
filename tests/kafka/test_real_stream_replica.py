"""A replica fed by nothing but the change topic holds, version for version, what the real stream's store holds."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from ingest.messages.mapping import load_mapping
from ingest.pipeline import Ingester
from lineage_tt import Store
from lineage_tt.client import Replica
from lineage_tt.feed.relay import Relay
from lineage_tt.kafka.outlet import KafkaOutlet
from lineage_tt.kafka.reader import TopicReader
from lineage_tt.kafka.settings import read_topic
from scripts.broker_lib.server import Broker

Topics = Callable[..., str]
#: A store of the whole stream, ingested before: then all of its versions are compared, not those of the sample.
WHOLE = os.environ.get("LINEAGE_TT_REAL_STORE")

#: What each version adds to the number of times an edge is in force, at each instant where that changes. Both sides are
#: sums of signed changes, cut into other stretches: where these steps are equal, so is the state at every version.
_STEPS = """
    WITH signed AS (SELECT version, task_id, source, target, "type", subtype, expression, sign, {start} AS start,
        {until} AS until FROM {rows})
    SELECT version, task_id, source, target, "type", subtype, expression, instant, sum(step)::BIGINT AS total FROM (
        SELECT * EXCLUDE (sign, start, until), start AS instant, sign AS step FROM signed
        UNION ALL SELECT * EXCLUDE (sign, start, until), until, -sign FROM signed WHERE until IS NOT NULL)
    GROUP BY ALL HAVING total <> 0 ORDER BY ALL"""


@pytest.fixture
def store(tmp_path: Path, shared_dir: Path) -> Store:
    """The store of the real stream's sample, or of all of it."""
    if WHOLE:
        return Store.open(WHOLE)
    made = Store.create(tmp_path / "store")
    with Ingester(made, mapping=load_mapping("bqetl_stream"), system_times="recorded_at") as ingester:
        ingester.ingest_file(str(shared_dir / "data" / "bqetl_stream" / "sample-200.jsonl"))
    return made


def test_a_replica_of_the_real_stream_equals_the_store_at_every_version(
    broker: Broker, topic: Topics, store: Store, tmp_path: Path
) -> None:
    """Each version's changes, and so the state at every version, are those of the log (I5, I6); answers are, too."""
    to = read_topic(f"kafka://{broker.address}/{topic('changes')}")
    Relay(store, lambda: KafkaOutlet(to)).run(until_end=True, max_failures=5)
    last = next(iter(store.fetch("SELECT max(version) FROM log WHERE len(changes) + len(fact_changes) > 0")))[0]
    held = tmp_path / "replica.duckdb"
    with Replica(held) as replica, TopicReader(to) as reader:
        while replica.version < last:
            replica.follow(reader.poll(5))
        for version in range(1, last + 1, max(1, last // 20)):
            at = store.fetch("SELECT epoch_us(max(effective_at)) FROM log WHERE version <= $v", v=version)[0][0]
            expected = sorted(tuple(edge[:6]) for edge in store.as_of(at, version=version).edges())
            assert sorted(tuple(edge) for edge in replica.edges_as_of(at, version)) == expected, f"version {version}"

    expected_steps = store.fetch(
        _STEPS.format(rows="changes", start="epoch_us(valid_from)", until="epoch_us(valid_to)")
    )
    with duckdb.connect(str(held), read_only=True) as database:
        steps = database.execute(_STEPS.format(rows="signed", start="valid_from", until="valid_to")).fetchall()
    assert steps == expected_steps
    assert len(steps) > 1000
