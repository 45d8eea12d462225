"""Jobs over all nodes on Spark: labels, rules, heat and redundancy are those of the engine in memory, at any point."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from test_hops import DATASETS, HOUR, NODES, NOON, SEED, append

from ingest.sql.compare.meaning import definitions
from lineage_tt import Store
from lineage_tt.curation.statements import Author, add_alias, annotate, state_edge
from lineage_tt.governance.config import Config
from lineage_tt.governance.governance import Governance
from lineage_tt.governance.heat.asked import Asked
from lineage_tt.governance.labels.scene import scene_of
from lineage_tt.governance.labels.statements import block_fact, reject_fact
from lineage_tt.model.edges import Edge
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.messages import Lineage, TaskChange
from lineage_tt.spark.compact import compact
from lineage_tt.spark.session import spark_session
from lineage_tt.spark.whole.clearing import redundancy_on_spark
from lineage_tt.spark.whole.folding import rules_on_spark
from lineage_tt.spark.whole.labelling import labelled_on_spark
from lineage_tt.spark.whole.point import WholePoint
from lineage_tt.spark.whole.ranking import DRIVER_PAIRS, heat_on_spark, ranks

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ANA = Author("ana", "asked legal")
RULES = """
[labels]
levels = ["low", "high"]
stop_functions = ["sha2"]

[labels.scenes.both]
carry = ["DIRECT", "INDIRECT"]
direction = "both"
depth = 2

[rules]
max_fanin = 2
max_fanout = 2

[[rules.layer]]
name = "low"
match = ["n:a", "n:b"]

[[rules.layer]]
name = "high"
match = ["n:e", "n:f"]
"""


@pytest.fixture(scope="module")
def store(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A store with all that labels may meet; a snapshot of two levels, and a tail."""
    path = tmp_path_factory.mktemp("whole") / "store"
    made = Store.create(path)
    append(made, 60)
    draw = random.Random(SEED)
    for label in ("pii", "gdpr", "low", "high", "pii"):
        annotate(made, draw.choice(NODES[:-6]), "label", [label], by=ANA, at=NOON - 9 * HOUR)
    annotate(made, "n:b", *reject_fact("pii"), by=ANA, at=NOON)
    annotate(made, "n:c", *block_fact("n:a", ["gdpr"]), by=ANA, at=NOON)
    add_alias(made, "n:d", "s3:d", by=ANA, at=NOON)
    state_edge(made, "reject", "n:a#x", "n:e#x", by=ANA, at=NOON - HOUR)
    hashed = Edge("n:a#y", "n:f#y", "DIRECT", "TRANSFORMATION", "sha2(a.y, 256)")
    made.append([TaskChange("hash", "hash", "online", NOON - HOUR, lineage=Lineage([hashed]))])
    assert compact(path, spark_session).mode == "full"
    append(made, 9)
    annotate(made, "n:c#y", "owner", ["tomas"], by=ANA, at=NOON)
    assert compact(path, spark_session).mode == "level"
    append(made, 9)
    fresh = Edge("n:f#new", "n:g#new", "DIRECT", "IDENTITY", "")
    made.append([TaskChange("fresh", "fresh", "online", NOON, lineage=Lineage([fresh]))])
    return Store.open(path)


def test_labels_rules_and_heat_are_those_of_the_engine_in_memory(spark: SparkSession, store: Store) -> None:
    """At a point in the tail behind two levels: each label in two scenes, each violation, rank and class."""
    config = Config.parse(RULES)
    asks: Governance = store.governance(config)
    basis = asks.basis(NOON + 7 * HOUR)
    whole = WholePoint(spark, store, basis)
    for scene in ("default", "both"):
        result = dict(labelled_on_spark(whole, scene_of(config, scene)).all())
        assert result == dict(asks.labelled(basis, scene).all()), (SEED, scene)
        assert len(result) > len(DATASETS)
    assert rules_on_spark(whole, config) == asks.rules(basis), SEED
    expected = asks.heat(basis, Asked("column", limit=1000)).rows
    rows = heat_on_spark(whole, "column")
    assert [(r.place, r.node, r.heat, r.references) for r in rows] == [
        (r.place, r.node, r.heat, r.direct.columns) for r in expected
    ], SEED
    assert all(abs(r.rank - e.rank) < 1e-12 for r, e in zip(rows, expected, strict=True))
    whole.close()


def test_what_is_there_twice_or_for_nobody_is_that_of_the_engine_in_memory(spark: SparkSession, store: Store) -> None:
    """All parts of the answer, with a table that only the log's tail names, and that ended long before."""
    asks: Governance = store.governance()
    copied = Edge("n:a#x", "n:copied#x", "DIRECT", "IDENTITY", "")
    store.append([
        TaskChange("copied", "copied", "online", NOON, lineage=Lineage([copied])),
        TaskChange("copied", "gone", "offline", NOON + HOUR),
    ])  # fmt: skip
    asks.points.graph.refresh()
    basis = asks.basis(NOON + 200 * 24 * HOUR)
    whole = WholePoint(spark, store, basis)

    found = redundancy_on_spark(whole, definitions)

    assert found == asks.redundancy(basis, definitions), SEED
    assert {"n:copied"} <= {each.dataset for each in found.unused}
    assert len(found.unused) > 1
    assert found.unused_columns
    whole.close()


@pytest.mark.slow
def test_ranks_step_by_step_are_those_of_one_process(spark: SparkSession) -> None:
    """More pairs than the driver holds: each step is a job, and the ranks are the same."""
    pairs = [(0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (5, 4)]
    few = spark.newSession()  # as a point has one: each step is a shuffle
    few.conf.set("spark.sql.shuffle.partitions", "2")
    edges = few.createDataFrame([(*pair, True) for pair in pairs], "source int, target int, direct boolean")

    steps, here = ranks(edges, 7, driver_pairs=0), ranks(edges, 7, driver_pairs=DRIVER_PAIRS)

    assert steps.tolist() == pytest.approx(here.tolist(), abs=1e-15)
    assert steps.sum() == pytest.approx(1.0)


def test_a_store_without_a_snapshot_is_refused(spark: SparkSession, tmp_path: Path) -> None:
    """Jobs are over the snapshot: without one the error says how to make it."""
    made = Store.create(tmp_path / "s")
    append(made, 3)
    with pytest.raises(InvalidRequestError) as refused:
        WholePoint(spark, made, made.basis(NOON))

    assert refused.value.hint == "run: lineage-tt compact"
