"""Statements over closed sources: copies are looked through, what changes rows is not."""

from __future__ import annotations

from selects import col, copy, over, select

from lineage_tt.governance.upkeep.redundancy.statements import Rows, Statement, normal_form
from lineage_tt.governance.upkeep.redundancy.transitive import closed

TOTAL = normal_form("Add", [col("a"), col("b")])
COPY = select("d:c", "d:s", {"a": col("b"), "b": col("a"), "n": normal_form("Neg", [col("a")])})


def test_a_copy_of_a_copy_is_of_the_source_with_the_source_s_names() -> None:
    """Columns are renamed on the way, in what decides the rows, too."""
    last = select("d:x", "d:c2", {"t": TOTAL}, where=frozenset([over("a", 1)]))
    found = closed([COPY, copy("d:c2", "d:c", "a", "b"), last], {})

    assert found["d:c2"].rows == Rows(("d:s",))
    assert found["d:c2"].columns == {"a": col("b"), "b": col("a")}
    assert found["d:x"].rows == Rows(("d:s",), where=frozenset([over("b", 1)]))
    assert found["d:x"].columns == {"t": normal_form("Add", [col("b"), col("a")])}


def test_what_changes_the_rows_or_is_made_of_many_stays_a_source() -> None:
    """A filter, a grouping, an aggregate over all."""
    filtered = select("d:c", "d:s", {"a": col("a")}, where=frozenset([over("a", 1)]))
    grouped = select("d:c", "d:s", {"a": col("a")}, group=frozenset([col("a")]))
    counted = copy("d:c", "d:s", "a")._replace(aggregates=True)

    for each in (filtered, grouped, counted):
        assert closed([each, copy("d:x", "d:c", "a")], {})["d:x"].rows.tables == ("d:c",)


def test_what_several_tasks_write_is_no_one_statement_s() -> None:
    """By two statements, or by a task in force whose text says none; who reads itself is left out, too."""
    reader = copy("d:x", "d:c", "a")

    assert set(closed([COPY, COPY._replace(task_id="other"), reader], {})) == {"d:x"}
    assert closed([COPY, reader], {"d:c": 2})["d:x"].rows.tables == ("d:c",)
    assert closed([COPY, reader], {"d:c": 1, "d:x": 1})["d:x"].rows.tables == ("d:s",)
    assert closed([copy("d:x", "d:x", "a")], {}) == {}


def test_a_column_that_the_copy_has_not_is_dropped_and_in_a_condition_keeps_the_table() -> None:
    """What is not known of a copy can be compared with nothing."""
    columns = {"a": col("a"), "q": col("q")}
    plain = select("d:x", "d:c", columns)
    chosen = select("d:y", "d:c", columns, where=frozenset([over("q", 1)]))
    found = closed([COPY, plain, chosen], {})

    assert (found["d:x"].rows.tables, found["d:x"].columns) == (("d:s",), {"a": col("b")})
    assert found["d:y"] == chosen


def test_a_copy_that_computes_is_looked_through_in_its_own_dialect_alone() -> None:
    """One that only renames is the same in all of them."""
    renamed = copy("d:c", "d:s", "a")
    reader = select("d:x", "d:c", {"a": col("a")}, "trino")

    assert closed([COPY, reader], {})["d:x"].rows.tables == ("d:c",)
    assert closed([renamed, reader], {})["d:x"].rows.tables == ("d:s",)
    assert closed([COPY, reader._replace(dialect="spark")], {})["d:x"].rows.tables == ("d:s",)


def test_tables_that_copy_one_another_end() -> None:
    """In a circle of three, each is looked through once."""
    circle = [copy("d:p", "d:q", "a"), copy("d:q", "d:r", "a"), copy("d:r", "d:p", "a")]

    assert {name: each.rows.tables for name, each in closed(circle, {}).items()} == {
        "d:p": ("d:p",), "d:q": ("d:q",), "d:r": ("d:r",),
    }  # fmt: skip


def test_each_side_of_a_join_is_looked_through_at_its_place() -> None:
    """The columns of the other side, and its names, stay."""
    on = normal_form("EQ", [col("a", 0), col("a", 1)])
    rows = Rows(("d:r", "d:c"), (("inner", frozenset([on])),))
    found = closed([COPY, Statement("t", "d:x", rows, {"l": col("a", 0), "r": col("a", 1)})], {})

    assert found["d:x"].rows == Rows(("d:r", "d:c"), (("inner", frozenset([on])),))
    spark = Statement("t", "d:x", rows, {"l": col("a", 0), "r": col("a", 1)}, dialect="spark")
    joined = closed([COPY, spark], {})["d:x"]
    assert joined.rows.tables == ("d:r", "d:s")
    assert joined.rows.joins == (("inner", frozenset([normal_form("EQ", [col("a", 0), col("b", 1)])])),)
    assert joined.columns == {"l": col("a", 0), "r": col("b", 1)}
