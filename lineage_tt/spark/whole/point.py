"""A point of a store on Spark: plain edges on the executors, and the edges whose text matters on the driver.

``special`` edges are those that touch a dataset with unknown columns (``X#*``), the rejections, the aliases, and those
that a job has to judge by their text. They are few, and make a ``PointGraph`` on the driver, as for a question in
memory; its nodes are those of all edges.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow.parquet as pq

from lineage_tt.governance.points.building import NodeTable, built
from lineage_tt.governance.points.plain import Words
from lineage_tt.governance.ports import Edges, PointGraph
from lineage_tt.graph.arrays.names import Ints
from lineage_tt.model.answers import Basis, FactAsOf, TaskAsOf
from lineage_tt.model.completeness.summary import GapsAt
from lineage_tt.model.edges import ALIAS, DIRECT, REJECTED, dataset_of
from lineage_tt.model.facts import COLUMN
from lineage_tt.spark.whole.arrays import columns_of, flag, mapped
from lineage_tt.spark.whole.rectangles import Dictionary, dictionary_of, edges_in_force, snapshot_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from lineage_tt.read.snapshots.snapshot import Snapshot
    from lineage_tt.store import Store

#: About how many rectangles go into one partition of a shuffle.
ROWS: Final = 500_000
_COLUMNS: Final = ("source", "target", "task", "label", "valid_from", "valid_to", "version")
_SCHEMA: Final = "source int, target int, task int, label int, valid_from bigint, valid_to bigint, version int"


class WholePoint:
    """The lineage as of a point, its plain edges (source, target, task, label) on the executors."""

    def __init__(self, spark: SparkSession, store: Store, basis: Basis) -> None:
        self._snapshot = snapshot = snapshot_of(store)
        self.spark, self.store, self.basis = _session(spark, snapshot), store, basis
        self.words: Dictionary = dictionary_of(snapshot)
        self.edges: DataFrame = edges_in_force(self.spark, store, snapshot, self.words, basis).persist()
        parts = [text.split("/", 2) for text in self.words.labels.listed]
        kinds: dict[tuple[str, str], int] = {}
        #: for each label, the index of its kind in ``kinds``
        self.kind: Ints = np.array([kinds.setdefault((kind, sub), len(kinds)) for kind, sub, _ in parts], np.int32)
        self.kinds = tuple(kinds)
        self.expressions = [expression for _, _, expression in parts]
        self.dataset = datasets_in(self.words.nodes)

    def close(self) -> None:
        """Free the edges on the executors."""
        self.edges.unpersist()

    def parted(self, labels: Collection[int] = (), into: Collection[int] = ()) -> tuple[PointGraph, DataFrame]:
        """Return the special edges as a point on the driver, and the plain ones (source, target, task, label).

        Edges with these labels, and edges into these datasets, are also special.
        """
        marks = np.array([kind in ((DIRECT, REJECTED), (DIRECT, ALIAS)) for kind in self.kinds], np.bool_)
        stars = np.array([name.partition("#")[2] == "*" for name in self.words.nodes.listed], np.bool_)
        seen = self._flagged(label=marks[self.kind], source=stars, target=stars).where("flag")
        ends = columns_of(seen.select("source", "target").distinct())
        around = _flags(len(self.dataset), np.concatenate([self.dataset[each] for each in ends]))
        entered = around | _flags(len(self.dataset), [*into])
        chosen = self._flagged(
            label=_flags(len(self.kind), [*labels]), source=around[self.dataset], target=entered[self.dataset]
        )
        return self._point(chosen.where("flag")), chosen.where("NOT flag").select("source", "target", "task", "label")

    def gathered(self) -> PointGraph:
        """Return all edges in force as a point on the driver, for work that compares edges with each other."""
        return self._point(self.edges)

    def begun(self) -> DataFrame:
        """Return all edges that were ever in force up to the point, as known there, with the columns of ``edges``."""
        return edges_in_force(self.spark, self.store, self._snapshot, self.words, self.basis, ended=True)

    def _flagged(self, **flags: npt.NDArray[np.bool_]) -> DataFrame:
        return mapped(self.edges, flag, flags, f"{_SCHEMA}, flag boolean")

    def _point(self, special: DataFrame) -> PointGraph:
        source, target, task, label, valid_from, valid_to, version = columns_of(
            special.select(*_COLUMNS).orderBy(*_COLUMNS)
        )
        unjoined = np.zeros(len(source), np.bool_)
        edges = Edges(source, target, task, self.kind[label], label, valid_from, valid_to, version, unjoined)
        table = NodeTable(self.words.nodes, self.dataset)
        beside, texts = _StoreBeside(self.store, self.basis), _Expressions(self.expressions)
        return built(self.basis, edges, self.kinds, table, self.words.tasks, texts, beside, True)


def _session(spark: SparkSession, snapshot: Snapshot) -> SparkSession:
    """Return a separate session over the same executors, whose shuffles have as many partitions as the edges need.

    A job here has many short rounds: each partition costs a task and a call of a Python worker. 200 of them, Spark's
    default, take longer than the work on a million edges. Cached data keeps that number of partitions.
    """
    rows = sum(pq.read_metadata(path).num_rows for path in snapshot.files("source"))
    parts = max(spark.sparkContext.defaultParallelism, -(-rows // ROWS))
    result = spark.newSession()
    result.conf.set("spark.sql.shuffle.partitions", str(parts))
    return result


class _Expressions:
    """The expressions of labels by number."""

    def __init__(self, listed: Sequence[str]) -> None:
        self._listed = listed

    def texts(self, numbers: list[int]) -> list[str]:
        """Return the expressions with these numbers."""
        return [self._listed[number] for number in numbers]

    def find(self, name: str) -> int:
        """Return an expression's number, -1 where there is none."""
        return self._listed.index(name) if name in self._listed else -1


