"""JSON_TABLE cut down to what makes its columns."""

from __future__ import annotations

import pytest
from token_texts import text_of, tokens_in

from ingest.sql.parser.after.json_tables import plain_json_tables


@pytest.mark.parametrize(
    ("inside", "plain"),
    [("d, '$' columns (a int path '$.a' default 0 on empty, b text exists) error on error",
      "d , '$' columns ( a int path '$.a' , b text )"),
     ("d format json, '$' columns (n for ordinality)", "d , '$' columns ( n for ordinality )"),
     ("d, '$' passing x as y, z as w columns (a int)", "json_passing ( d , x , z ) , '$' columns ( a int )"),
     ("d, '$' columns (a decimal(3, 1) null on error, nested path '$.b' as p columns (c int null on error))",
      "d , '$' columns ( a decimal ( 3 , 1 ) , nested PATH '$.b' columns ( c int ) )")],
)  # fmt: skip
def test_names_types_and_paths_stay(inside: str, plain: str) -> None:
    """What is passed is kept beside the document."""
    found = plain_json_tables(tokens_in(f"select 1 from json_table({inside}) t", "mysql"))

    assert text_of(found) == f"select 1 from json_table ( {plain} ) t"


@pytest.mark.parametrize(
    "sql",
    ["select 1 from json_table(d, '$' columns (a int default b on empty))", "select json_table from t",
     "select 1 from json_table(d, '$')", "select 1 from json_table(d, '$' columns (", "select 1"],
)  # fmt: skip
def test_a_default_that_is_no_constant_is_not_cut(sql: str) -> None:
    """It may be a column, which must not be lost; so is a call without columns."""
    assert plain_json_tables(tokens_in(sql, "mysql")) is None


def test_each_of_several_is_cut_down() -> None:
    """What lies between stays."""
    one = "json_table(d, '$' columns (a int null on error)) t"
    found = plain_json_tables(tokens_in(f"select 1 from {one} join {one} on x", "mysql"))
    plain = "json_table ( d , '$' columns ( a int ) ) t"

    assert text_of(found) == f"select 1 from {plain} join {plain} on x"
