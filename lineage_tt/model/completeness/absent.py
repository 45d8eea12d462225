"""Columns that a question names and that their dataset does not have at the point, as far as is known; pure.

A column without edges may be a constant, or a column that no task fills: then it has no lineage. It is a different case
if a task writes the dataset, its columns are stated, and this column is not among them: then nothing is known about it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from lineage_tt.model.edges import dataset_of, star_of


def not_among(stated: Mapping[str, Collection[str]], nodes: Collection[str]) -> set[str]:
    """Return the columns that are not among the stated columns of their datasets; none where nothing is stated.

    Case is ignored. A field counts as stated if its struct is, since the types of structs are not always known.
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
    """Return the columns that no edge leads into, although one leads into their dataset; ``targets`` are of edges."""
    written = {dataset_of(target) for target in targets}
    return {
        node for node in nodes if dataset_of(node) in written and node not in targets and star_of(node) not in targets
    }
