"""What functions that make rows call their columns when the query does not say."""

from __future__ import annotations

from typing import Any, Final

from sqlglot import exp

from ingest.sql.dialects.rules import Rules
from ingest.sql.words import words

# Table functions that read nothing but their arguments.
ROW_FUNCTIONS: Final = words(
    """table generate_series generate_subscripts range sequence numbers numbers_mt zeros values flatten split_to_table
    explode explode_outer posexplode posexplode_outer inline inline_outer stack json_tuple parse_url_tuple
    variant_explode variant_explode_outer json_each json_each_text json_array_elements json_array_elements_text
    jsonb_each jsonb_each_text jsonb_array_elements jsonb_array_elements_text json_to_recordset jsonb_to_recordset
    json_object_keys jsonb_object_keys regexp_split_to_table regexp_matches string_split string_to_table unnest
    openjson json_table xmltable generator json_to_record jsonb_to_record jsonb_path_query
    generate_date_array collations null exclude_columns strtok_split_to_table json_populate_record xmlsequence
    json_populate_recordset jsonb_populate_record jsonb_populate_recordset json_tree each skeys svals getnextval
    st_dump st_dumppoints st_dumprings st_dumpsegments st_subdivide st_squaregrid st_hexagongrid"""
)
# Schemas of an engine's own functions, which read no tables of users.
ENGINES_OWN: Final = words("sys pg_catalog")


# Table functions that read the file or directory which their first argument names.
FILE_FUNCTIONS: Final = words(
    """read_csv_auto read_json read_json_auto read_files parquet_scan iceberg_scan delta_scan s3 file gcs url files hdfs
    local"""
)
_PATHS: Final = ("path", "uri", "file_path")
_MAKES_MAP: Final = (exp.Map, exp.VarMap, exp.MapFromEntries, exp.StrToMap, exp.ToMap)
# Functions whose arrays have plain values or documents, and what of plain values is one.
_PLAIN_ARRAYS: Final = (
    exp.GenerateSeries, exp.GenerateDateArray, exp.GenerateTimestampArray, exp.Split, exp.RegexpSplit,
    exp.StringToArray, exp.RegexpExtractAll, exp.ToCodePoints, exp.JSONExtractArray, exp.JSONValueArray,
)  # fmt: skip
_PLAIN_VALUES: Final = (
    exp.Literal, exp.Boolean, exp.Null, exp.CurrentDate, exp.CurrentDatetime, exp.CurrentTime, exp.CurrentTimestamp,
    exp.Date, exp.DateAdd, exp.DateSub, exp.DateTrunc, exp.DateDiff, exp.Datetime, exp.Timestamp, exp.TimestampAdd,
    exp.TimestampSub, exp.TimestampTrunc, exp.Add, exp.Sub, exp.Mul, exp.Div, exp.DPipe, exp.Concat, exp.Neg,
)  # fmt: skip
# More arguments of T-SQL's ``string_split`` add a column.
_WITHOUT_ORDINAL: Final = 2
_NAMED: Final = {
    "range": ["id"],
    "variant_explode": ["pos", "key", "value"],
    "variant_explode_outer": ["pos", "key", "value"],
    "json_each": ["key", "value"],
    "jsonb_each": ["key", "value"],
    "json_each_text": ["key", "value"],
    "jsonb_each_text": ["key", "value"],
    "inline_outer": [],
    "posexplode_outer": ["pos", "col"],
    "explode_outer": ["col"],
    "flatten": ["seq", "key", "path", "index", "value", "this"],
}


def is_generator(node: exp.Expr) -> bool:
    """Whether a select item makes rows and perhaps several columns."""
    return isinstance(node, exp.Explode | exp.Posexplode | exp.Inline | exp.Stack) or (
        isinstance(node, exp.Anonymous) and node.name.lower() in ("json_tuple", "parse_url_tuple", "inline_outer")
    )


def named_path(call: exp.Expr) -> Any:
    """Return the literal of ``FILES("path" = "s3://b/k")`` and ``S3("uri" = "…")``, None where none is named."""
    for item in call.expressions:
        if isinstance(item, exp.EQ | exp.PropertyEQ | exp.Kwarg) and item.this.name.lower() in _PATHS:
            return item.expression
    return None


def called_path(call: exp.Expr) -> Any:
    """Return the literal of the files that a function of files names, None for another function."""
    argument = named_path(call) or (call.expressions or [None])[0]
    return argument if call.name.lower() in FILE_FUNCTIONS and isinstance(argument, exp.Literal) else None


def inlined_array(node: exp.Expr) -> Any:
    """Return the array of structs that INLINE lays out, None for another function."""
    if isinstance(node, exp.Inline):
        return node.this
    if isinstance(node, exp.Anonymous) and node.name.lower() == "inline_outer" and node.expressions:
        return node.expressions[0]
    return None


