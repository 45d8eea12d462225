"""``policy``: how much SQL text the store keeps."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lineage_tt.cli.calls import Call, FormatOption, StoreOption
from lineage_tt.cli.render import objects
from lineage_tt.curation.statements import user_of_machine
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.read import shapes

if TYPE_CHECKING:
    from lineage_tt.store import Store

policy = typer.Typer(
    name="policy",
    help="Show or set how much SQL text the store keeps.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)


@policy.command("show")
def show(ctx: typer.Context, store: StoreOption = None, output: FormatOption = None) -> None:
    """Show the policy in force, and whether older versions hold more."""
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
    reason: Annotated[str, typer.Option(metavar="WHY", help="Reason; kept in the log.")],
    actor: Annotated[str | None, typer.Option(metavar="NAME", help="Author (default: the current user).")] = None,
    history: Annotated[
        bool, typer.Option("--history", help="Also rewrite stored texts; old copies are removed permanently.")
    ] = False,
    state: Annotated[
        list[Path] | None,
        typer.Option("--state", metavar="PATH", help="Also rewrite this --state outside of the store; repeatable."),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option("--workers", metavar="N", min=1, help="With --history: number of processes that mask SQL (2)."),
    ] = None,
    no_progress: Annotated[bool, typer.Option("--no-progress", help="Print nothing until the end.")] = False,
    store: StoreOption = None,
    output: FormatOption = None,
) -> None:
    """Set how much SQL text is kept from now on.

    With --history, stored texts are rewritten, too: the policy can then only become stricter, and removed text cannot
    be restored. The log records the change. Writers and readers continue meanwhile. If the command is interrupted, run
    it again.
    """
    call = Call.of(ctx, store, output)
    if not history and (state or workers):
        raise InvalidRequestError("--state and --workers are for --history", hint="add --history, or leave them out")
    for each in state or ():
        _check_state(each)
    opened = call.open(writing=True)
    if history:
        author = actor or user_of_machine()
        version = _tighten(opened, chosen, reason, author, workers or 2, state or [], quiet=no_progress)
    else:
        version = opened.set_text_policy(chosen, reason, actor or user_of_machine())
    if call.output == "json":
        result = shapes.policy_object(opened.texts, opened.version)
        call.write_answer(objects.known_by(opened.basis()), result | {"version": version})
    else:
        call.write(_lines(opened))


def _check_state(path: Path) -> None:
    """Raise InvalidRequestError for a path at which there is no state: its texts would stay where they are."""
    from ingest.events.runs.journal import NAME

    if not (path / NAME if path.is_dir() else path).is_file():
        raise InvalidRequestError(
            f"there is no state at {path}",
            hint=f"give the file of subscriptions run --state, or the folder of ingest --state, which holds {NAME}",
        )


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
        yield "older versions hold more text than that"


VERBS = {"policy": policy}
