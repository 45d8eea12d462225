"""``policy``: how much the store keeps of SQL and of what quotes it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Annotated

import typer

from lineage_tt.cli.calls import Call, FormatOption, StoreOption
from lineage_tt.cli.render import objects
from lineage_tt.read import shapes
from lineage_tt.store import Store

policy = typer.Typer(
    name="policy",
    help="Show or set how much is kept of SQL and of what quotes it.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)


@policy.command("show")
def show(ctx: typer.Context, store: StoreOption = None, output: FormatOption = None) -> None:
    """Show the policy in force, since when, and what older versions hold."""
    call = Call.of(ctx, store, output)
    opened = call.open()
    if call.output == "json":
        found = shapes.policy_object(opened.texts, opened.version)
        call.write_answer(objects.known_by(opened.basis()), found)
    else:
        call.write(_lines(opened))


@policy.command("set")
def set_policy(
    ctx: typer.Context,
    wanted: Annotated[str, typer.Argument(metavar="POLICY", help="keep, mask-literals or drop-text.")],
    reason: Annotated[str, typer.Option(metavar="WHY", help="Why; kept in the log.")],
    actor: Annotated[str | None, typer.Option(metavar="NAME", help="Who says so (default: the user).")] = None,
    store: StoreOption = None,
    output: FormatOption = None,
) -> None:
    """Set what is kept of texts from now on.

    The log records it.
    """
    call = Call.of(ctx, store, output)
    opened = call.open(writing=True)
    version = opened.set_text_policy(wanted, reason, actor or os.environ.get("USER"))
    if call.output == "json":
        found = shapes.policy_object(opened.texts, opened.version)
        call.write_answer(objects.known_by(opened.basis()), found | {"version": version})
    else:
        call.write(_lines(opened))


def _lines(store: Store) -> Iterator[str]:
    state = store.texts
    since = f", since version {state.spans[-1][0]}" if state.spans else ""
    yield f"texts: {state.policy}{since}"
    if state.tightened is not None:
        yield f"versions up to {state.tightened.upto} were tightened to {state.tightened.policy}"
    if state.looser(store.version):
        yield "older versions hold more than that"


VERBS = {"policy": policy}