class _StoreBeside:
    """What the store knows at a point apart from edges, read by SQL over its files, without loading a graph."""

    def __init__(self, store: Store, basis: Basis) -> None:
        self._view = store.as_of(basis.valid_at, version=basis.version)

    def facts(self, key: str | None = None) -> Sequence[FactAsOf]:
        """Return the facts in force under a key; with None, all except the columns of datasets."""
        result = self._view.facts(key=key)
        return result if key is not None else [fact for fact in result if fact.key != COLUMN]

    def messages_of(self, versions: Collection[int]) -> dict[int, Any]:
        """Return nothing: a job over all nodes names no messages."""
        return {}

    def tasks(self) -> Sequence[TaskAsOf]:
        """Return the tasks in force."""
        return self._view.tasks()

    def sourceless(self, others: Collection[str]) -> Sequence[str]:
        """Return the tasks in force that read nothing, and whose lineage is complete."""
        return self._view.sourceless(others)

    def gaps(self) -> GapsAt:
        """Return the tasks in force whose lineage is not complete."""
        return self._view.gaps

    def began(self, tasks: Ints, since: Any, versions: Ints) -> Ints:
        """Return the versions unchanged."""
        return versions


def enliven(point: PointGraph, plain: DataFrame) -> None:
    """Mark the ends of the plain edges as live in a point that has only special edges."""
    (ends,) = columns_of(plain.selectExpr("explode(array(source, target)) AS node").distinct())
    point.live[ends] = True
    point.live[point.dataset[ends]] = True


def _in_order(edges: DataFrame) -> DataFrame:
    return edges.select(*_COLUMNS).orderBy(*_COLUMNS)


def datasets_in(nodes: Words) -> Ints:
    """Return the number of each node's dataset; datasets that only columns name are added to ``nodes``."""
    result = [nodes.add(dataset_of(name)) for name in list(nodes.listed)]
    return np.array([*result, *range(len(result), len(nodes.listed))], np.int32)


def _flags(count: int, numbers: npt.ArrayLike) -> npt.NDArray[np.bool_]:
    """Return an array of ``count`` flags, set at these numbers."""
    result = np.zeros(count, np.bool_)
    result[np.asarray(numbers, np.int64)] = True
    return result
