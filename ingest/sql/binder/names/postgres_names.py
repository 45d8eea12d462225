"""What Postgres, and Redshift, call a column that the query gives no name, as ``FigureColname`` in its parser has it.

A function gives its name, a cast that of what is cast, else that of the type; what an operator computes has none and is
``?column?``. What the parser takes for one function cannot be distinguished: ``char_length`` and ``length``, ``substr``
and ``substring``, ``now()`` and ``current_timestamp``, ``mod(a, b)`` and ``a % b``.
"""

from __future__ import annotations

import re
from typing import Any, Final

from sqlglot import exp

from ingest.sql.render import text_of

NO_NAME: Final = "?column?"

_CALL = re.compile(r'(?:[\w"]+\.)*(\w+)\s*\(')
_WORD = re.compile(r"\w+")
_SAME = (exp.Paren, exp.Window, exp.Filter, exp.WithinGroup, exp.Collate, exp.Bracket, exp.IgnoreNulls)
_FIXED: Final[dict[type, str]] = {
    exp.Case: "case",
    exp.Array: "array",
    exp.Tuple: "row",
    exp.Exists: "exists",
    exp.AtTimeZone: "timezone",
    exp.Interval: "interval",
}
# Functions of two arguments that the parser has among the operators.
_NO_OPERATORS = (exp.Pow, exp.Corr, exp.CovarPop, exp.CovarSamp, exp.ArrayPosition)
_TRIMS: Final = {"LEADING": "ltrim", "TRAILING": "rtrim"}
_TYPES: Final = {
    exp.DType.INT: "int4",
    exp.DType.BIGINT: "int8",
    exp.DType.SMALLINT: "int2",
    exp.DType.FLOAT: "float4",
    exp.DType.DOUBLE: "float8",
    exp.DType.DECIMAL: "numeric",
    exp.DType.BOOLEAN: "bool",
    exp.DType.CHAR: "bpchar",
}


def name_of(node: exp.Expr, dialect: Any) -> str:
    """Return what a select item without an alias is called."""
    return _named(node, dialect) or NO_NAME


def _named(node: Any, dialect: Any) -> str:
    if isinstance(node, exp.Column | exp.Identifier):
        return "" if isinstance(node.this, exp.Star) else str(node.name)
    if isinstance(node, exp.Dot):
        return _named(node.expression, dialect)
    if isinstance(node, _SAME):
        return _named(node.this, dialect)
    if isinstance(node, exp.Cast):
        return _above(_named(node.this, dialect), node.this) or _type(node.to)
    if isinstance(node, exp.Case):
        return _above(_named(node.args.get("default"), dialect), node.args.get("default")) or "case"
    if isinstance(node, exp.Subquery):
        first = node.selects[:1]
        return (first[0].alias or _named(first[0], dialect)) if first else ""
    if isinstance(node, exp.Trim):
        return _TRIMS.get(str(node.args.get("position") or "").upper(), "btrim")
    if node.__class__ in _FIXED:
        return _FIXED[node.__class__]
    if not isinstance(node, exp.Func) or (isinstance(node, exp.Binary) and not isinstance(node, _NO_OPERATORS)):
        return ""
    text = text_of(node, dialect)
    match = _CALL.match(text) or _WORD.fullmatch(text)
    return (match[1] if match.re is _CALL else text).lower() if match else ""


def _above(name: str, node: Any) -> str:
    """A type's name, and the word CASE, give way to the name of what is around them."""
    return "" if isinstance(node, exp.Cast | exp.Case) and name in ("case", _type(node.args.get("to"))) else name


def _type(kind: Any) -> str:
    if not isinstance(kind, exp.DataType):
        return ""
    if kind.this == exp.DType.ARRAY and kind.expressions:
        return _type(kind.expressions[0])
    return _TYPES.get(kind.this) or str(kind.this.value if isinstance(kind.this, exp.DType) else kind.this).lower()
