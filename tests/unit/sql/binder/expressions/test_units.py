"""A column in the place of a time unit is a source, where a table is known to have it."""

from __future__ import annotations

import pytest
from bound import Bound

from ingest.sql.binder.expressions.units import WITH_UNIT
from ingest.sql.binder.relations.flow import AGGREGATION
from ingest.sql.dialects.parts.time_units import UNITS

CHANGED = "TRANSFORMATION"


@pytest.mark.parametrize(
    ("dialect", "text", "expected"),
    [
        ("trino", "date_trunc(b, a)", ["t#a", "t#b"]),
        ("trino", "date_trunc('b', a)", ["t#a", "t#b"]),
        ("trino", "date_trunc('month', a)", ["t#a"]),
        ("duckdb", "date_diff('b', a, c)", ["t#a", "t#b", "t#c"]),
        ("bigquery", "DATE_TRUNC(a, MONTH)", ["t#a"]),
        ("bigquery", "DATE_DIFF(a, b, DAY)", ["t#a", "t#b"]),
    ],
)
def test_a_unit_is_no_column_unless_a_source_has_it(dialect: str, text: str, expected: list[str]) -> None:
    """Names of units are units even without quotes."""
    bound = Bound("t", dialect)

    assert isinstance(bound.item(text), WITH_UNIT)
    assert bound.ways(text) == dict.fromkeys(expected, CHANGED)
    assert bound.problems() == []


def test_a_column_called_like_a_unit_is_the_unit() -> None:
    """The engine takes the word for the unit, and so does the binder."""
    bound = Bound("t", "trino", {"n:d.t": ("a", "month", "fiscal")})

    assert bound.ways("date_trunc('month', a)") == {"t#a": CHANGED}
    assert bound.ways("date_trunc('fiscal', a)") == {"t#a": CHANGED, "t#fiscal": CHANGED}
    assert "month" in UNITS
    assert "fiscal" not in UNITS


def test_inside_of_an_aggregate_both_are_aggregated() -> None:
    """What was done outside counts for the unit as well."""
    bound = Bound("t", "trino")

    assert bound.ways("date_trunc('b', a)", AGGREGATION) == dict.fromkeys(("t#a", "t#b"), "AGGREGATION")
