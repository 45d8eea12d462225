"""``clock``: compares this machine's clock with the store's times; an operator can accept a difference."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from lineage_tt.cli.calls import Call, FormatOption, StoreOption
from lineage_tt.cli.failures import NEGATIVE
from lineage_tt.cli.render import objects
from lineage_tt.curation.statements import user_of_machine
from lineage_tt.model.clock import SystemClock
from lineage_tt.model.times import format_instant

clock = typer.Typer(
    name="clock",
    help="Compare this machine's clock with the store's times.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)
_WORDS = {
    "now": "this machine's clock",
    "files": "the file system's time",
    "last_made": "the last commit was made",
    "last_system_time": "the last system time",
    "accepted": "accepted by an operator up to",
}


@clock.command("show")
def show(ctx: typer.Context, store: StoreOption = None, output: FormatOption = None) -> None:
    """Show the times that are compared before a commit.

    The exit status is 1 if they differ too much.
    """
    call = Call.of(ctx, store, output)
    from lineage_tt.write.clock_guard import clocks

    opened = call.open()
    compared = clocks(opened.opened_log, SystemClock().now())
    times = {name: format_instant(at) if at else None for name, at in compared._asdict().items()}
    if call.output == "json":
        result: dict[str, Any] = {**times, "problem": compared.problem}
        call.write_answer(objects.known_by(opened.basis()), result)
    else:
        call.write(f"{words}: {times[name]}" for name, words in _WORDS.items() if times[name])
        call.write([call.ink.bad(compared.problem) if compared.problem else "the times agree"])
    if compared.problem:
        raise typer.Exit(NEGATIVE)


@clock.command("accept")
def accept(
    ctx: typer.Context,
    reason: Annotated[str, typer.Option(metavar="WHY", help="Why the clock is right; kept in the log.")],
    actor: Annotated[str | None, typer.Option(metavar="NAME", help="Author (default: the current user).")] = None,
    store: StoreOption = None,
    output: FormatOption = None,
) -> None:
    """Accept this machine's clock, so that commits are allowed again.

    Use it for a store that was not written for a long time, or whose last system time is in the future. The log records
    it.
    """
    call = Call.of(ctx, store, output)
    opened = call.open(writing=True)
    receipt = opened.writer.accept_clock(reason, actor or user_of_machine())
    if call.output == "json":
        call.write_answer(objects.known_by(opened.basis()), {"version": receipt.version})
    else:
        call.write([f"the clock is accepted, version {receipt.version}"])


VERBS = {"clock": clock}
