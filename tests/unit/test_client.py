"""A replica: lineage as of any point, from nothing but the feed."""

from __future__ import annotations

from pathlib import Path

import pytest

from lineage_tt import Store
from lineage_tt.client import Replica
from lineage_tt.events import Event, event_of
from lineage_tt.model.errors import (
    BeyondHorizonError,
    CorruptError,
    GapError,
    InvalidRequestError,
    UnavailableError,
    VersionNotReachedError,
)
from lineage_tt.model.messages import NodeChange
from lineage_tt.testing import ManualClock, task_change

A, B = ("n:a#x", "n:b#y"), ("n:c#x", "n:b#y")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Three versions that change something."""
    clock = ManualClock(90)
    made = Store.create(tmp_path / "store", clock=clock)
    made.append([task_change("t", "online", 10, [A])])
    clock.advance(10)
    made.append([task_change("t", "update", 20, [B])])
    made.append([NodeChange("f", "fact", "n:a", "set", 10, fact_key="owner", facts=[("n:a", "owner", "ann")])])
    return made


def events(store: Store) -> list[Event]:
    """The feed as events."""
    return [event_of(entry, store.id) for entry in store.changes()]


def sources(replica: Replica, at: int, version: int | None = None) -> list[str]:
    """The sources of the edges in force."""
    return [edge.source for edge in replica.edges_as_of(at, version)]


def test_events_add_up_to_what_the_store_answers(store: Store) -> None:
    """As of any point of both times; taken in twice they count once."""
    with Replica() as replica:
        assert replica.follow(events(store)) == 3
        replica.apply(events(store))
        for version in (1, 2, 3):
            for at in (9, 10, 19, 20):
                assert sources(replica, at, version) == [e.source for e in store.as_of(at, version=version).edges()]
        assert replica.facts_as_of(10) == [("n:a", "owner", "ann")]
        assert replica.facts_as_of(10, 2) == []
        assert (replica.version_at(99), replica.version_at(100), replica.version_at(89)) == (1, 2, 0)


def test_a_replica_in_a_file_continues_where_it_was(store: Store, tmp_path: Path) -> None:
    """Also by reading the store itself."""
    with Replica(tmp_path / "replica") as replica:
        replica.apply(events(store)[:1])
    with Replica(tmp_path / "replica") as replica:
        assert replica.version == 1
        assert replica.follow_store(store) == 3
        assert sources(replica, 20) == ["n:c#x"]


def test_a_missing_event_is_noticed(store: Store) -> None:
    """And nothing of the portion is taken in; so is one of another store, or one in parts."""
    first, second, third = events(store)
    replica = Replica()
    with pytest.raises(GapError):
        replica.apply([first, third])
    assert replica.version == 0
    replica.apply([first])
    with pytest.raises(CorruptError, match="an event of urn:other"):
        replica.apply([{**second, "source": "urn:other"}])
    with pytest.raises(InvalidRequestError, match="in parts"):
        replica.apply([{**second, "data": {**second["data"], "part": {}}}])

    assert replica.version == 1


def test_a_replica_may_begin_in_the_middle(store: Store) -> None:
    """Of what was known before it says that it does not know; it begins empty."""
    replica = Replica()
    assert replica.start_from(store, 1) == 1
    replica.follow(events(store)[1:])

    assert sources(replica, 15, 1) == ["n:a#x"]
    assert sources(replica, 20) == ["n:c#x"]
    with pytest.raises(BeyondHorizonError):
        sources(replica, 15, 0)
    with pytest.raises(VersionNotReachedError):
        sources(replica, 15, 4)
    with pytest.raises(InvalidRequestError, match="begin with an empty file"):
        replica.start_from(store)


def test_a_file_that_cannot_be_opened_is_reported(tmp_path: Path) -> None:
    """As an error of the product."""
    (tmp_path / "file").write_bytes(b"no database" * 1000)

    with pytest.raises(UnavailableError, match="cannot be opened"):
        Replica(tmp_path / "file")
