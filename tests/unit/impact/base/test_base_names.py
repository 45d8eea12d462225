"""The nearest of many names."""

from __future__ import annotations

from lineage_tt.impact.base.names import Names, did_you_mean


def test_the_nearest_name_is_offered_among_few_and_many_names() -> None:
    """Among more names than are compared, those that begin alike are."""
    many = [f"other_{number:05}_task" for number in range(20_000)]

    assert did_you_mean("dws_revenue_dialy", ["dws_revenue_daily", "x"]) == "; did you mean dws_revenue_daily?"
    assert did_you_mean("other_revenue_dialy", [*many, "other_revenue_daily"]) == "; did you mean other_revenue_daily?"
    assert did_you_mean("zzz", ["dws_revenue_daily"]) == ""


def test_datasets_are_those_of_nodes_and_of_columns() -> None:
    """A dataset is known if only one of its columns is."""
    assert Names(["t"], ["hive:a#x", "hive:b"]).datasets == {"hive:a", "hive:b"}
