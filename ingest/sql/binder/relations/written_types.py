"""Types that a text says: the schema that a document is read by, ``from_json(a, 'x INT, y ARRAY<STRING>')``."""

from __future__ import annotations

import re
from typing import Any, Final

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import SqlglotError

from ingest.sql.sqlglot_errors import SQLGLOT_ERRORS

#: A whole type; anything else is what a STRUCT has between its brackets.
_WHOLE: Final = re.compile(r"\s*(?:struct|array|map)\s*<", re.IGNORECASE)
#: A text is read as often as its function is looked at, and not by the guard of the statement's own text.
_LONGEST: Final = 1 << 14
_DEEPEST: Final = 32


def written_type(node: Any, dialect: Dialect) -> exp.Expr | None:
    """Return the type that a constant text says, None for anything else: for one in JSON, or made at run time."""
    if not isinstance(node, exp.Literal) or not node.is_string:
        return None
    text = node.name
    if len(text) > _LONGEST or text.count("<") > _DEEPEST or "{" in text:
        return None
    try:
        kind = exp.DataType.build(text if _WHOLE.match(text) else f"STRUCT<{text}>", dialect=dialect)
    except (SqlglotError, ValueError, *SQLGLOT_ERRORS):
        return None
    structs = [each for each in kind.find_all(exp.DataType) if each.this == exp.DType.STRUCT]
    fields = [field for each in structs for field in each.expressions]
    well = structs and all(isinstance(field, exp.ColumnDef) and field.args.get("kind") for field in fields)
    return kind if well and all(each.expressions for each in structs) else None
