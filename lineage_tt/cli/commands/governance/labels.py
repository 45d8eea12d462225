"""``labels``: how labels spread, as of any two times; and the decisions of people about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from lineage_tt.cli import failures
from lineage_tt.cli.calls import Call, FormatOption, StoreOption, SystemAt, ValidAt, VersionAt
from lineage_tt.cli.commands.governance.shared import (
    MasterOption,
    OnOption,
    RulesOption,
    SceneOption,
    governed,
    group,
    is_on_spark,
    note_empty,
    note_unknown,
    note_unstated,
    rules_path,
    state,
    whole_point,
)
from lineage_tt.cli.commands.people import Actor, AtOption, Evidence, Expires, Reason, Source, Target
from lineage_tt.cli.render.ink import Ink
from lineage_tt.cli.render.pages import basis_words, count
from lineage_tt.cli.render.tables import table
from lineage_tt.curation.statements import Author
from lineage_tt.model.times import format_instant
from lineage_tt.read.points import read_point

if TYPE_CHECKING:
    from lineage_tt.governance.labels.labelled import Labelled
    from lineage_tt.governance.labels.why import Why
    from lineage_tt.model.answers import Basis
    from lineage_tt.store import Store

Node = Annotated[str, typer.Argument(metavar="NODE", help="A column or a dataset.")]
Label = Annotated[str, typer.Argument(metavar="LABEL", help="The label, or the level.")]
End = Annotated[bool, typer.Option("--end", help="End the decision at --at.")]
Point = Annotated[str, typer.Argument(metavar="POINT", help="VALID_AT, VALID_AT@SYSTEM_AT or VALID_AT@vVERSION.")]
labels = group("labels", "Show how labels spread; reject, downgrade or block them.")


@labels.command("show")
def show(
    ctx: typer.Context,
    node: Annotated[str | None, typer.Argument(metavar="NODE", help="A column or a dataset.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Show all nodes that have labels.")] = False,
    label: Annotated[str | None, typer.Option(metavar="NAME", help="With --all: only nodes with this label.")] = None,
    scene: SceneOption = None, rules: RulesOption = None, on: OnOption = "here", master: MasterOption = None,
    valid_at: ValidAt = None, system_at: SystemAt = None, version: VersionAt = None, store: StoreOption = None,
    output: FormatOption = None,
) -> None:  # fmt: skip
    """Show the labels of a node, or of all nodes, at a point.

    For one node, each label is shown with the shortest path from where it is stated, the time from which the node has
    it, and the change that added it.
    """
    call = Call.of(ctx, store, output)
    if (node is None) != every:
        raise typer.BadParameter("give a node, or --all")
    opened = call.open()
    if is_on_spark(on, master):
        if node is not None:
            raise typer.BadParameter("--on spark computes all nodes: give --all")
        _show_from_spark(call, opened, opened.basis(valid_at, system_at, version), label, scene, rules, master)
        return
    governance = governed(opened, rules)
    basis = governance.basis(valid_at, system_at, version)
    note_empty(call, opened, basis)
    from lineage_tt.governance.upkeep.notes import of_decisions, of_labels, of_stops

    labelled = governance.labelled(basis, scene)
    _note(call, of_stops(labelled))
    if node is None:
        _list(call, labelled, label)
        return
    if label is not None:
        call.note("--label has no effect with a node: all labels of the node are listed")
    reasons = governance.labels(node, basis, scene)
    _note(call, of_decisions(labelled) if reasons else of_labels(labelled))
    completeness = governance.completeness_above(node, basis)
    if call.output == "json":
        result = {"node": node, "labels": [each.to_json() for each in reasons]}
        call.write_answer(basis.to_json(), result, completeness)
        return
    call.write(_ways(node, reasons, call.ink))
    call.write([call.ink.faint(f"{count(len(reasons), 'label')} {basis_words(basis)}")])
    call.write_completeness(completeness)


def _show_from_spark(
    call: Call, opened: Store, basis: Basis, label: str | None, scene: str | None, rules: str | None,
    master: str | None,
) -> None:  # fmt: skip
    from lineage_tt.governance.config import Config
    from lineage_tt.governance.labels.scene import scene_of

    chosen = scene_of(Config.read(rules_path(rules)), scene)
    note_empty(call, opened, basis)
    with whole_point(opened, basis, master) as whole:
        from lineage_tt.spark.whole.labelling import labelled_on_spark

        _list(call, labelled_on_spark(whole, chosen), label)


def _list(call: Call, labelled: Labelled, label: str | None) -> None:
    """Print all nodes with labels, or those with one label."""
    basis, completeness = labelled.point.basis, labelled.point.completeness()
    from lineage_tt.governance.upkeep.notes import of_labels

    _note(call, of_labels(labelled, label))
    listed = [(name, words) for name, words in labelled.all() if label is None or label in words]
    if call.output == "json":
        rows = [{"node": name, "labels": list(words)} for name, words in listed]
        call.write_answer(basis.to_json(), rows, completeness)
        return
    call.write(table(("node", "labels"), [(name, ", ".join(words)) for name, words in listed], call.ink))
    call.write([call.ink.faint(f"{count(len(listed), 'node')} with labels {basis_words(basis)}")])
    call.write_completeness(completeness)


def _note(call: Call, notes: Iterable[str]) -> None:
    for words in notes:
        call.note(call.ink.plain(words))


@labels.command("diff")
def diff(
    ctx: typer.Context, first: Point, second: Point, scene: SceneOption = None, rules: RulesOption = None,
    store: StoreOption = None, output: FormatOption = None,
) -> None:  # fmt: skip
    """Show the nodes whose labels differ between two points."""
    call = Call.of(ctx, store, output)
    opened = call.open()
    governance = governed(opened, rules)
    one, other = read_point(opened, first), read_point(opened, second)
    note_empty(call, opened, one, other)
    differences = governance.labels_diff(one, other, scene)
    completeness = governance.completeness_of(one, other)
    if call.output == "json":
        points = {"from": one.to_json(), "to": other.to_json()}
        call.write_answer(points, [each.to_json() for each in differences], completeness)
        return
    rows = [
        (each.node, ", ".join(sorted(set(each.after) - set(each.before))),
         ", ".join(sorted(set(each.before) - set(each.after)))) for each in differences
    ]  # fmt: skip
    call.write(table(("node", "gained", "lost"), rows, call.ink, {"gained": call.ink.good, "lost": call.ink.bad}))
    call.write([call.ink.faint(f"{count(len(differences), 'node')} changed: {basis_words(one)}; {basis_words(other)}")])
    call.write_completeness(completeness)


@labels.command("scan")
def scan(
    ctx: typer.Context, scene: SceneOption = None, rules: RulesOption = None, valid_at: ValidAt = None,
    system_at: SystemAt = None, version: VersionAt = None, store: StoreOption = None, output: FormatOption = None,
) -> None:  # fmt: skip
    """List the edges over which a level falls.

    These are DIRECT edges whose target has a lower level than their source. Each is shown with the reason, the owners
    and the start. The exit status is 1 if an edge is listed.
    """
    call = Call.of(ctx, store, output)
    opened = call.open()
    governance = governed(opened, rules)
    basis = governance.basis(valid_at, system_at, version)
    note_empty(call, opened, basis)
    falls = governance.labels_scan(basis, scene)
    from lineage_tt.governance.upkeep.notes import of_decisions, of_levels, of_stops

    labelled = governance.labelled(basis, scene)
    _note(call, [*of_levels(labelled), *of_stops(labelled), *of_decisions(labelled)])
    completeness = governance.points.at(basis).completeness()
    if call.output == "json":
        call.write_answer(basis.to_json(), [each.to_json() for each in falls], completeness)
    else:
        headers = ("target", "level", "source", "its level", "from", "because", "since", "owners")
        rows = [
            (
                f.target,
                f.target_level,
                f.source,
                f.level,
                f.path[0],
                f.because,
                format_instant(f.since),
                ", ".join(f.owners),
            )
            for f in falls
        ]
        call.write(table(headers, rows, call.ink, {"target": call.ink.strong}))
        call.write([call.ink.faint(f"{count(len(falls), 'fall')} of levels {basis_words(basis)}")])
        call.write_completeness(completeness)
    if falls:
        raise typer.Exit(failures.NEGATIVE)


@labels.command("reject")
def reject(
    ctx: typer.Context, node: Node, label: Label, end: End = False, reason: Reason = None, evidence: Evidence = None,
    at: AtOption = "now", expires: Expires = None, actor: Actor = None, store: StoreOption = None,
    output: FormatOption = None,
) -> None:  # fmt: skip
    """Decide that a node does not get a label from other nodes.

    The node does not pass the label on, either. A label that is stated of the node itself stays.
    """
    from lineage_tt.governance.labels.statements import reject_fact

    key, values = reject_fact(label)
    call = Call.of(ctx, store, output)
    opened = call.open()
    note_unknown(call, opened, None, node)
    note_unstated(call, opened, [] if end else [label], at)
    state(call, node, key, [] if end else values, f"{node}: {label} {'no longer rejected' if end else 'rejected'}",
          Author(actor, reason, evidence), at, expires)  # fmt: skip


@labels.command("downgrade")
def downgrade(
    ctx: typer.Context, node: Node,
    label: Annotated[str, typer.Argument(metavar="FROM", help="A higher level; the decision is kept under its name.")],
    to: Annotated[str, typer.Argument(metavar="LEVEL", help="The highest level that the node gets from others.")],
    end: End = False, rules: RulesOption = None, reason: Reason = None, evidence: Evidence = None,
    at: AtOption = "now", expires: Expires = None, actor: Actor = None, store: StoreOption = None,
    output: FormatOption = None,
) -> None:  # fmt: skip
    """Limit the level that a node gets from other nodes."""
    from lineage_tt.governance.config import Config
    from lineage_tt.governance.labels.scene import scene_of
    from lineage_tt.governance.labels.statements import downgrade_fact

    key, values = downgrade_fact(label, to, scene_of(Config.read(rules_path(rules))).levels)
    call = Call.of(ctx, store, output)
    note_unknown(call, call.open(), None, node)
    state(call, node, key, [] if end else values,
          f"{node}: {label} {'no longer downgraded' if end else f'downgraded to {to}'}",
          Author(actor, reason, evidence), at, expires)  # fmt: skip


@labels.command("block")
def block(
    ctx: typer.Context, source: Source, target: Target,
    label: Annotated[list[str] | None, typer.Option(metavar="NAME", help="Only this label; may be repeated.")] = None,
    end: Annotated[bool, typer.Option("--end", help="End the block at --at; with --label only of those.")] = False,
    reason: Reason = None, evidence: Evidence = None, at: AtOption = "now", expires: Expires = None,
    actor: Actor = None, store: StoreOption = None, output: FormatOption = None,
) -> None:  # fmt: skip
    """Decide that an edge does not pass labels on.

    For two datasets, this includes the edges between their columns. A later block of the edge replaces it.
    """
    from lineage_tt.governance.labels.statements import block_fact, replaced_words, without_labels

    key, values = block_fact(source, label or ())
    call = Call.of(ctx, store, output)
    opened = call.open()
    note_unknown(call, opened, source, target)
    blocked = [fact.value for fact in opened.as_of(at).facts(target, key)]
    words = "blocked"
    if end:
        values = without_labels(blocked, label) if label else []
        words = f"still blocked for {', '.join(values)}" if values else "no longer blocked"
    else:
        note_unstated(call, opened, label or [], at)
        if replaced := replaced_words(blocked, values):
            call.note(call.ink.plain(replaced))
    state(call, target, key, values, f"{source} -> {target}: {words}", Author(actor, reason, evidence), at, expires)


def _ways(node: str, reasons: list[Why], ink: Ink) -> Iterator[str]:
    yield ink.strong(node)
    for why in reasons:
        since = f"since {format_instant(why.since)}" if why.exact else f"since {format_instant(why.since)} or before"
        where = "stated here" if why.stated else f"from {ink.plain(why.source)}"
        yield f"  {ink.bad(why.label)}  {where}, {since}"
        for hop in why.way:
            by = f"  ({ink.plain(hop.task_id)})" if hop.task_id else ""
            yield f"    {ink.plain(hop.source)} -> {ink.plain(hop.target)}{ink.faint(by)}"
        if why.brought:
            statement = why.brought.message
            who = f", by {ink.plain(statement.actor)}" if statement and statement.actor else ""
            because = f": {ink.plain(statement.reason)}" if statement and statement.reason else ""
            yield ink.faint(
                f"    brought by version {why.brought.version}{who}{because} ({ink.plain(why.brought.what)})"
            )


VERBS = {"labels": labels}
