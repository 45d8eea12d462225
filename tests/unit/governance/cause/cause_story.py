"""A store to which messages come when they are sent: a small warehouse whose revenue may go wrong."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lineage_tt import Store
from lineage_tt.governance.cause.past import GraphPast
from lineage_tt.governance.cause.root_cause import RootCause, root_cause
from lineage_tt.model.messages import TaskChange
from lineage_tt.model.times import parse_instant
from lineage_tt.testing import ManualClock, task_change

HOUR = 3_600_000_000
DAY = 24 * HOUR
BEGIN = parse_instant("2026-03-01T00:00:00Z")
REVENUE = "d:ads#revenue"
CLEAN = [("d:ods#x", "d:dw#x"), ("d:ods#name", "d:dw#name"), ("d:ods#x", "d:dw", "INDIRECT", "FILTER", "")]


class Told:
    """A store to which messages come at the times at which they are sent."""

    def __init__(self, path: Path) -> None:
        self.clock = ManualClock(BEGIN)
        self.store = Store.create(path, clock=self.clock)

    def say(self, sent_at: int, *messages: Any) -> None:
        """Append messages at a system time."""
        self.clock.set(sent_at)
        self.store.append(list(messages))

    def ask(self, at: int, node: str = REVENUE, since: int | None = None, **options: Any) -> RootCause:
        """Ask at a valid time, as known now."""
        return root_cause(self.past(at), node, since, **options)

    def past(self, at: int, version: int | None = None) -> GraphPast:
        """The past at a valid time, as known now or at a version."""
        graph = self.store.graph()
        return GraphPast(self.store, graph, graph.basis(at, version=version))


def with_sql(task: str, at: int, sql: str, edges: Sequence[tuple[str, ...]]) -> TaskChange:
    """A message with a text and the edges read from it."""
    message = task_change(task, "update", at, edges)
    message.sql, message.dialect = sql, "duckdb"
    return message


def story(folder: Path) -> Told:
    """load → clean → report, and names beside; all from the first day."""
    result = Told(folder / "store")
    result.say(
        BEGIN,
        task_change("load", "online", BEGIN, [("d:src#x", "d:ods#x"), ("d:src#name", "d:ods#name")]),
        task_change("clean", "online", BEGIN, CLEAN),
        task_change("report", "online", BEGIN, [("d:dw#x", REVENUE, "DIRECT", "AGGREGATION", "SUM(x)")]),
        task_change("board", "online", BEGIN, [(REVENUE, "bi:1#money"), ("d:dw#name", "bi:1#name")]),
        task_change("mail", "online", BEGIN, [("bi:1#money", "mail:daily#text")]),
    )
    return result
