"""Star tasks: statements that select a star say something else when the columns of a dataset they read change.

So may those that wanted a column when they were resolved: no source was known to have one of that name.

The store then resolves them again, as a new version whose cause is the event that changed the columns. It says anew,
from the moment at which the columns change on, what the task's own message says; it counts as long as that message is
in force. What a version was resolved with stands in its row: for each dataset that a star reads, a digest of the
columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from lineage_tt.catalog import Catalog, columns_digest
from lineage_tt.messages import Lineage
from lineage_tt.tasks import Stars, TaskHistory


class Due(NamedTuple):
    """What is to be resolved again: the statement of ``version``, as of the columns in force at ``effective_at``."""

    task_id: str
    version: int
    effective_at: int
    stars: Stars


class StarIndex:
    """Which tasks ever read a dataset through a star."""

    def __init__(self) -> None:
        self._tasks: dict[str, set[str]] = {}

    def add(self, task_id: str, datasets: Iterable[str]) -> None:
        """Note that a statement of the task reads these datasets through a star."""
        for dataset in datasets:
            self._tasks.setdefault(dataset, set()).add(task_id)

    def tasks(self, datasets: Iterable[str]) -> list[str]:
        """Return the tasks that read any of these datasets through a star, in order."""
        return sorted({task for dataset in datasets for task in self._tasks.get(dataset, ())})


def stars_of(lineage: Lineage) -> Stars:
    """Return what the stars of a statement stood for; a dataset that it writes itself is left out."""
    if not lineage.stars:
        return ()
    written = {dataset for dataset, _ in lineage.outputs}
    answers = dict(lineage.lookups)
    return tuple((d, columns_digest(answers.get(d))) for d in lineage.stars if d not in written)


def due(task_id: str, history: TaskHistory, catalog: Catalog) -> Iterator[Due]:
    """Yield what of a task was resolved with other columns than are known now, in order of valid time."""
    for held in history.held():
        stars = history.stars(held.version)
        if not stars:
            continue
        datasets = [dataset for dataset, _ in stars]
        derived = history.derived(held.version)
        changing = {time for dataset in datasets for time in catalog.times(dataset)} | derived.keys()
        resolved_with = stars
        for at in sorted({held.valid_from, *_inside(changing, held.valid_from, held.valid_to)}):
            if at in derived:
                resolved_with = history.stars(derived[at])
            wanted = _as_of(catalog, datasets, at)
            if wanted != resolved_with:
                yield Due(task_id, held.version, at, wanted)
                resolved_with = wanted


def _inside(times: Iterable[int], valid_from: int, valid_to: int | None) -> Iterator[int]:
    return (time for time in times if valid_from < time and (valid_to is None or time < valid_to))


def _as_of(catalog: Catalog, datasets: Sequence[str], at: int) -> Stars:
    return tuple((dataset, columns_digest(catalog.columns(dataset, at))) for dataset in datasets)
