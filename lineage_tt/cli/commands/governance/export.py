"""``export``: edges, closures, changes, labels, violations and roll-ups as files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lineage_tt.cli.calls import Call, StoreOption, SystemAt, ValidAt, VersionAt, verb
from lineage_tt.cli.commands.governance.shared import RulesOption, SceneOption, governed, note_empty
from lineage_tt.cli.render.pages import basis_words
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.read.points import read_point

FORMATS = ("csv", "jsonl", "parquet", "xlsx", "graphml", "delta")
WHAT = ("edges", "closure", "changes", "labels", "violations")
#: What rows of these kinds need on the command line.
_NEEDS = {"closure": " NODE", "changes": " --from POINT"}


def export(
    ctx: typer.Context,
    what: Annotated[str, typer.Argument(metavar="WHAT", help="edges, closure, changes, labels or violations.")],
    nodes: Annotated[
        list[str] | None, typer.Argument(metavar="NODE...", help="closure: the nodes where the walk starts.")
    ] = None,
    to: Annotated[Path | None, typer.Option(metavar="FILE", help="Output file; delta: a folder.")] = None,
    level: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="edges: roll up to system, cluster, namespace, layer, domain, owner, dataset, task."
        ),
    ] = None,
    roll_up: Annotated[
        bool, typer.Option("--roll-up", help="With --level task: count sub-tasks as the task that starts them.")
    ] = False,
    first: Annotated[str | None, typer.Option("--from", metavar="POINT", help="changes: the first point.")] = None,
    scene: SceneOption = None,
    rules: RulesOption = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing file.")] = False,
    raw_cells: Annotated[
        bool, typer.Option("--raw-cells", help="csv: do not escape texts that spreadsheets run as formulas.")
    ] = False,
    valid_at: ValidAt = None, system_at: SystemAt = None, version: VersionAt = None, store: StoreOption = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--format", metavar="NAME",
            help=f"One of {', '.join(FORMATS)} (default: by the file's extension, else csv).",
        ),
    ] = None,
) -> None:  # fmt: skip
    """Write lineage to a file.

    Each row holds the point at which it was read, so that one table can hold several days.
    """
    call = Call.of(ctx, store, output or _ending(to), FORMATS)
    if what not in WHAT:
        raise InvalidRequestError(f"{what} cannot be exported", hint=f"give {', '.join(WHAT)}")
    if (what == "closure") != bool(nodes) or (what == "changes") != (first is not None):
        hint = f"for example: lineage-tt export {what} --to FILE{_NEEDS.get(what, '')}"
        raise InvalidRequestError("a closure needs nodes, and changes need --from; other rows take neither", hint=hint)
    if level is not None and what != "edges":
        raise InvalidRequestError("--level works only with edges", hint="leave --level out, or export edges")
    if roll_up and level != "task":
        raise InvalidRequestError("--roll-up works only with tasks", hint="give --level task, too")
    if to is None:
        raise InvalidRequestError("no output file is given", hint=f"give --to {what}.{call.output}")
    opened = call.open()
    from lineage_tt.export import files, tables

    view = opened.as_of(valid_at, system_at, version=version)
    if what not in ("labels", "violations") and (rules or scene):
        raise InvalidRequestError("--rules and --scene are for labels and violations", hint="leave them out")
    if what == "violations" and scene:
        raise InvalidRequestError("--scene is for labels", hint="leave --scene out, or export labels")
    if raw_cells and call.output != "csv":
        raise InvalidRequestError(f"--raw-cells has no effect in {call.output}", hint="leave it out, or write csv")
    if what == "closure":
        closure = view.lineage(*(nodes or ()))
        table, completeness = tables.closure_table(closure), closure.completeness
    elif what == "changes":
        changed = opened.diff(read_point(opened, first or ""), view.basis)
        table, completeness = tables.changes_table(changed), changed.completeness
    elif what in ("labels", "violations"):
        governance = governed(opened, rules)
        completeness = governance.points.at(view.basis).completeness()
        if what == "labels":
            feed, labelled = governance.label_feed(opened.id, scene), governance.labelled(view.basis, scene)
            table = tables.labels_table(view.basis, labelled.scene.name, feed.digest, labelled.all())
        else:
            table = tables.violations_table(view.basis, governance.rules(view.basis).violations)
    else:
        completeness = view.tasks().completeness
        if level is None:
            table = tables.edges_table(view.basis, view.edges())
        else:
            from lineage_tt.levels.changes import parents_of
            from lineage_tt.levels.groups import rolled_up

            facts = view.facts()
            parents = parents_of(facts) if roll_up else None
            between = rolled_up(view.edges(), level, facts, parents)  # type: ignore[arg-type]
            table = tables.groups_table(view.basis, level, between)
    if not table.num_rows:
        note_empty(call, opened, view.basis)
    if output is None and to.suffix and _ending(to) is None:
        call.note(f"{call.ink.plain(to.name)} is written as csv: --format says otherwise")
    files.write(table, to, call.output, overwrite=overwrite, raw_cells=raw_cells)
    call.write([call.ink.plain(f"{table.num_rows:,} rows to {to}, {basis_words(view.basis)}")])
    call.write_completeness(completeness, "in force")


def _ending(to: Path | None) -> str | None:
    """Return the format by the file's extension, None for an unknown extension."""
    ending = "" if to is None else to.suffix[1:].lower()
    return ending if ending in FORMATS else None


VERBS = {"export": verb("export", export)}
