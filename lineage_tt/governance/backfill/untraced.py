"""Edges for what is not known: a task writes a dataset from what it reads, and no edge shows how.

Anything that such a task reads may be in everything that it writes without an edge. A plan that ignored this would
leave wrong values in place.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from lineage_tt.model.answers import EdgeAsOf
from lineage_tt.model.completeness.summary import Gap, GapsAt
from lineage_tt.model.edges import INDIRECT, dataset_of

#: The subtype of such an edge; no message states one.
UNTRACED: Final = "UNTRACED"


def untraced_out(gaps: GapsAt, nodes: Collection[str]) -> Iterator[EdgeAsOf]:
    """Yield an edge from each of these nodes that a task may read to each dataset that it writes untraced."""
    for gap in gaps.reading({dataset_of(node) for node in nodes}):
        for node in sorted(nodes):
            if dataset_of(node) in gap.unknown_reads:
                for target in sorted(gap.untraced_writes):
                    yield _edge(gap, node, target)


def untraced_into(gaps: GapsAt, nodes: Collection[str]) -> Iterator[EdgeAsOf]:
    """Yield an edge into each of these nodes that a task writes untraced; from its own dataset if nothing is read."""
    for gap in gaps.writing({dataset_of(node) for node in nodes}):
        for node in sorted(nodes):
            if dataset_of(node) in gap.untraced_writes and gap.may_write(node):
                for source in sorted(gap.reads) or [dataset_of(node)]:
                    yield _edge(gap, source, node)


def _edge(gap: Gap, source: str, target: str) -> EdgeAsOf:
    return EdgeAsOf(gap.task_id, source, target, INDIRECT, UNTRACED, "", gap.version, 0, None)
