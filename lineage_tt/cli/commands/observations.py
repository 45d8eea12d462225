"""``observations``: what runs reported besides lineage, by task and day."""

from __future__ import annotations

from typing import Annotated

import typer

from lineage_tt.cli.calls import Call, FormatOption, StoreOption, verb
from lineage_tt.cli.render import objects
from lineage_tt.cli.render.tables import table
from lineage_tt.model.times import format_instant
from lineage_tt.read.observations import observations as read


def observations(
    ctx: typer.Context,
    task: Annotated[str | None, typer.Argument(metavar="TASK_ID", help="Only this task.")] = None,
    store: StoreOption = None,
    output: FormatOption = None,
) -> None:
    """List what runs reported besides lineage, by task and day.

    Each row has the first and the last run, the number of runs, their duration, and the rows and bytes written.
    """
    call = Call.of(ctx, store, output)
    opened = call.open()
    observed = read(opened.log_path.parent, task)
    if task is not None and not observed:
        opened.check_task(task)
    if call.output == "json":
        times = [
            {name: format_instant(getattr(each, name)) for name in ("first_seen", "last_seen")} for each in observed
        ]
        rows = [each._asdict() | shown for each, shown in zip(observed, times, strict=True)]
        call.write_answer(objects.known_by(opened.basis()), rows)
        return
    headers = ("task", "day", "first seen", "last seen", "runs", "failed", "seconds", "rows", "bytes")
    lines = [
        (
            each.task_id, each.day, format_instant(each.first_seen), format_instant(each.last_seen), each.runs,
            each.failed, each.duration // 1_000_000, each.rows, each.bytes,
        )
        for each in observed
    ]  # fmt: skip
    call.write(table(headers, lines, call.ink, {"task": call.ink.strong}))


VERBS = {"observations": verb("observations", observations)}
