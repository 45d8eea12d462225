"""Columns that one statement of a text writes by name and another by star.

``INSERT INTO y SELECT a FROM x; INSERT INTO y SELECT * FROM d``, the columns of ``d`` unknown, gives ``x#a -> y#a`` and
``d#* -> y#*``. A walk does not take a star edge for a column that the task makes of something else: within one
statement that is right (``SELECT *, upper(a) AS a``), between two it is not. So the text says ``d#a -> y#a`` as well.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from ingest.sql.result import StatementLineage
from lineage_tt.model.edges import DIRECT, Edge, column_node, column_of, dataset_of, is_column, is_star, leaves_out


def joined_edges(done: Iterable[StatementLineage]) -> list[Edge]:
    """Return the star edges of statements as edges of the columns that other statements write by name."""
    giving = [each.edges for each in done if each.edges]
    if len(giving) < 2 or not any(is_star(edge.target) for edges in giving for edge in edges):
        return []
    named = [_named(edges) for edges in giving]
    result: list[Edge] = []
    for place, edges in enumerate(giving):
        for edge in edges:
            if is_star(edge.target):
                dataset = dataset_of(edge.target)
                others = (each[dataset] for at, each in enumerate(named) if at != place and dataset in each)
                columns = set().union(*others) - named[place].get(dataset, set())
                result += [_joined(edge, dataset, c) for c in columns if not leaves_out(edge, column_node(dataset, c))]
    return result


def _named(edges: Sequence[Edge]) -> dict[str, set[str]]:
    """Return the columns that a statement makes of something, by dataset."""
    result: dict[str, set[str]] = defaultdict(set)
    for edge in edges:
        if edge.type == DIRECT and is_column(edge.target):
            result[dataset_of(edge.target)].add(column_of(edge.target) or "")
    return result


def _joined(edge: Edge, dataset: str, column: str) -> Edge:
    source = column_node(dataset_of(edge.source), column) if is_star(edge.source) else edge.source
    expression = "" if is_star(edge.target) and edge.subtype == "IDENTITY" else edge.expression
    return edge._replace(source=source, target=column_node(dataset, column), expression=expression)
