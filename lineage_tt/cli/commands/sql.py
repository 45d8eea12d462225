"""``sql``: any DuckDB query over the store's views and macros."""

from __future__ import annotations

import io
import sys
from typing import Annotated

import typer

from lineage_tt.cli.calls import Call, StoreOption, verb
from lineage_tt.cli.render import objects
from lineage_tt.export.formulas import neutralised
from lineage_tt.model.errors import InvalidRequestError


def sql(
    ctx: typer.Context,
    query: Annotated[
        str | None, typer.Argument(metavar="QUERY", help="The query (default or -: from standard input).")
    ] = None,
    print_setup: Annotated[
        bool, typer.Option("--print-setup", help="Print the set-up as plain SQL for any DuckDB, and exit.")
    ] = False,
    raw_cells: Annotated[
        bool, typer.Option("--raw-cells", help="With csv: do not escape texts that spreadsheets run as formulas.")
    ] = False,
    store: StoreOption = None,
    output: Annotated[str | None, typer.Option("--format", metavar="NAME", help="text (default), json or csv.")] = None,
) -> None:
    """Run a DuckDB query over the store.

    The query can use the views log, changes and nodes, and the macros edges_as_of, tasks_as_of, completeness_as_of,
    lineage, edge_history and changes_between; --print-setup prints them.
    """
    call = Call.of(ctx, store, output, ("text", "json", "csv"))
    if raw_cells and call.output != "csv":
        raise InvalidRequestError(
            f"--raw-cells has no effect in {call.output}", hint="leave it out, or give --format csv"
        )
    if print_setup and query is not None:
        raise InvalidRequestError("--print-setup runs no query", hint="leave the query out, or --print-setup")
    opened = call.open()
    if print_setup:
        call.write([opened.setup_sql().rstrip("\n")])
        return
    names, rows = opened.sql(_query(query))
    if call.output == "json":
        result = {"columns": names, "rows": [[objects.cell(value) for value in row] for row in rows]}
        call.write_answer(objects.known_by(opened.basis()), result)
    elif call.output == "csv":
        harmless = str if raw_cells else neutralised
        call.write([_csv_line([harmless(name) for name in names])])
        call.write(_csv_line([harmless(v) if isinstance(v, str) else _as_text(v) for v in row]) for row in rows)
    elif names:
        from lineage_tt.cli.render.tables import table

        plain = [[v if isinstance(v, (int, type(None))) else _as_text(v) for v in row] for row in rows]
        call.write(table(names, plain, call.ink))


def _query(query: str | None) -> str:
    """Return the query from the command line or from standard input."""
    is_piped = query == "-" or (query is None and not sys.stdin.isatty())
    text = sys.stdin.read() if is_piped else query or ""
    if not text.strip():
        raise InvalidRequestError("no query is given", hint="give one, or pipe it in: echo 'FROM log' | lineage-tt sql")
    return text


def _csv_line(cells: list[str]) -> str:
    """Return a line of CSV without its end; cells with a carriage return are quoted, too, since it may end a line."""
    import csv

    line = io.StringIO()
    csv.writer(line, lineterminator="\r\n").writerow(cells)
    return line.getvalue()[:-2]


def _as_text(value: object) -> str:
    """Return a value as one cell of text: nested ones as JSON, None as nothing."""
    cell = objects.cell(value)
    if cell is None:
        return ""
    return cell if isinstance(cell, str) else objects.dumps(cell)


VERBS = {"sql": verb("sql", sql)}
