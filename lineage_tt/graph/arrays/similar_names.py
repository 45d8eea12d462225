"""Names that look like an unknown name, found without comparing it with millions of names."""

from __future__ import annotations

import difflib
from typing import Final

import pyarrow.compute as pc

from lineage_tt.graph.arrays.dictionary import Dictionary
from lineage_tt.model.edges import dataset_of

#: difflib takes about 10 µs per name.
MAX_COMPARED: Final = 5_000


def nearest(node: str, names: Dictionary) -> tuple[str, ...]:
    """Return up to three known names that look like ``node``: of its dataset, else those that begin alike."""
    dataset = dataset_of(node)
    known = names.nodes.arrow()
    if dataset != node and names.nodes.find(dataset) >= 0:
        pool = known.filter(pc.starts_with(known, dataset + "#"))
    else:
        pool = known
        lengths = (len(node) * 3 // 4, len(node) // 2, len(node) // 4) if len(known) > MAX_COMPARED else ()
        for length in lengths:
            begins = known.filter(pc.starts_with(known, node[:length]))
            if len(begins):
                pool = begins
                break
    return tuple(difflib.get_close_matches(node, sorted(pool.slice(0, MAX_COMPARED).to_pylist()), n=3, cutoff=0.5))
