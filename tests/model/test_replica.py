"""A replica that has seen nothing but the feed equals the store and the naive model at every version."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from reference import Model
from test_closures import END, message, story

from lineage_tt import Store
from lineage_tt.client import Replica
from lineage_tt.events import event_of
from lineage_tt.model.errors import BeyondHorizonError, CorruptError, GapError, InvalidRequestError


@pytest.fixture(params=range(3))
def told(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Store, Model, int]:
    """A store and the model, both told the same random story."""
    store, model = Store.create(tmp_path / "store"), Model()
    for said in story(random.Random(request.param)):
        model.receive(said, model.version + 1)
        store.append([message(said)])
    return store, model, request.param


def test_a_replica_equals_the_model_at_every_point(told: tuple[Store, Model, int]) -> None:
    """Changes added up give what was in force at any valid time, as known at any version."""
    store, model, seed = told
    replica = Replica()
    replica.follow(event_of(entry, store.id) for entry in store.changes())

    for version in range(model.version + 1):
        for at in range(END):
            if version <= replica.version:
                found = {tuple(edge) for edge in replica.edges_as_of(at, version)}
                assert found == model.state(at, version), f"seed {seed}, at {at}, version {version}"


def test_a_replica_goes_on_where_it_was(told: tuple[Store, Model, int], tmp_path: Path) -> None:
    """The version reached is kept with the data: reopened at any moment, it takes in the rest, each event once."""
    store, _, seed = told
    events = [event_of(entry, store.id) for entry in store.changes()]
    draw, file = random.Random(seed), tmp_path / "replica.duckdb"
    done = 0
    while done < len(events):
        with Replica(file) as replica:
            first = max(0, done - draw.randrange(3))  # some come again
            done = min(len(events), done + draw.randrange(1, 6))
            replica.apply(events[first:done])
    with Replica(file) as replica:
        assert [tuple(e) for e in replica.edges_as_of(END)] == sorted(tuple(e[:6]) for e in store.as_of(END).edges())


def test_a_replica_that_began_later_says_what_it_does_not_know(told: tuple[Store, Model, int]) -> None:
    """Begun from a version's state, it equals the store from there on, and refuses what was before."""
    store, model, _ = told
    half = store.version // 2
    replica = Replica()
    replica.start_from(store, half)
    replica.follow_store(store)

    for version in range(half, replica.version + 1):
        for at in range(END):
            assert {tuple(edge) for edge in replica.edges_as_of(at, version)} == model.state(at, version)
    with pytest.raises(BeyondHorizonError):
        replica.edges_as_of(1, half - 1)


def test_a_missing_event_is_a_gap(told: tuple[Store, Model, int]) -> None:
    """A replica refuses to continue after an event that it has not seen, and the events of another store."""
    store, _, _ = told
    events = [event_of(entry, store.id) for entry in store.changes()]
    replica = Replica()
    replica.apply(events[:2])

    with pytest.raises(GapError):
        replica.apply(events[3:])
    with pytest.raises(CorruptError):
        replica.apply([events[2] | {"source": "urn:lineage-tt:store:another"}])
    with pytest.raises(InvalidRequestError):
        replica.start_from(store)
    replica.apply(events)
    assert replica.version == events[-1]["data"]["version"]
