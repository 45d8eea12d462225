"""Functions in FROM that always have the same columns, by dialect: the values of ``fixed_columns``."""

from __future__ import annotations

from typing import Final

Fixed = tuple[tuple[str, tuple[str, ...]], ...]

_OF_DOCUMENT: Final = ("key", "value", "type", "atom", "id", "parent", "fullkey", "path")
_ELEMENTS: Final = ("json_array_elements", "json_array_elements_text")
_PAIRS: Final = ("json_each", "json_each_text")

#: DuckDB's and SQLite's.
OF_DOCUMENTS: Final[Fixed] = (("json_each", _OF_DOCUMENT), ("json_tree", _OF_DOCUMENT))
OF_POSTGRES: Final[Fixed] = (
    *((f"{kind}{name[4:]}", ("value",)) for kind in ("json", "jsonb") for name in _ELEMENTS),
    *((f"{kind}{name[4:]}", ("key", "value")) for kind in ("json", "jsonb") for name in _PAIRS),
)
OF_TSQL: Final[Fixed] = (
    ("string_split", ("value",)),
    ("generate_series", ("value",)),
    ("openjson", ("key", "value", "type")),
)
OF_CLICKHOUSE: Final[Fixed] = (
    ("numbers", ("number",)),
    ("numbers_mt", ("number",)),
    ("zeros", ("zero",)),
    ("zeros_mt", ("zero",)),
    ("generate_series", ("generate_series",)),
    ("generateseries", ("generate_series",)),
)
