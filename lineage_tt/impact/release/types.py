"""Families of SQL types: a change of type within a family leaves values the same for their readers."""

from __future__ import annotations

import re
from typing import Final

_FAMILIES: Final = {
    "number": "tinyint smallint int integer bigint hugeint utinyint usmallint uint uinteger ubigint uhugeint int64 "
    "float float64 double real decimal numeric bignumeric number bigdecimal long short byte",
    "temporal": "date datetime timestamp timestamptz timestampltz timestampntz time timetz timestamp_s timestamp_ms",
    "text": "string varchar text char character nvarchar nchar bpchar varchar2 nvarchar2 clob nclob tinytext "
    "mediumtext longtext",
    "boolean": "boolean bool",
    "binary": "binary varbinary blob bytes bytea",
    "nested": "struct array map list json jsonb variant object row super",
}
_BY_NAME: Final = {name: kind for kind, names in _FAMILIES.items() for name in names.split()}
_FIRST: Final = re.compile(r"\w+")
#: Uses of a column that fail when its type leaves a family: (kind of use, the family it needs).
NEEDS: Final = {"arithmetic": ("number", "temporal"), "text": ("text",), "temporal": ("temporal",)}


#: Names of the same type, and the sizes of numbers and times within their family: a smaller size holds less.
_SAME: Final = {"integer": "int", "int64": "bigint", "long": "bigint", "short": "smallint", "byte": "tinyint",
                "numeric": "decimal", "number": "decimal", "float64": "double", "real": "float", "bool": "boolean",
                "varchar": "string", "text": "string", "char": "string", "character": "string", "nvarchar": "string",
                "datetime": "timestamp", "timestampntz": "timestamp"}  # fmt: skip
_SIZES: Final = {"tinyint": 1, "smallint": 2, "int": 3, "bigint": 4, "hugeint": 5, "float": 6, "double": 7,
                 "date": 1, "timestamp": 2}  # fmt: skip
_DIGITS: Final = {"tinyint": 3, "smallint": 5, "int": 10, "bigint": 19, "unsigned bigint": 20}
#: The bits of whole numbers, with a sign where the type has one, and how many of them another number holds exactly.
_BITS: Final = {"tinyint": 8, "smallint": 16, "int": 32, "bigint": 64, "hugeint": 128}
_EXACT: Final = {"float": 24, "double": 53}
#: DuckDB's names of whole numbers without a sign.
_UNSIGNED: Final = {"utinyint": "tinyint", "usmallint": "smallint", "uint": "int", "uinteger": "int",
                    "ubigint": "bigint", "uhugeint": "hugeint"}  # fmt: skip
_ARGUMENTS: Final = re.compile(r"\(\s*(\d+)\s*(?:,\s*(\d+)\s*)?\)")


def _parts(kind: str | None) -> tuple[str, tuple[int, ...]]:
    """Return the canonical name of a type, and its length, or its precision and scale."""
    words = _FIRST.findall((kind or "").lower())
    name = words[0] if words else ""
    if name in _UNSIGNED or ("unsigned" in words[1:] and _SAME.get(name, name) in _BITS):
        return f"unsigned {_SAME.get(name, _UNSIGNED.get(name, name))}", ()
    numbers = _ARGUMENTS.search(kind or "")
    return _SAME.get(name, name), tuple(int(each) for each in numbers.groups() if each) if numbers else ()


def same_type(before: str, after: str) -> bool:
    """Return whether two written types are the same, ignoring case, white space and synonyms."""
    one, other = (re.sub(r"\s+", "", kind.lower()) for kind in (before, after))
    if one == other or family(before) == family(after) == "nested":
        return one == other
    return _parts(before) == _parts(after)


def narrows(before: str | None, after: str | None) -> bool:
    """Return whether a type of the same family holds less than before, so that values may no longer fit."""
    if family(before) != family(after) or family(before) == "nested":
        return False
    (old, old_size), (new, new_size) = _parts(before), _parts(after)
    if old == new:
        return _holds_less(old, old_size, new_size)
    if (bits := _whole(old)) is not None and (others := _whole(new) or _exact(new)) is not None:
        return any(held < needed for held, needed in zip(others, bits, strict=True))
    digits = _DIGITS.get(old) or _DIGITS.get(old.removeprefix("unsigned "), 0)
    old, new = old.removeprefix("unsigned "), new.removeprefix("unsigned ")
    if new == "decimal":
        whole = (new_size[0] - (new_size[1] if len(new_size) > 1 else 0)) if new_size else 38
        return whole < digits or old in ("float", "double")
    if old == "decimal":
        return new not in ("double", "float") or (len(old_size) < 2 and new == "float")
    return _SIZES.get(new, 0) < _SIZES.get(old, 0)


def _whole(name: str) -> tuple[int, int] | None:
    """Return how many bits the negative and the other values of a type of whole numbers have, None for other types."""
    bits = _BITS.get(name.removeprefix("unsigned "))
    return None if bits is None else (0, bits) if name.startswith("unsigned ") else (bits - 1, bits - 1)


def _exact(name: str) -> tuple[int, int] | None:
    """Return the same of the whole numbers that a number with a fraction holds exactly, None for other types."""
    return (_EXACT[name], _EXACT[name]) if name in _EXACT else None


def _holds_less(name: str, old: tuple[int, ...], new: tuple[int, ...]) -> bool:
    if not new or not old:
        return bool(new) and not old and name == "string"
    if name == "decimal":
        old_scale, new_scale = (size[1] if len(size) > 1 else 0 for size in (old, new))
        return new_scale < old_scale or new[0] - new_scale < old[0] - old_scale
    return new[0] < old[0]


def family(kind: str | None) -> str | None:
    """Return the family of a written type, None if it is not known."""
    match = _FIRST.search((kind or "").lower())
    name = match.group() if match else ""
    if "[" in (kind or "") or "<" in (kind or ""):
        return "nested"
    return _BY_NAME.get(name, name or None)


def fails(use: str, after: str | None) -> bool:
    """Return whether a use of a column fails once the column is of type ``after``."""
    return use in NEEDS and family(after) is not None and family(after) not in NEEDS[use]
