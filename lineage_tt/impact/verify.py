"""After the deployment: what was predicted beside what the messages then did."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass

from lineage_tt.feed.changes import net
from lineage_tt.impact.report import Report, SignedEdge
from lineage_tt.model.format import ChangeTuple

#: Returns the first message about a task after a version, as (version, signed changes); None where there is none.
FirstSince = Callable[[str, int], "tuple[int, Sequence[ChangeTuple]] | None"]


@dataclass(frozen=True, slots=True)
class Verified:
    """One task of a release: its message, and the changes that were predicted only, or came unpredicted."""

    task_id: str
    status: str  # as predicted, differs, not deployed
    version: int | None = None
    missing: tuple[SignedEdge, ...] = ()
    unexpected: tuple[SignedEdge, ...] = ()


def verify(report: Report, first_since: FirstSince) -> tuple[Verified, ...]:
    """Return, task by task, how the prediction and the log agree.

    Edges are compared, and whether they come or go; the instant at which they do is the deployment's own affair.
    """
    result = []
    for task in report.tasks:
        if task.kind != "task":
            continue  # its message changes columns, no edges
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
