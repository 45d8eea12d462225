"""Reports written down: a small story of a release, and one that is too large for a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from lineage_tt.impact.report import (
    ADDITIVE,
    BREAKING,
    CLASSES,
    POTENTIALLY,
    Backfill,
    ColumnChange,
    EdgeChange,
    Finding,
    Gate,
    LabelReach,
    Reader,
    Report,
    SignedEdge,
    TaskImpact,
    worst,
)

BASIS = {"valid_at": "2024-06-01T00:00:00Z", "version": 9, "system_time": "2024-01-01T00:00:00Z"}
SALES, TOTALS, BOARD = "hive:dw.sales", "hive:dw.totals", "bi:board/42"


def report(
    tasks: Iterable[TaskImpact] = (),
    findings: Iterable[Finding] = (),
    readers: Iterable[Reader] = (),
    labels: Iterable[LabelReach] = (),
    **more: Any,
) -> Report:
    """Return a report whose verdict and counts are those of its tasks, findings, readers and labels."""
    listed, found, downstream, reached = tuple(tasks), tuple(findings), tuple(readers), tuple(labels)
    classes, edges = Counter(t.class_ for t in listed), Counter(e.change for t in listed for e in t.edges)
    counts = {
        "tasks": len(listed), **{name: classes[name] for name in CLASSES}, "findings": len(found),
        "readers": len(downstream), "labels": len(reached), "unknown_to_store": sum(not t.known for t in listed),
        "unmapped": 0, **{f"edges_{change}": edges[change] for change in ("added", "removed", "changed")},
    }  # fmt: skip
    known: dict[str, Any] = {
        "basis": BASIS, "effective_at": "2024-06-01T00:00:00Z", "verdict": worst(t.class_ for t in listed),
        "counts": counts, "tasks": listed, "findings": found, "readers": downstream, "labels": reached,
    }  # fmt: skip
    return Report(**(known | more))


def task(task_id: str, class_: str = BREAKING, *reasons: str, op: str = "update", **more: Any) -> TaskImpact:
    """Return what a release makes of one task."""
    return TaskImpact(task_id, op, class_, reasons, **more)


def finding(
    kind: str = "stale-reader", class_: str = BREAKING, of: str = "sales", subject: str = SALES, **more: Any
) -> Finding:
    """Return a finding, with a reason made of its kind."""
    return Finding(kind, class_, of, subject, **({"reason": f"{kind} of {subject}"} | more))


def reader(dataset: str, class_: str = BREAKING, *path: str, **more: Any) -> Reader:
    """Return a dataset downstream; its tasks, columns and steps are those of the path, if not given."""
    known: dict[str, Any] = {"columns": (), "tasks": (f"makes {dataset}",), "steps": max(1, len(path) - 1)}
    return Reader(dataset, class_, path=path or (SALES, dataset), **(known | more))


def story() -> Report:
    """Return a release of two tasks: ``sales`` loses a column that totals and a board use, ``fresh`` is new."""
    gone = EdgeChange("removed", "hive:ods.orders#amount", f"{SALES}#amount", "DIRECT IDENTITY", None)
    come = EdgeChange("added", f"{SALES}#id", "hive:dw.fresh#id", None, "DIRECT IDENTITY")
    predicted = SignedEdge(-1, gone.source, gone.target, "DIRECT", "IDENTITY", "", 5, None)
    tasks = [
        task("sales", BREAKING, "columns removed: amount", file="jobs/sales.sql", writes=(SALES,), coverage="complete",
             edges=(gone,), columns=(ColumnChange("removed", SALES, "amount"),), predicted=(predicted,)),
        task("fresh", ADDITIVE, "a new task", op="online", file="jobs/fresh.sql", writes=("hive:dw.fresh",),
             edges=(come,)),
    ]  # fmt: skip
    amount, total = f"{SALES}#amount", f"{TOTALS}#total"
    findings = [
        finding(subject=amount, reason="totals reads amount of hive:dw.sales, which no longer exists", reader="totals",
                path=(amount, total), owners=("bo",), file="jobs/sales.sql", line=3),
        finding(subject=amount, reason="mirror selects * and loses amount", reader="mirror", file="jobs/sales.sql"),
        finding("narrowed-star", subject="hive:dw.mirror", reader="mirror", file="jobs/sales.sql", line=3, column=8),
    ]  # fmt: skip
    readers = [
        reader(TOTALS, BREAKING, amount, total, columns=("total",), tasks=("totals",), owners=("bo",)),
        reader(BOARD, POTENTIALLY, amount, total, f"{BOARD}#total", columns=("total",), tasks=("board",),
               owners=("ana",), priority="P0"),
    ]  # fmt: skip
    label = LabelReach("key", "hive:ods.orders#id", "hive:dw.fresh#id", ("hive:ods.orders#id", "hive:dw.fresh#id"))
    return report(
        tasks, findings, readers, [label], backfill=(Backfill("sales", (SALES,), "its output changes"),),
        gate=Gate(False, ("breaking",), ("breaking: 1 of 2 tasks",)), notes=("nobody was asked",),
    )  # fmt: skip


def large(count: int) -> Report:
    """Return a report of so many tasks, findings and readers with long names."""
    name = "hive:warehouse.a_rather_long_name_of_a_table_number_{}#a_column_of_it"
    return report(
        [task(f"task_{i}", BREAKING, "because", writes=(name.format(i),)) for i in range(count)],
        [finding(of=f"task_{i}", subject=name.format(i), reason=f"reader {i} reads {name.format(i)} " * 3,
                 reader=f"reader_{i}", path=(name.format(i), name.format(i + 1))) for i in range(count)],
        [reader(name.format(i), BREAKING, name.format(i), name.format(i + 1), columns=("a", "b"),
                tasks=(f"reader_{i}",)) for i in range(count)],
    )  # fmt: skip
