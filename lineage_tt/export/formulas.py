"""Texts that a spreadsheet would run: names come from messages, so anybody may have chosen them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import pyarrow as pa

#: What spreadsheets treat as the beginning of a formula.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def neutralised(text: str) -> str:
    """Return a text that a spreadsheet shows and does not run: a formula gets an apostrophe in front."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def neutralised_table(table: pa.Table, own: tuple[str, ...] = ()) -> pa.Table:
    """Return a table whose texts a spreadsheet shows and does not run; ``own`` are columns that the product fills."""
    import pyarrow as pa

    for place, field in enumerate(table.schema):
        if field.type != pa.string() or field.name in own:
            continue
        texts = table.column(place).to_pylist()
        harmless = [None if text is None else neutralised(text) for text in texts]
        if harmless != texts:
            table = table.set_column(place, field, pa.array(harmless, pa.string()))
    return table
