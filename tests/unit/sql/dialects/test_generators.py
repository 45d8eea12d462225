"""What functions that make rows call their columns."""

from __future__ import annotations

import pytest
from sqlglot import parse_one

from ingest.sql.dialects import generators
from ingest.sql.dialects.registry import rules_or_standard


def call(sql: str, dialect: str = "spark"):
    """Return the tree of a call."""
    return parse_one(sql, dialect=dialect)


@pytest.mark.parametrize(
    ("sql", "dialect", "names"),
    [("explode(a)", "spark", ["col"]), ("posexplode(a)", "hive", ["pos", "col"]),
     ("explode(map(1, 2))", "spark", ["key", "value"]), ("posexplode(map(1, 2))", "spark", ["pos", "key", "value"]),
     ("stack(2, a, b, c)", "spark", ["col0", "col1"]), ("json_tuple(a, 'x', 'y')", "hive", ["c0", "c1"]),
     ("json_each_text(a)", "postgres", ["key", "value"]), ("inline_outer(a)", "spark", []), ("f(a)", "spark", [])],
)  # fmt: skip
def test_columns_are_named_as_the_engine_names_them(sql: str, dialect: str, names: list[str]) -> None:
    """None are known of a struct's fields or of another function."""
    assert generators.generated_names(call(sql, dialect), rules_or_standard(dialect)) == names


def test_a_column_declared_as_a_map_has_keys_and_values() -> None:
    """Its type alone says so."""
    rules = rules_or_standard("spark")

    assert generators.generated_names(call("explode(a)"), rules, is_map=True) == ["key", "value"]


def test_a_stack_deals_its_values_out_in_rows() -> None:
    """The last row may be short; a number of rows that is none, or not known, makes no columns."""
    shown = [[value.sql() for value in column] for column in generators.stacked(call("stack(2, a, b, c, d)"))]

    assert shown == [["a", "c"], ["b", "d"]]
    assert [len(column) for column in generators.stacked(call("stack(2, a, b, c)"))] == [2, 1]
    assert generators.stacked(call("stack(0, a)")) == []
    assert generators.stacked(call("stack(n, a)")) == []
    assert generators.stacked(call("f(2, a)")) == []


def test_trans_array_keeps_its_keys() -> None:
    """What comes after them is laid out."""
    columns = generators.stacked(call("trans_array(1, ',', a, b)"))

    assert [[value.sql() for value in column] for column in columns] == [["a"], ["EXPLODE(b)"]]


def test_an_array_of_rows_has_as_many_columns_as_a_row() -> None:
    """A map has two; of a column nothing is known."""
    texts = ("array(struct(1, 2, 3))", "array(1)", "map(1, 2)", "a")

    assert [generators.width(call(text)) for text in texts] == [3, 1, 2, None]


def test_a_path_is_named_or_comes_first() -> None:
    """Only functions of files have one, and only a constant is one."""
    assert generators.called_path(call("read_files('/x')")).name == "/x"
    assert generators.called_path(call("read_files(a)")) is None
    assert generators.called_path(call("f('/x')")) is None
    assert generators.called_path(call("read_files()")) is None
    assert generators.named_path(call("f(a = 'x', PATH = '/y')")).name == "/y"


def test_inline_lays_out_its_array() -> None:
    """Its outer form does as well; another function has none."""
    assert generators.inlined_array(call("inline(a)")).sql() == "a"
    assert generators.inlined_array(call("inline_outer(a)")).sql() == "a"
    assert generators.inlined_array(call("explode(a)")) is None
    assert [generators.is_generator(call(text)) for text in ("inline(a)", "json_tuple(a, 'x')", "f(a)")] == [
        True, True, False,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("sql", "dialect", "names"),
    [("JSON_TABLE(a, '$' COLUMNS (x INT PATH '$.x', \"Y\" INT PATH '$.y'))", "oracle", ["x", "Y"]),
     ("XMLTABLE('/a' PASSING a COLUMNS x INT PATH 'x')", "oracle", ["x"])],
)  # fmt: skip
def test_columns_that_a_call_defines_are_told_as_they_are_written(sql: str, dialect: str, names: list[str]) -> None:
    """Quotes stay known, since they decide how a name is spelled."""
    found = generators.fixed_columns(call(sql, dialect), rules_or_standard(dialect))

    assert found is not None
    assert [name.name for name in found] == names
    assert [bool(name.args.get("quoted")) for name in found] == [name == "Y" for name in names]


