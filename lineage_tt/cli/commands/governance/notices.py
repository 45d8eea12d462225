"""``notices``: what to notify owners of since a point, one notice per person; sent to their subscriptions."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from lineage_tt.cli import failures
from lineage_tt.cli.calls import Call, FormatOption, StoreOption, SystemAt, ValidAt, VersionAt, verb
from lineage_tt.cli.commands.governance.shared import RulesOption, SceneOption, governed, note_empty
from lineage_tt.cli.render.pages import basis_words, count
from lineage_tt.model.names import shown
from lineage_tt.read.points import read_point

if TYPE_CHECKING:
    from lineage_tt.governance.permissions.notices import Notice
    from lineage_tt.model.answers import Basis
    from lineage_tt.store import Store


def notices(
    ctx: typer.Context,
    since: Annotated[str, typer.Option("--since", metavar="POINT", help="Only what is new since this point.")],
    send: Annotated[
        bool, typer.Option("--send", help="Deliver to the subscriptions with --owner PERSON (default: only show).")
    ] = False,
    scene: SceneOption = None, rules: RulesOption = None, valid_at: ValidAt = None, system_at: SystemAt = None,
    version: VersionAt = None, store: StoreOption = None, output: FormatOption = None,
) -> None:  # fmt: skip
    """Show what to notify owners of since a point.

    Each person gets one notice about new violations, new labels and failing checks. The exit status is 1 if --send
    could not deliver a notice.
    """
    call = Call.of(ctx, store, output)
    opened = call.open()
    governance = governed(opened, rules)
    basis, before = governance.basis(valid_at, system_at, version), read_point(opened, since)
    note_empty(call, opened, before, basis)
    messages, unowned = governance.notices(basis, before, scene)
    undelivered = _send(opened, basis, messages) if send else []
    completeness = governance.completeness_of(before, basis)
    if call.output == "json":
        result = {"notices": [each.to_json() for each in messages], "unowned": unowned}
        result |= {"undelivered": undelivered} if send else {}
        call.write_answer(basis.to_json(), result, completeness)
    else:
        for each in messages:
            call.write([call.ink.strong(each.person)])
            call.write([f"  {i.kind}  {call.ink.plain(i.node)}  {call.ink.plain(i.text)}" for i in each.items])
        words = f"{count(len(messages), 'person')} to notify, {count(unowned, 'item')} without an owner"
        call.write([call.ink.faint(f"{words} {basis_words(basis)}".replace("persons", "people"))])
        call.write_completeness(completeness)
    for words in undelivered:
        sys.stderr.write(f"not delivered: {shown(words)}\n")
    if undelivered:
        raise typer.Exit(failures.NEGATIVE)


def _send(opened: Store, basis: Basis, messages: list[Notice]) -> list[str]:
    """Deliver notices to subscriptions; return, as text, what could not be delivered."""
    from lineage_tt.events import store_urn
    from lineage_tt.governance.permissions.notices import event_of
    from lineage_tt.subscriptions.runner import deliver_notices

    return deliver_notices(opened, [event_of(notice, basis, store_urn(opened.id)) for notice in messages])


VERBS = {"notices": verb("notices", notices)}
