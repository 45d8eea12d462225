"""Exports as Arrow tables: each row says at which point it was read, so that one table can hold several days."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import orjson
import pyarrow as pa

from lineage_tt.levels.groups import GroupEdge
from lineage_tt.model.answers import Basis, Difference, EdgeAsOf, Lineage
from lineage_tt.model.edges import dataset_of

_INSTANT: Final = pa.timestamp("us", tz="UTC")
#: Every table begins with these: the day (UTC) of the valid time, and the point.
POINT: Final = (("day", pa.string()), ("valid_at", _INSTANT), ("version", pa.int64()))
_ENDS: Final = tuple((name, pa.string()) for name in ("task_id", "source", "target", "type", "subtype", "expression"))
_DATASETS: Final = (("source_dataset", pa.string()), ("target_dataset", pa.string()))
_SINCE: Final = (("edge_version", pa.int64()), ("valid_from", _INSTANT), ("valid_to", _INSTANT))
EDGES: Final = pa.schema([*POINT, *_ENDS, *_DATASETS, *_SINCE])
CHANGES: Final = pa.schema(
    [*POINT, ("from_valid_at", _INSTANT), ("from_version", pa.int64()), ("op", pa.string()), *_ENDS, *_DATASETS]
)
CLOSURE: Final = pa.schema(
    [*POINT, ("direction", pa.string()), ("steps", pa.int32()), *_ENDS, *_DATASETS, *_SINCE, ("by_star", pa.bool_())]
)
GROUPS: Final = pa.schema(
    [*POINT, ("level", pa.string()), ("source", pa.string()), ("target", pa.string()),
     *((name, pa.int64()) for name in ("edges", "tasks", "source_datasets", "target_datasets"))]
)  # fmt: skip

LABELS: Final = pa.schema([*POINT, *((name, pa.string()) for name in ("scene", "rules", "node", "dataset", "label"))])
VIOLATIONS: Final = pa.schema(
    [*POINT, *((name, pa.string()) for name in ("rule", "severity", "subject", "others", "detail", "tasks", "owners")),
     ("allowed", pa.string())]
)  # fmt: skip


def labels_table(basis: Basis, scene: str, rules: str, labels: Iterable[tuple[str, Sequence[str]]]) -> pa.Table:
    """Return the labels of nodes, one row each, under a scene whose rules have this digest."""
    rows = [(scene, rules, node, dataset_of(node), label) for node, names in labels for label in names]
    return _table(LABELS, basis, rows)


def violations_table(basis: Basis, violations: Iterable[Sequence[Any]]) -> pa.Table:
    """Return violations (rule, severity, subject, others, detail, tasks, owners, allowed); lists become JSON."""
    rows = [
        tuple(orjson.dumps(value).decode() if isinstance(value, tuple) else value for value in each[:8])
        for each in violations
    ]
    return _table(VIOLATIONS, basis, rows)


def edges_table(basis: Basis, edges: Iterable[EdgeAsOf]) -> pa.Table:
    """Return the edges in force at a point."""
    return _table(EDGES, basis, [(*edge[:6], *_datasets(edge.source, edge.target), *edge[6:]) for edge in edges])


def closure_table(lineage: Lineage) -> pa.Table:
    """Return what a walk met: each edge with its direction and its least number of steps."""
    rows = [
        (step.direction, step.steps, *step.edge[:6], *_datasets(step.edge.source, step.edge.target), *step.edge[6:],
         step.by_star)
        for step in lineage.steps
    ]  # fmt: skip
    return _table(CLOSURE, lineage.basis, rows)


def changes_table(difference: Difference) -> pa.Table:
    """Return the edges in force at one point only: ``-`` at the first, ``+`` at the second, which all rows name."""
    first = difference.first.valid_at, difference.first.version
    rows = [
        (*first, op, *edge, *_datasets(edge[1], edge[2]))
        for op, edges in (("-", difference.removed), ("+", difference.added))
        for edge in edges
    ]
    return _table(CHANGES, difference.second, rows)


def groups_table(basis: Basis, level: str, edges: Iterable[GroupEdge]) -> pa.Table:
    """Return edges between groups."""
    return _table(GROUPS, basis, [(level, *edge) for edge in edges])


def _datasets(source: str, target: str) -> tuple[str, str]:
    return dataset_of(source), dataset_of(target)


def _table(schema: pa.Schema, basis: Basis, rows: Sequence[tuple[Any, ...]]) -> pa.Table:
    moment = pa.scalar(basis.valid_at, _INSTANT)
    day = moment.as_py().date().isoformat()
    columns: list[Any] = list(zip(*rows, strict=True)) if rows else [()] * (len(schema) - len(POINT))
    point = ([day] * len(rows), [basis.valid_at] * len(rows), [basis.version] * len(rows))
    arrays = [pa.array(values, field.type) for values, field in zip((*point, *columns), schema, strict=True)]
    return pa.Table.from_arrays(arrays, schema=schema)
