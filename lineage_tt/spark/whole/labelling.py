"""Labels of all nodes on Spark: each round passes the new bits over all edges, and the driver combines them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lineage_tt.governance.labels.labelled import Labelled
from lineage_tt.governance.labels.propagation_rules import masked_spans
from lineage_tt.governance.labels.scene import Scene
from lineage_tt.governance.labels.spreading import Words
from lineage_tt.governance.labels.statements import BLOCK
from lineage_tt.governance.ports import MASKED
from lineage_tt.model.edges import dataset_of
from lineage_tt.spark.whole.arrays import bits_over, columns_of, mapped
from lineage_tt.spark.whole.point import WholePoint, enliven

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def labelled_on_spark(whole: WholePoint, scene: Scene) -> Labelled:
    """Return the labels of all nodes of a point, as ``Governance.labelled`` does."""
    masked = [at for at, text in enumerate(whole.expressions) if masked_spans(text, scene.stop_functions)]
    point, plain = whole.parted(masked, _judged(whole))
    enliven(point, plain)
    result = Labelled(point, scene)
    carried = np.array([kind in scene.carry for kind, _ in whole.kinds], np.bool_)
    if scene.stop_aggregation:
        carried &= np.array([subtype != "AGGREGATION" for _, subtype in whole.kinds], np.bool_)
    labels = np.flatnonzero(carried[whole.kind])
    edges = _by_end(plain.where(f"label IN ({', '.join(map(str, labels.tolist())) or 'NULL'})"), scene).persist()
    try:
        result.have = [_spread(result, word, edges) for word in range(result.lattice.words)]
    finally:
        edges.unpersist()
    return result


def _judged(whole: WholePoint) -> list[int]:
    """Return the datasets into which, by facts, some edge is masked or blocked."""
    view = whole.store.as_of(whole.basis.valid_at, version=whole.basis.version)
    nodes = {dataset_of(fact.node) for fact in view.facts() if fact.key == MASKED or fact.key.startswith(BLOCK)}
    return [number for number in map(whole.words.nodes.find, nodes) if number >= 0]


def _by_end(edges: DataFrame, scene: Scene) -> DataFrame:
    """Return the edges as (near, far), in the direction in which labels spread, each pair once."""
    down, up = "source AS near, target AS far", "target AS near, source AS far"
    if scene.direction != "both":
        return edges.selectExpr(*(down if scene.direction == "down" else up).split(", ")).distinct()
    return edges.selectExpr(*down.split(", ")).union(edges.selectExpr(*up.split(", "))).distinct()


def _spread(result: Labelled, word: int, edges: DataFrame) -> Words:
    """Return, for one word of bits, the labels of each node: rounds over all edges until nothing is new."""
    point = result.point
    allowed, stated = (words.astype(np.uint64) for words in result.begin(word))
    special = result.carried(word)
    near = np.repeat(np.arange(point.nodes), np.diff(special.starts))
    have = stated | (stated[point.dataset] & allowed)
    fresh, step = have.copy(), 0
    while fresh.any() and (result.scene.depth is None or step < result.scene.depth):
        step += 1
        come = np.zeros(point.nodes, np.uint64)
        np.bitwise_or.at(come, special.far, fresh[near] & special.passes)
        nodes, bits = columns_of(mapped(edges, bits_over, {"bits": fresh}, "node int, bits bigint"))
        np.bitwise_or.at(come, nodes, bits.view(np.uint64))
        come &= allowed & ~have
        come |= come[point.dataset] & allowed & ~have
        have |= come
        fresh = come
    return have
