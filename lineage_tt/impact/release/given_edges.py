"""What edges show of a task without a text: what it makes in another way, and which of its sources are not there."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from lineage_tt.impact.base.closure import STAR
from lineage_tt.impact.base.names import VERY_NEAR, did_you_mean
from lineage_tt.impact.release.release import Change, Release
from lineage_tt.impact.release.renames import followed_by
from lineage_tt.impact.report import BREAKING, ColumnChange, Finding
from lineage_tt.model.edges import DIRECT, EdgeTuple, column_of, dataset_of
from lineage_tt.model.facts import names_of
from lineage_tt.model.names import and_more


def meanings_of_edges(release: Release, dataset: str, common: Sequence[str], change: Change) -> list[ColumnChange]:
    """Return the columns that mean something else as edges show it: an edge into the whole dataset affects each."""
    if not change.before_edges:
        return []
    gone, come = _differ(release, change)
    nodes = {edge[1] for edge in (*gone, *come)}
    rows = dataset in nodes
    return [ColumnChange("meaning", dataset, name) for name in common if rows or f"{dataset}#{name}" in nodes]


def reasons_of_edges(release: Release, change: Change) -> list[str]:
    """Return in words what differs between the edges into whole datasets: what they are made of, and their rows."""
    gone, come = _differ(release, change)
    rows = sorted({edge[3].lower() for edge in (*gone, *come) if edge[2] != DIRECT})
    decided = [f"what decides about its rows changes ({', '.join(rows)})"] if rows else []
    return [*_made_of(gone, come, change.writes_before()), *decided]


def _made_of(gone: Iterable[EdgeTuple], come: Iterable[EdgeTuple], known: Collection[str]) -> Iterator[str]:
    """Yield in words each known dataset that is made of other nodes, or of the same in another way."""
    old, new = (
        {edge[:2] for edge in each if edge[2] == DIRECT and column_of(edge[1]) is None} for each in (gone, come)
    )
    for dataset in sorted({ends[1] for ends in old | new} & {*known}):
        lost, more, same = (
            sorted(source for source, target in ends if target == dataset) for ends in (old - new, new - old, old & new)
        )
        parts = [f"no longer of {and_more(lost, 3)}"] * bool(lost) + [f"now of {and_more(more, 3)}"] * bool(more)
        parts += [f"of {and_more(same, 3)} in another way"] * bool(same)
        yield f"{dataset} is made {', '.join(parts)}"


def new_targets(change: Change) -> list[str]:
    """Return the datasets that a task given as edges begins to write."""
    return sorted(change.writes() - change.writes_before()) if change.candidate.edges is not None else []


def _differ(release: Release, change: Change) -> tuple[set[EdgeTuple], set[EdgeTuple]]:
    """Return the edges that go and those that come, except those that only follow a rename."""
    old, new = set(followed_by(change.before_edges, release.renames)), set(change.edges)
    return old - new, new - old


def missing_sources(release: Release, change: Change) -> Iterator[Finding]:
    """Yield the columns that a task given as edges begins to read, and that their datasets do not have.

    Only of datasets whose columns are known; a column that a task in force, or of the release, makes is there.
    """
    candidate = change.candidate
    if candidate.edges is None:
        return
    before = {edge[0].lower() for edge in change.before_edges}
    for node in sorted({edge[0] for edge in change.edges if edge[0].lower() not in before}):
        dataset, column = dataset_of(node), column_of(node)
        columns = names_of(release.after.get(dataset) or ())
        if column in (None, STAR) or not columns:
            continue
        made = {column_of(edge.target) for edge in release.edges_into([dataset])} - {None}
        if STAR in made or {column.lower(), column.partition(".")[0].lower()} & {
            name.lower() for name in (*columns, *made) if name
        }:
            continue
        near = did_you_mean(column, columns, VERY_NEAR)
        reason = f"it reads {column} of {dataset}, which has no such column{near}"
        yield Finding("task-fails", BREAKING, candidate.task_id, node, reason, file=candidate.path)
