"""``agreement``: differences between the column lineage of an engine and that of the SQL."""

from __future__ import annotations

from typing import Annotated

import typer

from lineage_tt.cli.calls import Call, FormatOption, StoreOption, verb
from lineage_tt.cli.render import objects
from lineage_tt.cli.render.tables import table
from lineage_tt.maintenance.agreement import agreement as read
from lineage_tt.maintenance.agreement import totals


def agreement(
    ctx: typer.Context,
    task: Annotated[str | None, typer.Argument(metavar="TASK_ID", help="Only this task.")] = None,
    store: StoreOption = None,
    output: FormatOption = None,
) -> None:
    """Compare column lineage of an engine with that of the SQL.

    Counts the pairs of columns that both report, and those that only one reports.
    """
    call = Call.of(ctx, store, output)
    opened = call.open()
    tasks = read(opened, task)
    if task is not None and not tasks:
        opened.check_task(task)
    if call.output == "json":
        result = {"total": totals(tasks), "tasks": [each._asdict() for each in tasks]}
        call.write_answer(objects.known_by(opened.basis()), result)
        return
    rows = [(each.task_id, each.both, each.engine, each.sql) for each in tasks]
    call.write(table(("task", "both", "engine alone", "sql alone"), rows, call.ink, {"task": call.ink.strong}))
    for each in tasks:
        for who, pairs in (("engine", each.only_engine), ("sql", each.only_sql)):
            call.write(f"  {each.task_id}: {who} alone: {source} -> {target}" for source, target in pairs)
    share = totals(tasks)["share"]
    call.write(["no pairs of columns to compare" if share is None else f"{100 * share:.1f} % of the pairs agree"])


VERBS = {"agreement": verb("agreement", agreement)}
