"""Datasets by name at a point: namespaces, then the parts of names, then datasets, each with a count."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from lineage_tt.model.answers import Basis
from lineage_tt.model.edges import NAMESPACE

Fetch = Callable[..., list[tuple[Any, ...]]]
#: Datasets with an edge or a fact in force. ``split_dataset`` defines what a namespace is.
_ENTRIES: Final = r"""
    WITH held AS (
        SELECT unnest([source, target]) AS node
            FROM edges_as_of(make_timestamptz($valid_at), make_timestamptz($system_at))
        UNION SELECT node FROM facts_as_of(make_timestamptz($valid_at), make_timestamptz($system_at))
            WHERE NOT regexp_matches(node, '^(task|subscription|policy):')
    ), there AS (SELECT DISTINCT dataset_of(node) AS dataset FROM held),
    within AS (
        SELECT dataset, dataset[len($under) + 1:] AS rest FROM there WHERE starts_with(dataset, $under)
    ), parted AS (
        SELECT dataset, rest, CASE WHEN $under = ''
            THEN regexp_extract(rest, $namespace)
            ELSE regexp_extract(rest, '^[^./]*[./]+') END AS part
        FROM within WHERE rest <> ''
    )
    SELECT CASE WHEN part = '' THEN leaf ELSE regexp_replace(part, '[./:]+$', '') END AS name,
        CASE WHEN part = '' THEN NULL ELSE $under || part END AS under, min(dataset) FILTER (part = '') AS dataset,
        count(*) AS datasets
    FROM (SELECT dataset, part, CASE WHEN part = '' THEN rest END AS leaf FROM parted) GROUP BY part, leaf
    ORDER BY coalesce(CASE WHEN part = '' THEN NULL ELSE $under || part END, min(dataset) FILTER (part = ''))"""


def entries(
    fetch: Fetch, under: str, basis: Basis, limit: int, cursor: str | None
) -> tuple[dict[str, Any], str | None]:
    """Return a page of the entries directly below a prefix, ordered by name, and the cursor of the next page."""
    rows = fetch(_ENTRIES, under=under, namespace=f"^{NAMESPACE}", valid_at=basis.valid_at, system_at=basis.system_time)
    keys = ("name", "under", "dataset", "datasets")
    listed = [dict(zip(keys, row, strict=True)) for row in rows]
    following = [each for each in listed if cursor is None or _place(each) > cursor]
    page = following[:limit]
    result = {"under": under, "entries": page, "total": len(listed)}
    return result, _place(page[-1]) if len(following) > limit else None


def _place(entry: dict[str, Any]) -> str:
    place: str = entry["under"] or entry["dataset"]
    return place
