"""What ``stats`` says of tasks that are not complete: none is silent, not even one that names no table."""

from __future__ import annotations

from pathlib import Path

from lineage_tt import Store
from lineage_tt.maintenance.stats import stats
from lineage_tt.model.edges import Edge
from lineage_tt.model.messages import Lineage, Problem, TaskChange
from lineage_tt.testing import ManualClock, task_change

NOON = 1_714_564_800_000_000


def test_tasks_that_are_not_complete_are_counted(tmp_path: Path) -> None:
    """Opaque rows of an earlier release name no table and no reason: ``stats`` counts them, and who read them."""
    said = {
        "old": Lineage((), "opaque", [], parser="sqlglot 1, extractor 1"),
        "new": Lineage((), "opaque", [Problem("syntax", "why")], [("h:t", ())], parser="this"),
        "part": Lineage([Edge("h:a#x", "h:b#x", "DIRECT", "IDENTITY", "")], "partial", [], parser="this"),
    }
    messages = [
        TaskChange(task, task, "online", NOON, sql="SELECT", dialect="hive", namespace="h", lineage=lineage)
        for task, lineage in said.items()
    ]
    store = Store.create(tmp_path / "s", clock=ManualClock(NOON))
    store.append([*messages, task_change("whole", "online", NOON, [("h:b#x", "h:c#x")])])

    found = stats(store, "this")

    counted = (found.tasks, found.tasks_partial, found.tasks_opaque, found.tasks_untraced, found.tasks_outdated)
    assert counted == (4, 1, 2, 1, 1)
    assert stats(Store.open(tmp_path / "s")).tasks_outdated == 0, "no parser to compare with"
