"""Families of SQL types: within one, values stay what they are for their readers."""

from __future__ import annotations

import re
from typing import Final

_FAMILIES: Final = {
    "number": "tinyint smallint int integer bigint hugeint utinyint usmallint uint ubigint int64 float float64 double "
    "real decimal numeric bignumeric number bigdecimal long short byte",
    "temporal": "date datetime timestamp timestamptz timestampltz timestampntz time timetz timestamp_s timestamp_ms",
    "boolean": "boolean bool",
    "binary": "binary varbinary blob bytes bytea",
    "nested": "struct array map list json jsonb variant object row super",
}
_BY_NAME: Final = {name: kind for kind, names in _FAMILIES.items() for name in names.split()}
_FIRST: Final = re.compile(r"\w+")
#: Uses of a column that fail when its type leaves a family: (kind of use, the family it needs).
NEEDS: Final = {"arithmetic": ("number", "temporal"), "text": ("text",), "temporal": ("temporal",)}


def family(kind: str | None) -> str | None:
    """Return the family of a type as it is written, None where it is not known."""
    found = _FIRST.search((kind or "").lower())
    name = found.group() if found else ""
    if "[" in (kind or "") or "<" in (kind or ""):
        return "nested"
    return _BY_NAME.get(name, name or None)


def fails(use: str, after: str | None) -> bool:
    """Say whether a use of a column fails once the column is of type ``after``."""
    return use in NEEDS and family(after) is not None and family(after) not in NEEDS[use]
