"""The columns of a dataset at a point, and their history: when each appeared, was removed or changed its type.

If a dataset was ever declared, the history comes from its declarations; otherwise from the edges into its columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Any, Final, Literal, NamedTuple

from lineage_tt.model.answers import Basis, ColumnAsOf, Lineage
from lineage_tt.model.edges import ALIAS, column_of, dataset_of, is_star
from lineage_tt.model.names import natural_order
from lineage_tt.model.times import format_instant
from lineage_tt.read.view import View

Fetch = Callable[..., list[tuple[Any, ...]]]
Change = Literal["appeared", "removed", "type-changed"]


class Span(NamedTuple):
    """A column with a type on a valid interval (UTC microseconds; no end: None), and the version that states it."""

    column: str
    type: str | None
    valid_from: int
    valid_to: int | None
    version: int


_DECLARED = """
    SELECT node[len($dataset) + 2:], "value" ->> '$.type', epoch_us(valid_from), epoch_us(valid_to), max(version)
    FROM fact_changes
    WHERE "key" = 'column' AND kind = 'dataset' AND subject = $dataset AND version <= $version
    GROUP BY node, "value", valid_from, valid_to HAVING sum(sign) = 1 ORDER BY ALL"""
#: ``$`` is the character after ``#``: a range lets DuckDB skip files, a prefix does not.
_FILLED = """
    SELECT target[len($dataset) + 2:], NULL, epoch_us(valid_from), epoch_us(valid_to), max(version)
    FROM changes
    WHERE target >= $dataset || '#' AND target < $dataset || '$' AND NOT is_star(target) AND version <= $version
    GROUP BY task_id, source, target, "type", subtype, expression, valid_from, valid_to
    HAVING sum(sign) = 1 ORDER BY ALL"""

_WRITTEN: Final = """
    SELECT 1 FROM outputs_as_of(make_timestamptz($valid_at), make_timestamptz($system_at))
    WHERE dataset = $dataset LIMIT 1"""


def columns_of(view: View, fetch: Fetch, dataset: str, declared: bool, around: Lineage | None) -> list[ColumnAsOf]:
    """Return the columns of a dataset: the same columns as ``view.columns``, with fewer reads where possible.

    ``around`` are the edges one step away in both directions, if the caller has them. If the dataset has no stated
    columns, and no star, alias or rejected edge is among these edges, they name all columns; no other edges are read.
    """
    point = {"valid_at": view.basis.valid_at, "system_at": view.basis.system_time}
    if declared or around is None or around.completeness.rejected or fetch(_WRITTEN, dataset=dataset, **point):
        return view.columns(dataset)
    named: dict[str, tuple[int, int]] = {}
    for step in around.steps:
        for node in step.edge[1:3]:
            if is_star(node) or step.edge.subtype == ALIAS:
                return view.columns(dataset)
            if dataset_of(node) == dataset and (column := (column_of(node) or "").partition(".")[0]):
                since = step.edge.valid_from, step.edge.version
                named[column] = min(since, named.get(column, since))
    return [
        ColumnAsOf(dataset, column, ordinal, None, None, None, False, "inferred", version, valid_from)
        for ordinal, (column, (valid_from, version)) in enumerate(
            sorted(named.items(), key=lambda item: (natural_order(item[0]), item[0])), 1
        )
    ]


def column_history(
    fetch: Fetch, dataset: str, column: str | None, basis: Basis
) -> tuple[Literal["declarations", "edges"], list[dict[str, Any]]]:
    """Return where the history comes from, and the changes of one column or of all columns, newest first."""
    parameters = {"dataset": dataset, "version": basis.version}
    rows = fetch(_DECLARED, **parameters)
    source: Literal["declarations", "edges"] = "declarations" if rows else "edges"
    spans = [Span(*row) for row in rows or fetch(_FILLED, **parameters)]
    changes = changes_of(span for span in spans if column is None or span.column == column)
    return source, [
        {
            "valid_at": format_instant(at), "version": version, "change": change, "column": name, "type": kind,
            "type_before": before,
        }
        for at, version, change, name, kind, before in changes
    ]  # fmt: skip


def changes_of(spans: Iterable[Span]) -> list[tuple[int, int, Change, str, str | None, str | None]]:
    """Return (valid time, version, change, column, type, type before) of all columns, newest first.

    Intervals of one column that overlap or touch are merged: within a merged interval only a new type is a change.
    """
    changes: list[tuple[int, int, Change, str, str | None, str | None]] = []
    for column, group in groupby(sorted(spans, key=_order), key=lambda span: span.column):
        changes += _of_column(column, list(group))
    return sorted(changes, key=lambda each: (-each[0], each[3], each[2]))


def _of_column(column: str, spans: Sequence[Span]) -> list[tuple[int, int, Change, str, str | None, str | None]]:
    result: list[tuple[int, int, Change, str, str | None, str | None]] = []
    until: int | None = 0
    last: Span | None = None
    for span in spans:
        if last is None or (until is not None and span.valid_from > until):
            if last is not None and until is not None:
                result.append((until, last.version, "removed", column, None, last.type))
            result.append((span.valid_from, span.version, "appeared", column, span.type, None))
            until = span.valid_to
        else:
            if span.type != last.type:
                result.append((span.valid_from, span.version, "type-changed", column, span.type, last.type))
            until = None if until is None or span.valid_to is None else max(until, span.valid_to)
        last = span
    if last is not None and until is not None:
        result.append((until, last.version, "removed", column, None, last.type))
    return result


def _order(span: Span) -> tuple[Any, ...]:
    return span.column, span.valid_from, span.version
