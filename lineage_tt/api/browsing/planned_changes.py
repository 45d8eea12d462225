"""Planned changes: edges that begin or end after the valid time of a point, as known there, by task."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from lineage_tt.model.answers import Basis
from lineage_tt.model.times import format_instant

Fetch = Callable[..., list[tuple[Any, ...]]]
#: An edge that one message ends and another begins at the same moment counts as unchanged.
_PLANNED: Final = """
    WITH moves AS (
        SELECT task_id, source, target, "type", subtype, expression, valid_from AS moved_at, sign, version FROM changes
        WHERE version <= $version AND valid_from > make_timestamptz($after)
        UNION ALL
        SELECT task_id, source, target, "type", subtype, expression, valid_to, -sign, version FROM changes
        WHERE version <= $version AND valid_to > make_timestamptz($after)),
    moved AS (
        SELECT task_id, moved_at, sum(sign) AS net, max(version) AS version FROM moves
        GROUP BY task_id, source, target, "type", subtype, expression, moved_at HAVING sum(sign) <> 0)
    SELECT epoch_us(moved_at), task_id, max(version), count(*) FILTER (net > 0), count(*) FILTER (net < 0)
    FROM moved GROUP BY moved_at, task_id ORDER BY 1, 2"""


def planned(fetch: Fetch, basis: Basis) -> list[dict[str, Any]]:
    """Return how many edges begin and end after a point's valid time, ordered by valid time and task."""
    rows = fetch(_PLANNED, version=basis.version, after=basis.valid_at)
    keys = ("task_id", "version", "begins", "ends")
    return [{"valid_at": format_instant(at)} | dict(zip(keys, values, strict=True)) for at, *values in rows]
