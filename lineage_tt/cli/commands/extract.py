"""``extract``: the lineage of SQL text; problems are printed in the format of a linter."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ingest.sql.dialects.names import known_names
from lineage_tt.cli.calls import (
    STORE_VARIABLE,
    Call,
    FunctionsOption,
    StoreOption,
    SystemAt,
    ValidAt,
    VersionAt,
    explicit_store,
    use_functions,
    verb,
)
from lineage_tt.cli.commands.governance.shared import rules_path
from lineage_tt.cli.failures import NEGATIVE
from lineage_tt.cli.render.ink import Ink
from lineage_tt.cli.render.pages import count
from lineage_tt.impact.base.columns import Shapes
from lineage_tt.model.edges import dataset_of
from lineage_tt.model.errors import InvalidRequestError

if TYPE_CHECKING:
    from ingest.sql import Extraction
    from lineage_tt.governance.permissions.grants import Denied
    from lineage_tt.model.answers import ColumnAsOf
    from lineage_tt.model.facts import Shape
    from lineage_tt.read.view import View

STANDARD_INPUT = "-"
_DIALECTS = f"One of {', '.join(known_names())}."
NO_BASIS = {"valid_at": None, "version": None, "system_time": None}


def extract(
    ctx: typer.Context,
    files: Annotated[
        list[str] | None, typer.Argument(metavar="FILE...", help="SQL files (default or -: standard input).")
    ] = None,
    dialect: Annotated[str, typer.Option(metavar="NAME", help=_DIALECTS)] = "hive",
    namespace: Annotated[
        str | None, typer.Option(metavar="NAME", help="Namespace of the datasets (default: the dialect).")
    ] = None,
    default_database: Annotated[
        str, typer.Option(metavar="NAME", help="Default database, for unqualified names.", show_default=False)
    ] = "",
    target: Annotated[str | None, typer.Option(metavar="DATASET", help="Dataset that a bare SELECT writes.")] = None,
    functions: FunctionsOption = None,
    principal: Annotated[
        str | None,
        typer.Option("--as", metavar="PRINCIPAL", help="Report sources that this principal may not read."),
    ] = None,
    valid_at: ValidAt = None,
    system_at: SystemAt = None,
    version: VersionAt = None,
    store: StoreOption = None,
    output: Annotated[str | None, typer.Option("--format", metavar="NAME", help="text (default) or json.")] = None,
) -> None:
    """Show the edges of SQL text.

    The exit status is 1 if a text has a syntax error, if its lineage is not known (coverage opaque), or if --as reports
    a source. With --store, the columns of the sources and the grants are looked up there, as of a point (default: now).
    --as and the options of a point use $LINEAGE_TT_STORE if --store is not given.
    """
    call = Call.of(ctx, store, output)
    use_functions(functions)
    texts = [(name, _read(name)) for name in files or [STANDARD_INPUT]]
    pointed = (valid_at, system_at, version) != (None, None, None)
    asks = principal is not None or pointed  # only these use the store from the environment
    opened = call.open() if explicit_store(ctx, store) or (asks and os.environ.get(STORE_VARIABLE)) else None
    if opened is None and asks:
        why = "--as needs the grants of a store" if principal is not None else "a point needs a store"
        raise InvalidRequestError(why, hint=f"give --store, or set ${STORE_VARIABLE}")
    view = opened.as_of(valid_at, system_at, version=version) if opened else None
    known = _known_columns(view) if view else {}
    names = dialect, namespace or dialect, default_database, target
    extractions = [(name, _extract(text, names, known)) for name, text in texts]
    if target is None and any(each.reads and not (each.writes or each.edges) for _, each in extractions):
        call.note("a bare SELECT writes nothing: --target DATASET says where its rows go")
    denied = [_denied(view, principal, extraction) if view and principal else None for _, extraction in extractions]
    if call.output == "json":
        answers = zip(extractions, denied, strict=True)
        basis = view.basis.to_json() if view else NO_BASIS
        call.write_answer(basis, [extraction_object(n, m) | _denied_object(d) for (n, m), d in answers])
    else:
        for (name, extraction), each in zip(extractions, denied, strict=True):
            call.write(extraction_lines(name, extraction, call.ink))
            call.write(_denied_lines(name, principal or "", each or [], call.ink))
    if any(denied) or any(
        extraction.coverage == "opaque" or any(p.code == "syntax" for p in extraction.problems)
        for _, extraction in extractions
    ):
        raise typer.Exit(NEGATIVE)


def _denied(view: View, principal: str, extraction: Extraction) -> list[Denied]:
    """Return the sources of a text that a principal may not read: columns, and datasets of which no column is named."""
    from lineage_tt.governance.config import Config
    from lineage_tt.governance.permissions.grants import Grants

    columns = {edge.source for edge in extraction.edges}
    whole = {dataset for dataset in extraction.reads if not any(dataset_of(node) == dataset for node in columns)}
    return Grants(view.facts(), Config.read(rules_path(None))).denied(principal, "read", columns | whole)


def _denied_object(denied: list[Denied] | None) -> dict[str, Any]:
    return {} if denied is None else {"denied": [each.to_json() for each in denied]}


def _denied_lines(name: str, principal: str, denied: list[Denied], ink: Ink) -> Iterator[str]:
    label = "<stdin>" if name == STANDARD_INPUT else name
    for each in denied:
        ask = f" (ask {ink.plain(', '.join(each.owners))})" if each.owners else ""
        words = f"{ink.plain(principal)} may not read {ink.plain(each.node)}{ask}"
        yield f"{ink.strong(label)}: {ink.bad('denied')}: {words}"


def _extract(text: str, names: tuple[str, str, str, str | None], known: Mapping[str, Shape]) -> Extraction:
    """Extract the lineage of one text; ``names`` are dialect, namespace, default database and target."""
    from ingest.sql.dialects import function_registry
    from ingest.sql.jobs import ExtractionJob
    from ingest.workers.work import run_job

    dialect, namespace, default_database, target = names
    functions = function_registry.current()
    return run_job(
        ExtractionJob(text, dialect, namespace, default_database, target, columns=known, functions=functions)
    )


def _read(name: str) -> str:
    """Return the SQL of a file or of standard input; InvalidRequestError where it cannot be read."""
    try:
        data = sys.stdin.buffer.read() if name == STANDARD_INPUT else Path(name).read_bytes()
        return data.decode("utf-8-sig")
    except OSError as error:
        raise InvalidRequestError(
            f"cannot read {name}: {error.strerror}", hint="give SQL files, or pipe SQL in"
        ) from None
    except UnicodeDecodeError as error:
        raise InvalidRequestError(f"{name} is not UTF-8: {error.reason} at byte {error.start}") from None


def _known_columns(view: View) -> Mapping[str, Shape]:
    """Return the columns of every dataset known at a point, with the fields of their nested types."""
    columns: dict[str, list[ColumnAsOf]] = {}
    for column in view.columns(inferred=False):
        columns.setdefault(column.dataset, []).append(column)
    return Shapes(columns)


def extraction_object(name: str, extraction: Extraction) -> dict[str, Any]:
    """Return the extraction of one text as a JSON object."""
    types = dict(extraction.types)
    return {
        "file": name,
        "coverage": extraction.coverage,
        "edges": [edge._asdict() for edge in extraction.edges],
        "problems": [
            {"code": p.code, "detail": p.detail, "subject": p.subject, "line": p.line, "column": p.column}
            for p in extraction.problems
        ],
        "reads": list(extraction.reads),
        "writes": list(extraction.writes),
        "outputs": [
            {"dataset": dataset, "columns": list(columns), "types": dict(types.get(dataset, ()))}
            for dataset, columns in extraction.outputs
        ],
    }


def extraction_lines(name: str, extraction: Extraction, ink: Ink) -> Iterator[str]:
    """Yield the edges of a text by target, then its problems as ``file:line:column: code: words``."""
    label = "<stdin>" if name == STANDARD_INPUT else name
    target = None
    for edge in sorted(extraction.edges, key=lambda e: (e.target, e.type, e.source, e.subtype)):
        if edge.target != target:
            target = edge.target
            yield ink.strong(target)
        written = " ".join(edge.expression.split())
        yield "  ".join(filter(None, (f"  <- {ink.plain(edge.source)}", ink.kind(edge.subtype), ink.faint(written))))
    for p in extraction.problems:
        place = ":".join(str(part) for part in (label, p.line, p.column) if part is not None)
        about = f" [{p.subject}]" if p.subject else ""
        yield f"{ink.strong(place)}: {ink.bad(p.code)}: {ink.plain(p.detail)}{ink.faint(about)}"
    yield ink.faint(f"{label}: {count(len(extraction.edges), 'edge')}, coverage {extraction.coverage}")


VERBS = {"extract": verb("extract", extract)}
