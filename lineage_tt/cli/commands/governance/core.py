"""``core``: promised nodes, the chains of tasks that make them, and the promises that a late task breaks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from lineage_tt.cli.calls import Call, FormatOption, StoreOption, SystemAt, ValidAt, VersionAt, refuse_given
from lineage_tt.cli.commands.governance.shared import note_empty
from lineage_tt.cli.commands.people import Actor, AtOption, Evidence, Expires, Reason, done
from lineage_tt.cli.render.ink import Ink
from lineage_tt.cli.render.pages import basis_words
from lineage_tt.cli.render.tables import table
from lineage_tt.curation import statements
from lineage_tt.curation.statements import Author
from lineage_tt.curation.unnamed import nothing_names
from lineage_tt.governance.backfill.partitions import PARTITION, read_grain
from lineage_tt.governance.core.promises import SLA
from lineage_tt.governance.core.timings import (
    BEGINS,
    DURATION,
    duration_text,
    read_duration,
    read_time_of_day,
    time_text,
)
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.facts import PRIORITY
from lineage_tt.read.points import read_point

if TYPE_CHECKING:
    from lineage_tt.governance.core.chain import Chain, ChainChange
    from lineage_tt.governance.core.questions import CoreAnswer, LateAnswer

core = typer.Typer(
    name="core", help="Promised nodes, their tasks, and what a late task breaks.",
    no_args_is_help=True, add_completion=False, rich_markup_mode=None,
)  # fmt: skip


@core.command("mark")
def mark(
    ctx: typer.Context,
    node: Annotated[str, typer.Argument(metavar="NODE", help="A dataset or column, or task:ID.")],
    sla: Annotated[str | None, typer.Option(metavar="HH:MM", help="Promised time of day, UTC or with offset.")] = None,
    priority: Annotated[str | None, typer.Option(metavar="NAME", help="Priority, such as P1; ordered by name.")] = None,
    duration: Annotated[str | None, typer.Option(metavar="45m", help="Duration of a task.")] = None,
    begins: Annotated[str | None, typer.Option(metavar="HH:MM", help="Earliest start of a task: time of day.")] = None,
    partition: Annotated[
        str | None, typer.Option(metavar="GRAIN", help="Partitions of a task: hour, day, month or none.")
    ] = None,
    reason: Reason = None, evidence: Evidence = None, at: AtOption = "now", expires: Expires = None,
    actor: Actor = None, store: StoreOption = None, output: FormatOption = None,
) -> None:  # fmt: skip
    """State the promise of a node, or the times of a task.

    A value replaces what people stated before; '' removes it.
    """
    call = Call.of(ctx, store, output)
    readers = {SLA: read_time_of_day, DURATION: read_duration, BEGINS: read_time_of_day, PARTITION: read_grain}
    values = {SLA: sla, PRIORITY: priority, DURATION: duration, BEGINS: begins, PARTITION: partition}
    stated = {key: value for key, value in values.items() if value is not None}
    if not stated:
        raise typer.BadParameter("give --sla, --priority, --duration, --begins or --partition")
    for key, value in stated.items():
        if value and key in readers:
            readers[key](value)
        if key in (DURATION, BEGINS, PARTITION) and not node.startswith("task:"):
            raise InvalidRequestError(f"{node!r} is not a task, and only a task has a {key}", hint="write task:ID")
    if not any(stated.values()):
        refuse_given({"--expires": expires is not None}, "has no effect: every value is removed")
    opened = call.create()
    notes = list(nothing_names(opened, [node]))
    by = Author(actor, reason, evidence)
    versions = [
        statements.annotate(opened, node, key, [value] if value else [], by=by, at=at, expires=expires)
        for key, value in stated.items()
    ]
    for words in notes:
        call.note(call.ink.plain(words))
    done(call, opened, versions[0], f"{node}: {', '.join(stated)}", versions[-1])


@core.command("list")
def list_(
    ctx: typer.Context, valid_at: ValidAt = None, system_at: SystemAt = None, version: VersionAt = None,
    store: StoreOption = None, output: FormatOption = None,
) -> None:  # fmt: skip
    """List the promised nodes, with finish times and slack."""
    call = Call.of(ctx, store, output)
    opened = call.open()
    asks = opened.governance()
    answer = asks.core(basis=asks.basis(valid_at, system_at, version))
    if not answer.chains:
        note_empty(call, opened, answer.basis)
        call.note("no node has a promise at this point: give one with lineage-tt core mark NODE --sla 09:00")
    if call.output == "json":
        call.write_answer(answer.basis.to_json(), {"nodes": [c.to_json() for c in answer.chains]}, answer.completeness)
        return
    rows = [
        (
            c.node, c.promise and c.promise.priority, _time(c.promise and c.promise.at), _time(c.finish),
            None if c.slack is None else duration_text(c.slack), len(c.links),
            ", ".join(c.promise.owners if c.promise else ()),
        )
        for c in answer.chains
    ]  # fmt: skip
    headers = ("node", "priority", "sla", "finish", "slack", "tasks", "owners")
    call.write(table(headers, rows, call.ink, {"node": call.ink.strong}))
    count = f"{len(rows):,} promised {'node' if len(rows) == 1 else 'nodes'}"
    call.write([call.ink.faint(f"{count} {basis_words(answer.basis)}")])
    for c in answer.chains:
        call.write(_doubts(c, call.ink))
    call.write_completeness(answer.completeness, "in the chains")


@core.command("chain")
def chain(
    ctx: typer.Context,
    node: Annotated[str, typer.Argument(metavar="NODE", help="A dataset or column, or task:ID.")],
    since: Annotated[
        str | None, typer.Option(metavar="POINT", help="Show what joined or left the chain since this point.")
    ] = None,
    valid_at: ValidAt = None, system_at: SystemAt = None, version: VersionAt = None, store: StoreOption = None,
    output: FormatOption = None,
) -> None:  # fmt: skip
    """Show the tasks that make a node, in order, with their times.

    The mark * is for tasks on the critical path.
    """
    call = Call.of(ctx, store, output)
    opened = call.open()
    asks = opened.governance()
    earlier = None if since is None else read_point(opened, since)
    answer = asks.core(node, asks.basis(valid_at, system_at, version), earlier)
    (c,) = answer.chains
    if call.output == "json":
        change = {"change": answer.change.to_json()} if answer.change is not None else {}
        points = answer.basis.to_json()
        if answer.since is not None:
            points = {"from": answer.since.to_json(), "to": points}
        call.write_answer(points, c.to_json() | change, answer.completeness)
        return
    call.write(_chain_page(answer, c, call.ink))
    call.write_completeness(answer.completeness, "in the chain")


def _chain_page(answer: CoreAnswer, c: Chain, ink: Ink) -> Iterator[str]:
    rows = [
        (
            "*" if link.critical else "", link.task_id, time_text(link.start), time_text(link.finish),
            "?" if link.origin == "unknown" else duration_text(link.duration),
            None if link.slack is None else duration_text(link.slack), ", ".join((*link.waits_for, *link.circle)),
        )
        for link in c.links
    ]  # fmt: skip
    yield from table(("", "task", "start", "finish", "takes", "slack", "waits for"), rows, ink, {"task": ink.strong})
    promised = f", promised for {time_text(c.promise.at)}" if c.promise and c.promise.at is not None else ""
    done = "no task makes it" if c.finish is None else f"done at {time_text(c.finish)}{promised}"
    late = ink.bad(f": {duration_text(-c.slack)} too late") if c.slack is not None and c.slack < 0 else ""
    yield f"{ink.strong(c.node)}: {done}{late}"
    yield from _doubts(c, ink)
    if answer.change is not None:
        yield from _change_lines(answer.change, ink)
    yield ink.faint(f"{len(c.links):,} {'task' if len(c.links) == 1 else 'tasks'} {basis_words(answer.basis)}")


def _doubts(c: Chain, ink: Ink) -> Iterator[str]:
    """Yield what makes the times of a chain uncertain."""
    if c.unknown:
        yield ink.bad(
            f"{c.node}: {c.unknown} of {len(c.links)} tasks have no known duration and count as 0: it may be done later"
        )
    if c.unreadable:
        yield ink.bad(f"{c.node}: not a time of day: {', '.join(map(repr, c.unreadable))}")


def _change_lines(change: ChainChange, ink: Ink) -> Iterator[str]:
    for mark_, tasks in (("+", change.joined), ("-", change.left)):
        for task in tasks:
            yield f"{mark_} {ink.plain(task)}"
    for mark_, links in (("+", change.links_joined), ("-", change.links_left)):
        for task, other in links:
            yield f"{mark_} {ink.plain(task)} waits for {ink.plain(other)}"
    if change.finish_before is not None and change.finish_after is not None:
        yield f"done at {time_text(change.finish_before)} before, at {time_text(change.finish_after)} now"


@core.command("late")
def late(
    ctx: typer.Context,
    task: Annotated[str, typer.Argument(metavar="TASK", help="The id of the late task.")],
    by: Annotated[str, typer.Option(metavar="2h", help="Delay, such as 2h, 45m or PT1H30M.")],
    valid_at: ValidAt = None, system_at: SystemAt = None, version: VersionAt = None, store: StoreOption = None,
    output: FormatOption = None,
) -> None:  # fmt: skip
    """Show which promises break when a task is late, and whom to notify."""
    call = Call.of(ctx, store, output)
    length = read_duration(by)
    asks = call.open().governance()
    answer = asks.late(task.removeprefix("task:"), length, asks.basis(valid_at, system_at, version))
    if call.output == "json":
        call.write_answer(answer.basis.to_json(), answer.to_json(), answer.completeness)
        return
    call.write(_late_page(answer, call.ink))
    call.write_completeness(answer.completeness, "after the task")


def _late_page(answer: LateAnswer, ink: Ink) -> Iterator[str]:
    rows = [
        (
            k.promise.node, k.promise.priority, _time(k.promise.at), time_text(k.finish), time_text(k.late_finish),
            "breaks" if k.breaks else "broken anyway" if k.broken else "kept", ", ".join(k.tell),
        )
        for k in answer.promises
    ]  # fmt: skip
    headers = ("node", "priority", "sla", "finish", "then", "promise", "tell")
    yield from table(headers, rows, ink, {"node": ink.strong})
    count = sum(k.breaks for k in answer.promises)
    words = f"{count:,} {'promise breaks' if count == 1 else 'promises break'}"
    yield ink.faint(f"{words} if {answer.task_id} takes {duration_text(answer.by)} longer {basis_words(answer.basis)}")
    for each in answer.unsure:
        yield from _doubts(each, ink)


def _time(at: int | None) -> str | None:
    return None if at is None else time_text(at)


VERBS = {"core": core}
