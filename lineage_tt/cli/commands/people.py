"""``alias``, ``edge``, ``annotate``: statements of people, in addition to what tasks and engines report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import typer

from lineage_tt.cli.calls import Call, FormatOption, StoreOption, SystemAt, ValidAt, VersionAt, refuse_given, verb
from lineage_tt.cli.render import objects
from lineage_tt.cli.render.pages import basis_words, count
from lineage_tt.cli.render.tables import table
from lineage_tt.curation import statements, unnamed
from lineage_tt.curation.statements import Author
from lineage_tt.model.times import format_instant

AtOption = Annotated[str, typer.Option("--at", metavar="TIME", help="Valid time of the change (default: now).")]
Expires = Annotated[str | None, typer.Option("--expires", metavar="TIME", help="Valid time at which it expires.")]
Actor = Annotated[str | None, typer.Option(metavar="NAME", help="Author (default: the current user).")]
Reason = Annotated[str | None, typer.Option(metavar="WHY", help="Reason; kept in the log.")]
Evidence = Annotated[str | None, typer.Option(metavar="LINK", help="Link to evidence: a ticket, a document.")]
Dataset = Annotated[str, typer.Argument(metavar="DATASET", help="namespace:name.")]
Other = Annotated[str, typer.Argument(metavar="ALIAS", help="Another name of the same dataset.")]
Source = Annotated[str, typer.Argument(metavar="SOURCE", help="The source node of the edge.")]
Target = Annotated[str, typer.Argument(metavar="TARGET", help="The target node of the edge.")]


def _group(name: str, words: str) -> typer.Typer:
    return typer.Typer(name=name, help=words, no_args_is_help=True, add_completion=False, rich_markup_mode=None)


alias = _group("alias", "Add, remove and list aliases: several names of one dataset.")
edge = _group("edge", "Add edges by hand, or reject edges that others state.")


@alias.command("add")
def alias_add(
    ctx: typer.Context, dataset: Dataset, other: Other, reason: Reason = None, evidence: Evidence = None,
    at: AtOption = "now", expires: Expires = None, actor: Actor = None, store: StoreOption = None,
    output: FormatOption = None,
) -> None:  # fmt: skip
    """State that two names are the same dataset.

    Walks continue from each of them to the other, between columns of the same name.
    """
    call = Call.of(ctx, store, output)
    opened = call.create()
    notes = list(unnamed.nothing_names(opened, [dataset, other]))
    by = Author(actor, reason, evidence)
    version = statements.add_alias(opened, dataset, other, by=by, at=at, expires=expires)
    _note(call, notes)
    done(call, opened, version, f"{dataset} = {other}")


@alias.command("remove")
def alias_remove(
    ctx: typer.Context, dataset: Dataset, other: Other, reason: Reason = None, evidence: Evidence = None,
    at: AtOption = "now", actor: Actor = None, store: StoreOption = None, output: FormatOption = None,
) -> None:  # fmt: skip
    """End an alias.

    Answers at earlier points do not change.
    """
    call = Call.of(ctx, store, output)
    opened = call.open(writing=True)
    version = statements.remove_alias(opened, dataset, other, by=Author(actor, reason, evidence), at=at)
    done(call, opened, version, f"{dataset} = {other} ends")


@alias.command("list")
def alias_list(
    ctx: typer.Context,
    dataset: Annotated[str | None, typer.Argument(metavar="DATASET", help="Only this dataset.")] = None,
    valid_at: ValidAt = None, system_at: SystemAt = None, version: VersionAt = None, store: StoreOption = None,
    output: FormatOption = None,
) -> None:  # fmt: skip
    """List the aliases in force at a point, and who states them."""
    call = Call.of(ctx, store, output)
    opened = call.open()
    basis = opened.basis(valid_at, system_at, version)
    listed = statements.aliases(opened.fetch, basis, dataset)
    note_unnamed(call, opened, listed, dataset)
    rows = [(a.dataset, a.alias, *_by(a), a.version) for a in listed]
    _list(call, basis, listed, ("dataset", "alias", "since", "by", "reason", "version"), rows, "alias")


@edge.command("add")
def edge_add(
    ctx: typer.Context, source: Source, target: Target,
    kind: Annotated[str, typer.Option("--type", metavar="TYPE", help="DIRECT (default) or INDIRECT.")] = "DIRECT",
    subtype: Annotated[str | None, typer.Option(metavar="NAME", help="Such as IDENTITY or FILTER.")] = None,
    expression: Annotated[str, typer.Option(metavar="SQL", help="Expression that computes the target.")] = "",
    reason: Reason = None, evidence: Evidence = None, at: AtOption = "now", expires: Expires = None,
    actor: Actor = None, store: StoreOption = None, output: FormatOption = None,
) -> None:  # fmt: skip
    """Add an edge by hand.

    Messages of tasks and runs do not remove it.
    """
    call = Call.of(ctx, store, output)
    opened = call.create()
    notes = list(unnamed.nothing_names(opened, [source, target]))
    version = statements.state_edge(
        opened, "add", source, target, kind=(kind, subtype, expression), by=Author(actor, reason, evidence), at=at,
        expires=expires,
    )  # fmt: skip
    _note(call, notes)
    done(call, opened, version, f"{source} -> {target} added")


@edge.command("reject")
def edge_reject(
    ctx: typer.Context, source: Source, target: Target, reason: Reason = None, evidence: Evidence = None,
    at: AtOption = "now", expires: Expires = None, actor: Actor = None, store: StoreOption = None,
    output: FormatOption = None,
) -> None:  # fmt: skip
    """Reject the edges from one node to another, whoever states them.

    Answers leave them out, and report how many. For two datasets, the edges between their columns are rejected, too.
    """
    call = Call.of(ctx, store, output)
    opened = call.open(writing=True)
    opened.check_nodes([source, target])
    notes = list(unnamed.no_effect(opened, source, target))
    by = Author(actor, reason, evidence)
    version = statements.state_edge(opened, "reject", source, target, by=by, at=at, expires=expires)
    _note(call, notes)
    done(call, opened, version, f"{source} -> {target} rejected")


@edge.command("remove")
def edge_remove(
    ctx: typer.Context, source: Source, target: Target, reason: Reason = None, evidence: Evidence = None,
    at: AtOption = "now", actor: Actor = None, store: StoreOption = None, output: FormatOption = None,
) -> None:  # fmt: skip
    """Withdraw an edge that was added by hand, or a rejection."""
    call = Call.of(ctx, store, output)
    opened = call.open(writing=True)
    by = Author(actor, reason, evidence)
    version = statements.state_edge(opened, "remove", source, target, by=by, at=at)
    done(call, opened, version, f"{source} -> {target}: withdrawn")


@edge.command("list")
def edge_list(
    ctx: typer.Context,
    node: Annotated[str | None, typer.Argument(metavar="NODE", help="Only edges of this column or dataset.")] = None,
    valid_at: ValidAt = None, system_at: SystemAt = None, version: VersionAt = None, store: StoreOption = None,
    output: FormatOption = None,
) -> None:  # fmt: skip
    """List the edges that people added or rejected, in force at a point."""
    call = Call.of(ctx, store, output)
    opened = call.open()
    basis = opened.basis(valid_at, system_at, version)
    edges = statements.stated_edges(opened.fetch, basis, node)
    note_unnamed(call, opened, edges, node)
    rows = [(e.stated, f"{e.source} -> {e.target}", *_by(e), e.version) for e in edges]
    _list(call, basis, edges, ("stated", "edge", "since", "by", "reason", "version"), rows, "edge")


def annotate(
    ctx: typer.Context,
    node: Annotated[str, typer.Argument(metavar="NODE", help="A dataset, a column, or task:ID.")],
    description: Annotated[str | None, typer.Option(metavar="TEXT", help="Description; '' removes it.")] = None,
    owner: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Owner; may be repeated.")
    ] = None,
    label: Annotated[list[str] | None, typer.Option(metavar="NAME", help="Label; may be repeated.")] = None,
    retention: Annotated[int | None, typer.Option(metavar="DAYS", help="Days to keep the data; 0 removes it.")] = None,
    life_cycle: Annotated[
        str | None, typer.Option(metavar="STATE", help="active, deprecated or retired; '' removes it.")
    ] = None,
    reason: Reason = None, evidence: Evidence = None, at: AtOption = "now", expires: Expires = None,
    actor: Actor = None, store: StoreOption = None, output: FormatOption = None,
) -> None:  # fmt: skip
    """State the description, owners and labels of a node by hand.

    A value replaces what people stated before; an empty value removes it. What tasks and catalogs state stays.
    """
    call = Call.of(ctx, store, output)
    from lineage_tt.governance.rules.checks.lifecycle import MAX_DAYS, checked_state
    from lineage_tt.governance.upkeep.stated import without_effect

    if retention is not None and not 0 <= retention <= MAX_DAYS:
        raise typer.BadParameter(f"--retention is {retention}: give days, at most {MAX_DAYS}")
    by_key = {"description": None if description is None else [description], "owner": owner, "label": label}
    by_key |= {"retention": None if retention is None else [str(retention or "")]}
    by_key |= {"life-cycle": None if life_cycle is None else [life_cycle and checked_state(life_cycle)]}
    stated = {key: [value for value in values if value] for key, values in by_key.items() if values is not None}
    if not stated:
        raise typer.BadParameter("give --description, --owner, --label, --retention or --life-cycle")
    if not any(stated.values()):
        refuse_given({"--expires": expires is not None}, "has no effect: every value is removed")
    opened = call.create()
    notes = list(unnamed.nothing_names(opened, [node]))
    notes += [words for key, values in stated.items() if values for words in without_effect(key, values, node)]
    by = Author(actor, reason, evidence)
    versions = [
        statements.annotate(opened, node, key, values, by=by, at=at, expires=expires) for key, values in stated.items()
    ]
    _note(call, notes)
    done(call, opened, versions[0], f"{node}: {', '.join(stated)}", versions[-1])


def _note(call: Call, notes: Sequence[str]) -> None:
    """Print notes on a statement. Called after the statement is stored: a rejected statement has no notes."""
    for words in notes:
        call.note(call.ink.plain(words))


def note_unnamed(call: Call, opened: Any, listed: Sequence[object], node: str | None) -> None:
    """Print a note if a node without rows is not known: its name may have a typo."""
    if node is not None and not listed:
        _note(call, list(unnamed.nothing_names(opened, [node])))


def done(call: Call, opened: Any, first: int, words: str, last: int | None = None) -> None:
    """Print the version of a statement, and a note if it changed nothing; ``first`` is its first version."""
    for note in unnamed.nothing_changed(opened, first):
        call.note(note)
    version = first if last is None else last
    if call.output == "json":
        call.write_answer(objects.known_by(opened.basis()), {"version": version})
    else:
        call.write([f"{call.ink.plain(words)}  (version {version})"])


def _by(statement: Any) -> tuple[str | None, str, str | None]:
    """Return the start, the author and the reason of a statement."""
    task = getattr(statement, "task_id", "")
    who = statement.actor or getattr(statement, "cause", None) or (f"task {task}" if task else "")
    return format_instant(statement.valid_from), who, statement.reason


def _list(
    call: Call, basis: Any, listed: Sequence[Any], headers: Sequence[str], rows: Sequence[Sequence[object]], what: str
) -> None:  # fmt: skip
    if call.output == "json":
        call.write_answer(basis.to_json(), [objects.record(each) for each in listed])
        return

    def lines() -> Iterator[str]:
        yield from table(headers, rows, call.ink, {headers[1]: call.ink.strong})
        plural = {"alias": "aliases"}.get(what, f"{what}s")
        number = (
            f"{len(listed):,} {what if len(listed) == 1 else plural}" if what == "alias" else count(len(listed), what)
        )
        yield call.ink.faint(f"{number} in force {basis_words(basis)}")

    call.write(lines())


VERBS = {"alias": alias, "edge": edge, "annotate": verb("annotate", annotate)}
