"""The feed: what each version really changed, in version order. The log is its outbox."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from lineage_tt.format import ChangeTuple


def net(changes: Iterable[ChangeTuple]) -> tuple[ChangeTuple, ...]:
    """Return the signed changes of one version with what a minus and a plus have in common taken out.

    In the log a minus takes a rectangle away whole and a plus puts back what is left of it; a reader wants the stretch
    that really changed. The result is ordered by edge and valid time, and adds up to the same sum at every point.
    """
    by_edge: dict[tuple[str, ...], list[tuple[int, int, int | None]]] = defaultdict(list)
    for sign, *edge, valid_from, valid_to in changes:
        by_edge[tuple(str(part) for part in edge)].append((sign, valid_from, valid_to))
    found: list[ChangeTuple] = []
    for (source, target, kind, subtype, expression), parts in sorted(by_edge.items()):
        for sign, valid_from, valid_to in _stretches(parts):
            found.append((sign, source, target, kind, subtype, expression, valid_from, valid_to))
    return tuple(found)


def _stretches(parts: list[tuple[int, int, int | None]]) -> list[tuple[int, int, int | None]]:
    """Add up signed intervals; return the maximal stretches where the sum is not zero."""
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
