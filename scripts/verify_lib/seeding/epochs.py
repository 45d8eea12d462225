"""A platform at a point: the warehouse that runs there, and what lineage knows of it."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import Any

from lineage_tt.model.edges import dataset_of, is_star
from lineage_tt.store import Store
from verify_lib.seeding.experiment import Epoch
from verify_lib.seeding.platform import Platform, statements_of
from verify_lib.seeding.warehouse import DECLARED, built


class Lineage:
    """The lineage of a platform, from a store that holds all of its messages."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def at(self, valid_at: int) -> LineageAt:
        """As of a valid time, as known then."""
        return LineageAt(self.store.as_of(valid_at, valid_at))


class LineageAt:
    """What lineage says at one point."""

    def __init__(self, view: Any) -> None:
        self._edges = view.edges()
        self._view = view

    @cached_property
    def columns(self) -> dict[str, set[str]]:
        """The columns that edges name, or that are known, by dataset."""
        found: dict[str, set[str]] = defaultdict(set)
        for edge in self._edges:
            for node in (edge.source, edge.target):
                if "#" in node and not is_star(node) and "." not in node.partition("#")[2]:
                    found[dataset_of(node)].add(node.partition("#")[2])
        for column in self._view.columns():
            if not column.nested:
                found[column.dataset].add(column.column)
        return {dataset: _once(names) for dataset, names in found.items()}

    @cached_property
    def types(self) -> dict[tuple[str, str], str]:
        """The declared types that DuckDB has, by dataset and column in lower case."""
        return {
            (column.dataset, column.column.lower()): DECLARED[column.type.upper()]
            for column in self._view.columns(inferred=False)
            if column.type and column.type.upper() in DECLARED and column.mode != "REPEATED"
        }

    def columns_of(self, dataset: str) -> set[str]:
        """The columns of a dataset."""
        return self.columns.get(dataset, set())

    def feeding(self, dataset: str) -> tuple[set[str], set[str]]:
        """The tasks and datasets that feed a dataset, itself among them."""
        found, tasks, waiting = {dataset}, set(), [dataset]
        while waiting:
            current = waiting.pop()
            for task, source in self._into.get(current, ()):
                tasks.add(task)
                if source not in found:
                    found.add(source)
                    waiting.append(source)
        return tasks, found

    @cached_property
    def _into(self) -> dict[str, set[tuple[str, str]]]:
        result: dict[str, set[tuple[str, str]]] = defaultdict(set)
        for edge in self._edges:
            result[dataset_of(edge.target)].add((edge.task_id, dataset_of(edge.source)))
        return result


def _once(names: set[str]) -> set[str]:
    """Names that differ in more than their case: DuckDB knows no others."""
    return set({name.lower(): name for name in sorted(names)}.values())


def epoch_at(platform: Platform, lineage: Lineage, at: int, window: int, seed: int) -> Epoch:
    """The platform at a point, with the right values of all that DuckDB can run of it."""
    known = Platform(platform.name, [m for m in platform.messages if (m.recorded_at or 0) <= at])
    there = lineage.at(at)
    house = built(known.in_force(at), statements_of, there.columns, there.types, seed)
    return Epoch(known, house, at, window, house.run(house.tasks), there)
