"""One walk over an expression: from which columns a value comes, and in which ways."""

from __future__ import annotations

import pytest
from bound import Bound, listed, ways
from sqlglot import exp

from ingest.sql.binder.expressions.values import Values
from ingest.sql.binder.relations.flow import AGGREGATION, FILTER, IDENTITY

CHANGED, CHOOSES, SUMMED = "TRANSFORMATION", "CONDITIONAL", "AGGREGATION"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a", {"t#a": "IDENTITY"}),
        ("(a)", {"t#a": "IDENTITY"}),
        ("a + b", {"t#a": CHANGED, "t#b": CHANGED}),
        ("max(a)", {"t#a": SUMMED}),
        ("max(a + b) + c", {"t#a": SUMMED, "t#b": SUMMED, "t#c": CHANGED}),
        ("a + max(a)", {"t#a": f"{CHANGED}+{SUMMED}"}),
        ("1", {}),
        ("'a'", {}),
        ("NULL", {}),
        ("current_date()", {}),
        ("CAST(a AS INT)", {"t#a": CHANGED}),
        ("my_udf(a, b)", {"t#a": CHANGED, "t#b": CHANGED}),
        ("exists(SELECT d FROM u WHERE e = a)", {}),
        ("(SELECT max(d) FROM u)", {"u#d": SUMMED}),
        ("a IN (SELECT d FROM u)", {"t#a": CHANGED, "u#d": CHANGED}),
        ("named_struct('k', a)", {"t#a": CHANGED}),
    ],
)
def test_a_value_comes_from_its_columns_in_its_ways(text: str, expected: dict[str, str]) -> None:
    """Through brackets a column stays itself; a constant comes from nowhere."""
    assert Bound("t").ways(text) == expected


def test_thousands_of_operators_in_a_row_are_no_recursion() -> None:
    """They lean to the left, one inside of another."""
    assert Bound("t").ways(" OR ".join(["a = 1"] * 3000 + ["b = 2"])) == {"t#a": CHANGED, "t#b": CHANGED}


def test_what_is_done_outside_is_what_counts() -> None:
    """An aggregate over a change aggregates; where a value only decides, all in it decides."""
    bound = Bound("t")

    assert bound.ways("a + b", AGGREGATION) == {"t#a": SUMMED, "t#b": SUMMED}
    assert bound.ways("max(a)", FILTER) == {"t#a": "FILTER"}


def test_a_plain_column_keeps_its_derivation_and_anything_else_is_a_new_one() -> None:
    """Under the name and the place that it is given."""
    bound = Bound("(SELECT a + b AS k FROM t) q")
    plain = bound.values.column(bound.item("q.k"), bound.scope, "z", 3)
    new = bound.values.column(bound.item("q.k + 1"), bound.scope, "z")

    assert (plain.name, plain.position, plain.text) == ("z", 3, "d.t.a + d.t.b")
    assert (new.position, new.text) == (None, "(d.t.a + d.t.b) + ?")
    assert ways(plain.flow()) == ways(new.flow()) == {"t#a": CHANGED, "t#b": CHANGED}


def test_a_subquery_of_one_column_is_that_column() -> None:
    """What filters it is among what decides about the rows around it; what it was resolved to is remembered."""
    bound = Bound("t")
    node = bound.item("(SELECT d FROM u WHERE e > 1)")
    column = bound.values.column(node, bound.scope, "z")
    relation = bound.values.relation_at(node)

    assert ways(column.flow()) == {"u#d": "IDENTITY"}
    assert bound.decisions() == {"u#e": "FILTER"}
    assert relation is not None
    assert listed(relation.visible()) == [("d", "u#d")]
    assert bound.values.relation_at(exp.column("d")) is None


@pytest.mark.parametrize(
    ("given", "text", "expected"),
    [("w", "st.f", ["w#st.f"]), ("w", "arr[0].f", ["w#arr.f"]), ("w", "arr[x]", ["w#arr", "w#x"]),
     ("w", "(st).f.g", ["w#st.f.g"]), ("w", "w.*", ["w#arr", "w#st", "w#x", "w#y"])],
)  # fmt: skip
def test_fields_elements_and_stars_are_paths_into_a_column(given: str, text: str, expected: list[str]) -> None:
    """An index is a source of its own; a star inside of a value is all columns."""
    assert sorted(Bound(given).ways(text)) == expected


def test_a_column_that_is_computed_from_has_its_sources_as_changed() -> None:
    """However it got them."""
    bound = Bound("t")
    seen = Values(bound.walk).seen(bound.column("max(a)"))

    assert ways(seen) == {"t#a": SUMMED}
    assert ways(bound.values.seen(bound.column("a"))) == {"t#a": CHANGED}
    assert bound.ways("a", IDENTITY) == {"t#a": "IDENTITY"}


def test_a_declared_map_is_one_and_a_computed_one_is_not_known() -> None:
    """Only of a column is a type declared."""
    bound = Bound("t", columns={"n:d.t": ("a", ("m", "MAP<STRING, INT>"))})

    assert bound.values.is_map(bound.item("m"), bound.scope)
    assert not bound.values.is_map(bound.item("a"), bound.scope)
    assert not bound.values.is_map(bound.item("map(a, 1)"), bound.scope)
