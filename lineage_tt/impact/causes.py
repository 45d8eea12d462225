"""Lets an analyst of the impact diff read texts for the search for root causes, which has no parser."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from lineage_tt.governance.cause.ports import Comparing, Text, TextChange
from lineage_tt.impact.texts import Analyst, Side, TextDifference
from lineage_tt.model.edges import column_of, dataset_of, is_column
from lineage_tt.model.facts import Shape


def comparing(analyst: Analyst) -> Comparing:
    """Return what compares texts with an analyst.

    The columns that a text may read are those that either text was resolved to read; with them it can be determined to
    which of two tables an unqualified name belongs.
    """

    def compare(pairs: Sequence[tuple[Text, Text]], /) -> list[TextChange | None]:
        sides = []
        for one, other in pairs:
            columns = _columns((*one.sources, *other.sources))
            sides.append((_side(one, columns), _side(other, columns)))
        return [_change(difference) for difference in analyst.compare(sides)]

    return compare


def _columns(nodes: Sequence[str]) -> dict[str, Shape]:
    columns: dict[str, set[str]] = defaultdict(set)
    for node in nodes:
        if is_column(node):
            columns[dataset_of(node)].add(column_of(node) or "")
    return {dataset: tuple(sorted(names)) for dataset, names in columns.items()}


def _side(text: Text, columns: Mapping[str, Shape]) -> Side:
    dialect = text.dialect or "hive"
    return Side(text.sql, dialect, text.namespace or dialect, text.default_database or "", text.target, columns=columns)


def _change(difference: TextDifference) -> TextChange | None:
    """Return a difference as causes are judged by it; None where a text could not be read."""
    if difference.failure:
        return None
    if difference.same:
        return TextChange(True)
    return TextChange(False, frozenset(difference.changed) if difference.comparable else None, difference.reasons)
