"""``diff``, ``history``, ``blame``: differences between points, past beliefs, and the messages that made them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from lineage_tt.cli.calls import (
    Call,
    FormatOption,
    StoreOption,
    SystemAt,
    ValidAt,
    VersionAt,
    verb,
)
from lineage_tt.cli.commands.governance.shared import note_empty
from lineage_tt.cli.render import objects, pages
from lineage_tt.cli.render.tables import table
from lineage_tt.levels.names import AnyLevel
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.read.points import read_edge, read_point

if TYPE_CHECKING:
    from lineage_tt.levels.names import GroupLevel
    from lineage_tt.model.answers import Difference
    from lineage_tt.store import Store

_POINT = "VALID_AT, VALID_AT@SYSTEM_AT or VALID_AT@vVERSION"


def diff(
    ctx: typer.Context,
    first: Annotated[str, typer.Option("--from", metavar="POINT", help=f"The first point: {_POINT}.")],
    node: Annotated[str | None, typer.Argument(metavar="NODE", help="Only edges of this column or dataset.")] = None,
    second: Annotated[str, typer.Option("--to", metavar="POINT", help="The second point.")] = "now",
    level: Annotated[
        AnyLevel, typer.Option(help="Single edges (column), or edges counted between tables, tasks or other groups.")
    ] = "column",
    roll_up: Annotated[
        bool, typer.Option("--roll-up", help="With --level task: count sub-tasks as the task that starts them.")
    ] = False,
    store: StoreOption = None,
    output: FormatOption = None,
) -> None:
    """Show the edges that differ between two points.

    Edges in force only at the first point are marked -, edges only at the second point +. They are grouped by task.
    """
    call = Call.of(ctx, store, output)
    if roll_up and level != "task":
        raise InvalidRequestError(f"--roll-up works only with tasks, not with {level}s", hint="give --level task, too")
    opened = call.open()
    points = read_point(opened, first), read_point(opened, second)
    difference = opened.diff(*points, node)
    note_empty(call, opened, difference.first, difference.second)
    if level != "column":
        _between_groups(call, opened, difference, level, node, roll_up)
    elif call.output == "json":
        basis = {"from": difference.first.to_json(), "to": difference.second.to_json()}
        call.write_answer(basis, objects.diff_result(difference), difference.completeness)
    else:
        call.write(pages.diff_page(difference, call.ink))
        call.write_completeness(difference.completeness, "in question")


def _between_groups(
    call: Call, opened: Store, difference: Difference, level: AnyLevel, node: str | None, roll_up: bool
) -> None:  # fmt: skip
    """Print the differences as edges between groups; ``-`` and ``+`` mark those that only one point has."""
    from lineage_tt.levels.changes import Side, changed_groups

    group: GroupLevel = "dataset" if level in ("table", "column") else level  # type: ignore[assignment]
    before, after = (
        Side.of(opened.as_of(point.valid_at, version=point.version), roll_up=roll_up)
        for point in (difference.first, difference.second)
    )
    changed = changed_groups(before, after, group, node)
    if call.output == "json":
        basis = {"from": difference.first.to_json(), "to": difference.second.to_json()}
        result = {"level": level, "roll_up": roll_up, "groups": [each._asdict() for each in changed]}
        call.write_answer(basis, result, difference.completeness)
        return
    marks = {"removed": "-", "added": "+", "changed": "~"}
    rows = [(marks[each.change], *each[1:]) for each in changed]
    call.write(table(("", "source", "target", "before", "after", "removed", "added"), rows, call.ink))
    words = f"{pages.count(len(changed), 'edge')} between groups of {level}"
    call.write(
        [call.ink.faint(f"{words}: {pages.basis_words(difference.first)}; {pages.basis_words(difference.second)}")]
    )
    call.write_completeness(difference.completeness, "in question")


def history(
    ctx: typer.Context,
    node: Annotated[str, typer.Argument(metavar="NODE|EDGE", help="A node, or 'SOURCE -> TARGET'.")],
    store: StoreOption = None,
    output: FormatOption = None,
) -> None:
    """Show the history of an edge, or of all edges of a node.

    Prints every rectangle: when the edge was in force, and when the store believed it.
    """
    call = Call.of(ctx, store, output)
    opened = call.open()
    beliefs = opened.history(*(read_edge(node) or (node,)))
    if call.output == "json":
        basis = objects.known_by(opened.basis(), opened.horizon)
        call.write_answer(basis, [objects.record(belief) for belief in beliefs])
    else:
        call.write(pages.history_page(beliefs, call.ink))
        call.write(pages.horizon_note(opened.horizon, call.ink))


def blame(
    ctx: typer.Context,
    edge: Annotated[
        list[str], typer.Argument(metavar="SOURCE TARGET", help="The edge: two nodes, or one word 'SOURCE -> TARGET'.")
    ],
    valid_at: ValidAt = None,
    system_at: SystemAt = None,
    version: VersionAt = None,
    store: StoreOption = None,
    output: FormatOption = None,
) -> None:
    """Show which message put an edge in force."""
    call = Call.of(ctx, store, output)
    ends = read_edge(edge[0]) if len(edge) == 1 else tuple(edge)
    if ends is None or len(ends) != 2:
        raise InvalidRequestError("blame takes an edge", hint="write SOURCE TARGET, or 'SOURCE -> TARGET'")
    opened = call.open()
    view = opened.as_of(valid_at, system_at, version=version)
    blamed = opened.blame(ends[0], ends[1], view)
    if not blamed:
        note_empty(call, opened, view.basis)
    if call.output == "json":
        call.write_answer(view.basis.to_json(), objects.blame_result(blamed), blamed.completeness)
    else:
        call.write(pages.blame_page(blamed, view.basis, call.ink))
        call.write_completeness(blamed.completeness, "blamed" if blamed else "that may write it")


VERBS = {"diff": verb("diff", diff), "history": verb("history", history), "blame": verb("blame", blame)}
