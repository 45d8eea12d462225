"""Names that look like an unknown name, found in Arrow without making texts of millions of names."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from lineage_tt.graph.arrays.dictionary import Dictionary
from lineage_tt.model.edges import dataset_of
from lineage_tt.model.names import beginnings, most_compared, near_names


def nearest(node: str, names: Dictionary) -> tuple[str, ...]:
    """Return up to three known names that look like ``node``: of its dataset, else of all."""
    dataset = dataset_of(node)
    known = names.nodes.arrow()
    if dataset != node and names.nodes.find(dataset) >= 0:
        known = known.filter(pc.starts_with(known, dataset + "#"))
    if len(known) > (bound := most_compared(node)):  # the choice of near_names, made for all names at once
        length = pc.utf8_length(known)
        known = known.filter(pc.and_(pc.less_equal(length, 3 * len(node)), pc.greater_equal(length, len(node) / 3)))
        shares = [pc.starts_with(known, begin).cast(pa.int8()) for begin in beginnings(node)]
        shared = pc.add(pc.add(shares[0], shares[1]), shares[2])
        gap = pc.abs(pc.subtract(pc.utf8_length(known), len(node)))
        table = pa.table({"name": known, "shared": shared, "gap": gap})
        order = [("shared", "descending"), ("gap", "ascending"), ("name", "ascending")]
        known = table.take(pc.select_k_unstable(table, bound, order))["name"]
    return near_names(node, known.to_pylist(), 0.5, 3)
