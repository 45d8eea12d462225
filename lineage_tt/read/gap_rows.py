"""Reads the gaps from the log: which tasks were ever incomplete, and the reasons and datasets reported for them.

If every task is complete, only one short column is scanned.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Final

from lineage_tt.model.completeness.gaps import NO_GAPS, CoverageRow, Detail, Gaps, TaskCoverage, gap_of, is_gap
from lineage_tt.model.completeness.summary import Gap, Reason
from lineage_tt.model.edges import column_node, dataset_of

Fetch = Callable[..., list[tuple[Any, ...]]]

#: The query must have no further conditions: DuckDB would read their columns in every row of the log.
_TASKS: Final = "SELECT DISTINCT task_id FROM log WHERE coverage <> 'complete' AND status = 'accepted'"
_COVERAGE: Final = """
    SELECT task_id, version, op, event_id, retracts, epoch_us(effective_at), source_version, derived_from, coverage
    FROM log
    WHERE status = 'accepted' AND version > $after AND version <= $upto AND task_id IN (SELECT unnest($tasks))
    ORDER BY version"""
_DETAILS: Final = """
    SELECT version, list_transform(problems, lambda p: [p.code, p.detail, p.subject]),
        list_distinct(list_transform(edges, lambda e: CASE WHEN contains(e.source, '#')
            THEN split_part(e.source, '#', 1) || '#' ELSE e.source END)),
        list_distinct(list_transform(edges, lambda e: split_part(e.target, '#', 1))),
        list_transform(outputs, lambda o: (o.dataset, o.columns)), target
    FROM log WHERE version IN (SELECT unnest($versions))"""

#: The datasets that a row reads or writes although no edge names them.
_TOUCHED: Final = """
    SELECT DISTINCT node FROM (SELECT unnest(list_concat(
        list_transform(list_filter(problems, lambda p: starts_with(p.code, 'untraced-')), lambda p: p.subject),
        list_transform(outputs, lambda o: o.dataset), CASE WHEN len(edges) = 0 THEN [target] ELSE [] END)) AS node
    FROM log WHERE coverage IN ('partial', 'opaque') AND status = 'accepted' AND task_id IS NOT NULL)
    WHERE node IN (SELECT unnest($datasets))"""

#: The columns of some datasets that statements state as written.
_STATED: Final = """
    SELECT DISTINCT output.dataset, unnest(output.columns)
    FROM (SELECT unnest(outputs) AS output FROM log
        WHERE len(outputs) > 0 AND status = 'accepted' AND task_id IS NOT NULL)
    WHERE output.dataset IN (SELECT unnest($datasets))"""


def touched(fetch: Fetch, datasets: Iterable[str]) -> set[str]:
    """Return those datasets that an incomplete task read or wrote without an edge."""
    return {node for (node,) in fetch(_TOUCHED, datasets=sorted(set(datasets)))}


def stated(fetch: Fetch, nodes: Collection[str]) -> set[str]:
    """Return those nodes that a task's statement ever stated as written, with or without an edge."""
    datasets = sorted(set(map(dataset_of, nodes)))
    rows = fetch(_STATED, datasets=datasets)
    return {node for dataset, column in rows for node in (dataset, column_node(dataset, column))}.intersection(nodes)


def timelines(fetch: Fetch, upto: int) -> dict[str, TaskCoverage]:
    """Return the coverage over both times of each task that was incomplete in some version up to ``upto``."""
    tasks = [task for (task,) in fetch(_TASKS) if task is not None]
    return {task: TaskCoverage(rows) for task, rows in coverage_rows(fetch, tasks, 0, upto).items()} if tasks else {}


def coverage_rows(fetch: Fetch, tasks: Collection[str], after: int, upto: int) -> dict[str, list[CoverageRow]]:
    """Return the coverage that the versions in (after, upto] state of these tasks, by task."""
    result: dict[str, list[CoverageRow]] = {}
    for task_id, *row in fetch(_COVERAGE, tasks=sorted(tasks), after=after, upto=upto):
        result.setdefault(task_id, []).append(CoverageRow(*row))
    return result


def details(fetch: Fetch, versions: Iterable[int]) -> dict[int, Detail]:
    """Return what these rows say in addition to their coverage, by version."""
    listed = sorted(set(versions))
    if not listed:
        return {}
    return {
        version: Detail(
            tuple(Reason(code, detail or "", subject or "") for code, detail, subject in problems or ()),
            frozenset(sources or ()),
            frozenset(targets or ()),
            tuple((dataset, tuple(columns or ())) for dataset, columns in outputs or ()),
            target,
        )
        for version, problems, sources, targets, outputs, target in fetch(_DETAILS, versions=listed)
    }


def gaps_of(fetch: Fetch, coverages: Mapping[str, TaskCoverage]) -> Gaps:
    """Return all gaps of these tasks, at any point."""
    versions = [row.version for each in coverages.values() for row in each.rows if is_gap(row.coverage)]
    return Gaps(coverages, details(fetch, versions)) if coverages else NO_GAPS


def gaps_at(fetch: Fetch, coverages: Mapping[str, TaskCoverage], valid_at: int, version: int) -> Gaps:
    """Return the gaps that these tasks have at a point; for few questions this reads less than ``gaps_of``."""
    if not coverages:
        return NO_GAPS
    rows = {task: row for task, each in coverages.items() if (row := each.at(valid_at, version)) is not None}
    return Gaps({task: coverages[task] for task in rows}, details(fetch, [row.version for row in rows.values()]))


def gaps_of_versions(fetch: Fetch, stated: Iterable[tuple[str, int, str | None]]) -> list[Gap]:
    """Return the gaps of the rows of some versions, given as (task, version, coverage); none of complete ones."""
    open_rows = sorted((task, version, coverage) for task, version, coverage in stated if is_gap(coverage))
    found = details(fetch, (version for _, version, _ in open_rows))
    return [
        gap_of(task, CoverageRow(version, "", "", None, None, None, None, coverage), found[version])
        for task, version, coverage in open_rows
    ]
