"""``root-cause``: ranks the upstream changes that may explain a wrong value."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from lineage_tt.cli.calls import Call, FormatOption, StoreOption, SystemAt, VersionAt, verb
from lineage_tt.cli.commands.governance.shared import note_empty
from lineage_tt.cli.render.ink import Ink
from lineage_tt.cli.render.pages import basis_words
from lineage_tt.governance.cause.classes import WORDS
from lineage_tt.governance.cause.ports import Comparing
from lineage_tt.governance.cause.root_cause import Board, RootCause
from lineage_tt.governance.cause.suspects import Suspect
from lineage_tt.model.answers import Basis
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.facts import CHECK
from lineage_tt.model.times import format_instant, read_instant

if TYPE_CHECKING:
    from lineage_tt.store import Store

#: The number of added and of removed edges that text shows of a suspect; JSON has all.
SHOWN_EDGES = 4


def root_cause(
    ctx: typer.Context,
    node: Annotated[
        str | None, typer.Argument(metavar="NODE", help="The column or dataset with a wrong value.")
    ] = None,
    failed: Annotated[bool, typer.Option("--failed", help="Instead of NODE: every node with a failing check.")] = False,
    at: Annotated[
        str | None, typer.Option("--at", "--valid-at", metavar="TIME", help="When the value was wrong (default: now).")
    ] = None,
    since: Annotated[
        str, typer.Option(metavar="TIME", help="Start of the window; -14d counts from --at.")
    ] = "-14d",
    system_at: SystemAt = None, version: VersionAt = None,
    limit: Annotated[int, typer.Option(metavar="N", help="At most N suspects (default: 10).")] = 10,
    no_parse: Annotated[
        bool, typer.Option("--no-parse", help="Compare changed texts word by word, without the parser.")
    ] = False,
    store: StoreOption = None, output: FormatOption = None,
) -> None:  # fmt: skip
    """Rank the upstream changes that may explain a wrong value.

    The score depends on how recent a change is, on its class, on its share of the value, on its distance, and on the
    results of checks.
    """
    call = Call.of(ctx, store, output)
    if (node is None) is not failed:
        raise InvalidRequestError(
            "give a node, or --failed", hint="for example: lineage-tt root-cause hive:ads.sales#revenue"
        )
    opened = call.open()
    asks = opened.governance()
    basis = asks.basis(at, system_at, version)
    begin = read_instant(since, basis.valid_at)
    nodes = [node] if node is not None else list(dict.fromkeys(check.node for check in asks.failed_checks(basis)))
    with _comparing(not no_parse) as comparing:
        causes = [asks.root_cause(each, basis, begin, comparing, limit) for each in nodes]
    note_empty(call, opened, basis)
    if not causes and not _has_checks(opened, basis):
        call.note("no result of a check is known at this point, so that none can fail: dbt and OpenLineage report them")
    if call.output == "json":
        if node is not None:
            call.write_answer(basis.to_json(), causes[0].to_json(), causes[0].completeness)
        else:
            answers = [each.to_json() | {"completeness": each.completeness.to_json()} for each in causes]
            call.write_answer(basis.to_json(), {"nodes": answers})
        return
    if not causes:
        call.write([f"no check fails {basis_words(basis)}"])
    for each in causes:
        call.write(_page(each, call.ink))
        call.write_completeness(each.completeness)


def _has_checks(opened: Store, basis: Basis) -> bool:
    """Return whether any result of a check is known at a point."""
    return any(fact.key.startswith(CHECK) for fact in opened.as_of(basis.valid_at, version=basis.version).facts())


@contextlib.contextmanager
def _comparing(parse: bool) -> Iterator[Comparing | None]:
    if not parse:
        yield None
        return
    from ingest.resolve.comparing import SqlAnalyst
    from lineage_tt.impact.causes import comparing

    with SqlAnalyst() as analyst:
        yield comparing(analyst)


def _page(cause: RootCause, ink: Ink) -> Iterator[str]:
    window = f"from {format_instant(cause.since)} to {format_instant(cause.at)}"
    yield f"{ink.strong(cause.node)}: what changed upstream {window}"
    for place, suspect in enumerate(cause.suspects, 1):
        yield from _suspect(place, suspect, ink)
    if not cause.suspects:
        yield "  no known change"
    if cause.omitted:
        yield ink.faint(f"  {cause.omitted:,} more, less likely; give --limit {len(cause.suspects) + cause.omitted}")
    for check in cause.checks:
        paint = ink.bad if check.status == "failed" else ink.faint
        yield paint(f"  check {check.name} of {check.node}: {check.status} since {format_instant(check.since)}")
    if cause.boards:
        names = ", ".join(_board(board) for board in cause.boards[:10])
        more = f", and {len(cause.boards) - 10} more" if len(cause.boards) > 10 else ""
        yield f"  it feeds {ink.plain(names)}{more}"
    for note in cause.notes:
        yield ink.faint(f"  note: {note}")
    if not cause.read_texts:
        yield ink.faint("  texts were compared word by word, which does not tell columns apart")


def _suspect(place: int, suspect: Suspect, ink: Ink) -> Iterator[str]:
    statement, did = suspect.statement, suspect.did
    flagged = {
        "planned": suspect.planned, "late": suspect.late, "corrects the past": suspect.corrected,
        "known only later": suspect.hidden,
    }  # fmt: skip
    flags = "".join(f", {word}" for word, holds in flagged.items() if holds)
    yield (
        f"{place:3}. {ink.strong(statement.subject)} {WORDS[did.class_]}, {format_instant(suspect.at)}"
        f"  (version {statement.version}, score {suspect.score.total:.3f}{flags})"
    )
    by = ", ".join(word for word in (statement.actor, statement.reason) if word)
    if by:
        yield ink.faint(f"       by {by}")
    if suspect.late or suspect.planned:
        yield ink.faint(f"       known since {format_instant(suspect.known_at)}")
    if did.reasons:
        yield f"       {ink.plain('; '.join(did.reasons))}"
    for mark, edges in (("-", did.removed), ("+", did.added)):
        for source, target, kind, subtype, expression in edges[:SHOWN_EDGES]:
            words = " ".join(word for word in (subtype or kind, expression) if word)
            yield f"       {mark} {ink.plain(f'{source} -> {target}  {words}')}"
        if len(edges) > SHOWN_EDGES:
            yield ink.faint(f"       {mark} and {len(edges) - SHOWN_EDGES} more")
    if suspect.path:
        yield ink.faint(f"       on the way: {_path(suspect)}")
    for check in suspect.failed:
        yield ink.bad(f"       the check {check.name} of {check.node} fails since then")


def _board(board: Board) -> str:
    return f"{board.dataset} ({', '.join(board.owners)})" if board.owners else board.dataset


def _path(suspect: Suspect) -> str:
    return " -> ".join([suspect.path[0].source, *(edge.target for edge in suspect.path)])


VERBS = {"root-cause": verb("root-cause", root_cause)}
