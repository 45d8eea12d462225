"""Whose turn it is, in one process: turns, passengers, offers, what the dead left."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import orjson
import pytest

from lineage_tt.storage import processes, write_queue
from lineage_tt.storage.tickets import Place, Ticket, places
from lineage_tt.storage.write_queue import FOLDER, LOCK, WriteQueue, leftovers


class Riding:
    """A small append that says when it has arrived."""

    def __init__(self, data: bytes | None = b"rows") -> None:
        self.data, self.offered_as = data, ""
        self.is_committed = threading.Event()

    def offer(self, name: str) -> bytes | None:
        """Offer the rows."""
        self.offered_as = name
        return self.data

    def has_arrived(self) -> bool:
        """Whether a test committed it."""
        return self.is_committed.is_set()


@contextmanager
def waiting(log: Path, passenger: Riding | None = None, entered: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Another writer in a thread of its own, which waits for its turn while the block runs."""

    def wait() -> None:
        with WriteQueue(log).turn(1, None, passenger):
            entered()

    thread = threading.Thread(target=wait)
    thread.start()
    while thread.is_alive() and not places(log / FOLDER):
        pass
    yield
    thread.join(60)
    assert not thread.is_alive()


def test_a_turn_comes_at_once_where_nobody_waits(tmp_path: Path) -> None:
    """One within it is the same one; no ticket is left."""
    queue = WriteQueue(tmp_path)
    with queue.turn(1), queue.turn(1):
        assert (tmp_path / FOLDER / LOCK).exists()
        queue.progress()

    assert places(tmp_path / FOLDER) == []
    assert not queue.is_contended


def test_another_writer_waits_for_the_end_of_a_turn(tmp_path: Path) -> None:
    """Whose turn it is sees that."""
    queue, order = WriteQueue(tmp_path), []
    with queue.turn(1):
        other = waiting(tmp_path, entered=lambda: order.append("other"))
        other.__enter__()
        assert queue.is_contended
        order.append("mine")
    other.__exit__(None, None, None)

    assert order == ["mine", "other"]


def test_a_passenger_is_committed_by_the_writer_whose_turn_it_is(tmp_path: Path) -> None:
    """Its ticket is taken away, and its block runs without a turn."""
    queue, passenger = WriteQueue(tmp_path), Riding()
    with queue.turn(1):
        other = waiting(tmp_path, passenger)
        other.__enter__()
        while not (offers := queue.offers()):
            pass
        assert offers == [(passenger.offered_as, b"rows")]
        passenger.is_committed.set()
        queue.arrived([passenger.offered_as, "no ticket"])
        other.__exit__(None, None, None)


def test_only_whoever_has_the_turn_is_offered_anything(tmp_path: Path) -> None:
    """Others would commit rows twice."""
    queue = WriteQueue(tmp_path)
    with queue.turn(1):
        assert WriteQueue(tmp_path).offers() == []
        assert queue.offers() == []
    assert queue.offers() == []


def test_a_writer_does_not_wait_for_itself(tmp_path: Path) -> None:
    """Two stores in one thread: the other one's turn cannot end while this one waits."""
    with WriteQueue(tmp_path).turn(1), WriteQueue(tmp_path).turn(1):
        pass

    assert places(tmp_path / FOLDER) == []


def test_what_fails_while_it_waits_ends_the_waiting(tmp_path: Path) -> None:
    """And leaves no ticket."""
    (tmp_path / FOLDER).mkdir()
    ahead = Ticket(tmp_path / FOLDER, Place.drawn_now(0, is_long=False))

    def fails() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), WriteQueue(tmp_path).turn(1, fails):
        pass
    assert [place.name for place in places(tmp_path / FOLDER)] == [ahead.place.name]
    ahead.remove()


def test_tickets_of_the_dead_are_passed_over_and_are_leftovers(tmp_path: Path) -> None:
    """The locks of the queue are none; nor is a ticket whose owner lives."""
    folder = tmp_path / FOLDER
    assert leftovers(tmp_path) == []
    folder.mkdir()
    dead, alive = Place.drawn_now(0, is_long=False), Ticket(folder, Place.drawn_now(60, is_long=True))
    (folder / dead.name).write_bytes(b"")
    (folder / LOCK).write_bytes(b"")
    assert [path.name for path in leftovers(tmp_path)] == [dead.name]
    with WriteQueue(tmp_path).turn(1):
        assert [place.name for place in places(folder)] == [alive.place.name]
    alive.remove()


def test_a_dead_writer_between_two_does_not_hold_up_the_queue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one after it waited five minutes: only the second in the queue looks after a first that does not move."""
    monkeypatch.setattr(write_queue, "SUSPENDED_SECONDS", 0.01)
    monkeypatch.setattr(write_queue, "MAX_WAIT", 2.0)
    folder = tmp_path / FOLDER
    folder.mkdir()
    suspended, dead = Ticket(folder, Place.drawn_now(0, is_long=False)), Place.drawn_now(0, is_long=False)
    (folder / dead.name).write_bytes(b"")
    queue = WriteQueue(tmp_path)
    with queue.turn(1):
        queue.progress()
        assert orjson.loads((folder / LOCK).read_bytes())["holder"] == processes.this_process()
        assert not (folder / dead.name).exists()
    suspended.remove()


def test_where_no_ticket_can_be_drawn_a_writer_continues_without(tmp_path: Path) -> None:
    """The commit file decides then."""
    log = tmp_path / "none" / "log"
    with WriteQueue(log).turn(1):
        entered = True

    assert entered
    assert not os.path.exists(log)
    assert not WriteQueue(log).is_contended
