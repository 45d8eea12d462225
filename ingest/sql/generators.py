"""What functions that make rows call their columns when the query does not say."""

from __future__ import annotations

from typing import Any, Final

from sqlglot import exp

_ROW_MAKERS: Final = (exp.Explode, exp.Posexplode, exp.Inline, exp.Stack, exp.JSONTable)


def is_generator(node: Any) -> bool:
    """Whether a select item makes rows and perhaps several columns."""
    return isinstance(node, exp.Explode | exp.Posexplode | exp.Inline | exp.Stack) or (
        isinstance(node, exp.Anonymous) and node.name.lower() in ("json_tuple", "parse_url_tuple")
    )


def generated_names(node: Any, dialect: str) -> list[str]:
    """Return the columns' names, an empty list where they cannot be known (struct fields, key and value of a map)."""
    if isinstance(node, exp.Posexplode):
        return ["pos", "col"]
    if isinstance(node, exp.Explode) and dialect in ("hive", "spark", "spark2", "databricks"):
        return []  # `col`, or `key` and `value` of a map: any name resolves to the argument
    if isinstance(node, exp.Stack):
        rows = node.this.name
        width = -(-len(node.expressions) // int(rows)) if rows.isdigit() and int(rows) else 0
        return [f"col{place}" for place in range(width)]
    if isinstance(node, exp.Anonymous) and node.name.lower() in ("json_tuple", "parse_url_tuple"):
        return [f"c{place}" for place in range(len(node.expressions) - 1)]
    return []
