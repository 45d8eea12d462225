"""``lineage``: what feeds a node, and what it feeds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from lineage_tt.cli.calls import Call, StoreOption, SystemAt, ValidAt, VersionAt, verb
from lineage_tt.model.answers import Direction, Lineage, ShownLevel
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.read.points import split_point

if TYPE_CHECKING:
    from lineage_tt.read.view import View

FORMATS = ("text", "json", "dot", "mermaid", "svg", "html")


def lineage(
    ctx: typer.Context,
    nodes: Annotated[
        list[str], typer.Argument(metavar="NODE...", help="hive:dw.orders#amount, a whole dataset, or task:ID.")
    ],
    direction: Annotated[Direction, typer.Option(help="Upstream, downstream or both.")] = "both",
    depth: Annotated[int | None, typer.Option(metavar="N", help="At most N steps (default: to the end).")] = None,
    level: Annotated[
        ShownLevel, typer.Option(help="Walk from column to column, from dataset to dataset, or from task to task.")
    ] = "column",
    direct_only: Annotated[
        bool, typer.Option("--direct-only", help="Only values that flow; leave out joins, filters and the like.")
    ] = False,
    roll_up: Annotated[
        bool, typer.Option("--roll-up", help="With --level task: count sub-tasks as the task that starts them.")
    ] = False,
    valid_at: ValidAt = None,
    system_at: SystemAt = None,
    version: VersionAt = None,
    compare_to: Annotated[
        str | None,
        typer.Option(
            "--compare-to", metavar="POINT", help="Draw what differs from this point; with --format svg or html."
        ),
    ] = None,
    store: StoreOption = None,
    output: Annotated[
        str | None, typer.Option("--format", metavar="NAME", help="text (default), json, dot, mermaid, svg or html.")
    ] = None,
) -> None:
    """Show what feeds nodes, and what they feed."""
    call = Call.of(ctx, store, output, FORMATS)
    if compare_to is not None and call.output not in ("svg", "html"):
        raise InvalidRequestError(
            f"--format {call.output} shows one point", hint="give --format svg or html, or ask with: lineage-tt diff"
        )
    if roll_up and level != "task":
        raise InvalidRequestError(f"--roll-up joins tasks, not {level}s", hint="give --level task, too")
    opened = call.open()
    view = opened.as_of(valid_at, system_at, version=version)

    def asked_of(view: View) -> Lineage:
        if level == "task":
            from lineage_tt.levels.tasks import rolled_up, task_lineage

            if roll_up:
                parents = {fact.node: fact.value for fact in view.facts(key="parent")}
                return rolled_up(view, parents, nodes, direction, depth, direct_only)
            return task_lineage(view, nodes, direction, depth, direct_only)
        return view.lineage(*nodes, direction=direction, depth=depth, level=level, direct_only=direct_only)

    found = asked_of(view)
    if call.output == "json":
        from lineage_tt.cli.render.objects import lineage_result

        asked = {"direction": direction, "depth": depth, "level": level, "direct_only": direct_only}
        call.write_answer(found.basis.to_json(), asked | lineage_result(found), found.completeness)
    elif call.output == "text":
        from lineage_tt.cli.render.pages import lineage_page

        call.write(lineage_page(found, direction, call.ink))
        call.write_completeness(found.completeness)
    elif call.output in ("svg", "html"):
        from lineage_tt.graph.pictures.page import page
        from lineage_tt.graph.pictures.picture import picture
        from lineage_tt.graph.pictures.svg import svg

        answers = [found]
        if compare_to is not None:
            at, known, number = split_point(compare_to)
            before = opened.as_of(at, known, version=number)
            answers.insert(0, asked_of(before))
        drawn = picture(*answers)
        call.write(svg(drawn) if call.output == "svg" else page(drawn))
    else:
        from lineage_tt.cli.render.graphs import dot, mermaid

        call.write(dot(found) if call.output == "dot" else mermaid(found))


VERBS = {"lineage": verb("lineage", lineage)}
