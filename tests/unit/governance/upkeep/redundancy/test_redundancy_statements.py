"""What a statement says as a value: one form for one computation, columns moved and found."""

from __future__ import annotations

import pytest
from selects import col, over

from lineage_tt.governance.upkeep.redundancy.statements import Rows, columns_in, moved, normal_form

A, B = col("a"), col("b")


@pytest.mark.parametrize(
    ("operator", "same"), [("Mul", True), ("And", True), ("EQ", True), ("Sub", False), ("GT", False)]
)
def test_sides_that_may_change_places_are_one_form(operator: str, same: bool) -> None:
    """Only of two sides, and only where the operator gives the same."""
    assert (normal_form(operator, [A, B]) == normal_form(operator, [B, A])) == same
    assert normal_form("And", [B, A, B]) == ("And", B, A, B)


def test_a_column_is_replaced_wherever_it_is_and_sides_are_put_in_order_again() -> None:
    """In expressions and in tuples of them; texts and numbers stay."""
    product = normal_form("Mul", [A, B])
    swapped = moved((product, ("Neg", A, 3)), lambda at, name: (*col({"a": "z"}.get(name, name)),))

    assert swapped == (normal_form("Mul", [col("z"), B]), ("Neg", col("z"), 3))
    assert swapped[0][1] == B
    assert moved("a", lambda at, name: None) == "a"


def test_columns_are_found_with_the_place_of_their_table() -> None:
    """Each once, at any depth; a constant has none."""
    assert columns_in(("Add", A, ("Neg", col("a", 1)), A)) == {(0, "a"), (1, "a")}
    assert columns_in((A, (B,))) == {(0, "a"), (0, "b")}
    assert columns_in(("number", "1")) == set()


@pytest.mark.parametrize(
    ("rows", "keeps"),
    [
        (Rows(("d:s",)), True),
        (Rows(("d:s", "d:r"), (("inner", frozenset()),)), False),
        (Rows(("d:s",), where=frozenset([over("a", 1)])), False),
        (Rows(("d:s",), having=frozenset([over("a", 1)])), False),
        (Rows(("d:s",), group=frozenset()), False),
        (Rows(("d:s",), distinct=True), False),
    ],
)
def test_rows_are_all_kept_where_nothing_chooses_joins_or_groups(rows: Rows, keeps: bool) -> None:
    """A grouping by nothing makes one row of all."""
    assert rows.keeps_all is keeps
