"""What people state, in a store: until when it holds, and what a new statement does to an old one."""

from __future__ import annotations

from pathlib import Path

import pytest

from lineage_tt import Store
from lineage_tt.curation.messages import aliases_change
from lineage_tt.curation.statements import (
    Author,
    add_alias,
    aliases,
    annotate,
    expiries,
    remove_alias,
    state_edge,
    stated_edges,
)
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.testing import ManualClock, task_change

ANN = Author("ann", "one table", "https://wiki")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A store with one edge, its clock at 50."""
    made = Store.create(tmp_path, clock=ManualClock(50))
    made.append([task_change("t", "online", 10, [("n:orders#x", "n:b#y")])])
    return made


def test_an_alias_holds_from_when_to_when_it_is_stated(store: Store) -> None:
    """With who says so; one that nobody stated cannot be taken back."""
    add_alias(store, "n:z", "n:a", by=ANN, at=20, expires=40)
    (found,) = aliases(store.fetch, store.basis(30))

    assert (found.dataset, found.alias, found.actor, found.reason, found.evidence) == (
        "n:a", "n:z", "ann", "one table", "https://wiki",
    )  # fmt: skip
    assert [aliases(store.fetch, store.basis(at)) for at in (19, 40)] == [[], []]
    assert aliases(store.fetch, store.basis(30), "n:other") == []
    remove_alias(store, "n:a", "n:z", at=35)
    assert aliases(store.fetch, store.basis(36)) == []
    with pytest.raises(InvalidRequestError, match="nobody stated n:a = n:q by hand"):
        remove_alias(store, "n:a", "n:q")


def test_a_statement_that_ends_before_it_begins_is_a_mistake(store: Store) -> None:
    """So is one about what is not a dataset."""
    with pytest.raises(InvalidRequestError, match="expires before it begins"):
        add_alias(store, "n:a", "n:z", at=20, expires=20)
    with pytest.raises(InvalidRequestError, match="is a column"):
        add_alias(store, "n:a#x", "n:z")


def test_a_new_statement_withdraws_the_end_that_was_set_before(store: Store) -> None:
    """Only one that would end the new one."""
    version = annotate(store, "n:a", "owner", ["bob"], at=20, expires=90)
    task = store.log()[version - 1].task_id
    assert task is not None
    assert len(expiries(store.fetch, task, 50)) == 1
    assert expiries(store.fetch, task, 90) == []
    annotate(store, "n:a", "owner", ["ann"], at=30)

    assert expiries(store.fetch, task, 50) == []
    assert [fact.value for fact in store.as_of(99).facts("n:a", "owner")] == ["ann"]
    annotate(store, "n:a", "owner", [], at=95)
    assert store.as_of(99).facts("n:a", "owner") == []


def test_an_end_that_has_passed_is_withdrawn_by_what_it_would_end(store: Store) -> None:
    """A person who gave too early an end states the same again with a later one, though both have passed."""
    state_edge(store, "add", "n:a#x", "n:b#y", at=10, expires=20)
    state_edge(store, "add", "n:a#x", "n:b#y", at=10, expires=40)

    assert [len(stated_edges(store.fetch, store.basis(at))) for at in (9, 10, 30, 40)] == [0, 1, 1, 0]


@pytest.mark.parametrize("turned", [False, True])
def test_each_statement_keeps_its_own_end(store: Store, turned: bool) -> None:
    """Stated for two times, in either order, an edge is in force in both and not between or after."""
    for since, until in [(10, 20), (60, 80)][:: -1 if turned else 1]:
        state_edge(store, "add", "n:a#x", "n:b#y", at=since, expires=until)

    found = [len(stated_edges(store.fetch, store.basis(at))) for at in (10, 20, 60, 80)]
    assert found == [1, 0, 1, 0]


def test_what_is_taken_back_later_than_it_ends_still_ends_then(store: Store) -> None:
    """A removal from after the end on makes nothing last longer."""
    state_edge(store, "add", "n:a#x", "n:b#y", at=10, expires=60)
    state_edge(store, "remove", "n:a#x", "n:b#y", at=90)

    assert [len(stated_edges(store.fetch, store.basis(at))) for at in (59, 60, 89)] == [1, 0, 0]


def test_a_name_that_a_producer_gives_is_listed_once(store: Store) -> None:
    """The dataset first that the producer named, though the other name comes before it in the alphabet."""
    store.append([aliases_change("n:b", ["n:a", "n:c"], "e", 20)])

    found = aliases(store.fetch, store.basis(30))
    assert [(each.dataset, each.alias) for each in found] == [("n:b", "n:a"), ("n:b", "n:c")]


def test_a_column_has_what_rejects_its_dataset(store: Store) -> None:
    """Walks at the column leave edges out for it; an edge that is added to the dataset is none of the column."""
    state_edge(store, "reject", "n:orders", "n:b", at=20)
    state_edge(store, "add", "n:a", "n:b", at=20)

    assert [each.source for each in stated_edges(store.fetch, store.basis(30), "n:b#y")] == ["n:orders"]


def test_an_empty_key_or_value_and_an_unknown_deed_are_mistakes(store: Store) -> None:
    """Nothing is written; a word that is not a deed rejected the edge."""
    for key, values in (("", ["ann"]), ("owner", [""])):
        with pytest.raises(InvalidRequestError, match="not empty"):
            annotate(store, "n:a", key, values)
    with pytest.raises(InvalidRequestError, match="'delete' is not an operation on an edge: use add or reject"):
        state_edge(store, "delete", "n:orders#x", "n:b#y")  # type: ignore[arg-type]
    assert store.version == 1


def test_edges_that_people_state_are_listed(store: Store) -> None:
    """Added or rejected, at one node if asked; what nobody stated cannot be taken back."""
    state_edge(store, "add", "n:a#x", "n:b#y", by=ANN, at=20)
    state_edge(store, "reject", "n:orders#x", "n:b#y", at=20)
    found = stated_edges(store.fetch, store.basis(30))

    assert [(each.stated, each.source) for each in found] == [("added", "n:a#x"), ("rejected", "n:orders#x")]
    assert [each.source for each in stated_edges(store.fetch, store.basis(30), "n:a")] == ["n:a#x"]
    state_edge(store, "remove", "n:a#x", "n:b#y", at=25)
    assert [each.source for each in stated_edges(store.fetch, store.basis(30))] == ["n:orders#x"]
    with pytest.raises(InvalidRequestError, match="nobody stated"):
        state_edge(store, "remove", "n:b", "n:c")
