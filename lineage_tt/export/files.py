"""Tables written as files: CSV, JSON Lines, Parquet, Excel, GraphML, or a day of a Delta table.

A file appears complete or not at all: it is written under another name and then moved. Names come from messages and may
be hostile: in Excel every text is written as text, never as a formula or a link; in CSV, formulas are neutralised
(``formulas``); in GraphML, characters that XML cannot hold are left out.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final
from xml.sax.saxutils import quoteattr

import orjson
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from lineage_tt.export.formulas import neutralised_table
from lineage_tt.model.errors import InvalidRequestError, UnavailableError
from lineage_tt.model.os_errors import system_errors

#: The most rows of an Excel sheet, including its header, and the most characters of a cell.
SHEET_ROWS: Final = 1_048_576
CELL_CHARACTERS: Final = 32_767
#: What XML 1.0 cannot hold.
_NO_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
#: The column with the sign of a change, which never holds anything else.
_OWN: Final = ("op",)
_ROWS_AT_ONCE: Final = 65_536


@system_errors("write the export")
def write(
    table: pa.Table, path: Path, form: str, *, overwrite: bool = False, sheet_rows: int = SHEET_ROWS,
    raw_cells: bool = False,
) -> None:  # fmt: skip
    """Write a table to a file, or its day to the Delta table in a folder (whose rows of that day it replaces).

    In CSV a text that a spreadsheet would run as a formula gets an apostrophe before it, unless ``raw_cells`` is given.
    Raises InvalidRequestError for an unknown form, and for a file that exists already unless it may be overwritten;
    UnavailableError where the place cannot be written.
    """
    if form == "delta":
        _write_delta(table, path)
        return
    if form not in _WRITERS:
        raise InvalidRequestError(f"no format {form!r}", hint=f"give {', '.join(FORMATS)}")
    if form == "graphml" and "source" not in table.column_names:
        raise InvalidRequestError("these rows are not edges: GraphML cannot hold them", hint="give another --format")
    if path.exists() and not overwrite:
        raise InvalidRequestError(f"{path} already exists", hint="give another name, or --overwrite")
    if form == "csv" and not raw_cells:
        table = neutralised_table(table, _OWN)
    if not path.parent.is_dir():
        raise InvalidRequestError(f"there is no folder {path.parent}", hint="create it, or give another --to")
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        if form == "xlsx":
            _write_xlsx(table, beside, sheet_rows)
        else:
            _WRITERS[form](table, beside)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def _write_csv(table: pa.Table, path: Path) -> None:
    pyarrow.csv.write_csv(table, path)


def _write_jsonl(table: pa.Table, path: Path) -> None:
    with path.open("wb") as out:
        for batch in table.to_batches(_ROWS_AT_ONCE):
            out.writelines(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in batch.to_pylist())


def _write_parquet(table: pa.Table, path: Path) -> None:
    pq.write_table(table, path, compression="zstd")


def _write_xlsx(table: pa.Table, path: Path, sheet_rows: int = SHEET_ROWS) -> None:
    """Write sheets of at most ``sheet_rows`` rows, each with a header, in constant memory."""
    try:
        import xlsxwriter
    except ImportError:
        raise UnavailableError(
            "Excel files need XlsxWriter, which is not installed", hint="pip install 'lineage-tt[export]'"
        ) from None
    options = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False,
               "strings_to_numbers": False}  # fmt: skip
    with xlsxwriter.Workbook(path, options) as book:
        capacity = sheet_rows - 1
        for first in range(0, max(1, table.num_rows), capacity):
            sheet = book.add_worksheet(f"rows {first // capacity + 1}")
            sheet.write_row(0, 0, table.column_names)
            row = 0
            for batch in table.slice(first, capacity).to_batches(_ROWS_AT_ONCE):
                for values in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                    row += 1
                    for place, value in enumerate(values):
                        _cell(sheet, row, place, value)


def _cell(sheet: Any, row: int, place: int, value: Any) -> None:
    if isinstance(value, bool):
        sheet.write_boolean(row, place, value)
    elif isinstance(value, int):
        sheet.write_number(row, place, value)
    elif value is not None:
        text = value.isoformat() if hasattr(value, "isoformat") else str(value)
        if len(text) > CELL_CHARACTERS:
            text = text[: CELL_CHARACTERS - 1] + "…"
        sheet.write_string(row, place, text)


def _write_graphml(table: pa.Table, path: Path) -> None:
    """Write the ends as nodes and the rows as edges, with all other columns as attributes."""
    rows = table.to_pylist()
    names = [name for name in table.column_names if name not in ("source", "target")]
    numbers = {name: at for at, name in enumerate(sorted({row[end] for row in rows for end in ("source", "target")}))}
    with path.open("w", encoding="utf-8", errors="replace") as out:
        out.write('<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n')
        out.write('<key id="name" for="node" attr.name="name" attr.type="string"/>\n')
        out.writelines(f'<key id="{name}" for="edge" attr.name="{name}" attr.type="string"/>\n' for name in names)
        out.write('<graph edgedefault="directed">\n')
        for name, number in numbers.items():
            out.write(f'<node id="n{number}"><data key="name">{_xml(name)}</data></node>\n')
        for row in rows:
            data = "".join(f'<data key="{name}">{_xml(row[name])}</data>' for name in names if row[name] is not None)
            out.write(f'<edge source="n{numbers[row["source"]]}" target="n{numbers[row["target"]]}">{data}</edge>\n')
        out.write("</graph>\n</graphml>\n")


def _xml(value: Any) -> str:
    text = value.isoformat() if hasattr(value, "isoformat") else str(value)
    return quoteattr(_NO_XML.sub("", text))[1:-1].replace("<", "&lt;").replace("\n", "&#10;")


def _write_delta(table: pa.Table, folder: Path) -> None:
    from deltalake import write_deltalake
    from deltalake.exceptions import DeltaError

    days = sorted(set(table.column("day").to_pylist()))
    if not days:
        raise InvalidRequestError("there are no rows to write", hint="ask for a point at which lineage is in force")
    try:
        if (folder / "_delta_log").is_dir():
            write_deltalake(folder, table, mode="overwrite", predicate=f"day = '{days[0]}'", partition_by=["day"])
        else:
            write_deltalake(folder, table, partition_by=["day"])
    except (DeltaError, OSError) as error:
        raise UnavailableError(
            f"the Delta table {folder} cannot be written: {error}", hint="give a table of this kind, or a new folder"
        ) from error


_WRITERS: Final[dict[str, Callable[[pa.Table, Path], None]]] = {
    "csv": _write_csv, "jsonl": _write_jsonl, "parquet": _write_parquet, "xlsx": _write_xlsx,
    "graphml": _write_graphml,
}  # fmt: skip
FORMATS: Final = (*_WRITERS, "delta")
