"""A report with what is downstream summed up by groups: owners, domains, systems, tasks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lineage_tt.impact.report import GroupReach, Report, worst
from lineage_tt.levels.changes import parents_of
from lineage_tt.levels.names import AnyLevel
from lineage_tt.levels.reached import reached_groups
from lineage_tt.model.answers import FactAsOf


def by_level(report: Report, level: AnyLevel, facts: Sequence[FactAsOf], *, roll_up: bool = False) -> Report:
    """Return the report with its readers by group, the nearest first; ``facts`` are those at its point.

    With ``roll_up`` sub-tasks count as the task that starts them. Raises InvalidRequestError for an unknown level.
    """
    groups = reached_groups(report.readers, level, worst, facts, parents_of(facts) if roll_up else None)
    return replace(report, level=level, groups=tuple(GroupReach(*each) for each in groups))
