"""What people promised: a node is ready at a time of day. A promise is a fact of the node, key ``sla``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import Final, NamedTuple

from lineage_tt.governance.core.timings import Fact, read_time_of_day
from lineage_tt.model.edges import dataset_of
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.facts import OWNER, PRIORITY, task_node

#: The key of the fact that states a node's promise: a time of day.
SLA: Final = "sla"


class Promise(NamedTuple):
    """``node`` (a dataset, a column of it, or ``task:ID``) is to be ready at ``at``, microseconds of the day, UTC.

    If several times are stated, the earliest counts. ``unreadable`` holds the stated values that are not times of day.
    """

    node: str
    at: int | None
    priority: str | None
    owners: tuple[str, ...]
    unreadable: tuple[str, ...] = ()


def promises_of(facts: Iterable[Fact]) -> list[Promise]:
    """Return the promises that facts in force make, ordered by priority, time and node.

    Priorities are compared as text, as people write them (``P1`` before ``P2``); a promise without one comes last.
    """
    stated: dict[str, list[str]] = defaultdict(list)
    beside: dict[tuple[str, str], list[str]] = defaultdict(list)
    for fact in facts:
        if fact.key == SLA:
            stated[fact.node].append(fact.value)
        elif fact.key in (PRIORITY, OWNER):
            beside[fact.node, fact.key].append(fact.value)
    promises = []
    for node, values in stated.items():
        times, unreadable = [], []
        for value in sorted(set(values)):
            try:
                times.append(read_time_of_day(value))
            except InvalidRequestError:
                unreadable.append(value)
        priority = min(beside[node, PRIORITY], default=None)
        owners = owners_of([node], beside)
        promises.append(Promise(node, min(times, default=None), priority, owners, tuple(unreadable)))
    return sorted(promises, key=_rank)


def owners_of(nodes: Iterable[str], beside: dict[tuple[str, str], list[str]]) -> tuple[str, ...]:
    """Return the owners of any of the nodes; a column without an owner has the owners of its dataset."""
    owners: set[str] = set()
    for node in nodes:
        owners.update(beside.get((node, OWNER)) or beside.get((dataset_of(node), OWNER)) or ())
    return tuple(sorted(owners))


def owners_by_node(facts: Iterable[Fact]) -> dict[tuple[str, str], list[str]]:
    """Return the owners that facts name, by node, in the form that ``owners_of`` takes."""
    owners: dict[tuple[str, str], list[str]] = defaultdict(list)
    for fact in facts:
        if fact.key == OWNER:
            owners[fact.node, OWNER].append(fact.value)
    return owners


def task_nodes(tasks: Collection[str]) -> list[str]:
    """Return the nodes of tasks, in order."""
    return [task_node(task) for task in sorted(tasks)]


def _rank(promise: Promise) -> tuple[bool, str, bool, int, str]:
    return promise.priority is None, promise.priority or "", promise.at is None, promise.at or 0, promise.node