@pytest.mark.parametrize(
    ("sql", "dialect", "names"),
    [("flatten(a)", "snowflake", ["SEQ", "KEY", "PATH", "INDEX", "VALUE", "THIS"]),
     ("split_to_table(a, ',')", "snowflake", ["SEQ", "INDEX", "VALUE"]),
     ("strtok_split_to_table(a, ',')", "snowflake", ["SEQ", "INDEX", "VALUE"]),
     ("jsonb_array_elements_text(a)", "postgres", ["value"]), ("json_each(a)", "postgres", ["key", "value"]),
     ("numbers(10)", "clickhouse", ["number"]), ("generateSeries(1, 3)", "clickhouse", ["generate_series"]),
     ("STRING_SPLIT(a, ',')", "tsql", ["value"]), ("STRING_SPLIT(a, ',', 1)", "tsql", None),
     ("OPENJSON(a)", "tsql", ["key", "value", "type"]), ("GENERATE_SERIES(1, 3)", "tsql", ["value"]),
     ("f(a)", "snowflake", None), ("flatten(a)", "spark", None), ("explode(a)", "spark", None)],
)  # fmt: skip
def test_some_functions_always_have_the_same_columns(sql: str, dialect: str, names: list[str] | None) -> None:
    """Of the others a type or a body decides."""
    found = generators.fixed_columns(call(sql, dialect), rules_or_standard(dialect))

    assert (found and [name.name for name in found]) == names


@pytest.mark.parametrize(
    ("sql", "dialect", "name"),
    [("generate_series(1, 3)", "postgres", "generate_series"), ("generate_series(1, 3)", "duckdb", "generate_series"),
     ("range(1, 3)", "duckdb", "range"), ("OPENJSON(a)", "tsql", "openjson"),
     ("String_Split(a)", "tsql", "string_split"), ("a", "spark", "")],
)  # fmt: skip
def test_a_function_has_the_name_that_the_engine_gives_it(sql: str, dialect: str, name: str) -> None:
    """The parser knows some of them under another one."""
    assert generators.function_name(call(sql, dialect)) == name


def test_some_functions_alone_say_which_columns_they_make() -> None:
    """Always the same ones, or one that is called as the source is."""
    known = [("generate_series(1, 3)", "postgres"), ("json_each(a)", "sqlite"), ("range(3)", "duckdb")]
    assert all(generators.has_own_columns(call(sql, name), rules_or_standard(name)) for sql, name in known)
    assert not generators.has_own_columns(call("explode(a)"), rules_or_standard("spark"))


@pytest.mark.parametrize(
    ("sql", "plain"),
    [("[1, 2]", True), ("['a', NULL]", True), ("[DATE '2020-01-01', CURRENT_DATE()]", True), ("[(1), -2]", True),
     ("[CAST(a AS STRING), b || 'x']", True), ("GENERATE_ARRAY(1, 3)", True), ("SPLIT(a, ',')", True),
     ("GENERATE_DATE_ARRAY('2020-01-01', d)", True), ("GENERATE_TIMESTAMP_ARRAY(a, b, INTERVAL 1 DAY)", True),
     ("ARRAY<INT64>[]", True), ("ARRAY_REVERSE(SPLIT(a))", True), ("ARRAY_CONCAT([1], SPLIT(a))", True),
     ("JSON_EXTRACT_ARRAY(a)", True), ("REGEXP_EXTRACT_ALL(a, 'x')", True),
     ("[a, 1]", False), ("[STRUCT(1 AS a)]", False), ("[(1, 2)]", False), ("a", False), ("ARRAY(SELECT a)", False),
     ("ARRAY<STRUCT<a INT64>>[]", False), ("f(a)", False), ("ARRAY_CONCAT([1], a)", False), ("[@p]", False)],
)  # fmt: skip
def test_elements_without_fields_are_known_as_such(sql: str, plain: bool) -> None:
    """Those of constants and of functions that make numbers, dates and texts; a column may hold a struct."""
    assert generators.has_plain_elements(call(sql, "bigquery")) is plain


@pytest.mark.parametrize(
    ("kind", "plain"),
    [("ARRAY<STRING>", True), ("ARRAY<STRUCT<a INT64>>", False), ("STRING", False), ("STRUCT<a INT64>", False)],
)
def test_a_type_says_whether_elements_have_fields(kind: str, plain: bool) -> None:
    """That of an array of structs does."""
    assert generators.is_plain_array(call(f"CAST(a AS {kind})", "bigquery").args["to"]) is plain
