"""Heat on Spark: ranks are passed over the edges step by step, and executors count references."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from lineage_tt.governance.heat.pagerank import Ranks, pagerank, ranked
from lineage_tt.governance.heat.scores import CLASSES, classes_of, one_names
from lineage_tt.model.answers import Level
from lineage_tt.model.edges import DIRECT, is_star
from lineage_tt.spark.whole.arrays import Columns, columns_of, fold, mapped, values_over
from lineage_tt.spark.whole.point import WholePoint, enliven

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


#: The most pairs of nodes that the driver holds (a quarter of a GiB) and processes itself: a step on Spark takes many
#: times as long, and cycles of edges need hundreds of steps. The executors process more pairs than this.
DRIVER_PAIRS: Final = 16_000_000


class WholeHeat(NamedTuple):
    """What a column or table is worth at a point: like ``Heat``, but without its reach."""

    place: int
    node: str
    heat: str
    rank: float
    references: int


def heat_on_spark(whole: WholePoint, level: Level = "table", driver_pairs: int = DRIVER_PAIRS) -> list[WholeHeat]:
    """Return the heat of all columns or tables of a point, greatest rank first, without observed runs.

    ``driver_pairs`` is the number of pairs of nodes up to which the driver processes them itself.
    """
    point, plain = whole.parted()
    enliven(point, plain)
    one = one_names(point)
    dataset = one[point.dataset[one]].astype(np.int32)
    not_alias = ~point.alias
    more = whole.spark.createDataFrame(
        [*zip(*(column[not_alias].tolist() for column in (point.source, point.target, point.direct)), strict=True)],
        "source int, target int, direct boolean",
    )
    direct = np.array([kind == DIRECT for kind, _ in whole.kinds], np.bool_)[whole.kind]
    labels = ", ".join(map(str, np.flatnonzero(direct).tolist())) or "NULL"
    edges = plain.selectExpr("source", "target", f"coalesce(label IN ({labels}), false) AS direct").union(more)
    beside = {"source": one.astype(np.int32), "target": one.astype(np.int32)}
    edges = mapped(edges, fold, beside, "source int, target int, direct boolean").distinct().persist()
    try:
        rank = ranks(edges, point.nodes, driver_pairs)
        itself = np.arange(point.nodes)
        columns = np.flatnonzero(point.live & (dataset != itself) & (one == itself))
        columns = columns[np.array([not is_star(name) for name in point.node_texts(columns)], bool)]
        nodes = columns if level == "column" else np.unique(dataset[one[np.flatnonzero(point.live)]])
        if level == "table":
            rank = np.bincount(dataset, rank, point.nodes).astype(np.float64)
        references, used = _references(edges, dataset, columns, level)
    finally:
        edges.unpersist()
    heat, names = classes_of(rank[nodes], used[nodes]), point.node_texts(nodes)
    worth = np.round(rank[nodes], 12)
    order = sorted(range(len(nodes)), key=lambda at: (-worth[at], names[at]))
    return [
        WholeHeat(place, names[at], CLASSES[heat[at]], float(rank[nodes[at]]), int(references[nodes[at]]))
        for place, at in enumerate(order, 1)
    ]


def ranks(edges: DataFrame, nodes: int, driver_pairs: int) -> Ranks:
    """Return the rank of each node over the reversed DIRECT edges; 0 for nodes without one.

    ``edges`` are (source, target, direct); up to ``driver_pairs`` pairs of nodes are processed on the driver.
    """
    turned = edges.where("direct AND source <> target").selectExpr("target AS near", "source AS far")
    pairs = turned.distinct().persist()
    try:
        if pairs.count() <= driver_pairs:
            near, far = columns_of(pairs)
            return _ranked_here(near, far, nodes)
        near, counts = columns_of(pairs.groupBy("near").count())
        (ends,) = columns_of(pairs.selectExpr("explode(array(near, far)) AS node").distinct())
        if not len(ends):
            return np.zeros(nodes)
        degree, start = np.zeros(nodes, np.int64), np.zeros(nodes)
        degree[near], start[ends] = counts, 1.0

        def hand_on(values: Ranks) -> Ranks:
            node, value = columns_of(mapped(pairs, values_over, {"values": values}, "node int, value double"))
            result: Ranks = np.bincount(node, value, nodes).astype(np.float64)
            return result

        return ranked(hand_on, degree, start)
    finally:
        pairs.unpersist()


def _ranked_here(near: np.ndarray, far: np.ndarray, nodes: int) -> Ranks:
    if not len(near):
        return np.zeros(nodes)
    start = np.zeros(nodes)
    start[near] = start[far] = 1.0
    return pagerank(near, far, nodes, start)


def _references(
    edges: DataFrame, dataset: np.ndarray, columns: np.ndarray, level: Level
) -> tuple[np.ndarray, np.ndarray]:
    """Return, by node, how many columns of other tables refer to it, and whether anything does."""
    nodes = len(dataset)
    is_column = np.zeros(nodes, np.int32)
    is_column[columns] = 1
    own = dataset if level == "table" else np.arange(nodes, dtype=np.int32)
    beside = {"dataset": dataset, "column": is_column, "own": own}
    outside = mapped(edges.select("source", "target"), _outside, beside, "by int, target int, made int")
    by, counts = columns_of(outside.distinct().groupBy("by").agg({"made": "sum"}))
    references, used = np.zeros(nodes, np.int64), np.zeros(nodes, np.bool_)
    references[by], used[by] = counts, True
    return references, used


def _outside(batch: Columns, beside: Columns) -> Columns:
    """Return the edges between different tables: the node referred to, and whether a column refers to it."""
    source, target = batch["source"], batch["target"]
    across = beside["dataset"][source] != beside["dataset"][target]
    source, target = source[across], target[across]
    return {"by": beside["own"][source], "target": target, "made": beside["column"][target]}
