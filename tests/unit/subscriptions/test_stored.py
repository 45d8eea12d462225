"""Subscriptions in a store, and what is known of labels and owners for their filters."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lineage_tt import Store
from lineage_tt.model.errors import InvalidRequestError, UnknownNodeError
from lineage_tt.model.messages import NodeChange
from lineage_tt.subscriptions.model import KEY, PREFIX, Subscription
from lineage_tt.subscriptions.stored import all_stored, subscribe, subscription, subscriptions, unsubscribe, version_of
from lineage_tt.testing import ManualClock, task_change


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A store with one edge."""
    made = Store.create(tmp_path, clock=ManualClock(1_000_000))
    made.append([task_change("t", "online", 10, [("n:a#x", "n:b#y")])])
    return made


def test_a_subscription_is_known_as_of_any_version(store: Store) -> None:
    """One of the same name takes its place; taken away it is gone from then on."""
    wide, narrow = Subscription("s"), Subscription("s", datasets=("n:a",))
    assert [subscribe(store, each, "ann") for each in (wide, narrow)] == [2, 3]
    assert unsubscribe(store, "s") == 4

    assert [subscriptions(store, version) for version in (1, 2, 3, 4)] == [[], [wide], [narrow], []]
    assert version_of(store, "s") == 0


def test_the_version_that_made_it_is_known(store: Store) -> None:
    """From there on it is delivered."""
    subscribe(store, Subscription("s"))
    store.append([task_change("u", "online", 10)])
    assert version_of(store, "s") == 2
    subscribe(store, Subscription("s", datasets=("n:a",)))

    assert version_of(store, "s") == 4
    assert subscription(store, "s").datasets == ("n:a",)


def test_a_closure_is_around_a_node_that_there_is(store: Store) -> None:
    """Else nothing would ever be delivered; what makes no sense is not stored either."""
    subscribe(store, Subscription("s", downstream_of=("n:a#x",)))
    with pytest.raises(UnknownNodeError):
        subscribe(store, Subscription("r", downstream_of=("n:a#z",)))
    with pytest.raises(InvalidRequestError):
        subscribe(store, Subscription("r", hops=1))
    assert store.version == 2


def test_one_that_is_not_there_is_answered_with_those_that_are(store: Store) -> None:
    """Whether it is asked for or taken away."""
    for ask in (subscription, unsubscribe):
        with pytest.raises(InvalidRequestError) as raised:
            ask(store, "none")
        assert raised.value.hint == "there is: none"
    subscribe(store, Subscription("s"))
    with pytest.raises(InvalidRequestError) as raised:
        subscription(store, "none")
    assert raised.value.hint == "there is: s"


def test_what_came_in_through_a_door_is_not_trusted(store: Store) -> None:
    """It is listed with the reason, not used, and can be removed."""
    node = f"{PREFIX}s"
    sent = NodeChange("e", "fact", node, "set", 10, fact_key=KEY, facts=[(node, KEY, '{"name":"s"}')])
    store.append([sent], own=True, source="file:///in")

    assert [(each.name, each.subscription) for each in all_stored(store)] == [("s", None)]
    assert subscriptions(store) == []
    with pytest.raises(InvalidRequestError, match="cannot be used: not trusted"):
        subscription(store, "s")
    unsubscribe(store, "s")
    assert all_stored(store) == []
    assert replace(sent).node == node
