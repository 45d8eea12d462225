"""Edges and the names of their ends.

A dataset is ``namespace:name`` (``hive:dw.orders``, ``kafka:prod/orders``, ``bi:board/42``); a column is
``dataset#column`` (``hive:dw.orders#amount``), where the column may be a field path (``#address.city``).
Types and subtypes are OpenLineage's (column lineage facet 1-2-0: ``transformations[].type`` / ``.subtype``).

A namespace is a word, or an address: with several hosts, a port, a path, as the naming of OpenLineage has them
(``NAMESPACE``). Other namespaces end at the first ``:``.

A ``#`` inside a dataset's own namespace or name is written ``%23`` (a ``%`` before ``23`` or ``25`` as ``%25``), so
that the first ``#`` of a node always ends its dataset. Everything after it is the column, as given.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final, Literal, NamedTuple

DIRECT: Final = "DIRECT"
INDIRECT: Final = "INDIRECT"
DIRECT_SUBTYPES: Final = ("IDENTITY", "TRANSFORMATION", "AGGREGATION")
INDIRECT_SUBTYPES: Final = ("JOIN", "FILTER", "GROUP_BY", "SORT", "WINDOW", "CONDITIONAL")
SUBTYPES: Final = {DIRECT: DIRECT_SUBTYPES, INDIRECT: INDIRECT_SUBTYPES}
#: The subtype of the edges between two names of one thing (type DIRECT). Only messages about aliases make them.
ALIAS: Final = "ALIAS"
#: The subtype of the marks by which a person rejects the edges between two nodes (type DIRECT).
REJECTED: Final = "REJECTED"

#: The beginning of the expression of a star edge that leaves columns out.
EXCEPT: Final = "* EXCEPT ("
_HOST: Final = (
    r"(?:\[[0-9A-Fa-f:.%]*\]|[^/:,;\[]*)(?::(?:[0-9]+|None))?"  # clients in Python write a lacking port as None
)
#: The namespace of a dataset node with the ``:`` after it, as a regular expression that RE2 and browsers read, too.
NAMESPACE: Final = (
    r"(?:arn(?::[^:]*){4}"  # Glue: partition, service, region and account
    r"|spanner://[^/:]+:[^/:]+"  # project and instance
    rf"|(?:jdbc:)?[A-Za-z][A-Za-z0-9_.+-]*://{_HOST}(?:,{_HOST})*(?:[/;][^:]*)?"
    r"|[^:]+):"
)
_NAMESPACE: Final = re.compile(NAMESPACE)
_TO_ESCAPE = re.compile(r"#|%(?=23|25)")
_ESCAPED = re.compile(r"%2[35]")


class Edge(NamedTuple):
    """One task's edge: values (DIRECT) or row decisions (INDIRECT) go from ``source`` to ``target``.

    ``source`` and ``target`` are nodes (columns or whole datasets); ``expression`` is the normalised SQL text that
    makes the target from its sources, empty where there is none. For a star edge it may be ``* EXCEPT (a, b)``: the
    columns that it does not cover. The task is not part of the edge: edges of one task are compared far more often
    than edges of two.
    """

    source: str
    target: str
    type: str = DIRECT
    subtype: str = "IDENTITY"
    expression: str = ""


class EdgeAsOf(NamedTuple):
    """An edge in force at a point, its valid interval there and the version of the message that began it.

    ``version`` is the one in force for the task at ``valid_from``, as known at the point. If that message was
    re-resolved from then on, it is the derived version. A later message that only ends the interval is not named.
    """

    task_id: str
    source: str
    target: str
    type: str
    subtype: str
    expression: str
    version: int
    valid_from: int
    valid_to: int | None


class Step(NamedTuple):
    """An edge reached by a walk: in which direction, and after how many steps (1 = touches the start).

    ``by_star`` marks a stored star edge (``d#* -> e#*``: columns not known) that the walk joined to a column:
    ``edge`` has the joined names, with the same column name assumed on the far side; its other fields are as stored.
    If several stored edges become the same joined edge, it has the greatest version and the interval in which all of
    them hold.
    """

    direction: Literal["up", "down"]
    steps: int
    edge: EdgeAsOf
    by_star: bool = False


#: An edge without its field names; equal to the Edge with the same values, and cheaper where there are millions.
EdgeTuple = tuple[str, str, str, str, str]


class TaskEdge(NamedTuple):
    """An edge in force and the task that makes it."""

    task_id: str
    source: str
    target: str
    type: str
    subtype: str
    expression: str

    @property
    def edge(self) -> EdgeTuple:
        """The edge without its task."""
        return self[1:]


def alias_edges(one: str, other: str) -> list[EdgeTuple]:
    """Return the edges by which walks go from each of two datasets to the other, as a whole and column by column."""
    names = (one, other), (other, one)
    whole = [(source, target, DIRECT, ALIAS, "") for source, target in names]
    return [*whole, *((star_of(source), star_of(target), DIRECT, ALIAS, "") for source, target in names)]


def without_ways_back(rows: Sequence[Sequence[Any]], start: Collection[str]) -> Sequence[Sequence[Any]]:
    """Return rows of (direction, steps, task, source, target, type, subtype, ...) without steps back over an alias.

    An alias has an edge each way, so a walk that goes over it also meets the edge back. That edge leads to a node of
    ``start``, or to a node that other rows reach in at most as many steps. So without it the walk reaches the same
    nodes in the same number of steps.
    """
    over = {(row[0], *row[2:5]): row[1] for row in rows if row[6] == ALIAS}
    if not over:
        return rows
    back = [row[6] == ALIAS and over.get((row[0], row[2], row[4], row[3]), row[1]) < row[1] for row in rows]
    reached = {(way, node): 0 for node in start for way in ("down", "up")}
    for row, is_back in zip(rows, back, strict=True):
        if not is_back:
            end = row[0], row[4] if row[0] == "down" else row[3]
            reached[end] = min(row[1], reached.get(end, row[1]))
    ends = ((row[0], row[4] if row[0] == "down" else row[3]) for row in rows)
    return [
        row
        for row, is_back, end in zip(rows, back, ends, strict=True)
        if not is_back or reached.get(end, row[1] + 1) > row[1]
    ]


def dataset_of(node: str) -> str:
    """Return the dataset of a node: ``hive:dw.orders`` for ``hive:dw.orders#amount`` and for itself."""
    return node.partition("#")[0]


def column_of(node: str) -> str | None:
    """Return the column of a node, None where the node is a whole dataset."""
    _, mark, column = node.partition("#")
    return column if mark else None


def star_of(node: str) -> str:
    """Return the star node of a node's dataset, which represents the dataset's columns where they are not known."""
    return node.partition("#")[0] + "#*"


def is_star(node: str) -> bool:
    """Return whether a node is a star node, ``dataset#*``."""
    return node.partition("#")[2] == "*"


def is_column(node: str) -> bool:
    """Return whether a node is one column, neither a whole dataset nor a star node."""
    return node.partition("#")[1:] not in (("", ""), ("#", "*"))


def star_expression(names: Iterable[str]) -> str:
    """Return the expression of a star edge that leaves columns out: ``* EXCEPT (a, b)``, a comma in a name escaped."""
    return f"{EXCEPT}{', '.join(sorted(map(_listed, names)))})"


def leaves_out(edge: Sequence[str], node: str) -> bool:
    """Return whether a star edge (source, target, type, subtype, expression) leaves out a node's column, by name."""
    return edge[4].startswith(EXCEPT) and node.partition("#")[2] in left_out(edge[4])


def left_out(expression: str) -> list[str]:
    """Return the columns that a star edge with such an expression leaves out."""
    return [name.replace("%2C", ",").replace("%25", "%") for name in expression[len(EXCEPT) : -1].split(", ")]


def _listed(name: str) -> str:
    return name.replace("%", "%25").replace(",", "%2C")


def dataset_node(namespace: str, name: str) -> str:
    """Return the node of a dataset from its namespace and its name, escaping ``#``."""
    return _escape(f"{namespace}:{name}")


def column_node(dataset: str, column: str) -> str:
    """Return the node of a dataset's column (a name or a dotted field path)."""
    return f"{dataset}#{column}"


def split_dataset(dataset: str) -> tuple[str, str]:
    """Return (namespace, name) of a dataset node; ValueError where there is no namespace.

    It returns what ``dataset_node`` was given, except for the pairs of which ``is_exact`` says that it does not.
    """
    match = _NAMESPACE.match(dataset)
    if not match:
        raise ValueError(f"{dataset!r} has no namespace: write it as namespace:name, for example hive:dw.orders")
    return _unescape(dataset[: match.end() - 1]), _unescape(dataset[match.end() :])


def name_of(dataset: str) -> str:
    """Return the name of a dataset node without its namespace; the whole of it where there is none."""
    match = _NAMESPACE.match(dataset)
    return _unescape(dataset[match.end() :]) if match else dataset


def is_exact(namespace: str, name: str) -> bool:
    """Return whether the node of a dataset can be taken apart into the same namespace and name again."""
    return bool(namespace) and split_dataset(dataset_node(namespace, name)) == (namespace, name)


def _escape(name: str) -> str:
    return _TO_ESCAPE.sub(lambda m: "%23" if m.group() == "#" else "%25", name)


def _unescape(name: str) -> str:
    return _ESCAPED.sub(lambda m: "#" if m.group() == "%23" else "%", name)
