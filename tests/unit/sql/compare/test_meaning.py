"""What a simple text says, exactly."""

from __future__ import annotations

import pytest

from ingest.sql.compare.meaning import MAX_TEXT, define
from lineage_tt.governance.upkeep.redundancy.statements import Statement, Text


def said(sql: str, columns: tuple[str, ...] = ()) -> Statement | None:
    """Return what a text of Hive over ``d.t`` and ``d.u`` says."""
    return define(Text("k", sql, "hive", frozenset({"n:d.t", "n:d.u"}), "n:d.o", columns))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [("x.a + 1 as z from d.t x", "(Y.A + 1) as z from D.T y", True),
     ("a * b as z from d.t", "b * a as z from d.t", True),
     ("a - b as z from d.t", "b - a as z from d.t", False),
     ("a as z from d.t", "a as z from d.u", False)],
)  # fmt: skip
def test_columns_are_the_same_where_their_values_must_be(one: str, other: str, same: bool) -> None:
    """Aliases, brackets and the sides of a product do not count."""
    left, right = said(f"create table o as select {one}"), said(f"create view o as select {other}")

    assert left is not None
    assert right is not None
    assert ((left.rows, left.columns["z"]) == (right.rows, right.columns["z"])) is same


def test_conditions_hold_in_any_order() -> None:
    """Each of those that AND joins is one."""
    one = said("create table o as select a from d.t where b = 1 and (c = 2 and a > 3)")
    other = said("create table o as select a from d.t where a > 3 and 2 = c and b = 1")

    assert one is not None
    assert other is not None
    assert (len(one.rows.where), one.rows.where) == (3, other.rows.where)


def test_an_overwrite_fills_the_columns_that_are_declared() -> None:
    """By position; where their number differs nothing is reported."""
    found = said("insert overwrite table o select a, b from d.t", ("x", "y"))

    assert found is not None
    assert sorted(found.columns) == ["x", "y"]
    assert said("insert overwrite table o select a, b from d.t", ("x",)) is None


def test_a_column_that_may_change_by_itself_is_left_out() -> None:
    """The others are compared."""
    found = said("create table o as select a, rand() as r, f(b) as f from d.t")

    assert found is not None
    assert list(found.columns) == ["a"]


@pytest.mark.parametrize(
    "sql",
    ["insert into o select a from d.t", "select a from d.t", "create table o as select a from d.t limit 1",
     "create table o as select a from d.t union all select a from d.u", "create table o as select * from d.t",
     "create table o as select a from d.unknown", "create table o as select a from d.t x join d.u y on x.a = y.a",
     "create table o as select a, a from d.t", "create table o as select a from d.t where b = rand()",
     "create table o as select a from d.t where b = '${x}'", "create table o as select )",
     "create table o as select a from d.t; create table p as select a from d.t",
     "create table o as select sum(a) as a from d.t group by 1",
     "create table o as select a from d.t -- " + "x" * MAX_TEXT],
)  # fmt: skip
def test_a_text_that_says_more_is_not_read(sql: str) -> None:
    """Appended rows, limits, unions, stars, bare names of two tables, templates and long texts are not compared."""
    assert said(sql) is None
