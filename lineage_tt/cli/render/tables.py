"""Tables with aligned columns. Cells are never cut: one wider than ``MAX_WIDTH`` shifts only the rest of its row."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from lineage_tt.cli.render.ink import Ink, width
from lineage_tt.model.names import shown

#: Cells are padded to the width of the widest cell, up to this many columns: names come from messages, and one very
#: long name must not lengthen every line of the table.
MAX_WIDTH: Final = 512

#: Colours one cell; its argument is the shown text.
Painter = Callable[[object], str]


def table(
    headers: Sequence[str], rows: Sequence[Sequence[object]], ink: Ink, painters: dict[str, Painter] | None = None
) -> Iterator[str]:
    """Yield the lines of a table; None is an empty cell, numbers are right-aligned."""
    texts = [["" if value is None else shown(value) for value in row] for row in rows]
    widths = [width(header) for header in headers]
    for row in texts:
        for i, text in enumerate(row):
            widths[i] = max(widths[i], min(width(text), MAX_WIDTH))
    right = [
        all(isinstance(row[i], (int, type(None))) and not isinstance(row[i], bool) for row in rows)
        for i in range(len(headers))
    ]
    paint = [(painters or {}).get(header, ink.plain) for header in headers]

    def line(cells: Sequence[str], paints: Sequence[Painter]) -> str:
        parts = []
        for i, text in enumerate(cells):
            gap = " " * (widths[i] - width(text))
            parts.append(gap + paints[i](text) if right[i] else paints[i](text) + gap)
        return "  ".join(parts).rstrip()

    yield line(headers, [ink.faint] * len(headers))
    for row in texts:
        yield line(row, paint)
