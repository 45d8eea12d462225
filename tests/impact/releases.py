"""A small platform for the tests of the impact diff: a store, and releases assessed against it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from ingest.resolve.comparing import SqlAnalyst
from ingest.resolve.resolver import SqlResolver
from lineage_tt.impact.assess import assess
from lineage_tt.impact.base.from_store import StoreBase
from lineage_tt.impact.policy import Policy
from lineage_tt.impact.release.candidates import Candidate
from lineage_tt.impact.report import Finding, Report
from lineage_tt.model.messages import TaskChange
from lineage_tt.model.times import parse_instant
from lineage_tt.store import Store
from lineage_tt.testing import task_change

START = "2024-01-01T00:00:00Z"
NEXT_MONTH = "2024-02-01T00:00:00Z"
TASKS = {
    "ddl": "CREATE TABLE ods.orders (id INT, amount INT, email STRING, status STRING)",
    "sales": "CREATE TABLE sales AS SELECT id, amount, status FROM ods.orders WHERE status = 'paid'",
    "mirror": "CREATE TABLE mirror AS SELECT * FROM sales",
    "totals": "CREATE TABLE totals AS SELECT status, sum(amount) AS total FROM sales GROUP BY status",
}
BOARD = "SELECT status, total FROM totals"


def sql_change(
    task_id: str, sql: str, at: str = START, *, target: str | None = None, op: Any = "online", event: str = "1"
) -> TaskChange:
    """Return a message with SQL for Spark over ``hive``."""
    return TaskChange(
        f"{task_id}-{event}", task_id, op, parse_instant(at), sql=sql, dialect="spark", namespace="hive",
        default_database="dw", target=target,
    )  # fmt: skip


def platform(path: Path, *more: TaskChange) -> Store:
    """Return a store of five tasks (orders → sales → mirror, totals → a board), and what else is given."""
    store = Store.create(path)
    messages = [sql_change(task, sql) for task, sql in TASKS.items()]
    with SqlResolver(1) as resolver:
        store.append([*messages, sql_change("board", BOARD, target="bi:board/42"), *more], resolver=resolver)
    return store


def edged(task_id: str, *edges: tuple[str, ...], at: str = START) -> TaskChange:
    """Return a message with explicit edges."""
    return task_change(task_id, "online", at, list(edges))


def candidate(task_id: str, sql: str, **more: Any) -> Candidate:
    """Return a candidate with SQL for Spark over ``hive``."""
    known: dict[str, Any] = {"dialect": "spark", "namespace": "hive", "default_database": "dw"}
    return Candidate(task_id, sql=sql, **(known | more))


def assessed(
    store: Store,
    *candidates: Candidate,
    policy: Policy | None = None,
    at: str = "2024-06-01T00:00:00Z",
    version: int | None = None,
) -> Report:
    """Return the report of a release at an instant."""
    base = StoreBase(store, store.basis(at, version=version))
    return assess(candidates, base, analyst(), policy or Policy())


@cache
def analyst() -> SqlAnalyst:
    """Return the one analyst of this test process, which conftest.py closes."""
    return SqlAnalyst(1)


def said(findings: Sequence[Finding]) -> set[tuple[str, str, str, str | None]]:
    """Return findings as (kind, class, subject, reader)."""
    return {(finding.kind, finding.class_, finding.subject, finding.reader) for finding in findings}
