"""Two texts of one task side by side."""

from __future__ import annotations

from typing import Any

import pytest

from ingest.sql.compare.compare import compare
from lineage_tt.impact.texts import Side, TextDifference

COLUMNS = {"n:d.t": ("a", "b", "c"), "n:d.u": ("a", "e"), "n:d.o": ("x", "y")}


def difference(before: str, after: str, **known: Any) -> TextDifference:
    """Return how two texts of Hive differ."""
    known = {"columns": COLUMNS, **known}
    return compare(Side(before, "hive", "n", "d", **known), Side(after, "hive", "n", "d", **known))


def test_layout_comments_and_aliases_are_no_difference() -> None:
    """The texts are the same, and so is a text and itself."""
    sql = "insert overwrite table o select t.a, t.b from t"

    assert difference(sql, "INSERT OVERWRITE TABLE o\nSELECT z.a, z.b -- x\nFROM t z").same
    assert difference(sql, sql).same


@pytest.mark.parametrize(
    ("after", "changed", "reason"),
    [("select a, c from t", ("y",), "expression"), ("select b, a from t", ("x", "y"), "expression"),
     ("select a, b from t where c > 1", ("x", "y"), "filter"), ("select a, b from t limit 1", ("x", "y"), "limit")],
)  # fmt: skip
def test_only_columns_that_depend_on_it_are_changed(after: str, changed: tuple[str, ...], reason: str) -> None:
    """They are named as the table names them, and the kind of clause that differs is reported."""
    found = difference("insert overwrite table o select a, b from t", f"insert overwrite table o {after}")

    assert (found.same, found.comparable, found.changed) == (False, True, changed)
    assert reason in found.reasons


def test_another_way_of_writing_is_not_followed() -> None:
    """An INSERT may leave rows that an overwrite does not; a rebuilt table and a view hold the same."""
    found = difference("insert overwrite table o select a, b from t", "insert into o select a, b from t")
    rebuilt = difference("create table v as select a from t", "create view v as select a from t")

    assert (found.same, found.comparable, found.reasons) == (False, False, ("statement",))
    assert (rebuilt.same, rebuilt.comparable, rebuilt.changed) == (False, True, ())


def test_another_number_of_statements_is_not_followed() -> None:
    """What the second text writes is reported all the same."""
    one = "insert into o select a, b from t"
    found = difference(one, f"{one}; {one}")

    assert (found.same, found.comparable, found.reasons) == (False, False, ("statement",))
    assert found.writes == (("n:d.o", "insert"), ("n:d.o", "insert"))


def test_a_text_that_cannot_be_read_is_never_the_same() -> None:
    """Where it is the second one nothing of it is known."""
    good = "insert into o select a, b from t"

    assert (difference(good, "select )").failure, difference("select )", good).failure) == ("not read", "not read")
    assert not difference("select )", "select )").same
    assert difference("select )", good).writes == (("n:d.o", "insert"),)


def test_only_what_the_first_text_did_not_drop_or_empty_is_said() -> None:
    """What is made is reported each time."""
    before = "drop table t; create table p as select 1 as a"
    found = difference(before, f"{before}; drop table u; delete from w where a = 1")

    assert (found.makes, found.drops, found.empties) == (("n:d.p",), ("n:d.u",), ("n:d.w",))


def test_another_setting_or_order_is_a_reason() -> None:
    """No column's values change by either."""
    sql = "insert into o select a, b from t"
    setting = difference(f"set x = 1; {sql}", f"set x = 2; {sql}")
    order = difference(f"{sql} order by a", f"{sql} order by b")

    assert (setting.same, setting.reasons, setting.changed) == (False, ("setting",), ())
    assert (order.same, order.reasons, order.changed) == (False, ("order",), ())


@pytest.mark.parametrize(
    ("before", "after"),
    [("insert into o partition (c='DE') select a from t", "insert into o partition (c='de') select a from t"),
     ("create table v tblproperties ('k'='A') as select a from t",
      "create table v tblproperties ('k'='a') as select a from t"),
     ("create table v location '/A' as select a from t", "create table v location '/a' as select a from t")],
)  # fmt: skip
def test_the_letters_of_a_string_count_wherever_it_is(before: str, after: str) -> None:
    """Those of the words around it do not."""
    assert difference(before, after).reasons == ("statement",)
    assert difference(before, before.upper().replace("/A", "/a") if "/a" in before else before).same


def test_a_setting_counts_where_it_is_made() -> None:
    """It holds for what comes after it."""
    sql = "insert into o select a, b from t"
    found = difference(f"set x = 1; {sql}", f"{sql}; set x = 1")

    assert (found.same, found.reasons) == (False, ("setting",))


@pytest.mark.parametrize(
    ("dialect", "same"), [("postgres", False), ("snowflake", True), ("spark", True), ("mysql", True)]
)
def test_a_name_whose_letters_only_quotes_keep_is_another_name(dialect: str, same: bool) -> None:
    """``"X"`` is not ``x`` in PostgreSQL, but is so in Snowflake, and wherever quotes do not matter."""
    quote = '"' if dialect in ("postgres", "snowflake") else "`"
    sides = [
        Side(f"create view v as select a as {name} from t", dialect, "n", "d") for name in ("x", f"{quote}X{quote}")
    ]
    found = compare(*sides)

    assert (found.same, found.reasons) == ((True, ()) if same else (False, ("spelling",)))


def test_another_target_is_a_change_though_its_letters_alone_differ() -> None:
    """Where the engine distinguishes them."""
    sides = [Side(f"insert into {name} select a from t", "bigquery", "n", "p.d") for name in ("T", "t")]

    assert compare(*sides).reasons == ("statement",)


def test_a_statement_that_cannot_be_written_again_is_never_called_the_same():
    """The parser takes the damaged type, the generator refuses it: the text counts as not read."""
    side = Side("CREATE TABLE u (a INT, b DECIMAL(5f(f(,3))))", "hive", "n")
    found = compare(side, side)
    assert (found.same, found.failure) == (False, "not read")
