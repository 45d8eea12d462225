"""``lineage``: the upstream and downstream lineage of nodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from lineage_tt.cli.calls import Call, StoreOption, SystemAt, ValidAt, VersionAt, verb
from lineage_tt.cli.commands.governance.shared import note_empty
from lineage_tt.levels.names import WALKED, AnyLevel
from lineage_tt.model.answers import Direction, Level, Lineage
from lineage_tt.model.edges import dataset_of
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.read.points import split_point

if TYPE_CHECKING:
    from lineage_tt.read.view import View
    from lineage_tt.store import Store

#: Whether any edge ever began or ended at a node: a fraction of the work that the node's history is.
_ANY_EDGE: Final = """
    SELECT 1 FROM changes WHERE ($down AND (source = $node OR starts_with(source, $node || '#')))
        OR ($up AND (target = $node OR starts_with(target, $node || '#'))) LIMIT 1"""
FORMATS = ("text", "json", "dot", "mermaid", "svg", "html")


def lineage(
    ctx: typer.Context,
    nodes: Annotated[
        list[str], typer.Argument(metavar="NODE...", help="Columns (hive:dw.orders#amount), datasets, or task:ID.")
    ],
    direction: Annotated[Direction, typer.Option(help="Upstream, downstream or both.")] = "both",
    depth: Annotated[int | None, typer.Option(metavar="N", help="At most N steps (default: no limit).")] = None,
    level: Annotated[
        AnyLevel,
        typer.Option(help="Walk over columns, datasets (table) or tasks; or count the edges between groups."),
    ] = "column",
    direct_only: Annotated[
        bool, typer.Option("--direct-only", help="Only DIRECT edges; leave out joins, filters and the like.")
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
            "--compare-to", metavar="POINT", help="Draw the differences from this point (--format svg or html)."
        ),
    ] = None,
    store: StoreOption = None,
    output: Annotated[
        str | None, typer.Option("--format", metavar="NAME", help="text (default), json, dot, mermaid, svg or html.")
    ] = None,
) -> None:
    """Show the upstream and downstream lineage of nodes."""
    call = Call.of(ctx, store, output, FORMATS)
    if compare_to is not None and call.output not in ("svg", "html"):
        raise InvalidRequestError(
            f"--format {call.output} shows one point", hint="give --format svg or html, or ask with: lineage-tt diff"
        )
    if level not in WALKED and call.output not in ("text", "json"):
        raise InvalidRequestError(f"groups cannot be drawn as {call.output}", hint="give --format text or json")
    if roll_up and level != "task":
        raise InvalidRequestError(f"--roll-up works only with tasks, not with {level}s", hint="give --level task, too")
    opened = call.open()
    view = opened.as_of(valid_at, system_at, version=version)

    def lineage_of(view: View, depth: int | None) -> Lineage:
        if level == "task":
            from lineage_tt.levels.tasks import rolled_up, task_lineage

            if roll_up:
                from lineage_tt.levels.changes import parents_of

                return rolled_up(view, parents_of(view.facts(key="parent")), nodes, direction, depth, direct_only)
            return task_lineage(view, nodes, direction, depth, direct_only)
        shown: Level = "table" if level == "table" else "column"
        return view.lineage(*nodes, direction=direction, depth=depth, level=shown, direct_only=direct_only)

    answer = lineage_of(view, depth)
    if depth is not None and max((step.steps for step in answer.steps), default=0) == depth:
        more = len({step.edge for step in lineage_of(view, depth + 1).steps} - {step.edge for step in answer.steps})
        if more:
            call.note(f"--depth {depth} cut the walk; further edges in the next step: {more:,}")
    if not answer.steps and depth != 0:
        note_empty(call, opened, view.basis)
        if level == "column" and not direct_only:
            _note_other_points(call, opened, view, nodes, direction)
    if level not in WALKED:
        _grouped(call, view, answer, level, {"direction": direction, "depth": depth, "direct_only": direct_only})
    elif call.output == "json":
        from lineage_tt.cli.render.objects import lineage_result

        question = {"direction": direction, "depth": depth, "level": level, "direct_only": direct_only}
        call.write_answer(answer.basis.to_json(), question | lineage_result(answer), answer.completeness)
    elif call.output == "text":
        from lineage_tt.cli.render.pages import lineage_page

        call.write(lineage_page(answer, direction, call.ink))
        call.write_completeness(answer.completeness)
    elif call.output in ("svg", "html"):
        from lineage_tt.graph.pictures.page import page
        from lineage_tt.graph.pictures.picture import picture
        from lineage_tt.graph.pictures.svg import svg

        answers = [answer]
        if compare_to is not None:
            at, known, number = split_point(compare_to)
            before = opened.as_of(at, known, version=number)
            answers.insert(0, lineage_of(before, depth))
        drawn = picture(*answers)
        call.write(svg(drawn) if call.output == "svg" else page(drawn))
    else:
        from lineage_tt.cli.render.graphs import dot, mermaid

        call.write(dot(answer) if call.output == "dot" else mermaid(answer))


def _note_other_points(call: Call, opened: Store, view: View, nodes: Sequence[str], direction: Direction) -> None:
    """Print a note on each node without an edge in force, if the store holds edges of it at other points."""
    at, known = view.basis.valid_at, view.basis.system_time or 0
    for node in nodes:
        if not opened.fetch(_ANY_EDGE, node=node, down=direction != "up", up=direction != "down"):
            continue  # a source or an end, as most nodes without an edge are: their history is not computed
        count = 0
        for b in opened.history(node):
            ends = {"up": [b.target], "down": [b.source], "both": [b.source, b.target]}[direction]
            in_force = b.valid_from <= at and (b.valid_to is None or at < b.valid_to) and b.system_from <= known
            count += b.system_to is None and not in_force and any(node in (end, dataset_of(end)) for end in ends)
        if count:
            node = call.ink.plain(node)
            call.note(f"no edge of {node} is in force at this point, {count:,} at others: lineage-tt history {node}")


def _grouped(call: Call, view: View, answer: Lineage, level: AnyLevel, question: dict[str, Any]) -> None:
    """Print the edges of a walk as edges between groups, each with its numbers of edges, tasks and datasets."""
    from lineage_tt.cli.render.pages import basis_words, count
    from lineage_tt.cli.render.tables import table
    from lineage_tt.levels.groups import GroupEdge, rolled_up

    between = rolled_up((step.edge for step in answer.steps), level, view.facts())  # type: ignore[arg-type]
    if call.output == "json":
        result = question | {
            "level": level,
            "start": list(answer.start),
            "groups": [each._asdict() for each in between],
        }
        call.write_answer(answer.basis.to_json(), result, answer.completeness)
        return
    call.write(table([name.replace("_", " ") for name in GroupEdge._fields], between, call.ink))
    call.write([call.ink.faint(f"{count(len(between), 'edge')} between groups of {level} {basis_words(answer.basis)}")])
    call.write_completeness(answer.completeness)


VERBS = {"lineage": verb("lineage", lineage)}
