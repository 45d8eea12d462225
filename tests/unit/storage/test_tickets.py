"""The order of turns: short ones in order of arrival, long ones when they are due, one of these between short ones."""

from __future__ import annotations

import os
import time
from pathlib import Path
from threading import Thread

import pytest

from lineage_tt.model.clock import since_boot
from lineage_tt.storage.tickets import Place, Ticket, in_order, places, wake

NOW = int(since_boot() * 1_000_000)
MS = 1_000


def place(name: str, drawn: int, due: int) -> Place:
    """A place that was drawn and is due so many milliseconds from now; its name begins with s or l, for its turn."""
    return Place(NOW + due * MS, NOW + drawn * MS, name[0] == "l", name)


SHORT = [place("s1", -30, 50), place("s2", -20, 60), place("s3", -10, 70)]
DUE = [place("l1", -900, -500), place("l2", -800, -400)]
LATER = [place("l3", -100, 60_000)]


@pytest.mark.parametrize(
    ("waiting", "long_ended", "expected"),
    [
        (SHORT, 0, "s1 s2 s3"),
        ([*LATER, *SHORT], 0, "s1 s2 s3 l3"),
        ([*DUE, *SHORT], -5, "s1 s2 s3 l1 l2"),
        ([*DUE, *SHORT], -15, "s1 s2 l1 s3 l2"),
        ([*DUE, *SHORT], -500, "l1 s1 s2 s3 l2"),
        ([*LATER, *DUE], -500, "l1 l2 l3"),
        ([], 0, ""),
    ],
    ids=["arrival", "not due", "waited a long turn", "some waited", "due first", "long ones", "nobody"],
)
def test_order(waiting: list[Place], long_ended: int, expected: str) -> None:
    """A long turn that is due goes before short ones, but for those that waited through the last long turn."""
    for drawn in (waiting, waiting[::-1]):
        assert " ".join(each.name for each in in_order(drawn, NOW + long_ended * MS)) == expected


def test_a_place_says_all_in_its_name(tmp_path: Path) -> None:
    """What a ticket is due for is read from its file's name; other files are not tickets."""
    drawn = Place.drawn_now(1.5, is_long=True)
    ticket = Ticket(tmp_path, drawn)
    (tmp_path / "lock").touch()

    assert places(tmp_path) == [drawn]
    assert drawn.due - drawn.drawn == 1_500_000
    ticket.remove()
    assert os.listdir(tmp_path) == ["lock"]


def test_the_owner_of_a_place_is_woken(tmp_path: Path) -> None:
    """A sleeping owner continues as soon as somebody wakes its place; who has gone cannot be woken."""
    ticket = Ticket(tmp_path, Place.drawn_now(1, is_long=False))
    begun = time.monotonic()
    thread = Thread(target=ticket.sleep, args=(60,))
    thread.start()
    assert wake(ticket.place)
    thread.join(60)

    assert time.monotonic() - begun < 30
    ticket.remove()
    assert not wake(ticket.place)
