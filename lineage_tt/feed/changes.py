"""The feed: what each version really changed, in version order. The log is its outbox."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lineage_tt.model.answers import FeedEntry
from lineage_tt.model.edges import EdgeTuple
from lineage_tt.model.format import ChangeTuple

#: sign, node, key, value, valid_from, valid_to
FactChange = tuple[int, str, str, str, int, int | None]


def net(changes: Iterable[ChangeTuple]) -> tuple[ChangeTuple, ...]:
    """Return the signed changes of one version without what a minus and a plus have in common.

    In the log, a minus removes a whole rectangle and a plus puts back what is left of it; a reader wants only the
    interval that really changed. The result is ordered by edge and valid time, and has the same sum at every point.
    """
    return tuple(
        (sign, source, target, kind, subtype, expression, valid_from, valid_to)
        for sign, (source, target, kind, subtype, expression), valid_from, valid_to in _netted(changes)
    )


def net_facts(changes: Iterable[FactChange]) -> tuple[FactChange, ...]:
    """Return the signed changes of facts in one version, netted like those of edges."""
    return tuple(
        (sign, node, key, value, valid_from, valid_to)
        for sign, (node, key, value), valid_from, valid_to in _netted(changes)
    )


def _netted(changes: Iterable[tuple[Any, ...]]) -> Iterable[tuple[int, tuple[str, ...], int, int | None]]:
    """Yield the netted stretches of (sign, *what, valid_from, valid_to), ordered by what and valid time."""
    parts_of: dict[tuple[str, ...], list[tuple[int, int, int | None]]] = defaultdict(list)
    for sign, *what, valid_from, valid_to in changes:
        parts_of[tuple(what)].append((sign, valid_from, valid_to))
    for key, parts in sorted(parts_of.items()):
        for sign, start, end in parts if len(parts) == 1 else stretches(parts):
            yield sign, key, start, end


def stretches(parts: list[tuple[int, int, int | None]]) -> list[tuple[int, int, int | None]]:
    """Add up signed intervals, in any order; return the maximal intervals where the sum is not zero."""
    steps: dict[int, int] = defaultdict(int)
    for sign, valid_from, valid_to in parts:
        steps[valid_from] += sign
        if valid_to is not None:
            steps[valid_to] -= sign
    stretches: list[tuple[int, int, int | None]] = []
    total, since = 0, 0
    for at in sorted(steps):
        if steps[at] == 0:
            continue
        if total:
            stretches.append((total, since, at))
        total += steps[at]
        since = at
    if total:
        stretches.append((total, since, None))
    return stretches


def columns_changed(
    op: str | None, after: Sequence[EdgeTuple], changes: Iterable[ChangeTuple]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the target columns that gained their first edge of the task, and those that lost their last edge.

    ``after`` are the task's edges in the interval that changed, as the message states them. A retract states none; then
    every column that only gained, or only lost, edges is returned.
    """
    came: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    went: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for sign, *edge, _, _ in changes:
        if "#" in edge[1]:
            (came if sign > 0 else went)[edge[1]].add(tuple(edge))
    if not came and not went:
        return (), ()
    stay: dict[str, int] = defaultdict(int)
    for after_edge in () if op == "retract" else after:
        stay[after_edge[1]] += tuple(after_edge) not in came.get(after_edge[1], ())
    added = sorted(c for c in came if not went.get(c) and not stay[c])
    removed = sorted(c for c in went if not came.get(c) and not stay[c])
    return tuple(added), tuple(removed)


def entry_of(row: Mapping[str, Any], previous_version: int) -> FeedEntry | None:
    """Return what a row of the log changed, None where it changed nothing; ``row`` holds its columns by name."""
    changes = net(row["changes"] or ())
    facts = net_facts(row.get("fact_changes") or ())
    if not changes and not facts:
        return None
    added, removed = columns_changed(row["op"], row["edges"] or (), changes)
    return FeedEntry(
        version=row["version"],
        system_time=row["system_time"],
        task_id=row["task_id"],
        event_id=row["event_id"],
        actor=row["actor"],
        reason=row["reason"],
        cause=row["cause"],
        changes=changes,
        op=row["op"],
        effective_at=row["effective_at"],
        previous_version=previous_version,
        kind=row.get("kind") or "task",
        node=row.get("subject"),
        facts=facts,
        derived_from=row.get("derived_from"),
        columns_added=added,
        columns_removed=removed,
        rectangles=tuple(row["changes"] or ()),
    )
