"""Columns that a dataset does not have, as far as is known."""

from __future__ import annotations

import pytest

from lineage_tt.model.completeness.absent import not_among, without_origin

STATED = {"n:a": ["id", "Address", "s"]}


@pytest.mark.parametrize(
    ("node", "absent"),
    [("n:a#id", False), ("n:a#ID", False), ("n:a#address", False), ("n:a#s.x", False), ("n:a#nope", True),
     ("n:a#nope.x", True), ("n:b#nope", False)],
)  # fmt: skip
def test_a_column_is_absent_where_others_are_stated(node: str, absent: bool) -> None:
    """Case does not count, a field counts as its struct; of a dataset that states none nothing is known."""
    assert (not_among(STATED, [node]) == {node}) is absent


def test_a_dataset_that_states_no_columns_lacks_none() -> None:
    """An empty list is not a statement."""
    assert not_among({"n:a": []}, ["n:a#x"]) == set()


def test_only_where_its_dataset_is_written_a_column_may_lack_an_origin() -> None:
    """A column at which an edge ends, or whose dataset is filled by a star, has one; so has a table nobody writes."""
    nodes = ["n:a#x", "n:a#y", "n:b#z", "n:c#w"]

    assert without_origin(nodes, {"n:a#x", "n:b#*"}) == {"n:a#y"}
