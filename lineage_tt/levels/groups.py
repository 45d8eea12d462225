"""Edges rolled up to systems, namespaces, layers, domains, owners, datasets or tasks. Pure.

The edges that stay inside of a group are left out; each edge between groups says how many edges, datasets and tasks it
stands for. A dataset of several owners counts for each.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Final, Literal, NamedTuple

from lineage_tt.model.answers import EdgeAsOf, FactAsOf
from lineage_tt.model.edges import ALIAS, dataset_of, name_of, split_dataset
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.facts import OWNER, task_node

GroupLevel = Literal["system", "cluster", "namespace", "layer", "domain", "owner", "dataset", "task"]
LEVELS: Final = ("system", "cluster", "namespace", "layer", "domain", "owner", "dataset", "task")
#: What a walk may be shown at: as it went, or with its edges summed between groups.
AnyLevel = Literal["column", "table", "task", "system", "cluster", "namespace", "layer", "domain", "owner", "dataset"]
WALKED: Final = ("column", "table", "task")
#: Under this key a fact says to which domain a dataset belongs.
DOMAIN: Final = "domain"
#: The group of what belongs to none.
NONE: Final = "(none)"


class GroupEdge(NamedTuple):
    """What flows from one group to another: so many edges, of so many tasks, from so many datasets to so many."""

    source: str
    target: str
    edges: int
    tasks: int
    source_datasets: int
    target_datasets: int


def rolled_up(edges: Iterable[EdgeAsOf], level: GroupLevel, facts: Iterable[FactAsOf] = ()) -> list[GroupEdge]:
    """Return the edges between groups, in order of their names; ``facts`` say owners and domains.

    A ``system`` is a namespace without its address, a ``cluster`` its address alone (``crm:5432``; a namespace that has
    none is its own cluster), a ``layer`` the first part of a dataset's name that has several.
    At the level ``task`` an edge leads from a task that writes a dataset to one that reads it, named ``task:ID``.
    Raises InvalidRequestError for a level that there is not.
    """
    if level not in LEVELS:
        raise InvalidRequestError(f"no level {level!r}", hint=f"give {', '.join(LEVELS)}")
    kept = [edge for edge in edges if edge.subtype != ALIAS]
    if level == "task":
        return _between_tasks(kept)
    of = _groups(level, facts)
    found: dict[tuple[str, str], list[EdgeAsOf]] = defaultdict(list)
    for edge in kept:
        for source in of(dataset_of(edge.source)):
            for target in of(dataset_of(edge.target)):
                if source != target:
                    found[source, target].append(edge)
    return [_summed(*ends, members) for ends, members in sorted(found.items())]


def _summed(source: str, target: str, members: Sequence[EdgeAsOf]) -> GroupEdge:
    return GroupEdge(
        source, target, len({edge[:6] for edge in members}), len({edge.task_id for edge in members}),
        len({dataset_of(edge.source) for edge in members}), len({dataset_of(edge.target) for edge in members}),
    )  # fmt: skip


def _between_tasks(edges: Sequence[EdgeAsOf]) -> list[GroupEdge]:
    writers: dict[str, set[str]] = defaultdict(set)
    for edge in edges:
        writers[dataset_of(edge.target)].add(edge.task_id)
    found: dict[tuple[str, str], list[EdgeAsOf]] = defaultdict(list)
    for edge in edges:
        for writer in writers.get(dataset_of(edge.source), ()):
            if writer != edge.task_id:
                found[task_node(writer), task_node(edge.task_id)].append(edge)
    return [_summed(*ends, members)._replace(tasks=2) for ends, members in sorted(found.items())]


def _groups(level: GroupLevel, facts: Iterable[FactAsOf]) -> Callable[[str], tuple[str, ...]]:
    if level == "dataset":
        return lambda dataset: (dataset,)
    if level in ("owner", "domain"):
        key = OWNER if level == "owner" else DOMAIN
        said: dict[str, set[str]] = defaultdict(set)
        for fact in facts:
            if fact.key == key:
                said[fact.node].add(fact.value)
        return lambda dataset: tuple(sorted(said.get(dataset, {NONE})))
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
