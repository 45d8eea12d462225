"""Large events in parts, and versions counted once, whole and in order, whatever way they come."""

from __future__ import annotations

import random
import secrets
from itertools import pairwise
from typing import Any

import pytest

from lineage_tt.events import CHANGED, LABELS_CHANGED, STATE, Event, encode
from lineage_tt.feed.parts import Sequencer, join, split
from lineage_tt.model.errors import CorruptError, GapError


def event(version: int, previous: int = 0, changes: int = 1, kind: str = CHANGED) -> Event:
    """An event with so many changes."""
    data: dict[str, Any] = {
        "version": version, "previous_version": previous,
        "changes": [{"source": f"n:a#{'x' * 50}{n}"} for n in range(changes)],
        "facts": [], "columns_added": [f"n:b#{n}" for n in range(changes)], "columns_removed": [],
    }  # fmt: skip
    return {"id": str(version), "type": kind, "subject": "t", "data": data}


def test_an_event_that_fits_is_one_part() -> None:
    """It is the event itself."""
    whole = event(3)

    assert split(whole) == [whole]


@pytest.mark.parametrize("most", [600, 1_000, 5_000])
def test_parts_fit_are_numbered_and_make_the_event_again(most: int) -> None:
    """Each within the limit, with an id of its own; changes and columns in their order."""
    whole = event(3, changes=100)
    parts = split(whole, most)

    assert all(len(encode(part)) <= most for part in parts)
    assert [part["data"]["part"] for part in parts] == [
        {"number": n, "of": len(parts)} for n in range(1, len(parts) + 1)
    ]
    assert len({part["id"] for part in parts}) == len(parts) > 1
    assert join(parts) == whole


def test_a_change_that_fits_nowhere_is_alone_in_its_part() -> None:
    """The broker then says so; no other change is lost with it."""
    whole = event(3, changes=3)
    whole["data"]["changes"][1] = {"source": "y" * 2_000}
    large = [part for part in split(whole, 800) if len(encode(part)) > 800]

    assert len(large) == 1
    assert large[0]["data"]["changes"] == [{"source": "y" * 2_000}]
    assert join(split(whole, 800)) == whole


def test_versions_come_once_and_in_order() -> None:
    """From several partitions, some twice, some in parts: random orders in which each partition keeps its own."""
    seed = secrets.randbits(32)
    print("seed", seed)
    draw = random.Random(seed)
    events = [event(version, version - 1, changes=draw.randrange(1, 30)) for version in range(1, 40)]
    partitions: list[list[Event]] = [[], [], []]
    for each in events:
        chosen = draw.choice(partitions)
        chosen += split(each, 900) * draw.choice([1, 1, 2])
    sequencer = Sequencer()
    found: list[Event] = []
    while any(partitions):
        found += sequencer.take(draw.choice([each for each in partitions if each]).pop(0))

    assert found == events
    assert (sequencer.after, sequencer.blocked) == (39, None)


def test_a_try_that_was_cut_off_starts_again() -> None:
    """A sender that died after two parts sends all of them again."""
    parts = split(event(1, changes=60), 900)
    sequencer = Sequencer()
    found = [each for part in (*parts[:2], *parts) for each in sequencer.take(part)]

    assert len(parts) > 2
    assert found == [event(1, changes=60)]


def test_a_reader_sees_nothing_of_what_it_holds() -> None:
    """From version 5 on."""
    sequencer = Sequencer(5)
    events = [event(version, version - 1) for version in (4, 5, 6)]

    assert [each["data"]["version"] for given in events for each in sequencer.take(given)] == [6]


def test_a_missing_version_is_a_gap_and_never_passed_over() -> None:
    """What follows it waits; where it cannot come any more the error says from where to start."""
    sequencer = Sequencer(1)
    assert list(sequencer.take(event(4, previous=3))) == []
    assert sequencer.blocked == 3
    with pytest.raises(GapError) as caught:
        sequencer.refuse()
    assert (caught.value.after, caught.value.first, caught.value.snapshot) == (1, 3, 3)

    assert [each["data"]["version"] for each in sequencer.take(event(3, previous=1))] == [3, 4]
    sequencer.refuse()


def test_versions_without_changes_are_no_gap() -> None:
    """An event names the version before it that changed anything."""
    sequencer = Sequencer()
    given = [event(after, before) for before, after in pairwise([0, 2, 7, 9])]

    assert [each["data"]["version"] for one in given for each in sequencer.take(one)] == [2, 7, 9]


def test_another_topic_is_an_error_and_labels_are_passed_over() -> None:
    """A topic of current state has no history to follow."""
    sequencer = Sequencer()
    assert list(sequencer.take(event(1, kind=LABELS_CHANGED))) == []
    for kind in (STATE, "com.example.other"):
        with pytest.raises(CorruptError, match="read the topic of changes"):
            list(sequencer.take(event(1, kind=kind)))
