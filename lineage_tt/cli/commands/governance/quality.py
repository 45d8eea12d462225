"""``quality``: measures of the lineage itself, by group, and what to fix first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from lineage_tt.cli.calls import Call, FormatOption, StoreOption, SystemAt, ValidAt, VersionAt, verb
from lineage_tt.cli.commands.governance.shared import note_empty
from lineage_tt.cli.render.pages import basis_words
from lineage_tt.cli.render.tables import table
from lineage_tt.model.completeness.summary import of_both
from lineage_tt.read.points import read_point

if TYPE_CHECKING:
    from lineage_tt.governance.upkeep.quality.quality import Figures

_STEPS: Final = ("effect … message", "message … store", "store … delivery")


def quality(
    ctx: typer.Context,
    by: Annotated[str, typer.Option(metavar="NAME", help="Group by all (default), namespace, layer or owner.")] = "all",
    days: Annotated[int, typer.Option(metavar="N", help="Window of stale and flapping, in days (default: 90).")] = 90,
    compare_to: Annotated[
        str | None, typer.Option("--compare-to", metavar="POINT", help="Also show the figures of this point.")
    ] = None,
    timeliness: Annotated[
        bool | None,
        typer.Option(
            "--timeliness/--no-timeliness", show_default=False,
            help="Show histograms of the delays until message, store and delivery (default: with --by all).",
        ),
    ] = None,
    valid_at: ValidAt = None, system_at: SystemAt = None, version: VersionAt = None, store: StoreOption = None,
    output: FormatOption = None,
) -> None:  # fmt: skip
    """Measure the quality of the lineage.

    The measures are coverage, agreement of engine and SQL, delays, flapping edges, and edges added by hand.
    """
    call = Call.of(ctx, store, output)
    opened = call.open()
    from lineage_tt.governance.upkeep.quality.plain_values import result_of, trend_of

    asks = opened.governance()
    basis = asks.basis(valid_at, system_at, version)
    earlier_basis = basis if compare_to is None else read_point(opened, compare_to)
    note_empty(call, opened, earlier_basis, basis)
    measured = asks.quality(basis, by, days)  # type: ignore[arg-type]
    before, known = None, measured.completeness
    if compare_to is not None:
        before = asks.quality(earlier_basis, by, days)  # type: ignore[arg-type]
        known = of_both(before.completeness, known)
    if call.output == "json":
        if before is not None:
            points = {"from": before.basis.to_json(), "to": measured.basis.to_json()}
            call.write_answer(points, trend_of(before, measured), known)
        else:
            call.write_answer(measured.basis.to_json(), result_of(measured), measured.completeness)
        return
    earlier = {row.group: row for row in before.groups} if before is not None else {}
    headers = ["group", "tasks", "complete", "columns", "sourced", "by hand", "stale", "agreement", "fix"]
    rows: list[tuple[Any, ...]] = [
        (
            row.group, row.tasks, _share(row.coverage), row.columns, _of(row.columns_sourced, row.columns),
            _of(row.by_hand, row.edges), row.stale, _share(row.agreement), row.fix,
            *([_share(earlier[row.group].coverage) if row.group in earlier else ""] if before is not None else []),
        )
        for row in measured.groups
    ]  # fmt: skip
    headers += ["complete before"] if before is not None else []
    call.write(table(headers, rows, call.ink, {"group": call.ink.strong}))
    if by == "all" if timeliness is None else timeliness:
        _write_waits(call, measured.groups)
    for flap in measured.flapping[:10]:
        call.write(
            [call.ink.plain(f"flapping: {flap.source} -> {flap.target} began {flap.began} times  [{flap.task_id}]")]
        )
    call.write([call.ink.faint(f"figures {basis_words(measured.basis)}")])
    call.write_completeness(known, "in force")


def _write_waits(call: Call, groups: Sequence[Figures]) -> None:
    """Print the histograms of delays: how many are within a minute, an hour, …; empty histograms are left out."""
    from lineage_tt.governance.upkeep.quality.measures import BAR_NAMES

    rows = [
        (row.group, step, *(bars[name] or None for name in BAR_NAMES))
        for row in groups
        for step, bars in zip(_STEPS, (row.to_message, row.to_commit, row.to_delivery), strict=True)
        if any(bars.values())
    ]
    if rows:
        heads = ["within a minute", "an hour", "a day", "a week", "longer"]
        call.write(table(["group", "from … to", *heads], rows, call.ink, {"group": call.ink.strong}))


def _share(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.0f} %"


def _of(part: int, whole: int) -> str:
    return _share(part / whole if whole else None)


VERBS = {"quality": verb("quality", quality)}
