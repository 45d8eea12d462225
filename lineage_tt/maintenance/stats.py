"""How big a store is, and whether compaction is due: sizes of its files and a few counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lineage_tt.log.rewriting import rewrite

if TYPE_CHECKING:
    from lineage_tt.log.retention import Horizon
    from lineage_tt.read.snapshots.snapshot import Snapshot
    from lineage_tt.store import Store

#: Compaction is due when the tail is longer than this fraction of what the snapshot covers, and not shorter than this;
DUE_PART: Final = 0.05
DUE_VERSIONS: Final = 1_000
#: or when this many small files of the log could be one.
DUE_FILES: Final = 64


@dataclass(frozen=True)
class Stats:
    """What ``lineage-tt stats`` reports about a store.

    Among the tasks in force that are not complete, ``tasks_untraced`` counts those that name no table, so that no walk
    meets them, and ``tasks_outdated`` those that were parsed by another parser than this release's.
    """

    version: int
    tasks: int
    tasks_partial: int
    tasks_opaque: int
    tasks_untraced: int
    tasks_outdated: int
    nodes: int
    edges_now: int
    tail: int
    snapshot_version: int | None
    snapshot_levels: int
    snapshot_files: int
    snapshot_bytes: int
    log_files: int
    log_small_files: int
    log_bytes: int
    horizon: Horizon | None
    due: bool
    due_because: str


#: Counts tasks in force that are not complete: partial, opaque, without any table name, by another parser.
_INCOMPLETE: Final = """
    SELECT count(*) FILTER (t.coverage = 'partial'), count(*) FILTER (t.coverage = 'opaque'),
        count(*) FILTER (l.target IS NULL AND len(l.edges) = 0 AND len(coalesce(l.outputs, [])) = 0
            AND len(list_filter(coalesce(l.problems, []), lambda p: starts_with(p.code, 'untraced-'))) = 0),
        count(*) FILTER (t.sql IS NOT NULL AND l.parser <> $parser)
    FROM tasks_as_of(make_timestamptz($at)) AS t JOIN log AS l ON l.version = t.resolved_version
    WHERE t.coverage IN ('partial', 'opaque')"""


def stats(store: Store, parser: str | None = None) -> Stats:
    """Count what is in a store; edges and tasks are those in force now; ``parser`` is the name of this release's."""
    snapshot, log = store.snapshot, store.opened_log
    sizes = log.sizes()
    small = sum(len(run.names) for run in rewrite.runs(log))
    covered = snapshot.version if snapshot else 0
    tail = store.version - covered
    because = _due(tail, covered, small)
    point = "make_timestamptz($at)"
    now = {"at": store.basis().valid_at}
    partial, opaque, untraced, outdated = store.fetch(_INCOMPLETE, **now, parser=parser)[0]
    return Stats(
        version=store.version,
        tasks=_count(store, f"tasks_as_of({point})", now),
        tasks_partial=partial,
        tasks_opaque=opaque,
        tasks_untraced=untraced,
        tasks_outdated=outdated,
        nodes=_count(store, "nodes", {}),
        edges_now=_count(store, f"edges_as_of({point})", now),
        tail=tail,
        snapshot_version=snapshot.version if snapshot else None,
        snapshot_levels=len(snapshot.levels) if snapshot else 0,
        snapshot_files=len(snapshot.names) if snapshot else 0,
        snapshot_bytes=_bytes(snapshot) if snapshot else 0,
        log_files=len(sizes),
        log_small_files=small,
        log_bytes=sum(sizes.values()),
        horizon=store.horizon,
        due=bool(because),
        due_because=because,
    )


def _count(store: Store, relation: str, parameters: dict[str, int]) -> int:
    return int(store.fetch(f"SELECT count(*) FROM {relation}", **parameters)[0][0])


def _bytes(snapshot: Snapshot) -> int:
    return sum(snapshot.sizes().values())


def _due(tail: int, covered: int, small: int) -> str:
    """Return why compaction is due, empty where it is not."""
    if tail >= DUE_VERSIONS and tail > covered * DUE_PART:
        return f"{tail:,} versions are after the snapshot" if covered else f"{tail:,} versions and no snapshot"
    if small >= DUE_FILES:
        return f"{small:,} small files of the log can be merged"
    return ""
