"""What the store knows beside edges: owners, priorities, labels, declared types; and what it resolves again itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from releases import TASKS, assessed, candidate, platform, sql_change

from ingest.pipeline import Ingester
from ingest.resolve.resolver import SqlResolver
from lineage_tt.impact.policy import Policy
from lineage_tt.impact.report import Report
from lineage_tt.store import Store

AT = "2024-01-01T00:00:00Z"
SALES = TASKS["sales"]


def told(store: Store, folder: Path, *messages: dict[str, Any]) -> Store:
    """Ingest messages about nodes."""
    path = folder / "facts.jsonl"
    path.write_text("".join(json.dumps({"effective_at": AT, **message}) + "\n" for message in messages))
    with Ingester(store, workers=1) as ingester:
        assert ingester.ingest_file(str(path)).accepted == len(messages)
    return store


def fact(event: str, node: str, key: str, value: str) -> dict[str, Any]:
    """Return a fact message."""
    return {"kind": "fact", "event_id": event, "node": node, "key": key, "op": "set", "values": [value]}


def test_owners_priorities_and_labels_come_from_the_store(tmp_path: Path) -> None:
    """Facts about a board, a task and a column are in findings and readers; the most urgent board comes first."""
    store = told(
        platform(tmp_path / "store", sql_change("other", "SELECT status FROM totals", target="bi:board/1")),
        tmp_path,
        fact("f1", "bi:board/42", "owner", "ana"),
        fact("f2", "bi:board/42", "priority", "P0"),
        fact("f3", "bi:board/1", "priority", "P1"),
        fact("f4", "hive:ods.orders#email", "label", "pii"),
        fact("f5", "task:totals", "owner", "bo"),
    )
    release = candidate("totals", "CREATE TABLE totals AS SELECT email AS mail, amount AS total FROM ods.orders")

    report = assessed(store, release, policy=Policy(fail_on=("labels",)))
    breaking = [finding for finding in report.findings if finding.class_ == "breaking"]
    board = next(reader for reader in report.readers if reader.dataset == "bi:board/42")

    assert [(f.kind, f.reader, f.owners, f.priority) for f in breaking] == [
        ("stale-reader", "board", ("ana",), "P0"),
        ("type-change", "board", ("ana",), "P0"),
        ("stale-reader", "other", (), "P1"),
    ]
    assert (board.owners, board.priority) == (("ana",), "P0")
    assert [(reach.label, reach.node) for reach in report.labels] == [("pii", "hive:dw.totals#mail")]
    assert report.labels[0].owners == ()
    assert not report.gate.passed


def test_declared_types_tell_a_type_change(tmp_path: Path) -> None:
    """A column that another one takes the place of is text where it was a number: whoever adds it up fails."""
    columns = [
        {"name": n, "type": t}
        for n, t in (("id", "BIGINT"), ("amount", "INT"), ("email", "STRING"), ("status", "STRING"))
    ]
    declared = {"kind": "dataset", "event_id": "d1", "dataset": "hive:ods.orders", "op": "define", "columns": columns}
    store = told(platform(tmp_path / "store"), tmp_path, declared)

    worse = assessed(store, candidate("sales", SALES.replace("amount,", "email AS amount,")))
    same = assessed(store, candidate("sales", SALES.replace("amount,", "CAST(amount AS BIGINT) AS amount,")))

    types = [(f.reader, f.class_) for f in worse.findings if f.kind == "type-change"]
    assert ("totals", "breaking") in types
    assert [(c.before, c.after) for c in worse.tasks[0].columns if c.change == "type"] == [("INT", "TEXT")]
    assert same.verdict == "potentially_breaking"
    assert not [f for f in same.findings if f.kind == "type-change"]


def test_what_the_store_resolves_again_is_predicted(tmp_path: Path) -> None:
    """The readers whose stars the store resolves again are those that the report named, with their edges."""
    store = platform(tmp_path / "store")
    text = SALES.replace("status FROM", "status, email FROM")
    now = "2024-06-01T00:00:00Z"
    report = assessed(store, candidate("sales", text), at=now)
    before = {(e.task_id, e.source, e.target) for e in store.as_of(now).edges()}

    with SqlResolver(1) as resolver:
        store.append([sql_change("sales", text, now, op="update", event="2")], resolver=resolver)
    after = {(e.task_id, e.source, e.target) for e in store.as_of(now).edges()}

    assert after - before == added(report)
    assert any(task == "mirror" for task, _, _ in after - before)


def added(report: Report) -> set[tuple[str, str, str]]:
    """Return the edges that a report says come, of the release's tasks and of readers, as (task, source, target)."""
    each = [(task.task_id, task.edges) for task in report.tasks] + [(d.task_id, d.edges) for d in report.derived]
    return {(task, edge.source, edge.target) for task, edges in each for edge in edges if edge.change == "added"}
