"""A topic of events into a store: what happens where no broker answers."""

from __future__ import annotations

import gc
import logging
import socket
import warnings
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest
from run_events import START, Event, a_run

from ingest.events import topic as module
from ingest.events.intake import EventIntake
from ingest.events.topic import EventTopic
from ingest.kafka.ingest import Status
from lineage_tt import Store
from lineage_tt.kafka.settings import Topic
from lineage_tt.model.errors import UnavailableError
from lineage_tt.read.observations import observations


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An empty store."""
    return Store.create(tmp_path / "s")


@pytest.fixture
def refused(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """kafka-python leaves the sockets of refused connections to the garbage collector; logged, they would live on."""
    with caplog.at_level(logging.CRITICAL, "kafka"):
        yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


@pytest.fixture
def intake(store: Store) -> Iterator[EventIntake]:
    """Takes events into it."""
    with EventIntake(store, workers=0) as made:
        yield made


def unreachable() -> Topic:
    """A topic on a port of this machine at which nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    return Topic((f"127.0.0.1:{port}",), "events", {"bootstrap_timeout_ms": 200})


def waiting(intake: EventIntake, *events: Event) -> None:
    """Take events in as a process does that ends before it decides them."""
    intake.take([intake.read(orjson.dumps(each)) for each in events])


def test_what_a_process_that_ended_had_taken_in_is_decided_first(store: Store, intake: EventIntake) -> None:
    """Before any broker is asked; it is counted, and observed at the end."""
    waiting(intake, *a_run(START), *a_run(START, "other", "r2"), {"run": {}})
    topic = unreachable()
    feeder = EventTopic(store, intake, topic)
    feeder.stopping = True
    summary = feeder.run()

    assert (feeder.runs, summary.accepted, summary.rejected, summary.received) == (2, 2, 1, 0)
    assert summary.reasons == {"invalid-message": 1}
    assert summary.source == topic.uri
    assert {each.task_id for each in observations(store.log_path.parent)} == {"etl/job", "etl/other"}


@pytest.mark.usefixtures("refused")
@pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")
def test_a_broker_that_does_not_answer_is_told_and_waited_for(store: Store, intake: EventIntake) -> None:
    """Until the process is to stop; nothing is known of the topic meanwhile."""
    result: list[Status] = []

    def watch(status: Status) -> None:
        result.append(status)
        feeder.stopping = len(result) == 2

    feeder = EventTopic(store, intake, unreachable(), watch=watch)
    feeder.run()

    assert [(each.partitions, each.lag) for each in result] == [(0, None)] * 2
    assert all(each.problem for each in result)


@pytest.mark.usefixtures("refused")
@pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")
def test_who_waits_for_the_end_does_not_wait_forever(
    store: Store, intake: EventIntake, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It fails once its patience is over; what was taken in before is in the log."""
    monkeypatch.setattr(module, "PATIENCE", 0.0)
    waiting(intake, *a_run(START))

    with pytest.raises(UnavailableError):
        EventTopic(store, intake, unreachable()).run(until_end=True)
    assert store.version == 1
