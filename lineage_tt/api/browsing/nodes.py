"""A dataset or column at a point: its facts, its columns and their history, and the tasks that write and read it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final

from lineage_tt.api.browsing.columns import column_history, columns_of
from lineage_tt.api.reads.engine import Engine, Walk
from lineage_tt.model.answers import Basis, ColumnAsOf, FactAsOf, Lineage, Step
from lineage_tt.model.edges import ALIAS, column_node, column_of, dataset_of, split_dataset
from lineage_tt.model.facts import COLUMN, DESCRIPTION, LABEL, OWNER
from lineage_tt.model.times import format_instant
from lineage_tt.read import shapes

#: Maximum number of rows in each list, except the list of columns, which is complete.
MAX_ROWS: Final = 1_000
#: Maximum number of target datasets listed for a task that reads.
MAX_TARGETS: Final = 20
#: ``$`` is the character after ``#``.
_FACTS: Final = """
    SELECT node, "key", "value", kind, subject, version, epoch_us(valid_from), epoch_us(valid_to)
    FROM facts_as_of(make_timestamptz($valid_at), make_timestamptz($system_at))
    WHERE node = $dataset OR (node >= $dataset || '#' AND node < $dataset || '$') ORDER BY ALL"""


def node_answer(engine: Engine, node: str, basis: Basis) -> tuple[dict[str, Any], Lineage]:
    """Return what the store knows about a node at a point, and the lineage one step around it.

    Raises UnknownNodeError for an unknown node.
    """
    around = engine.lineage([node], basis, Walk("both", 1))
    dataset, column = dataset_of(node), column_of(node)
    stated = _facts(engine, dataset, basis)
    notes = _notes_of(stated)
    facts = [fact for fact in stated if fact.node == node]
    declared = any(fact.key == COLUMN for fact in stated)
    known = columns_of(engine.view(basis), engine.reading.fetch, dataset, declared, around if column is None else None)
    columns = [each for each in known if column is None or each.column == column]
    source, history = column_history(engine.reading.fetch, dataset, column, basis)
    writers, readers = _tasks(around, "up"), _readers(around)
    lists: tuple[list[Any], ...] = (facts, history, writers, readers)
    namespace, name = _parts(dataset)
    result = {
        "node": node,
        "kind": "dataset" if column is None else "column",
        "dataset": dataset, "namespace": namespace, "name": name, "column": column,
        **_words(notes.get(node, [])),
        "facts": [shapes.record(fact) for fact in facts[:MAX_ROWS]],
        "columns": [_column(each, notes) for each in columns],
        "history": history[:MAX_ROWS],
        "history_of": source,
        "writers": writers[:MAX_ROWS],
        "readers": readers[:MAX_ROWS],
        "truncated": any(len(each) > MAX_ROWS for each in lists),
    }  # fmt: skip
    return result, around


def _facts(engine: Engine, dataset: str, basis: Basis) -> list[FactAsOf]:
    """Return all facts of a dataset and its columns."""
    rows = engine.reading.fetch(_FACTS, dataset=dataset, valid_at=basis.valid_at, system_at=basis.system_time)
    return [FactAsOf(*row) for row in rows]


def _notes_of(stated: Iterable[FactAsOf]) -> dict[str, list[tuple[str, str]]]:
    """Return the owners, labels and descriptions of nodes."""
    result: dict[str, list[tuple[str, str]]] = {}
    for fact in stated:
        if fact.key in (DESCRIPTION, LABEL, OWNER):
            result.setdefault(fact.node, []).append((fact.key, fact.value))
    return result


def _words(notes: Iterable[tuple[str, str]]) -> dict[str, Any]:
    ordered = sorted(set(notes))
    descriptions = [value for key, value in ordered if key == DESCRIPTION]
    return {
        "description": "\n".join(descriptions) or None,
        "owners": [value for key, value in ordered if key == OWNER],
        "labels": [value for key, value in ordered if key == LABEL],
    }


def _column(each: ColumnAsOf, notes: dict[str, list[tuple[str, str]]]) -> dict[str, Any]:
    node = column_node(each.dataset, each.column)
    return {
        "node": node, "column": each.column, "ordinal": each.ordinal, "type": each.type, "origin": each.origin,
        "inferred": each.origin == "inferred", "nested": each.nested, "version": each.version,
        "since": format_instant(each.valid_from), **_words(notes.get(node, [])),
    }  # fmt: skip


def _tasks(around: Lineage, way: str) -> list[dict[str, Any]]:
    counted = Counter(step.edge.task_id for step in _steps(around, way))
    return [{"task_id": task, "edges": count} for task, count in sorted(counted.items())]


def _readers(around: Lineage) -> list[dict[str, Any]]:
    targets: dict[str, set[str]] = {}
    for step in _steps(around, "down"):
        targets.setdefault(step.edge.task_id, set()).add(dataset_of(step.edge.target))
    return [each | _targets(sorted(targets[each["task_id"]])) for each in _tasks(around, "down")]


def _targets(datasets: Sequence[str]) -> dict[str, Any]:
    more = len(datasets) - MAX_TARGETS
    return {"targets": datasets[:MAX_TARGETS]} | ({"targets_omitted": more} if more > 0 else {})


def _steps(around: Lineage, way: str) -> list[Step]:
    return [step for step in around.steps if step.direction == way and step.edge.subtype != ALIAS]


def _parts(dataset: str) -> tuple[str, str]:
    try:
        return split_dataset(dataset)
    except ValueError:
        return "", dataset
