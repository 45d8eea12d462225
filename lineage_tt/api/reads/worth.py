"""The order of names that match a search equally well: names with more downstream nodes come first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from lineage_tt.api.reads.similarity import Hit
from lineage_tt.model.answers import Basis

if TYPE_CHECKING:
    from lineage_tt.graph import Graph

#: Scores from 0 to 1 are divided into this many bands; names in one band match equally well.
BANDS: Final = 20
#: Maximum number of names, the best matches, whose downstream nodes are counted.
MAX_COUNTED: Final = 300


def by_worth(hits: Sequence[Hit], limit: int, graph: Graph, basis: Basis) -> list[Hit]:
    """Return the first ``limit`` hits, the best first; among equal matches, the name with the most worth first.

    The worth of a name is the number of columns and tables one step downstream of it, at the time when the version of
    ``basis`` was recorded, so the list depends only on the version. ``hits`` must be ordered by score.
    """
    if not hits:
        return []
    last = _band(hits[min(limit, len(hits)) - 1])
    near = [hit for hit in hits[: max(limit, MAX_COUNTED)] if _band(hit) >= last]
    subjects = sorted({hit.subject for hit in near[:MAX_COUNTED] if graph.knows(hit.subject)})
    batch = graph.batch(subjects, [basis._replace(valid_at=basis.system_time)], depth=1) if subjects else None
    worth = {subject: batch.count(place, 0) for place, subject in enumerate(subjects)} if batch is not None else {}
    near.sort(key=lambda hit: (-_band(hit), -worth.get(hit.subject, 0), -hit.score, len(hit.name), *hit[:3]))
    return near[:limit]


def _band(hit: Hit) -> int:
    return int(hit.score * BANDS + 1e-9)
