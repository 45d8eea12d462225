"""Edges rolled up to systems, namespaces, layers, domains, owners, datasets or tasks. Pure.

Edges inside a group are left out; each edge between groups says how many edges, datasets and tasks it represents. A
dataset with several owners counts for each.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from lineage_tt.levels.names import LEVELS, GroupLevel
from lineage_tt.levels.tasks import outermost
from lineage_tt.model.answers import EdgeAsOf, FactAsOf
from lineage_tt.model.edges import ALIAS, dataset_of, name_of, split_dataset
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.facts import OWNER, task_node

#: The key of the fact that states to which domain a dataset belongs.
DOMAIN: Final = "domain"
#: The group for nodes that belong to no other group.
NONE: Final = "(none)"


class GroupEdge(NamedTuple):
    """What flows from one group to another: the number of edges, of tasks, and of datasets on either side."""

    source: str
    target: str
    edges: int
    tasks: int
    source_datasets: int
    target_datasets: int


def rolled_up(
    edges: Iterable[EdgeAsOf], level: GroupLevel, facts: Iterable[FactAsOf] = (),
    parents: Mapping[str, str] | None = None,
) -> list[GroupEdge]:  # fmt: skip
    """Return the edges between groups, ordered by name; ``facts`` state owners and domains.

    A ``system`` is a namespace without its address, a ``cluster`` only its address (``crm:5432``; a namespace without
    one is its own cluster), a ``layer`` the first part of a dataset's name, if the name has several.
    At the level ``task`` an edge leads from a task that writes a dataset to one that reads it, named ``task:ID``; with
    ``parents`` (the nodes of tasks by those of their sub-tasks) sub-tasks count as the outermost task that starts them.
    Raises InvalidRequestError for an unknown level.
    """
    between = members(edges, level, facts, parents)
    result = [_summed(*ends, inside) for ends, inside in sorted(between.items())]
    return [each._replace(tasks=2) for each in result] if level == "task" else result


def members(
    edges: Iterable[EdgeAsOf], level: GroupLevel, facts: Iterable[FactAsOf] = (),
    parents: Mapping[str, str] | None = None, node: str | None = None,
) -> dict[tuple[str, str], list[EdgeAsOf]]:  # fmt: skip
    """Return what each edge between groups represents; with ``node`` only edges that touch it. See ``rolled_up``."""
    if level not in LEVELS:
        raise InvalidRequestError(f"no level {level!r}", hint=f"give {', '.join(LEVELS)}")
    without_aliases = [edge for edge in edges if edge.subtype != ALIAS]
    if level == "task":
        return _between_tasks(without_aliases, parents or {}, node)
    of = groups_of(level, facts)
    groups: dict[tuple[str, str], list[EdgeAsOf]] = defaultdict(list)
    for edge in without_aliases:
        near, far = dataset_of(edge.source), dataset_of(edge.target)
        if near != far and (node is None or _touches(edge, node)):  # an edge inside a dataset is inside all its groups
            for source in of(near):
                for target in of(far):
                    if source != target:
                        groups[source, target].append(edge)
    return groups


def _touches(edge: EdgeAsOf, node: str) -> bool:
    return node in (edge.source, edge.target, dataset_of(edge.source), dataset_of(edge.target))


def _summed(source: str, target: str, inside: Sequence[EdgeAsOf]) -> GroupEdge:
    return GroupEdge(
        source, target, len({edge[:6] for edge in inside}), len({edge.task_id for edge in inside}),
        len({dataset_of(edge.source) for edge in inside}), len({dataset_of(edge.target) for edge in inside}),
    )  # fmt: skip


def _between_tasks(
    edges: Sequence[EdgeAsOf], parents: Mapping[str, str], node: str | None
) -> dict[tuple[str, str], list[EdgeAsOf]]:
    names = {task: outermost(task_node(task), parents) for task in {edge.task_id for edge in edges}}
    writers: dict[str, set[str]] = defaultdict(set)
    for edge in edges:
        writers[dataset_of(edge.target)].add(names[edge.task_id])
    groups: dict[tuple[str, str], list[EdgeAsOf]] = defaultdict(list)
    for edge in edges:
        reader = names[edge.task_id]
        for writer in writers.get(dataset_of(edge.source), ()):
            if writer != reader and (node is None or node in (writer, reader) or _touches(edge, node)):
                groups[writer, reader].append(edge)
    return groups


def groups_of(level: GroupLevel, facts: Iterable[FactAsOf] = ()) -> Callable[[str], tuple[str, ...]]:
    """Return a function that returns a dataset's groups at a level other than ``task``: each owner is a group."""
    if level not in LEVELS:
        raise InvalidRequestError(f"no level {level!r}", hint=f"give {', '.join(LEVELS)}")
    if level == "dataset":
        return lambda dataset: (dataset,)
    if level in ("owner", "domain"):
        key = OWNER if level == "owner" else DOMAIN
        groups: dict[str, set[str]] = defaultdict(set)
        for fact in facts:
            if fact.key == key:
                groups[fact.node].add(fact.value)
        return lambda dataset: tuple(sorted(groups.get(dataset, {NONE})))
    if level == "layer":
        return lambda dataset: (_layer(dataset),)
    return lambda dataset: (_namespace(dataset, level),)


def _layer(dataset: str) -> str:
    first, dot, _ = name_of(dataset).replace("/", ".").partition(".")
    return first if dot and first else NONE


def _namespace(dataset: str, level: GroupLevel) -> str:
    try:
        namespace = split_dataset(dataset)[0]
    except ValueError:
        return NONE
    system, _, address = namespace.partition("://")
    return {"system": system, "cluster": address or namespace}.get(level, namespace)
