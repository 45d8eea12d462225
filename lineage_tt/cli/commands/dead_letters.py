"""``dead-letters``: rejected messages; list, show, replay and dismiss them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from lineage_tt.cli.calls import Call, FormatOption, StoreOption
from lineage_tt.cli.commands.ingest import MappingOption, load_fields
from lineage_tt.cli.failures import NEGATIVE
from lineage_tt.cli.render import objects, pages
from lineage_tt.curation.statements import user_of_machine
from lineage_tt.model.answers import DeadLetter
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.names import shown

if TYPE_CHECKING:
    from lineage_tt.log.system_times import SystemTimes
    from lineage_tt.store import Store

letters = typer.Typer(
    name="dead-letters",
    help="List, show, replay and dismiss rejected messages.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)


@letters.command("list")
def list_letters(
    ctx: typer.Context,
    store: StoreOption = None,
    output: FormatOption = None,
) -> None:
    """List the rejected messages, each with its reason."""
    call = Call.of(ctx, store, output)
    opened = call.open()
    listed = opened.dead_letters()
    if call.output == "json":
        result = [objects.dead_letter_object(letter, whole=False) for letter in listed]
        call.write_answer(objects.known_by(opened.basis()), result)
    else:
        call.write(pages.letters_page(listed, call.ink))


@letters.command("show")
def show_letter(
    ctx: typer.Context,
    version: Annotated[int, typer.Argument(metavar="VERSION", help="The version of the rejected message.")],
    store: StoreOption = None,
    output: FormatOption = None,
) -> None:
    """Show a complete rejected message, as it was received."""
    call = Call.of(ctx, store, output)
    opened = call.open()
    letter = opened.dead_letter(version)
    if call.output == "json":
        call.write_answer(objects.known_by(opened.basis()), objects.dead_letter_object(letter, whole=True))
    else:
        call.write(pages.letter_page(letter, call.ink))


@letters.command("replay")
def replay_letters(
    ctx: typer.Context,
    versions: Annotated[
        list[int] | None, typer.Argument(metavar="VERSION...", help="The versions of the rejected messages.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="All that were neither replayed nor dismissed.")] = False,
    mapping: MappingOption = None,
    system_time_from: Annotated[
        Literal["recorded_at", "clock"] | None,
        typer.Option(help="Source of the system times (default: as for the store's last messages)."),
    ] = None,
    store: StoreOption = None,
    output: FormatOption = None,
) -> None:
    """Ingest rejected messages again.

    The exit status is 1 if one is rejected again.
    """
    call = Call.of(ctx, store, output)
    if bool(versions) == everything:
        raise InvalidRequestError("no dead letters to replay are given", hint="give their versions, or --all")
    opened = call.open(writing=True)
    fields = load_fields(mapping)
    chosen = _chosen(opened, versions)
    from ingest.pipeline import Ingester
    from lineage_tt.cli.receiving import replayed_object

    times: dict[str | None, SystemTimes | None] = {"recorded_at": "history", "clock": "clock", None: None}
    with Ingester(opened, mapping=fields) as ingester:
        replays = ingester.replays(chosen, times[system_time_from])
    outcomes = [replayed_object(each) for each in replays]
    if call.output == "json":
        call.write_answer(objects.known_by(opened.basis()), outcomes)
    else:
        call.write(_outcome_line(o) for o in outcomes)
        call.write([] if outcomes else ["no dead letter is waiting to be replayed"])
    if any(outcome["status"] == "rejected" for outcome in outcomes):
        raise typer.Exit(NEGATIVE)


def _outcome_line(outcome: dict[str, Any]) -> str:
    """Return the outcome of one dead letter as a line of text."""
    version, status = outcome["version"], outcome["status"]
    if status == "rejected":
        return f"version {version}: rejected again: {outcome['code']}: {shown(outcome['detail'])}"
    if status == "ignored":
        return f"version {version}: dismissed, the mapping ignores it"
    if status == "duplicate":
        return f"version {version}: dismissed, the same message is version {outcome['as_version']}"
    return f"version {version}: {status}, version {outcome['as_version']}"


@letters.command("dismiss")
def dismiss_letters(
    ctx: typer.Context,
    versions: Annotated[list[int], typer.Argument(metavar="VERSION...", help="The versions of the rejected messages.")],
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why the messages are not needed.")],
    actor: Annotated[
        str | None, typer.Option("--actor", metavar="NAME", help="Author (default: the current user).")
    ] = None,
    store: StoreOption = None,
    output: FormatOption = None,
) -> None:
    """Mark rejected messages as not needed.

    They stay in the log; replay --all skips them.
    """
    call = Call.of(ctx, store, output)
    opened = call.open(writing=True)
    for version in versions:
        opened.dead_letter(version)  # raises, before any dismissal, for a version that is not a dead letter
    author = actor or user_of_machine()
    noted = [{"version": version, "as_version": opened.dismiss(version, reason, author)} for version in versions]
    if call.output == "json":
        call.write_answer(objects.known_by(opened.basis()), noted)
    else:
        call.write(f"version {each['version']}: dismissed, version {each['as_version']}" for each in noted)


def _chosen(store: Store, versions: list[int] | None) -> list[DeadLetter]:
    if versions:
        return [store.dead_letter(version) for version in versions]
    return [letter for letter in store.dead_letters() if letter.waits]


VERBS = {"dead-letters": letters}
