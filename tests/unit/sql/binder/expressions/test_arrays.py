"""Arrays that a text writes out: sources of all elements, and fields that any of them may have."""

from __future__ import annotations

import pytest
from bound import Bound, listed, sources
from sqlglot import exp

from ingest.sql.binder.expressions import arrays
from ingest.sql.binder.expressions.structs import fields_of
from ingest.sql.parser.before.long_arrays import SHOWN

LONG = SHOWN + 3


@pytest.mark.parametrize("count", [1, SHOWN, LONG])
def test_each_element_is_a_source_however_many_there_are(count: int) -> None:
    """The ones after those with expressions of their own as well."""
    bound = Bound("t", "bigquery")
    items = ["1"] * (count - 1) + ["b"]

    assert bound.ways(f"[{', '.join(items)}]") == {"t#b": "TRANSFORMATION"}
    assert bound.problems() == []


def test_fields_of_a_long_array_come_from_all_of_its_elements_by_place() -> None:
    """Names are those of the first; a literal feeds nothing."""
    bound = Bound("t", "bigquery")
    rows = ["STRUCT(a AS f, 1 AS g)", *["(1, 2)"] * SHOWN, "(b, c)"]

    found = arrays.elements(bound.values, bound.item(f"[{', '.join(rows)}]"), bound.scope, fields_of)

    assert listed(found) == [("f", "t#a t#b"), ("g", "t#c")]


def test_an_array_without_structs_has_no_fields() -> None:
    """Of columns nothing is known."""
    bound = Bound("t", "bigquery")

    assert arrays.elements(bound.values, bound.item("[1, 2]"), bound.scope, fields_of) is None
    assert arrays.together(bound.values, [], bound.scope, fields_of) is None


def test_of_several_values_null_has_no_part() -> None:
    """A struct and a column: the field comes from either; without a struct there is none."""
    bound = Bound("w", "bigquery")
    nodes = [bound.item(text) for text in ("STRUCT(x AS f)", "NULL", "st")]

    assert listed(arrays.together(bound.values, nodes, bound.scope, fields_of)) == [("f", "w#st.f w#x")]
    assert arrays.together(bound.values, nodes[1:], bound.scope, fields_of) is None


def test_an_array_is_walked_once_for_its_sources_and_its_fields() -> None:
    """In one scope: elsewhere its names mean others."""
    bound = Bound("t", "bigquery")
    node = bound.item(f"[{', '.join(['(a, 1)'] * LONG)}]")

    for _ in range(2):
        arrays.elements(bound.values, node, bound.scope, fields_of)
        assert sources(bound.values.column(node, bound.scope, "z")) == "t#a"
    assert len(bound.values.arrays) == 1


def test_a_fields_value_is_without_its_name() -> None:
    """However it is named."""
    bound = Bound("t", "bigquery")
    struct = bound.item("STRUCT(a AS f, b)")

    assert [arrays.value_of(each).sql() for each in struct.expressions] == ["a", "b"]
    assert isinstance(struct, exp.Struct)
