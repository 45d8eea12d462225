"""Expressions of which some parts only choose what the value is."""

from __future__ import annotations

import pytest
from bound import Bound

from ingest.sql.binder.expressions import choices
from ingest.sql.binder.relations.flow import AGGREGATION, FILTER

CHANGED, CHOOSES = "TRANSFORMATION", "CONDITIONAL"


@pytest.mark.parametrize(
    ("dialect", "text", "chosen", "deciding"),
    [
        ("spark", "CASE WHEN a > 1 THEN b ELSE c END", "b c", "a"),
        ("spark", "CASE WHEN a > 1 THEN b WHEN c > 1 THEN 2 END", "b", "a c"),
        ("spark", "CASE a WHEN b THEN c END", "c", "a b"),
        ("spark", "CASE a WHEN 1 THEN 2 ELSE 3 END", "", "a"),
        ("spark", "CASE WHEN CASE WHEN a THEN b END THEN c END", "c", "a b"),
        ("spark", "CASE WHEN a THEN CASE WHEN b THEN c END END", "c", "a b"),
        ("spark", "if(a, b, c)", "b c", "a"),
        ("spark", "nvl2(a, b, c)", "b c", "a"),
        ("snowflake", "iff(A, B, C)", "B C", "A"),
        ("spark", "nullif(a, b)", "a", "b"),
        ("spark", "coalesce(a, b)", "a b", ""),
        ("spark", "decode(a, b, c)", "c", "a b"),
        ("spark", "decode(a, 1, b, 2, c)", "b c", "a"),
        ("spark", "decode(a, 1, 2, b, 3, c)", "c", "a b"),
        ("oracle", "decode(A, B, 1, C)", "C", "A B"),
        ("spark", "assert_true(a, b)", "b", "a"),
        ("clickhouse", "multiIf(a, b, c, 1, 2)", "b", "a c"),
        ("clickhouse", "multiIf(a, 1, b, 2, c)", "c", "a b"),
        ("clickhouse", "multiIf(a, b, c)", "b c", "a"),
        ("trino", "grouping(a, b)", "", "a b"),
        ("spark", "grouping(a)", "", ""),
        ("spark", "grouping_id(a, b)", "", ""),
    ],
)
def test_conditions_decide_and_branches_are_the_value(dialect: str, text: str, chosen: str, deciding: str) -> None:
    """Also one inside another, and however the engine writes it; an odd last argument is what else holds."""
    upper = dialect in ("snowflake", "oracle")
    names = ("A", "B", "C") if upper else ("a", "b", "c")
    found = Bound("t", dialect, {"n:d.T" if upper else "n:d.t": names}).ways(text)

    assert {source[2:]: way for source, way in found.items()} == {
        **dict.fromkeys(chosen.split(), CHANGED),
        **dict.fromkeys(deciding.split(), CHOOSES),
    }


def test_a_column_may_both_decide_and_be_the_value() -> None:
    """Each way is reported."""
    assert Bound("t").ways("CASE WHEN a > 1 THEN a END") == {"t#a": "TRANSFORMATION+CONDITIONAL"}
    assert Bound("t").ways("nullif(a, a)") == {"t#a": "TRANSFORMATION+CONDITIONAL"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sumIf(a, b > 1)", {"t#a": "AGGREGATION", "t#b": CHOOSES}),
        ("argMaxIf(a, b, c)", {"t#a": "AGGREGATION", "t#b": "AGGREGATION", "t#c": CHOOSES}),
        ("sumArray(a)", {"t#a": "AGGREGATION"}),
        ("quantileArrayIf(a, b)", {"t#a": "AGGREGATION", "t#b": CHOOSES}),
        ("sumIfState(a, b)", {"t#a": "AGGREGATION", "t#b": CHOOSES}),
        ("sumIfOrNull(a, b)", {"t#a": "AGGREGATION", "t#b": CHOOSES}),
        ("sumIfMerge(a)", {"t#a": "AGGREGATION"}),
    ],
)
def test_the_last_argument_of_an_aggregate_with_a_condition_decides(text: str, expected: dict[str, str]) -> None:
    """ClickHouse's ``…If``; with another suffix all arguments are values."""
    assert Bound("t", "clickhouse").ways(text) == expected


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("countState()", "t"),
        ("countOrDefault()", "t"),
        ("countSimpleState()", "t"),
        ("countState(a)", "t#a"),
        ("countStateIf(a > 1)", "t#a"),
        ("countIfState(a > 1)", "t#a"),
        ("countMerge(a)", "t#a"),
    ],
)
def test_a_count_with_a_suffix_counts_what_a_count_does(text: str, source: str) -> None:
    """``countState()``, as materialized views of ClickHouse have it, came from nothing, and the answer was complete."""
    assert Bound("t", "clickhouse").ways(text) == {source: "AGGREGATION"}


def test_a_choice_inside_of_something_else_is_seen_through_it() -> None:
    """An aggregate makes its branches aggregated, a condition stays one; in a filter all of it filters."""
    bound = Bound("t")

    assert bound.ways("if(a, b, 0)", AGGREGATION) == {"t#a": CHOOSES, "t#b": "AGGREGATION"}
    assert bound.ways("CASE WHEN a THEN b ELSE c END", FILTER) == dict.fromkeys(("t#a", "t#b", "t#c"), "FILTER")


def test_a_function_of_conditions_alternates_only_where_it_is_that_one() -> None:
    """``if`` has one condition, ``multiIf`` one before each value; a single argument decides."""
    bound = Bound("t")
    given = [bound.item(name) for name in "abcab"]
    found = {}
    for name in ("iff", "multiif"):
        out: dict[str, int] = {}
        choices.decide_then(bound.values, name, given[:4], bound.scope, 2, out)
        found[name] = sorted(source for source, kinds in out.items() if kinds & 8)
    out = {}
    choices.decide_then(bound.values, "assert_true", given[:1], bound.scope, 2, out)

    assert found == {"iff": ["n:d.t#a"], "multiif": ["n:d.t#a", "n:d.t#c"]}
    assert out == {"n:d.t#a": 8}
