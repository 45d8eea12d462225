"""The place of one worker, and the jobs that it was given."""

from __future__ import annotations

from ingest.sql.jobs import ExtractionJob
from ingest.workers.failures import opaque
from ingest.workers.slots import MAX_IN_FLIGHT, Slot, Ticket


def ticket(length: int = 1) -> Ticket:
    """A job of a text so long."""
    return Ticket(ExtractionJob("x" * length, "hive", "n"), (b"", "", "", "", None, (), "", b""))


def test_a_worker_has_a_few_jobs_at_once() -> None:
    """Enough to hide the pipe."""
    slot = Slot()
    for _ in range(MAX_IN_FLIGHT):
        assert slot.has_room
        slot.tickets.append(ticket())

    assert not slot.has_room


def test_a_long_text_and_a_second_try_are_alone() -> None:
    """Others would wait behind them for long."""
    long, again = Slot(), Slot()
    long.tickets.append(ticket(1 << 16))
    again.tickets.append(ticket())
    again.tickets[0].exceeded = opaque("timeout", "")

    assert (long.has_room, again.has_room) == (False, False)


def test_a_cleared_place_is_as_new() -> None:
    """Whatever its worker complained of."""
    slot = Slot()
    slot.tickets.append(ticket())
    slot.complaint, slot.writing = "broken", True
    slot.clear()

    assert (slot.has_room, slot.complaint, slot.writing, slot.worker) == (True, "", False, None)
