"""``dead-letters``: the messages that were refused, and how they come in after all."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from lineage_tt.answers import DeadLetter
from lineage_tt.cli.calls import Call, FormatOption, StoreOption
from lineage_tt.cli.failures import SAID_NO
from lineage_tt.cli.intake import MappingOption, load_fields
from lineage_tt.cli.render import objects, pages
from lineage_tt.errors import InvalidRequestError
from lineage_tt.store import Store

letters = typer.Typer(
    name="dead-letters",
    help="List, show and replay the messages that were refused.",
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
    """List the refused messages, each with its reason."""
    call = Call.of(ctx, store, output)
    opened = call.open()
    found = opened.dead_letters()
    if call.output == "json":
        result = [objects.dead_letter_object(letter, whole=False) for letter in found]
        call.write_answer(objects.known_by(opened.basis()), result)
    else:
        call.write(pages.letters_page(found, call.ink))


@letters.command("show")
def show_letter(
    ctx: typer.Context,
    version: Annotated[int, typer.Argument(metavar="VERSION", help="The version of the refused message.")],
    store: StoreOption = None,
    output: FormatOption = None,
) -> None:
    """Show a refused message whole, as it was received."""
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
        list[int] | None, typer.Argument(metavar="VERSION...", help="The versions of the refused messages.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="All that were not replayed yet.")] = False,
    mapping: MappingOption = None,
    store: StoreOption = None,
    output: FormatOption = None,
) -> None:
    """Send refused messages through again.

    The exit status is 1 where one is refused again.
    """
    call = Call.of(ctx, store, output)
    if bool(versions) == everything:
        raise InvalidRequestError("say which dead letters to replay", hint="give their versions, or --all")
    opened = call.open(writing=True)
    fields = load_fields(mapping)
    chosen = _chosen(opened, versions)
    from ingest.pipeline import Ingester

    outcomes: list[dict[str, Any]] = []
    with Ingester(opened, mapping=fields) as ingester:
        for letter in chosen:
            receipt = ingester.replay(letter)
            again = receipt.status == "rejected" or receipt.version == letter.version
            status = "rejected" if again else receipt.status
            outcomes.append({"version": letter.version, "status": status, "as_version": receipt.version})
    if call.output == "json":
        call.write_answer(objects.known_by(opened.basis()), outcomes)
    else:
        call.write(f"version {o['version']}: {o['status']}, version {o['as_version']}" for o in outcomes)
        call.write([] if outcomes else ["no dead letter waits for a replay"])
    if any(outcome["status"] == "rejected" for outcome in outcomes):
        raise typer.Exit(SAID_NO)


def _chosen(store: Store, versions: list[int] | None) -> list[DeadLetter]:
    if versions:
        return [store.dead_letter(version) for version in versions]
    return [letter for letter in store.dead_letters() if letter.replayed_as is None]


VERBS = {"dead-letters": letters}
