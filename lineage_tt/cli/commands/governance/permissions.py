"""``grant``, ``revoke``, ``permissions``: who may read, write and own which nodes, as of any two times."""

from __future__ import annotations

from typing import Annotated

import typer

from lineage_tt.cli import failures
from lineage_tt.cli.calls import Call, FormatOption, StoreOption, SystemAt, ValidAt, VersionAt, verb
from lineage_tt.cli.commands.governance.shared import RulesOption, rules_path, state
from lineage_tt.cli.commands.people import Actor, AtOption, Evidence, Expires, Reason, note_unnamed
from lineage_tt.cli.render.objects import record
from lineage_tt.cli.render.pages import basis_words, count
from lineage_tt.cli.render.tables import table
from lineage_tt.curation.statements import Author
from lineage_tt.model.times import format_instant

Node = Annotated[str, typer.Argument(metavar="NODE", help="A dataset or a column.")]
Principal = Annotated[str, typer.Argument(metavar="PRINCIPAL", help="A person or a role; * is everybody.")]


def grant(
    ctx: typer.Context, node: Node, principal: Principal,
    rights: Annotated[list[str], typer.Argument(metavar="RIGHT...", help="Rights: read, write, own.")],
    reason: Reason = None, evidence: Evidence = None, at: AtOption = "now", expires: Expires = None,
    actor: Actor = None, store: StoreOption = None, output: FormatOption = None,
) -> None:  # fmt: skip
    """Grant rights on a dataset or column to a principal.

    These rights replace the principal's earlier rights on the node, from --at on.
    """
    from lineage_tt.governance.permissions.grants import checked_rights, grant_key

    values = checked_rights(rights)
    call = Call.of(ctx, store, output)
    state(call, node, grant_key(principal), values, f"{principal} may {', '.join(values)}: {node}",
          Author(actor, reason, evidence), at, expires)  # fmt: skip


def revoke(
    ctx: typer.Context, node: Node, principal: Principal, reason: Reason = None, evidence: Evidence = None,
    at: AtOption = "now", actor: Actor = None, store: StoreOption = None, output: FormatOption = None,
) -> None:  # fmt: skip
    """Revoke all grants to a principal on a dataset or column.

    They end at --at. A grant on a dataset still applies to its columns.
    """
    from lineage_tt.governance.permissions.grants import grant_key

    call = Call.of(ctx, store, output)
    state(call, node, grant_key(principal), [], f"revoked from {principal}: all rights on {node}",
          Author(actor, reason, evidence), at, None)  # fmt: skip


def permissions(
    ctx: typer.Context,
    node: Annotated[str | None, typer.Argument(metavar="NODE", help="Only grants for this dataset or column.")] = None,
    principal: Annotated[
        str | None, typer.Option("--as", metavar="PRINCIPAL", help="With NODE: sources that PRINCIPAL may not read.")
    ] = None,
    rules: RulesOption = None, valid_at: ValidAt = None, system_at: SystemAt = None, version: VersionAt = None,
    store: StoreOption = None, output: FormatOption = None,
) -> None:  # fmt: skip
    """List the grants in force at a point.

    With --as and a node, the command lists the sources of the node that the principal may not read. The exit status is
    then 1 if a source is listed.
    """
    from lineage_tt.governance.config import Config
    from lineage_tt.governance.permissions.grants import Grants
    from lineage_tt.governance.upkeep.notes import of_grants, of_selection
    from lineage_tt.model.edges import dataset_of

    call = Call.of(ctx, store, output)
    opened = call.open()
    view = opened.as_of(valid_at, system_at, version=version)
    grants = Grants(view.facts(), Config.read(rules_path(rules)))
    for words in [*of_grants(grants), *of_selection(grants, node if principal is None else None, principal)]:
        call.note(call.ink.plain(words))
    if principal is not None:
        if node is None:
            raise typer.BadParameter("--as needs a node: give one")
        lineage = view.upstream(node)
        denied = grants.denied(principal, "read", {step.edge.source for step in lineage.steps})
        if call.output == "json":
            call.write_answer(view.basis.to_json(), [each.to_json() for each in denied], lineage.completeness)
        else:
            call.write(table(("may not read", "ask"), [(d.node, ", ".join(d.owners)) for d in denied], call.ink))
            words = f"{count(len(denied), 'source')} that {call.ink.plain(principal)} may not read"
            call.write([call.ink.faint(f"{words} {basis_words(view.basis)}")])
            call.write_completeness(lineage.completeness)
        if denied:
            raise typer.Exit(failures.NEGATIVE)
        return
    listed = [each for each in grants.all if node is None or each.node in (node, dataset_of(node))]
    note_unnamed(call, opened, listed, node)
    if call.output == "json":
        call.write_answer(view.basis.to_json(), [record(each) for each in listed])
        return
    rows = [(g.node, g.principal, g.right, format_instant(g.valid_from), format_instant(g.valid_to)) for g in listed]
    call.write(table(("node", "principal", "right", "since", "until"), rows, call.ink, {"node": call.ink.strong}))
    call.write([call.ink.faint(f"{count(len(listed), 'grant')} {basis_words(view.basis)}")])


VERBS = {
    "grant": verb("grant", grant),
    "revoke": verb("revoke", revoke),
    "permissions": verb("permissions", permissions),
}
