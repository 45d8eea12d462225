"""Walks hop by hop over snapshot and tail: those of the macro over all edges, without reading the rest of the log."""

from __future__ import annotations

import json
import os
import random
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from rounds import rounds

from ingest.messages.native import parse_message
from lineage_tt import Store
from lineage_tt.model.answers import Direction
from lineage_tt.model.edges import Edge
from lineage_tt.model.errors import CorruptError, UnknownNodeError
from lineage_tt.model.messages import Lineage, Problem, TaskChange
from lineage_tt.read.snapshots.hops import Question
from lineage_tt.read.view import View
from lineage_tt.spark.compact import compact
from lineage_tt.spark.session import spark_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NOON = 1_714_564_800_000_000
HOUR = 3_600_000_000
SEED = int(os.environ.get("LINEAGE_TT_SEED", "1"))
DATASETS = [f"n:{letter}" for letter in "abcdef"]
#: ``#*`` stands for the unknown columns of a dataset
NODES = [f"{dataset}#{column}" for dataset in DATASETS for column in "xyz*"] + DATASETS


def append(store: Store, count: int) -> None:
    """Append messages of ten tasks: some of their edges go to or come from whole datasets, some only decide."""
    draw = random.Random(f"{SEED} {store.version}")
    found = []
    for number in range(store.version, store.version + count):
        message: dict[str, object] = {"event_id": f"e{number}", "task_id": f"t{draw.randrange(10)}", "op": "update"}
        edges = [
            {"source": draw.choice(NODES), "target": draw.choice(NODES)}
            | ({"type": "INDIRECT", "subtype": "FILTER"} if draw.random() < 0.3 else {})
            for _ in range(draw.randrange(1, 7))
        ]
        message |= {"effective_at": NOON + draw.randrange(-6, 6) * HOUR, "edges": edges}
        if draw.random() < 0.1:
            message = {k: v for k, v in message.items() if k != "edges"} | {"op": "offline"}
        found.append(parse_message(json.dumps(message).encode()))
    store.append(found)


@pytest.fixture(scope="module")
def folder(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a full snapshot, two levels on it, and a tail."""
    path = tmp_path_factory.mktemp("hops") / "store"
    store = Store.create(path)
    edges = [Edge("n:a#x", "n:b#x", "DIRECT", "IDENTITY", ""), Edge("n:c#y", "n:d#y", "DIRECT", "IDENTITY", "")]
    problems = [Problem("syntax", "why", ""), Problem("untraced-write", "", "n:e")]
    store.append([TaskChange("p", "p", "update", NOON, lineage=Lineage(edges, "partial", problems))])
    for count, mode in ((150, "full"), (20, "level"), (9, "level")):
        append(store, count)
        assert compact(path, spark_session).mode == mode
    append(store, 12)
    return path


def test_a_walk_is_that_of_the_macro(folder: Path) -> None:
    """Each way, to any depth, from columns and datasets, before, in and after the snapshot: the same, in order."""
    store = Store.open(folder)
    draw = random.Random(SEED)
    walked = 0
    for _ in range(rounds(150)):
        version = draw.choice([0, 1, 75, 149, 150, 151, 165, 170, 171, 179, 180, 185, store.version])
        basis = store.basis(NOON + draw.randrange(-7, 7) * HOUR, version=version)
        nodes = draw.sample([*NODES, "n:a#nobody", "n:f#nobody"], draw.choice([1, 1, 2, 4]))
        direction: Direction = draw.choice(("up", "down", "both"))
        depth, direct_only = draw.choice([0, 1, 2, 3, None]), draw.random() < 0.3
        macro = View(store.fetch, basis, store.check_nodes)
        expected = macro.lineage(*nodes, direction=direction, depth=depth, direct_only=direct_only)
        view = store.as_of(basis.valid_at, version=version)
        walked += len(expected.steps)

        assert view.lineage(*nodes, direction=direction, depth=depth, direct_only=direct_only) == expected, (
            f"seed {SEED}"
        )
    assert walked > rounds(1_000), f"seed {SEED}"
    assert {task.task_id for task in store.as_of(NOON).upstream("n:b#x").completeness.tasks} == {"p"}


def test_no_edge_is_read_but_from_the_snapshot_and_what_came_since(folder: Path, tmp_path: Path) -> None:
    """With the log's covered files gone, edges are found; what needs the log says that it is damaged.

    Of the log's covered files a walk needs the short columns that say which message began an edge, and how complete
    its answer is.
    """
    shutil.copytree(folder, tmp_path / "store")
    expected = Store.open(folder).as_of(NOON).lineage("n:a#x")
    for path in sorted((tmp_path / "store" / "log").glob("*.parquet"))[:-1]:
        path.unlink()
    store = Store.open(tmp_path / "store")

    asked = Question(("n:a#x",), store.basis(NOON))
    found = store._source.with_hops(lambda hops: hops.reached(asked))
    steps = sorted((way, steps, row[0]) for way, steps, row, _ in found)
    assert steps == [(step.direction, step.steps, step.edge.task_id) for step in expected.steps]
    with pytest.raises(CorruptError, match="cannot be read"):
        store.as_of(NOON).lineage("n:a#x")
    with pytest.raises(CorruptError, match="is missing"):
        store.as_of(NOON).edges()


def test_an_altered_file_of_the_snapshot_is_found(folder: Path, tmp_path: Path) -> None:
    """A flipped byte in what a walk reads is an error that says how to fix it."""
    shutil.copytree(folder, tmp_path / "store")
    for path in (tmp_path / "store" / "snapshot" / "direction=source").glob("*.parquet"):
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        path.write_bytes(data)

    with pytest.raises(CorruptError, match="compact --full"):
        Store.open(tmp_path / "store").as_of(NOON).downstream("n:a#x")


def test_a_node_without_edges_is_known_and_an_unknown_one_is_not(folder: Path) -> None:
    """A known node that feeds nothing has an empty answer; one that no edge ever named is an error with near names."""
    store = Store.open(folder)

    assert store.as_of(NOON - 100 * HOUR).lineage("n:a#x").steps == ()
    with pytest.raises(UnknownNodeError) as raised:
        store.as_of(NOON).lineage("n:aa#x")
    assert "n:a#x" in str(raised.value)
