"""What functions that make rows call their columns when the query does not say."""

from __future__ import annotations

from typing import Any, Final

from sqlglot import exp

from ingest.sql.words import words

# Table functions that read nothing but their arguments.
ROW_FUNCTIONS: Final = words(
    """table generate_series generate_subscripts range sequence numbers numbers_mt zeros values flatten split_to_table
    explode explode_outer posexplode posexplode_outer inline inline_outer stack json_tuple parse_url_tuple variant_explode
    variant_explode_outer json_each json_each_text json_array_elements json_array_elements_text jsonb_each jsonb_each_text
    jsonb_array_elements jsonb_array_elements_text json_to_recordset jsonb_to_recordset json_object_keys jsonb_object_keys
    regexp_split_to_table regexp_matches string_split string_to_table unnest openjson json_table xmltable generator
    generate_date_array collations null exclude_columns"""
)


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
