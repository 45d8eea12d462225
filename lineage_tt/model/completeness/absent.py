"""Columns that a question names and that their dataset does not have at the point, as far as is known; pure.

A column without an edge at it may be a constant, or one that no task fills: then it has no lineage. Where its dataset
is written, its columns are stated and it is not among them, nothing is known of it, which is something else.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from lineage_tt.model.edges import dataset_of, star_of


def not_among(stated: Mapping[str, Collection[str]], nodes: Collection[str]) -> set[str]:
    """Return the columns that are not among those stated of their datasets; none where nothing is stated.

    Upper and lower case count as the same, and a field as its struct: types of structs are not always known.
    """
    names = {dataset: {name.lower() for name in columns} for dataset, columns in stated.items()}
    result = set()
    for node in nodes:
        dataset, _, column = node.partition("#")
        known, column = names.get(dataset), column.lower()
        if known and column not in known and column.partition(".")[0] not in known:
            result.add(node)
    return result


def without_origin(nodes: Collection[str], targets: Collection[str]) -> set[str]:
    """Return the columns at which no edge ends although one ends at their dataset; ``targets`` are ends of edges."""
    written = {dataset_of(target) for target in targets}
    return {
        node for node in nodes if dataset_of(node) in written and node not in targets and star_of(node) not in targets
    }
