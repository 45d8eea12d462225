"""What a statement writes: edges ``(table.column, target, ways)`` of Spark's analysed plan.

A query writes the places of its output, ``1``, ``2``, …; other statements write columns, ``table.column``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from plan_flows import Attribute, Flow, Walk, seen, table_name
from plan_tree import Node, tree

Edges = dict[tuple[str, str], set[str]]


def edges_of(flat: list[dict[str, Any]], names: list[str]) -> Edges:
    """Return the column edges of an analysed statement; ``names`` are the columns that CREATE VIEW itself gives."""
    edges: Edges = {}
    node = tree(flat)
    parts = node.children if node.kind == "Union" and all(c.kind in _WRITES for c in node.children) else [node]
    for part in parts:
        writes = _WRITES.get(part.kind, _query)
        for target, flow in writes(part, Walk(), names):
            for (table, column), ways in flow.items():
                edges.setdefault((f"{table}.{column}", target), set()).update(ways)
    return edges


Pairs = Iterable[tuple[str, Flow]]


def _query(node: Node, walk: Walk, names: list[str]) -> Pairs:
    return [(str(place), a.flow) for place, a in enumerate(walk.plan(node, {}), start=1)]


def _onto(table: dict[str, Any], names: list[str], output: list[Attribute]) -> Pairs:
    return [(f"{table_name(table)}.{n.lower()}", a.flow) for n, a in zip(names, output, strict=True)]


def _insert(node: Node, walk: Walk, names: list[str]) -> Pairs:
    table = node.fields.get("catalogTable") or node.fields["table"]
    query = node.children[0] if node.children else node.tree("query")
    return _onto(table["identifier"], _listed(node.fields["outputColumnNames"]), walk.plan(query, {}))


def _listed(names: str) -> list[str]:
    return names.strip("[]").split(", ")


def _view(node: Node, walk: Walk, names: list[str]) -> Pairs:
    output = walk.plan(node.tree("plan"), {})
    return _onto(node.fields["name"], names or [a.name for a in output], output)


def _assigned(actions: list[Node], target: Node, walk: Walk, sides: list[Attribute]) -> Pairs:
    own = {a.id: next(iter(a.flow)) for a in walk.plan(target, {})}
    for assignment in actions:
        table, column = own[assignment.children[0].id]
        yield f"{table}.{column}", walk.value(assignment.children[1], seen(sides, {}))


def _merge(node: Node, walk: Walk, names: list[str]) -> Pairs:
    sides = [a for child in node.children for a in walk.plan(child, {})]
    keys = ("matchedActions", "notMatchedActions", "notMatchedBySourceActions")
    actions = [action for key in keys for action in node.trees(key)]
    assignments = [c for action in actions for c in action.children if c.kind == "Assignment"]
    return _assigned(assignments, node.children[0], walk, sides)


def _update(node: Node, walk: Walk, names: list[str]) -> Pairs:
    return _assigned(node.trees("assignments"), node.children[0], walk, walk.plan(node.children[0], {}))


def _nothing(node: Node, walk: Walk, names: list[str]) -> Pairs:
    return []


_WRITES: dict[str, Callable[[Node, Walk, list[str]], Pairs]] = {
    "InsertIntoHadoopFsRelationCommand": _insert,
    "CreateDataSourceTableAsSelectCommand": _insert,
    "CreateViewCommand": _view,
    "MergeIntoTable": _merge,
    "UpdateTable": _update,
    "DeleteFromTable": _nothing,
}
