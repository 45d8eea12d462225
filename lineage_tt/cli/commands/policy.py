"""``policy``: how much the store keeps of SQL and of what quotes it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lineage_tt.cli.calls import Call, FormatOption, StoreOption
from lineage_tt.cli.render import objects
from lineage_tt.curation.statements import user_of_machine
from lineage_tt.read import shapes

if TYPE_CHECKING:
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
        result = shapes.policy_object(opened.texts, opened.version)
        call.write_answer(objects.known_by(opened.basis()), result)
    else:
        call.write(_lines(opened))


@policy.command("set")
def set_policy(
    ctx: typer.Context,
    chosen: Annotated[str, typer.Argument(metavar="POLICY", help="keep, mask-literals or drop-text.")],
    reason: Annotated[str, typer.Option(metavar="WHY", help="Why; kept in the log.")],
    actor: Annotated[str | None, typer.Option(metavar="NAME", help="Who says so (default: the user).")] = None,
    history: Annotated[
        bool, typer.Option("--history", help="Rewrite what is stored, too; old copies are removed for good.")
    ] = False,
    state: Annotated[
        list[Path] | None,
        typer.Option(
            "--state", metavar="PATH", help="A --state kept outside of the store, to rewrite too; repeatable."
        ),
    ] = None,
    workers: Annotated[
        int, typer.Option("--workers", metavar="N", min=1, help="Processes that mask SQL, with --history.")
    ] = 2,
    no_progress: Annotated[bool, typer.Option("--no-progress", help="Print nothing until the end.")] = False,
    store: StoreOption = None,
    output: FormatOption = None,
) -> None:
    """Set what is kept of texts from now on; with --history, of all that is stored.

    The log records it. A policy for history can only be made stricter, and what it takes away is gone for good. It runs
    beside writers and readers; interrupted, run it again.
    """
    call = Call.of(ctx, store, output)
    opened = call.open(writing=True)
    if history:
        version = _tighten(opened, chosen, reason, actor or user_of_machine(), workers, state or [], quiet=no_progress)
    else:
        version = opened.set_text_policy(chosen, reason, actor or user_of_machine())
    if call.output == "json":
        result = shapes.policy_object(opened.texts, opened.version)
        call.write_answer(objects.known_by(opened.basis()), result | {"version": version})
    else:
        call.write(_lines(opened))


def _tighten(
    store: Store, chosen: str, reason: str, actor: str | None, workers: int, state: list[Path], *, quiet: bool
) -> int:
    from ingest.events.runs.journal import FOLDER, NAME
    from ingest.events.runs.redaction import tighten
    from ingest.resolve.resolver import SqlResolver
    from lineage_tt.cli.progress import counting
    from lineage_tt.write.past.tighten.purge import tighten_deliveries

    with SqlResolver(workers) as resolver, counting("versions", quiet=quiet) as progress:
        version = store.set_text_policy(chosen, reason, actor, history=True, resolver=resolver, progress=progress)
    folder = store.log_path.parent
    for place in [folder / FOLDER, *state] if isinstance(folder, Path) else state:
        tighten(place / NAME, store.texts) if place.is_dir() else tighten_deliveries(place, store.texts)
    return version


def _lines(store: Store) -> Iterator[str]:
    state = store.texts
    since = f", since version {state.spans[-1][0]}" if state.spans else ""
    yield f"texts: {state.policy}{since}"
    if state.tightened is not None:
        yield f"versions up to {state.tightened.upto} were tightened to {state.tightened.policy}"
    if state.looser(store.version):
        yield "older versions hold more than that"


VERBS = {"policy": policy}
