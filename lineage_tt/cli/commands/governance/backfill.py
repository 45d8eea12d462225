"""``backfill``: which tasks to run again after data was wrong for a period of time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from lineage_tt.cli.calls import Call, FormatOption, StoreOption, SystemAt, ValidAt, VersionAt, verb
from lineage_tt.cli.commands.governance.shared import note_empty
from lineage_tt.cli.render.ink import Ink
from lineage_tt.cli.render.pages import basis_words
from lineage_tt.cli.render.tables import table
from lineage_tt.governance.backfill.partitions import read_grain
from lineage_tt.model.times import format_instant

if TYPE_CHECKING:
    from lineage_tt.governance.backfill.plan import Plan, Step


def backfill(
    ctx: typer.Context,
    nodes: Annotated[
        list[str], typer.Argument(metavar="NODE...", help="Columns, datasets or task:ID with wrong data.")
    ],
    start: Annotated[str, typer.Option("--from", metavar="TIME", help="Start of the period with wrong data.")],
    end: Annotated[str, typer.Option("--to", metavar="TIME", help="End of that period (default: now).")] = "now",
    grain: Annotated[
        str, typer.Option(metavar="NAME", help="Partitions of tasks that state none: hour, day, month or none.")
    ] = "day",
    repaired: Annotated[
        bool, typer.Option("--repaired", help="The nodes are already repaired: plan only their readers.")
    ] = False,
    valid_at: ValidAt = None, system_at: SystemAt = None, version: VersionAt = None, store: StoreOption = None,
    output: FormatOption = None,
) -> None:  # fmt: skip
    """Plan which tasks to run again after data was wrong.

    The plan has the tasks in order, with their partitions. A partition is run with the text that was in force when the
    partition ended; a task without partitions, with the text at the point.
    """
    call = Call.of(ctx, store, output)
    size = read_grain(grain)
    opened = call.open()
    asks = opened.governance()
    plan = asks.backfill(nodes, start, end, asks.basis(valid_at, system_at, version), size, remake=not repaired)
    if not plan.steps:
        note_empty(call, opened, plan.basis._replace(valid_at=plan.window.end - 1))
    if call.output == "json":
        call.write_answer(plan.basis.to_json(), plan.to_json(), plan.completeness)
        return
    call.write(_page(plan, call.ink))
    call.write_completeness(plan.completeness, "on the way")


def _page(plan: Plan, ink: Ink) -> Iterator[str]:
    cuts = dict(plan.cuts)
    rows = [
        (
            step.number, step.stage, step.task_id, _partitions(step), len(step.partitions),
            step.in_force.version if step.in_force else None, ", ".join(map(str, step.after)), _note(step, cuts),
        )
        for step in plan.steps
    ]  # fmt: skip
    headers = ("step", "stage", "task", "partitions", "count", "version", "after", "note")
    yield from table(headers, rows, ink, {"task": ink.strong})
    for task, reads, reason in plan.skipped:
        yield ink.faint(f"skip {task}: {reason} ({', '.join(reads)})")
    if plan.open:
        yield ink.faint(f"{plan.open:,} partitions have not ended and are not planned")
    total = sum(len(step.partitions) for step in plan.steps)
    span = f"{format_instant(plan.window.start)} to {format_instant(plan.window.end)}"
    steps = f"{len(plan.steps):,} {'step' if len(plan.steps) == 1 else 'steps'}"
    yield ink.faint(f"{steps}, {total:,} partitions for {span} {basis_words(plan.basis)}")


def _partitions(step: Step) -> str:
    first, last = (" ".join(step.partitions[at].params().values()) or "all" for at in (0, -1))
    return first if first == last else f"{first} … {last}"


def _note(step: Step, cuts: dict[int, str]) -> str:
    words = []
    if step.in_force is None:
        words.append("no message in force then")
    elif step.now is None:
        words.append("offline now")
    elif step.now.version != step.in_force.version:
        words.append(f"different text now (version {step.now.version})")
    if step.uncertain:
        words.append("may read wrong data")
    if step.circle:
        words.append(f"in a circle with {', '.join(step.circle)}")
    if step.number in cuts:
        words.append(f"then check {cuts[step.number]}")
    return "; ".join(words)


VERBS = {"backfill": verb("backfill", backfill)}
