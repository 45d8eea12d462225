"""``columns``, ``facts``: the columns of datasets, and the facts about nodes."""

from __future__ import annotations

from typing import Annotated

import typer

from lineage_tt.cli.calls import Call, FormatOption, StoreOption, SystemAt, ValidAt, VersionAt, verb
from lineage_tt.cli.commands.governance.shared import note_empty
from lineage_tt.cli.commands.people import note_unnamed
from lineage_tt.cli.render import objects, pages
from lineage_tt.curation.unnamed import no_fact_has
from lineage_tt.model.edges import dataset_of


def columns(
    ctx: typer.Context,
    dataset: Annotated[str | None, typer.Argument(metavar="DATASET", help="Only this dataset.")] = None,
    valid_at: ValidAt = None,
    system_at: SystemAt = None,
    version: VersionAt = None,
    store: StoreOption = None,
    output: FormatOption = None,
) -> None:
    """List the columns of datasets at a point.

    These are the columns that a dataset message declared, with types and field ids; else those that the statement of a
    task wrote; else those that other statements name (inferred).
    """
    call = Call.of(ctx, store, output)
    opened = call.open()
    view = opened.as_of(valid_at, system_at, version=version)
    only = None if dataset is None else dataset_of(dataset)
    if only is not None and only != dataset:
        call.note(f"{call.ink.plain(only)} with all its columns: a column has none of its own")
    listed = view.columns(only)
    if not listed:
        note_empty(call, opened, view.basis)
    if only is not None and not listed:
        opened.check_nodes([only])
    if call.output == "json":
        call.write_answer(view.basis.to_json(), [objects.record(column) for column in listed])
    else:
        call.write(pages.columns_page(listed, view.basis, call.ink))


def facts(
    ctx: typer.Context,
    node: Annotated[
        str | None, typer.Argument(metavar="NODE", help="Only facts about this dataset, column or task:ID.")
    ] = None,
    key: Annotated[
        str | None, typer.Option(metavar="KEY", help="Only this key: label, owner, description, priority, column, …")
    ] = None,
    valid_at: ValidAt = None,
    system_at: SystemAt = None,
    version: VersionAt = None,
    store: StoreOption = None,
    output: FormatOption = None,
) -> None:
    """List the facts about nodes at a point.

    Facts are labels, owners, descriptions, priorities, columns and other keys.
    """
    call = Call.of(ctx, store, output)
    opened = call.open()
    view = opened.as_of(valid_at, system_at, version=version)
    listed = view.facts(node, key)
    note_unnamed(call, opened, listed, node)
    if not listed:
        note_empty(call, opened, view.basis)
    for words in no_fact_has(opened, key) if key is not None and not listed else ():
        call.note(call.ink.plain(words))
    if call.output == "json":
        call.write_answer(view.basis.to_json(), [objects.record(fact) for fact in listed])
    else:
        call.write(pages.facts_page(listed, view.basis, call.ink))


VERBS = {"columns": verb("columns", columns), "facts": verb("facts", facts)}
