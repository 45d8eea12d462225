"""What a change reaches, by groups: which owners, domains or systems it affects, and how badly. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, Protocol, TypeVar

from lineage_tt.levels.groups import NONE, groups_of
from lineage_tt.levels.names import AnyLevel
from lineage_tt.levels.tasks import outermost
from lineage_tt.model.answers import FactAsOf
from lineage_tt.model.facts import task_node


class Reached(Protocol):
    """A dataset that a change reaches."""

    @property
    def dataset(self) -> str:
        """Its name."""

    @property
    def class_(self) -> str:
        """What happens to it."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Its columns that are reached."""

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks that make these columns."""

    @property
    def steps(self) -> int:
        """The number of steps to it."""

    @property
    def owners(self) -> tuple[str, ...]:
        """Its owners."""


Item = TypeVar("Item", bound=Reached)


class ReachedGroup(NamedTuple):
    """A group that is reached: its worst class, the number of datasets, columns and tasks, the least steps to it."""

    group: str
    class_: str
    datasets: int
    columns: int
    tasks: int
    steps: int


def reached_groups(
    items: Iterable[Item], level: AnyLevel, worst: Callable[[Iterable[str]], str], facts: Iterable[FactAsOf] = (),
    parents: Mapping[str, str] | None = None,
) -> list[ReachedGroup]:  # fmt: skip
    """Return the groups that are reached, the nearest first. ``worst`` returns the worst of some classes.

    At the level ``task`` (``task:ID``) these are the tasks that make what is reached; with ``parents`` the outermost
    tasks that start them. Owners are those that the answer about the change names. Raises InvalidRequestError for an
    unknown level.
    """
    of = _of(level, facts, parents or {})
    groups: dict[str, list[Item]] = defaultdict(list)
    for each in items:
        for group in of(each):
            groups[group].append(each)
    result = []
    for group, members in groups.items():
        columns = {(each.dataset, column) for each in members for column in each.columns}
        datasets, tasks = {each.dataset for each in members}, {task for each in members for task in each.tasks}
        class_, steps = worst(each.class_ for each in members), min(each.steps for each in members)
        result.append(ReachedGroup(group, class_, len(datasets), len(columns), len(tasks), steps))
    return sorted(result, key=lambda each: (each.steps, each.group))


def _of(
    level: AnyLevel, facts: Iterable[FactAsOf], parents: Mapping[str, str]
) -> Callable[[Reached], Iterable[str]]:  # fmt: skip
    if level == "task":
        return lambda each: {outermost(task_node(task), parents) for task in each.tasks} or {NONE}
    if level == "owner":
        return lambda each: each.owners or (NONE,)
    if level == "column":
        return lambda each: [f"{each.dataset}#{column}" for column in each.columns] or [each.dataset]
    groups = groups_of("dataset" if level == "table" else level, facts)
    return lambda each: groups(each.dataset)
