"""Differences between two points, by groups: which begin to depend on each other, and which no longer do. Pure.

>>> before, after = store.as_of("2026-02-01T00:00:00Z"), store.as_of("2026-03-01T00:00:00Z")     # doctest: +SKIP
>>> changed_groups(Side.of(before), Side.of(after), "system")                                    # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, Protocol, Self

from lineage_tt.levels.groups import members
from lineage_tt.levels.names import GroupLevel
from lineage_tt.model.answers import EdgeAsOf, FactAsOf
from lineage_tt.model.facts import task_node

#: The key of the fact that states which task starts a task.
PARENT = "parent"


class Shown(Protocol):
    """A view as of a point, with only what groups need."""

    def edges(self) -> list[EdgeAsOf]:
        """Return the edges in force."""

    def facts(self) -> list[FactAsOf]:
        """Return the facts in force."""


class Side(NamedTuple):
    """The edges and facts at one of two points; ``parents`` if sub-tasks count as the tasks that start them."""

    edges: Sequence[EdgeAsOf]
    facts: Sequence[FactAsOf] = ()
    parents: Mapping[str, str] | None = None

    @classmethod
    def of(cls, view: Shown, *, roll_up: bool = False) -> Self:
        """Return the side of a view."""
        facts = view.facts()
        return cls(view.edges(), facts, parents_of(facts) if roll_up else None)


class GroupChange(NamedTuple):
    """An edge between groups that differs between two points.

    ``before`` and ``after`` are the numbers of edges that it represents at each point, ``removed`` and ``added`` how
    many of them are in force only at that point. ``change`` is ``added`` or ``removed`` if one of the points has no
    such edge at all.
    """

    change: Literal["removed", "added", "changed"]
    source: str
    target: str
    before: int
    after: int
    removed: int
    added: int


def parents_of(facts: Iterable[FactAsOf]) -> dict[str, str]:
    """Return the node of the task that starts each sub-task, by the sub-task's node; invalid values are ignored."""
    task = task_node("")
    return {
        fact.node: fact.value
        for fact in facts
        if fact.key == PARENT and fact.node.startswith(task) and fact.value.startswith(task)
    }


def changed_groups(first: Side, second: Side, level: GroupLevel, node: str | None = None) -> list[GroupChange]:
    """Return the edges between groups that differ, ordered by name; with ``node``, only from edges that touch it.

    Raises InvalidRequestError for an unknown level.
    """
    one, other = (members(side.edges, level, side.facts, side.parents, node) for side in (first, second))
    result = []
    for ends in sorted({*one, *other}):
        before = {edge[:6] for edge in one.get(ends, ())}
        after = {edge[:6] for edge in other.get(ends, ())}
        removed, added = len(before - after), len(after - before)
        if removed or added:
            change: Literal["removed", "added", "changed"] = "changed"
            change = "added" if not before else "removed" if not after else change
            result.append(GroupChange(change, *ends, len(before), len(after), removed, added))
    return result
