"""The gaps that a graph's answers report: read from the log at first use, then updated from its tail."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from lineage_tt.graph.arrays.loading import within
from lineage_tt.log import verify
from lineage_tt.log.arrow import read_columns
from lineage_tt.model.completeness.gaps import Gaps, TaskCoverage, is_gap
from lineage_tt.read import gap_rows
from lineage_tt.read.macros import own

if TYPE_CHECKING:
    from lineage_tt.log.log import Log

_GAPS = ("partial", "opaque")  # not an array: a process's first Arrow array imports pandas if it is installed


def read(log: Log, upto: int) -> Gaps:
    """Return all gaps up to a version; the log may have later versions."""
    files = verify.verified_files(log)
    with own.connect(files) as connection:

        def fetch(query: str, **known: Any) -> list[tuple[Any, ...]]:
            return connection.fetch(query, known)

        return gap_rows.gaps_of(fetch, gap_rows.timelines(fetch, upto))


def extended(gaps: Gaps, log: Log, after: int, upto: int) -> Gaps:
    """Return the gaps updated by the versions in (after, upto]; the same object if these do not concern any gap."""
    fresh = verify.verified_files(log, after)
    known, begun = _concerned(gaps, fresh, after, upto)
    if not known and not begun:
        return gaps
    with own.connect(fresh) as connection:

        def fetch(query: str, **parameters: Any) -> list[tuple[Any, ...]]:
            return connection.fetch(query, parameters)

        more = {task: gaps.tasks[task].extended(rows) for task, rows in _statements(fetch, known, after, upto).items()}
        if begun:  # earlier messages of these tasks now count too
            more |= _whole(log, begun, upto)
        versions = [
            row.version for each in more.values() for row in each.rows if row.version > after and is_gap(row.coverage)
        ]
        return gaps.extended(more, gap_rows.details(fetch, versions))


def _statements(fetch: gap_rows.Fetch, tasks: Iterable[str], after: int, upto: int) -> dict[str, Any]:
    listed = list(tasks)
    return gap_rows.coverage_rows(fetch, listed, after, upto) if listed else {}


def _whole(log: Log, tasks: set[str], upto: int) -> dict[str, TaskCoverage]:
    with own.connect(verify.verified_files(log)) as connection:

        def fetch(query: str, **parameters: Any) -> list[tuple[Any, ...]]:
            return connection.fetch(query, parameters)

        return {task: TaskCoverage(rows) for task, rows in gap_rows.coverage_rows(fetch, tasks, 0, upto).items()}


def _concerned(gaps: Gaps, files: Sequence[Path], after: int, upto: int) -> tuple[set[str], set[str]]:
    """Return the tasks with gaps about which these files have more rows, and the tasks whose first gap they have."""
    tasks: set[str] = set()
    wanting: set[str] = set()
    for path in files:
        table = read_columns(path, ["version", "task_id", "coverage", "status"])
        accepted = pc.equal(table.column("status"), "accepted")
        table = table.filter(pc.and_(accepted, within(table.column("version"), after, upto)))
        tasks |= set(pc.unique(table.column("task_id")).to_pylist())
        short = table.filter(pc.is_in(table.column("coverage"), value_set=pa.array(_GAPS)))
        wanting |= set(pc.unique(short.column("task_id")).to_pylist())
    return tasks & gaps.tasks.keys(), wanting - gaps.tasks.keys() - {None}
