"""Compares, after the deployment, what was predicted with what the messages did."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass

from lineage_tt.feed.changes import net
from lineage_tt.impact.report import Report, SignedEdge
from lineage_tt.model.format import ChangeTuple

#: Returns the first message about a task after a version, as (version, signed changes); None if there is none.
FirstSince = Callable[[str, int], "tuple[int, Sequence[ChangeTuple]] | None"]


@dataclass(frozen=True, slots=True)
class Verified:
    """One task of a release: its message, the predicted changes that did not come, and the unpredicted changes."""

    task_id: str
    status: str  # as predicted, differs, not deployed
    version: int | None = None
    missing: tuple[SignedEdge, ...] = ()
    unexpected: tuple[SignedEdge, ...] = ()


def verify(report: Report, first_since: FirstSince) -> tuple[Verified, ...]:
    """Return, for each task, whether the prediction and the log agree.

    Edges and their signs are compared, but not the instants: the deployment chooses these.
    """
    result = []
    for task in report.tasks:
        if task.kind != "task":
            continue  # its message changes columns, not edges
        message = first_since(task.task_id, int(report.basis["version"]))
        if message is None:
            result.append(Verified(task.task_id, "not deployed"))
            continue
        version, changes = message
        actual = {_key(each): each for each in (SignedEdge(*change) for change in net(changes))}
        expected = {_key(each): each for each in task.predicted}
        missing = tuple(edge for key, edge in sorted(expected.items()) if key not in actual)
        unexpected = tuple(edge for key, edge in sorted(actual.items()) if key not in expected)
        status = "differs" if missing or unexpected else "as predicted"
        result.append(Verified(task.task_id, status, version, missing, unexpected))
    return tuple(result)


def _key(edge: SignedEdge) -> tuple[object, ...]:
    return astuple(edge)[:6]