def stacked(node: exp.Expr) -> list[list[Any]]:
    """Return the values of each column that ``stack(2, a, b, c, d)`` makes: a and c, b and d; none of another call.

    Each column of ``trans_array(1, ',', a, b)`` comes from its own argument, keys (here one) as they are.
    """
    if isinstance(node, exp.Anonymous) and node.name.lower() == "trans_array":  # MaxCompute's
        keys = int(node.expressions[0].name) if node.expressions and node.expressions[0].name.isdigit() else 0
        listed = node.expressions[2:]
        return [[item if n < keys else exp.Explode(this=item.copy())] for n, item in enumerate(listed)]
    if not isinstance(node, exp.Stack) or not node.this.name.isdigit() or not int(node.this.name):
        return []
    count = -(-len(node.expressions) // int(node.this.name))
    return [node.expressions[place::count] for place in range(count)]


def width(value: exp.Expr) -> int | None:
    """Return how many columns UNNEST makes of an array or map, None where its type is not known."""
    if isinstance(value, _MAKES_MAP):
        return 2
    if isinstance(value, exp.Array) and value.expressions:
        first = value.expressions[0]
        return len(first.expressions) if isinstance(first, exp.Tuple | exp.Struct) else 1
    return 1 if has_plain_elements(value) else None


def has_plain_elements(value: exp.Expr) -> bool:
    """Whether an array's elements surely have no fields that a name alone may be: ``[1, 2]``, ``SPLIT(a, ',')``."""
    if isinstance(value, exp.ArrayConcat):
        return all(map(has_plain_elements, (value.this, *value.expressions)))
    if isinstance(value, exp.Array):
        return all(map(_is_plain, value.expressions))
    if isinstance(value, exp.Cast):
        return is_plain_array(value.args["to"])
    inner = value.this if isinstance(value, exp.ArrayReverse | exp.Paren) else value
    return isinstance(inner, _PLAIN_ARRAYS) or (inner is not value and has_plain_elements(inner))


def is_plain_array(kind: Any) -> bool:
    """Whether a type's tree is that of an array of plain values."""
    if not isinstance(kind, exp.DataType) or kind.this != exp.DType.ARRAY or not kind.expressions:
        return False
    return _is_plain_type(kind.expressions[0])


def _is_plain_type(kind: Any) -> bool:
    return isinstance(kind, exp.DataType) and not kind.args.get("nested") and kind.this not in exp.DataType.NESTED_TYPES


def _is_plain(value: exp.Expr) -> bool:
    if isinstance(value, exp.Cast):
        return _is_plain_type(value.args["to"])
    return _is_plain(value.this) if isinstance(value, exp.Paren) else isinstance(value, _PLAIN_VALUES)


def counted(node: exp.Expr) -> list[bool]:
    """Return of each column that JSON_TABLE or XMLTABLE defines whether it counts rows: FOR ORDINALITY."""
    if not isinstance(node, exp.JSONTable | exp.XMLTable):
        return []
    defined = node.find_all(exp.JSONColumnDef, exp.ColumnDef, bfs=False)
    return [bool(column.args.get("ordinality")) for column in defined if column.name]


def fixed_columns(node: exp.Expr, rules: Rules) -> list[exp.Expr] | None:
    """Return the names of a function's columns where nothing else decides about them, None where something may.

    JSON_TABLE, OPENJSON and XMLTABLE define theirs in the call, others have those of the rules.
    """
    if isinstance(node, exp.JSONTable | exp.OpenJSON | exp.XMLTable):
        defined = node.find_all(exp.JSONColumnDef, exp.OpenJSONColumnDef, exp.ColumnDef, bfs=False)
        if listed := [column.this for column in defined if column.name]:
            return listed
    name = function_name(node)
    if name == "string_split" and len(node.expressions) > _WITHOUT_ORDINAL:
        return None
    names = dict(rules.fixed_columns).get(name)
    return [exp.to_identifier(each, quoted=True) for each in names] if names is not None else None


def has_own_columns(node: exp.Expr, rules: Rules) -> bool:
    """Whether the columns of a function in FROM are known by the function alone."""
    name = function_name(node)
    return name in rules.rows_take_alias or any(name == each for each, _ in rules.fixed_columns)


def function_name(node: exp.Expr) -> str:
    """Return the name of a function in FROM in lower case, as the engine has it; "" for anything else."""
    if isinstance(node, exp.GenerateSeries):
        return "range" if node.args.get("is_end_exclusive") else "generate_series"
    if isinstance(node, exp.OpenJSON):
        return "openjson"
    name = node.name if isinstance(node, exp.Anonymous) else node.sql_name() if isinstance(node, exp.Func) else ""
    return str(name).lower()


def generated_names(node: exp.Expr, rules: Rules, *, is_map: bool = False) -> list[str]:
    """Return the columns' names, an empty list where they cannot be known (a struct's fields, say).

    ``is_map`` says that the argument is a column declared as a map.
    """
    if isinstance(node, exp.Explode | exp.Posexplode) and rules.explode_names:
        values = ["key", "value"] if is_map or isinstance(node.this, _MAKES_MAP) else ["col"]
        return ["pos", *values] if isinstance(node, exp.Posexplode) else values
    if isinstance(node, exp.Stack):
        return [f"col{place}" for place in range(len(stacked(node)))]
    name = node.name.lower() if isinstance(node, exp.Anonymous) else node.key
    if name in ("json_tuple", "parse_url_tuple"):
        return [f"c{place}" for place in range(len(node.expressions) - 1)]
    return _NAMED.get(name, [])
