"""Spark's plans as they come out of ``toJSON``: flat lists of nodes in pre-order, made trees again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Node:
    """One node of a plan or an expression: its class without the package, its fields, its children."""

    kind: str
    fields: dict[str, Any]
    children: list[Node] = field(default_factory=list)

    @property
    def id(self) -> int:
        """The expression id of a named expression."""
        return int(self.fields["exprId"]["id"])

    @property
    def name(self) -> str:
        """The name of a named expression."""
        return str(self.fields["name"])

    def tree(self, key: str) -> Node:
        """Return a field that is an expression or a plan of its own."""
        return tree(self.fields[key])

    def trees(self, key: str) -> list[Node]:
        """Return a field that is a list of expressions."""
        return [tree(value) for value in self.fields[key]]

    def child(self, key: str) -> Node | None:
        """Return the child that a field points at, None where it points at none."""
        place = self.fields.get(key)
        return self.children[place] if isinstance(place, int) else None


def tree(flat: list[dict[str, Any]]) -> Node:
    """Return the tree of a flat list of nodes."""
    return _node(iter(flat))


def _node(flat: Iterator[dict[str, Any]]) -> Node:
    fields = next(flat)
    node = Node(fields["class"].rpartition(".")[2], fields)
    node.children = [_node(flat) for _ in range(fields["num-children"])]
    return node
