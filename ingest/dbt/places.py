"""Which task a node of a project is in a store that other targets and projects write, too.

A unique id such as ``model.shop.orders`` does not say which target it is of: ``prod`` and ``dev`` make two relations
under one id, and a package may be installed in two projects. The ids of a package belong to the source that stated them
first. Another source that writes the same relations is in the same place, and has the same tasks. One that writes
others is elsewhere: each id of that package ends in the source (``model.shop.orders@shop:dev``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from ingest.dbt.relations import SOURCE, Relations, is_ephemeral, package_of
from lineage_tt.model.edges import dataset_of
from lineage_tt.store import Store

_TASKS: Final = """
    SELECT task_id, arg_min(source, version), arg_max(coalesce(target, edges[1].target), (effective_at, version))
    FROM log
    WHERE starts_with(source, $prefix) AND kind = 'task' AND status = 'accepted' AND derived_from IS NULL
        AND op IN ('online', 'update') AND NOT ends_with(task_id, '@' || substr(source, len($prefix) + 1))
    GROUP BY ALL ORDER BY min(version)
"""


class Held(NamedTuple):
    """The source that first stated a task, and the dataset that the task writes by its last message, if any."""

    source: str
    dataset: str | None


def held_tasks(store: Store) -> dict[str, Held]:
    """Return the tasks of dbt projects under their plain ids, in the order in which they came."""
    return {
        task: Held(source, dataset_of(end) if end else None) for task, source, end in store.fetch(_TASKS, prefix=SOURCE)
    }


def elsewhere(relations: Relations, source: str, held: Mapping[str, Held]) -> frozenset[str]:
    """Return the packages whose plain ids are another source's, which writes other relations under most of them."""
    owners: dict[str, str] = {}
    for task, each in held.items():
        owners.setdefault(package_of(task), each.source)
    same: dict[str, list[bool]] = {}
    for unique_id, node in relations.of_kind("model", "snapshot", "seed"):
        known = held.get(unique_id)
        if known is not None and known.dataset is not None and not is_ephemeral(node):
            is_same = relations.dataset_if_any(unique_id) == known.dataset
            same.setdefault(package_of(unique_id), []).append(is_same)
    others = {package_of(unique_id) for unique_id, _ in relations.all()}
    others = {package for package in others if owners.get(package, source) != source}
    result = {package for package in others if package in same and 2 * sum(same[package]) <= len(same[package])}
    if result:  # a package of tests alone looks at the relations of the others
        result |= {package for package in others if package not in same}
    return frozenset(result)
