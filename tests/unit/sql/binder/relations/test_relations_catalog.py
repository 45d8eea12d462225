"""What a script makes known about tables, and which questions go through to the store."""

from __future__ import annotations

import pytest

from ingest.sql.binder.relations.catalog import Catalog, TableState
from ingest.sql.binder.relations.relations import Relation

OUTSIDE = {"n:t": ("a", ("s", "STRUCT<x: INT>"), ("n", "int"), "ds"), "n:none": ()}


def test_each_question_that_goes_through_is_recorded_with_its_answer() -> None:
    """Once; a table without columns is one that is not known."""
    catalog = Catalog(OUTSIDE, "spark")

    assert catalog.columns("n:t") == ("a", "s", "n", "ds")
    assert catalog.columns("n:none") is catalog.columns("n:other") is None
    assert catalog.lookups == {"n:t": OUTSIDE["n:t"], "n:none": None, "n:other": None}


def test_what_the_script_says_goes_before_what_the_store_knew() -> None:
    """Then nothing is asked of the store, even where the script does not know the columns either."""
    catalog = Catalog(OUTSIDE)
    catalog.declare("n:t", TableState(("z",), ("z",), computed=frozenset(["c"])))
    catalog.declare("n:u", TableState(None))

    assert (catalog.columns("n:t"), catalog.columns("n:u")) == (("z",), None)
    assert (catalog.kinds("n:t"), catalog.partitions("n:t")) == ({}, ("z",))
    assert catalog.computed("n:t") == {"c"}
    assert catalog.lookups == {}
    assert (catalog.computed("n:other"), catalog.content("n:other"), catalog.state("n:other")) == (
        frozenset(),
        None,
        None,
    )


def test_all_columns_of_a_table_count_where_they_are_asked_for_together() -> None:
    """A question for its columns alone makes none count."""
    catalog = Catalog(OUTSIDE)
    catalog.columns("n:t")
    assert catalog.starred == set()

    assert catalog.all_columns("n:t") == catalog.columns("n:t")
    assert catalog.starred == {"n:t"}


def test_types_are_those_that_are_declared() -> None:
    """From outside as texts, of which those with parts have a tree; a column without a type has none."""
    catalog = Catalog(OUTSIDE, "spark")
    kinds = catalog.kinds("n:t")

    assert [(name, kind.text, kind.tree is None) for name, kind in kinds.items()] == [
        ("s", "STRUCT<x: INT>", False), ("n", "int", True),
    ]  # fmt: skip
    catalog.declare("n:t", TableState(("a",)))
    catalog.describe("n:t", {"a": kinds["n"]})
    assert catalog.kinds("n:t") == {"a": kinds["n"]}
    assert catalog.kinds("n:other") == {}


@pytest.mark.parametrize(
    ("columns", "partitions", "known"),
    [
        (("a", "s", "n", "ds"), ("DS",), True),
        (("a", "s", "n", "ds"), ("n", "ds"), True),
        (("a", "s", "n", "ds"), ("a",), False),
        (("ds", "A", "s", "n", "more"), (), True),
        (("a", "s", "n"), (), False),
        ((), ("ds",), False),
        (("a",), ("x", "a", "s", "n", "ds"), False),
    ],
)
def test_a_repeated_declaration_counts_where_it_agrees(
    columns: tuple[str, ...], partitions: tuple[str, ...], known: bool
) -> None:
    """Its partition columns are the last known ones, or it has none and lacks no known column."""
    catalog = Catalog(OUTSIDE)
    assert not catalog.knows_partitions("n:t")
    catalog.repeat("n:t", columns, partitions)

    assert catalog.knows_partitions("n:t") == known
    assert catalog.partitions("n:t") == (partitions if known else ())


def test_a_table_with_other_columns_keeps_its_partitions_and_types() -> None:
    """Whether the script made it, or it is known from outside."""
    catalog = Catalog(OUTSIDE, "spark")
    catalog.repeat("n:t", ("a", "s", "n", "ds"), ("ds",))
    before = catalog.kinds("n:t")
    catalog.amend("n:t", ("a", "s", "more", "ds"))
    catalog.declare("n:u", TableState(("x",), ("x",), is_view=True))
    catalog.amend("n:u", None)

    assert (catalog.columns("n:t"), catalog.partitions("n:t")) == (("a", "s", "more", "ds"), ("ds",))
    assert [(kind.text, name) for name, kind in catalog.kinds("n:t").items()] == [
        (kind.text, name) for name, kind in before.items()
    ]  # fmt: skip
    state = catalog.state("n:u")
    assert state is not None
    assert (state.columns, state.partitions, state.is_view) == (None, ("x",), True)


def test_a_dropped_table_is_not_known_any_more() -> None:
    """The store is not asked for it either; what is made under its name afterwards is."""
    catalog = Catalog(OUTSIDE)
    catalog.drop("n:t")

    assert (catalog.columns("n:t"), catalog.lookups) == (None, {})
    catalog.declare("n:t", TableState(("new",)))
    assert catalog.columns("n:t") == ("new",)


def test_what_is_known_of_a_table_moves_to_its_new_name() -> None:
    """The old one is dropped; of a table known from outside all columns count then."""
    catalog = Catalog(OUTSIDE)
    content = Relation([])
    catalog.declare("n:temp", TableState(("x",), content=content))
    catalog.rename("n:temp", "n:kept")
    catalog.rename("n:t", "n:moved")

    assert catalog.content("n:kept") is content
    assert catalog.columns("n:moved") == ("a", "s", "n", "ds")
    assert "n:t" in catalog.starred
    assert [state.dropped for state in (catalog.written()["n:temp"], catalog.written()["n:t"])] == [True, True]
    assert catalog.columns("n:t") is None
    assert catalog.content("n:temp") is None


def test_a_table_is_left_behind_where_its_columns_are_known_and_it_stays() -> None:
    """A temporary one goes with the script, and a dropped one went."""
    states = [
        TableState(("a",)), TableState(None), TableState(()), TableState(("a",), content=Relation([])),
        TableState(("a",), dropped=True), TableState(("a",), is_view=True),
    ]  # fmt: skip

    assert [state.is_left_behind for state in states] == [True, False, False, False, False, True]
