"""``heat``: ranks tables or columns by what is built from them, and shows how the ranks change."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lineage_tt.cli.calls import Call, FormatOption, StoreOption, SystemAt, ValidAt, VersionAt, verb
from lineage_tt.cli.commands.governance.shared import MasterOption, OnOption, is_on_spark, note_empty, whole_point
from lineage_tt.cli.render.pages import basis_words
from lineage_tt.cli.render.tables import table
from lineage_tt.model.completeness.summary import summed
from lineage_tt.read.points import read_point

if TYPE_CHECKING:
    from lineage_tt.governance.heat.asked import Asked
    from lineage_tt.model.answers import Basis
    from lineage_tt.store import Store


def heat(
    ctx: typer.Context,
    nodes: Annotated[
        list[str] | None, typer.Argument(metavar="NODE...", help="Only these tables or columns (default: all).")
    ] = None,
    level: Annotated[str, typer.Option(metavar="NAME", help="Level: table (default) or column.")] = "table",
    sort: Annotated[
        str, typer.Option(metavar="NAME", help="Order: rank (default), references, reads or personal.")
    ] = "rank",
    seeds: Annotated[
        list[str] | None,
        typer.Option("--of", metavar="NODE", help="Also rank as seen from this node; repeatable."),
    ] = None,
    compare_to: Annotated[
        str | None, typer.Option("--compare-to", metavar="POINT", help="Show the changes since this point.")
    ] = None,
    days: Annotated[int, typer.Option(metavar="N", help="Count observed runs of the last N days (default: 30).")] = 30,
    limit: Annotated[int, typer.Option(metavar="N", help="At most N rows (default: 20).")] = 20,
    offset: Annotated[int, typer.Option(metavar="N", help="Skip N rows.")] = 0,
    on: OnOption = "here", master: MasterOption = None,
    valid_at: ValidAt = None, system_at: SystemAt = None, version: VersionAt = None, store: StoreOption = None,
    output: FormatOption = None,
) -> None:  # fmt: skip
    """Rank tables or columns by what is built from them.

    The top rows that together hold half of the rank are hot. Rows without references and observed reads are cold.
    """
    call = Call.of(ctx, store, output)
    opened = call.open()
    from lineage_tt.governance.heat.asked import Asked

    question = Asked(level, sort, tuple(seeds or ()), limit, offset, tuple(nodes or ()))  # type: ignore[arg-type]
    if is_on_spark(on, master):
        if nodes or seeds or compare_to is not None or sort != "rank":
            raise typer.BadParameter("--on spark ranks all tables or columns, only by rank, at one point")
        question.check()
        _from_spark(call, opened, opened.basis(valid_at, system_at, version), question, master)
        return
    asks = opened.governance()
    basis = asks.basis(valid_at, system_at, version)
    before = basis if compare_to is None else read_point(opened, compare_to)
    note_empty(call, opened, before, basis)
    if compare_to is not None:
        for name, given in (("--of", bool(seeds)), ("--sort", sort != "rank")):
            if given:
                call.note(f"{name} has no effect with --compare-to: the greatest changes of rank come first")
        _trend(call, asks.heat_trend(before, basis, question, days))
        return
    ranking = asks.heat(basis, question, days)
    if call.output == "json":
        rows = [_object(row) for row in ranking.rows]
        result = {"total": ranking.total, "classes": ranking.classes, "rows": rows}
        call.write_answer(ranking.basis.to_json(), result, ranking.completeness)
        return
    headers = ["", level, "heat", "rank", *(["personal"] if seeds else []), "columns", "tables", "tasks", "people"]
    observed = any(row.reads is not None for row in ranking.rows)
    lines = [
        (
            row.place, row.node, row.heat, f"{row.rank:.4f}", *([f"{row.personal:.4f}"] if seeds else []),
            *(f"{near} of {far}" for near, far in zip(row.direct, row.transitive, strict=True)),
            *([row.reads] if observed else []),
        )
        for row in ranking.rows
    ]  # fmt: skip
    call.write(table([*headers, *(["reads"] if observed else [])], lines, call.ink, {level: call.ink.strong}))
    classes = ", ".join(f"{count:,} {name}" for name, count in ranking.classes.items())
    call.write([call.ink.faint(f"{ranking.total:,} {level}s {basis_words(ranking.basis)}: {classes}")])
    call.write_completeness(ranking.completeness, "in force")


def _from_spark(call: Call, opened: Store, basis: Basis, question: Asked, master: str | None) -> None:
    note_empty(call, opened, basis)
    with whole_point(opened, basis, master) as whole:
        from lineage_tt.spark.whole.ranking import heat_on_spark

        ranking = heat_on_spark(whole, question.level)
    completeness = summed(opened.as_of(basis.valid_at, version=basis.version).gaps.all())
    shown = ranking[question.offset : question.offset + question.limit]
    counts = Counter(row.heat for row in ranking)
    classes = {name: counts[name] for name in ("hot", "warm", "cold")}
    if call.output == "json":
        result = {"total": len(ranking), "classes": classes, "rows": [row._asdict() for row in shown]}
        call.write_answer(basis.to_json(), result, completeness)
        return
    lines = [(row.place, row.node, row.heat, f"{row.rank:.4f}", row.references) for row in shown]
    call.write(
        table(("", question.level, "heat", "rank", "references"), lines, call.ink, {question.level: call.ink.strong})
    )
    summary = ", ".join(f"{count:,} {name}" for name, count in classes.items())
    call.write([call.ink.faint(f"{len(ranking):,} {question.level}s {basis_words(basis)}: {summary}")])
    call.write_completeness(completeness, "in force")


def _trend(call: Call, trend: Any) -> None:
    if call.output == "json":
        basis = {"from": trend.first.to_json(), "to": trend.second.to_json()}
        result = {"total": trend.total, "rows": [row._asdict() for row in trend.rows]}
        call.write_answer(basis, result, trend.completeness)
        return
    headers = ("node", "rank", "change", "references before", "references", "heat before", "heat")
    lines = [
        (
            row.node, None if row.rank is None else f"{row.rank:.4f}", f"{row.change:+.4f}", row.references_before,
            row.references, row.heat_before, row.heat,
        )
        for row in trend.rows
    ]  # fmt: skip
    call.write(table(headers, lines, call.ink, {"node": call.ink.strong}))
    call.write_completeness(trend.completeness, "in force")


def _object(row: Any) -> dict[str, Any]:
    values: dict[str, Any] = row._asdict()
    return values | {"direct": row.direct._asdict(), "transitive": row.transitive._asdict()}


VERBS = {"heat": verb("heat", heat)}
