"""What a window's function takes its value from, and what its window partitions and orders by."""

from __future__ import annotations

import pytest
from bound import Bound

from ingest.sql.binder.expressions.windows import row_function
from ingest.sql.binder.relations.flow import FILTER
from ingest.sql.binder.relations.relations import base_column


def named(bound: Bound, windows: str) -> Bound:
    """Bring the windows of a WINDOW clause into sight."""
    clause = bound.tree(f"SELECT 1 FROM t WINDOW {windows}").args["windows"]
    bound.scope.windows = {window.name.lower(): window for window in clause}
    return bound


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sum(a) OVER (PARTITION BY b ORDER BY c)", {"t#a": "AGGREGATION", "t#b": "WINDOW", "t#c": "WINDOW"}),
        ("lag(a, 1, b) OVER (ORDER BY c)", {"t#a": "TRANSFORMATION", "t#b": "TRANSFORMATION", "t#c": "WINDOW"}),
        ("last_value(a IGNORE NULLS) OVER (ORDER BY c)", {"t#a": "TRANSFORMATION", "t#c": "WINDOW"}),
        ("nth_value(a, 2) OVER (ORDER BY a)", {"t#a": "TRANSFORMATION+WINDOW"}),
        ("rank() OVER (ORDER BY b, c DESC)", {"t#b": "WINDOW", "t#c": "WINDOW"}),
        ("count(*) OVER ()", {"t": "AGGREGATION"}),
        ("sum(a) OVER (PARTITION BY lower(b)) * c", {"t#a": "AGGREGATION", "t#b": "WINDOW", "t#c": "TRANSFORMATION"}),
        ("sum(sum(a)) OVER (ORDER BY sum(b))", {"t#a": "AGGREGATION", "t#b": "WINDOW"}),
    ],
)  # fmt: skip
def test_a_window_only_decides(text: str, expected: dict[str, str]) -> None:
    """An aggregate over it is made of many rows; a function that takes another row's value changes it only."""
    assert Bound("t").ways(text) == expected


def test_a_frame_may_depend_on_columns() -> None:
    """Trino's bounds are expressions; words and numbers in their place are none."""
    bound = Bound("t", "trino")
    frame = "sum(a) OVER (ORDER BY b RANGE BETWEEN {} PRECEDING AND CURRENT ROW)"

    assert bound.ways(frame.format("c")) == {"t#a": "AGGREGATION", "t#b": "WINDOW", "t#c": "WINDOW"}
    for bounds in ("UNBOUNDED", "1"):
        assert bound.ways(frame.format(bounds)) == {"t#a": "AGGREGATION", "t#b": "WINDOW"}


def test_a_named_window_brings_what_it_is_built_on() -> None:
    """In any case of letters; what is written in place counts as well, and an unknown name brings nothing."""
    bound = named(Bound("t"), "w AS (PARTITION BY b), v AS (w ORDER BY c)")

    assert bound.ways("sum(a) OVER V") == {"t#a": "AGGREGATION", "t#b": "WINDOW", "t#c": "WINDOW"}
    assert bound.ways("sum(a) OVER (w ORDER BY a)") == {"t#a": "AGGREGATION+WINDOW", "t#b": "WINDOW"}
    assert bound.ways("sum(a) OVER x") == {"t#a": "AGGREGATION"}


def test_windows_that_name_each_other_end() -> None:
    """Each of them has what both say, whichever was asked for first."""
    bound = named(Bound("t"), "w AS (v PARTITION BY b), v AS (w ORDER BY c)")

    for name in ("w", "v", "w"):
        assert bound.ways(f"sum(a) OVER {name}") == {"t#a": "AGGREGATION", "t#b": "WINDOW", "t#c": "WINDOW"}


def test_a_named_window_is_another_as_soon_as_an_item_has_the_name_in_it() -> None:
    """What was remembered of it holds for the items before; which of the two is meant is in doubt."""
    bound = named(Bound("far"), "w AS (ORDER BY z)")

    assert bound.ways("count(a) OVER w") == {"far#a": "AGGREGATION", "far#z": "WINDOW"}
    bound.scope.aliases["z"] = base_column("n:d.u", "d")
    assert bound.ways("count(a) OVER w") == {"far#a": "AGGREGATION"}


def test_a_window_inside_of_a_condition_is_part_of_it() -> None:
    """What QUALIFY orders by filters the rows, also when the same window was asked for in the select list."""
    bound = named(Bound("t"), "w AS (PARTITION BY b ORDER BY c)")

    assert bound.ways("rank() OVER w") == {"t#b": "WINDOW", "t#c": "WINDOW"}
    assert bound.ways("rank() OVER w", FILTER) == {"t#b": "FILTER", "t#c": "FILTER"}


@pytest.mark.parametrize(
    ("text", "function"),
    [("lead(a) OVER (ORDER BY b)", "LEAD(a)"), ("first_value(a) RESPECT NULLS OVER (ORDER BY b)", "FIRST_VALUE(a)"),
     ("sum(a) OVER (ORDER BY b)", "none"), ("row_number() OVER (ORDER BY b)", "none")],
)  # fmt: skip
def test_a_function_gives_another_rows_value_or_one_of_many(text: str, function: str) -> None:
    """Whatever it says of nulls."""
    found = row_function(Bound("").item(text))

    assert (found.sql() if found is not None else "none") == function


def test_named_windows_are_looked_up(lineage):
    """A window named in the WINDOW clause, also one built on another, counts like one written in place."""
    found = lineage("SELECT sum(a) OVER v AS z FROM t WINDOW w AS (PARTITION BY b), v AS (w ORDER BY c)")

    assert found.columns() == {"z": {"t#a": "AGGREGATION", "t#b": "WINDOW", "t#c": "WINDOW"}}
