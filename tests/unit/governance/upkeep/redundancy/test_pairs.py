"""Columns that are equal, and that hold a part of another's rows."""

from __future__ import annotations

from typing import Any

from selects import col, copy, over, select

from lineage_tt.governance.upkeep.redundancy.pairs import Contained, Equal, SameTable, contained, equal, same_tables
from lineage_tt.governance.upkeep.redundancy.statements import Statement, normal_form

NEGATED = normal_form("Neg", [col("a")])


def of(*statements: Statement) -> dict[str, Statement]:
    """Closed statements by dataset."""
    return {each.dataset: each for each in statements}


def test_a_copy_is_equal_to_its_source_and_to_other_copies() -> None:
    """Column by column, in order; what nobody copies is in no group."""
    found = equal(of(copy("d:y", "d:s", "a", "b"), select("d:x", "d:s", {"c": col("a"), "n": NEGATED})))

    assert found == [Equal(("d:s#a", "d:x#c", "d:y#a")), Equal(("d:s#b", "d:y#b"))]


def test_the_same_computation_over_the_same_rows_is_equal_in_one_dialect() -> None:
    """Another literal, other rows, another dialect are not; a plain column is the same in all of them."""
    one = select("d:x", "d:s", {"v": NEGATED})

    assert equal(of(one, select("d:y", "d:s", {"v": NEGATED}))) == [Equal(("d:x#v", "d:y#v"))]
    assert equal(of(one, select("d:y", "d:s", {"v": NEGATED}, "trino"))) == []
    assert equal(of(one, select("d:y", "d:s", {"v": NEGATED}, where=frozenset([over("a", 1)])))) == []
    plain = [select(f"d:{name}", "d:s", {"v": col("a")}, name, distinct=True) for name in ("spark", "trino")]
    assert equal(of(*plain)) == [Equal(("d:spark#v", "d:trino#v"))]
    chosen = [each._replace(rows=each.rows._replace(where=frozenset([over("a", 1)]))) for each in plain]
    assert equal(of(*chosen)) == []


def test_constants_are_equal_to_nothing() -> None:
    """Two tables of ones have no column in common."""
    one = ("number", "1")

    assert equal(of(select("d:x", "d:s", {"v": one}), select("d:y", "d:s", {"v": one}))) == []


def test_an_aggregate_over_all_rows_is_no_column_of_them() -> None:
    """A grouping by nothing and a plain statement with the same words stay apart."""
    whole = select("d:x", "d:s", {"v": NEGATED})._replace(aggregates=True)

    assert equal(of(whole, select("d:y", "d:s", {"v": NEGATED}))) == []


def test_more_conditions_are_a_part_of_fewer_and_of_the_source() -> None:
    """Of all pairs along a chain; conditions of which neither includes the other are none."""
    ones, twos, other = (frozenset(over("a", number) for number in each) for each in ((1,), (1, 2), (3,)))
    found = contained(of(*(select(f"d:{name}", "d:s", {"v": col("a")}, where=where)
                           for name, where in (("one", ones), ("two", twos), ("other", other)))))  # fmt: skip

    assert Contained("d:two#v", "d:one#v") in found
    assert not any({pair.part, pair.whole} == {"d:one#v", "d:other#v"} for pair in found)
    assert contained(of(select("d:x", "d:s", {"v": NEGATED}, where=ones), select("d:y", "d:s", {"v": NEGATED}))) == [
        Contained("d:x#v", "d:y#v")
    ]


def test_groups_are_a_part_by_conditions_after_them_not_before() -> None:
    """Fewer rows before a grouping are other sums, not fewer."""
    total = normal_form("Sum", [col("b")])
    by = frozenset([col("a")])

    def table(name: str, **rows: Any) -> Statement:
        return select(f"d:{name}", "d:s", {"v": total}, group=by, **rows)._replace(aggregates=True)

    some = frozenset([over("b", 4)])
    assert contained(of(table("all"), table("some", having=some))) == [Contained("d:some#v", "d:all#v")]
    assert contained(of(table("all"), table("fewer", where=some))) == []


def test_a_table_is_held_whole_where_each_of_its_columns_is() -> None:
    """Of two that hold each other the first is named; by one table, not by several together."""
    groups = [Equal(("d:x#a", "d:y#p")), Equal(("d:x#b", "d:y#q"))]

    assert same_tables(groups, {"d:x": 2, "d:y": 2}) == [SameTable("d:x", "d:y", 2)]
    assert same_tables(groups, {"d:x": 2, "d:y": 3}) == [SameTable("d:x", "d:y", 2)]
    assert same_tables(groups, {"d:x": 3, "d:y": 2}) == [SameTable("d:y", "d:x", 2)]
    assert same_tables(groups, {"d:x": 3, "d:y": 3}) == []
    assert same_tables([Equal(("d:x#a", "d:y#a")), Equal(("d:x#b", "d:z#b"))], {"d:x": 2, "d:y": 9, "d:z": 9}) == []
    assert same_tables([Equal(("d:x#a", "d:x#b"))], {"d:x": 2}) == []
