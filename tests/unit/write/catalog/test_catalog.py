"""The columns of datasets, as of a valid time."""

from __future__ import annotations

from lineage_tt.write.catalog.catalog import Catalog, Entry


def known() -> Catalog:
    """Two statements about one dataset and one about another."""
    catalog = Catalog()
    catalog.declare("n:a", Entry(100, 0, 1, ("x",)))
    catalog.declare("n:a", Entry(200, 0, 2, ("x", "y")))
    catalog.declare("n:b", Entry(150, 0, 3, ("z",)))
    return catalog


def test_columns_hold_from_their_effective_at_on() -> None:
    """A dataset has the columns of the last statement that is not after the valid time."""
    catalog = known()

    assert [catalog.columns("n:a", at) for at in (99, 100, 199, 200, 10**9)] == [
        None, ("x",), ("x",), ("x", "y"), ("x", "y"),
    ]  # fmt: skip
    assert catalog.columns("n:unknown", 100) is None


def test_a_late_statement_holds_up_to_the_next() -> None:
    """What comes late about an earlier time changes nothing after the next known statement."""
    catalog = known()
    catalog.declare("n:a", Entry(150, 0, 4, ("w",)))

    assert [catalog.columns("n:a", at) for at in (149, 150, 200)] == [("x",), ("w",), ("x", "y")]


def test_of_one_instant_the_later_version_counts() -> None:
    """A correction of the columns at the same effective_at replaces them."""
    catalog = known()
    catalog.declare("n:a", Entry(200, 0, 4, ("q",)))

    assert catalog.columns("n:a", 200) == ("q",)


def test_withdraw_and_restore() -> None:
    """A retracted statement is as if never made, until its retract is retracted."""
    catalog = known()
    catalog.withdraw(2)

    assert catalog.columns("n:a", 200) == ("x",)
    catalog.withdraw(1)
    assert catalog.columns("n:a", 200) is None
    catalog.restore(2)
    assert catalog.columns("n:a", 200) == ("x", "y")
    catalog.restore(7)  # nothing to restore


def test_versions_that_did_not_come_to_be_are_removed() -> None:
    """What a plan declared that was never committed is forgotten, and its versions may be used again."""
    catalog = known()
    catalog.remove_after(1)

    assert catalog.columns("n:a", 200) == ("x",)
    assert catalog.columns("n:b", 200) is None
    catalog.declare("n:a", Entry(200, 0, 2, ("new",)))
    assert catalog.columns("n:a", 200) == ("new",)


def test_a_view_is_a_mapping_of_what_is_known_then() -> None:
    """The catalog at a valid time lists just the datasets whose columns are known at it."""
    catalog = known()

    assert dict(catalog.at(120)) == {"n:a": ("x",)}
    assert dict(catalog.at(150)) == {"n:a": ("x",), "n:b": ("z",)}
    assert len(catalog.at(99)) == 0
    assert catalog.at(99).get("n:a") is None


def test_for_one_effective_at_the_greatest_source_version_wins_whenever_it_came() -> None:
    """A star over a table used to be expanded with the columns of the version that arrived last, not of the newest."""
    catalog = Catalog()
    catalog.declare("n:a", Entry(100, 3, 1, ("x", "y")))
    catalog.declare("n:a", Entry(100, 2, 2, ("x",)))

    assert catalog.columns("n:a", 100) == ("x", "y")
