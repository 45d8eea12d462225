"""``redundancy``: duplicate and unused columns and tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lineage_tt.cli.calls import Call, FormatOption, StoreOption, SystemAt, ValidAt, VersionAt, verb
from lineage_tt.cli.commands.governance.shared import MasterOption, OnOption, is_on_spark, note_empty, whole_point
from lineage_tt.cli.render.pages import basis_words
from lineage_tt.cli.render.tables import table
from lineage_tt.model.times import format_instant

if TYPE_CHECKING:
    from lineage_tt.governance.upkeep.redundancy.redundancy import Redundancy


def redundancy(
    ctx: typer.Context,
    days: Annotated[
        int, typer.Option(metavar="N", help="Unused: not read or not fed for N days (default: 90).")
    ] = 90,
    limit: Annotated[
        int, typer.Option(metavar="N", min=1, help="At most N lines of each kind in text (default: 20).")
    ] = 20,
    on: OnOption = "here", master: MasterOption = None,
    valid_at: ValidAt = None, system_at: SystemAt = None, version: VersionAt = None, store: StoreOption = None,
    output: FormatOption = None,
) -> None:  # fmt: skip
    """List duplicate and unused columns and tables.

    Equal and contained columns are proven by the SQL texts; columns that look alike are only a hint.
    """
    call = Call.of(ctx, store, output)
    opened = call.open()
    from ingest.resolve.comparing import SqlAnalyst
    from lineage_tt.governance.upkeep.redundancy.plain_values import redundancy_result

    if is_on_spark(on, master):
        from lineage_tt.spark.whole.clearing import redundancy_on_spark

        with whole_point(opened, opened.basis(valid_at, system_at, version), master) as whole, SqlAnalyst() as analyst:
            answer = redundancy_on_spark(whole, analyst.define, days)
    else:
        asks = opened.governance()
        basis = asks.basis(valid_at, system_at, version)
        note_empty(call, opened, basis)
        with SqlAnalyst() as analyst:
            answer = asks.redundancy(basis, analyst.define, days)
    if call.output == "json":
        call.write_answer(answer.basis.to_json(), redundancy_result(answer), answer.completeness)
        return
    kinds: list[tuple[str, Sequence[str], list[Sequence[object]]]] = [
        ("equal columns", ("columns",), [(" = ".join(each.columns),) for each in answer.equal]),
        ("columns contained in others", ("part", "whole"), list(answer.contained)),
        ("tables contained in others", ("table", "like", "columns"), list(answer.tables)),
        ("columns that look alike", ("columns",), [(" ~ ".join(each.columns),) for each in answer.alike]),
        ("sources landed twice", ("source", "copies"), [(at.source, ", ".join(at.copies)) for at in answer.landed]),
        ("unused tables", ("why", "table", "last", "by", "tasks", "owners"), list(_unused(answer))),
        ("unused columns", ("column",), list(answer.unused_columns)),
    ]  # fmt: skip
    for title, headers, rows in kinds:
        call.write(_part(call, title, headers, rows, limit))
    read = f"{answer.texts_read:,} of {answer.texts:,} texts fully read, {basis_words(answer.basis)}"
    call.write([call.ink.faint(read)])
    call.write_completeness(answer.completeness, "in force")


def _unused(answer: Redundancy) -> Iterable[Sequence[object]]:
    for each in answer.unused:
        last = "never" if each.last is None else format_instant(each.last)
        yield each.why, each.dataset, last, each.by, ", ".join(each.tasks), ", ".join(each.owners)


def _part(call: Call, title: str, headers: Sequence[str], rows: Sequence[Sequence[Any]], limit: int) -> Iterator[str]:
    if not rows:
        return
    yield call.ink.strong(f"{len(rows):,} {title}")
    yield from (f"  {line}" for line in table(headers, rows[:limit], call.ink))
    if len(rows) > limit:
        yield call.ink.faint(f"  … {len(rows) - limit:,} more: --limit {len(rows)}, or --format json")


VERBS = {"redundancy": verb("redundancy", redundancy)}
