"""Texts of expressions and of types: as written, cut to a length, or a digest."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from itertools import islice
from typing import Any, Final

from sqlglot import exp

from ingest.sql.sqlglot_errors import SQLGLOT_ERRORS

LONGEST_TEXT: Final = 500
_HASH_DIGITS: Final = 12
#: An expression with more queries than these has no text.
MAX_QUERIES: Final = 12
#: Texts of plain types are remembered, up to this many and this length: sqlglot takes 0.1 ms to write ``INT``.
MAX_TYPES: Final = 4_096
LONGEST_TYPE: Final = 200
_types: dict[Any, str] = {}


def shorten(text: str) -> str:
    """Return a text cut to ``LONGEST_TEXT`` characters, its end replaced by a hash of the whole."""
    if len(text) <= LONGEST_TEXT:
        return text
    return f"{text[: LONGEST_TEXT - _HASH_DIGITS - 2]}… {_digest(text)}"


def digest_of(names: Iterable[str]) -> str:
    """Return what an expression shows for columns that are too many to name: other columns give another text."""
    return f"… {_digest(', '.join(sorted(names)))}"


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH_DIGITS]


def text_of(node: exp.Expr, dialect: Any, *, comments: bool = True) -> str:
    """Return a node's text in a dialect, as it was written; empty where it holds too many queries, or is rejected.

    To write a query, sqlglot copies it and all queries in it, in many dialects and for structs in all of them. Naming
    each of forty levels by its text takes seconds, and nobody uses such a name.
    """
    if next(islice(node.find_all(exp.Select), MAX_QUERIES, None), None) is not None:
        return ""
    try:
        return str(node.sql(dialect, comments=comments))
    except SQLGLOT_ERRORS:
        return ""


def type_text(kind: exp.DataType, dialect: Any) -> str:
    """Return a type's text in a dialect, as :func:`text_of` does, without comments."""
    if kind.args.get("nested"):
        return text_of(kind, dialect, comments=False)
    key = (dialect, _shape(kind))
    text = _types.get(key)
    if text is None:
        text = text_of(kind, dialect, comments=False)
        if len(text) <= LONGEST_TYPE:
            if len(_types) >= MAX_TYPES:
                _types.clear()
            _types[key] = text
    return text


def _shape(value: Any) -> Any:
    """Return what a tree says, without the tree itself: remembered, it would keep the whole statement in memory."""
    if isinstance(value, exp.Expr):
        return value.__class__, *((key, _shape(part)) for key, part in value.args.items() if part not in (None, []))
    return tuple(map(_shape, value)) if isinstance(value, list) else value
