"""Who goes first among the writers of an object store: whoever lost too often reserves the log."""

from __future__ import annotations

import threading
import time

import pytest
from memory_objects import memory_place

from lineage_tt.log.stores import reservation
from lineage_tt.log.stores.reservation import FOLDER, MAX_LOSSES, NAME, Reservations
from lineage_tt.storage.objects import ObjectPath


def reserved(log: ObjectPath) -> bool:
    """Whether some writer has the log reserved."""
    return (log / FOLDER / NAME).exists()


def loses(writer: Reservations, times: int = MAX_LOSSES) -> None:
    """Let a writer lose so many commits running."""
    for _ in range(times):
        writer.lost()


def test_a_writer_that_lost_too_often_reserves_the_log() -> None:
    """Until its turn is over; one loss alone reserves nothing."""
    log = memory_place()
    writer = Reservations(log)
    loses(writer, MAX_LOSSES - 1)
    assert not reserved(log)
    writer.lost()
    assert reserved(log)
    writer.done()

    assert not reserved(log)


def test_losses_of_one_turn_do_not_count_in_the_next() -> None:
    """They are counted running."""
    log = memory_place()
    writer = Reservations(log)
    loses(writer, MAX_LOSSES - 1)
    writer.done()
    loses(writer, MAX_LOSSES - 1)

    assert not reserved(log)


def test_a_turn_without_a_reservation_takes_nobody_elses_away() -> None:
    """Only whoever made it ends it."""
    log = memory_place()
    loses(Reservations(log))
    Reservations(log).done()

    assert reserved(log)


def test_its_owner_does_not_hold_back() -> None:
    """Nor does anybody where the log is free."""
    log = memory_place()
    writer = Reservations(log)
    loses(writer)
    begun = time.monotonic()
    writer.hold_back()
    writer.done()
    Reservations(log).hold_back()

    assert time.monotonic() - begun < 5


def test_others_hold_back_until_it_is_taken_away() -> None:
    """They continue with the commit that it was made for."""
    log = memory_place()
    writer, passed = Reservations(log), threading.Event()
    loses(writer)

    def wait() -> None:
        Reservations(log).hold_back()
        passed.set()

    thread = threading.Thread(target=wait)
    thread.start()
    assert not passed.wait(0.02)
    writer.done()
    thread.join(30)

    assert passed.is_set()


def test_what_a_dead_writer_reserved_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the object store's own time; no object of whoever waited is left."""
    log = memory_place()
    loses(Reservations(log))
    monkeypatch.setattr(reservation, "LEASE_SECONDS", 0.01)
    Reservations(log).hold_back()

    assert [entry.name for entry in (log / FOLDER).below()] == []


def test_a_reservation_that_ran_out_may_be_anothers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its first owner does not take it away."""
    log = memory_place()
    writer = Reservations(log)
    loses(writer)
    (log / FOLDER / NAME).write_bytes(b"another's")
    monkeypatch.setattr(reservation, "LEASE_SECONDS", 0.0)
    writer.done()

    assert (log / FOLDER / NAME).read_bytes() == b"another's"
