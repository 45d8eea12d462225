"""Answers about quality as plain values, for JSON; separate from the code that computes them, which needs a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lineage_tt.governance.upkeep.quality.quality import Figures, Quality


def result_of(answer: Quality) -> dict[str, Any]:
    """Return an answer's result object."""
    groups = [_object_of(row) for row in answer.groups]
    return {"by": answer.by, "groups": groups, "flapping": [row._asdict() for row in answer.flapping]}


def trend_of(first: Quality, second: Quality) -> dict[str, Any]:
    """Return the figures of both points side by side, by group; null where a group did not exist."""
    before = {row.group: _object_of(row) for row in first.groups}
    after = {row.group: _object_of(row) for row in second.groups}
    order = [*after, *(group for group in before if group not in after)]
    groups = [{"group": name, "before": before.get(name), "after": after.get(name)} for name in order]
    return {"by": second.by, "groups": groups}


def _object_of(row: Figures) -> dict[str, Any]:
    """Return the figures of a group as an object; ``mend`` is the old name of ``fix``."""
    return row._asdict() | {"mend": row.fix}
