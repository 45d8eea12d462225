"""System times: strictly increasing, whatever the clock or the messages say."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineage_tt import RejectedMessage, Store
from lineage_tt.log.system_times import MAX_AHEAD, SLACK, ImportOrder, clock_times, imported_times, room_for
from lineage_tt.model.errors import UnavailableError
from lineage_tt.testing import ManualClock, task_change

SECOND = 1_000_000
NOW = 1_700_000_000 * SECOND
EDGE = ("n:a#x", "n:b#y")


def test_the_clock_gives_the_first_and_microseconds_the_others() -> None:
    """A batch begins at now; its messages are a microsecond apart."""
    assert list(clock_times(3, NOW - SECOND, NOW)) == [NOW, NOW + 1, NOW + 2]


@pytest.mark.parametrize("back", [0, 1, SECOND, 3600 * SECOND])
def test_a_clock_that_stands_or_steps_back_is_overruled(back: int) -> None:
    """System times continue a microsecond at a time until the clock has caught up."""
    assert list(clock_times(2, NOW, NOW - back)) == [NOW + 1, NOW + 2]


def test_a_store_far_ahead_of_the_clock_is_refused(tmp_path: Path) -> None:
    """More than a day apart, the clock or the store is wrong, and nothing is appended."""
    clock = ManualClock(NOW)
    store = Store.create(tmp_path, clock=clock)
    store.append([task_change("first", "online", NOW, [EDGE])])
    clock.set(NOW - MAX_AHEAD)
    store.append([task_change("a day", "online", NOW, [EDGE])])
    clock.advance(-1)
    with pytest.raises(UnavailableError, match="correct the clock"):
        store.append([task_change("more", "online", NOW, [EDGE])])


@pytest.mark.parametrize(
    ("recorded", "last", "expected"),
    [
        ([10, 20, 30], 0, [10, 20, 30]),
        ([10, 10, 10], 0, [8, 9, 10]),  # the last of equals has the time itself
        ([10, 10, 10], 9, [10, 11, 12]),  # unless the store is there already
        ([10, 11, 11], 0, [9, 10, 11]),
        ([None, 10, None], 5, [6, 10, 11]),  # right after the one before, which keeps its own time
        ([None], 5, [6]),
        ([], 5, []),
    ],
)
def test_imported_times(recorded: list[int | None], last: int, expected: list[int]) -> None:
    """A history import has each recorded_at as its system time, equals moved apart in input order."""
    assert imported_times(recorded, last) == expected


@given(st.lists(st.none() | st.integers(100, 120)), st.integers(0, 130))
def test_imported_times_always_rise(recorded: list[int | None], last: int) -> None:
    """Whatever is imported after whatever is there, system times strictly increase."""
    times = [last, *imported_times(sorted(recorded, key=lambda at: at or 0), last)]

    assert all(a < b for a, b in pairwise(times))


@given(
    st.lists(st.integers(0, 9), min_size=1, max_size=30),
    st.sets(st.integers(1, 29)),
    st.integers(-5, 20),
)
def test_times_of_a_history_do_not_depend_on_where_it_is_cut(gaps: list[int], cuts: set[int], last: int) -> None:
    """Messages that are committed in several pieces get the times that one commit gives them."""
    recorded = [sum(gaps[: place + 1]) // 4 for place in range(len(gaps))]
    ends = sorted({cut for cut in cuts if cut < len(recorded)} | {len(recorded)})
    found: list[int] = []
    for begin, end in pairwise([0, *ends]):
        found += imported_times(recorded[begin:end], found[-1] if found else last, room_for(recorded[end:]))

    assert found == imported_times(recorded, last)


def test_import_order() -> None:
    """An import must not go back in time, nor lie in the future, and every message must say when it was recorded."""
    order = ImportOrder(NOW, NOW + 10 * SECOND)

    def problem(recorded_at: int | None) -> str | None:
        message = task_change("t", "online", 0, [EDGE])
        message.recorded_at = recorded_at
        found = order.problem(message)
        return found[0] if found else None

    assert problem(None) == "recorded-at-missing"
    assert problem(NOW - SLACK - 1) == "recorded-at-decreases"
    assert problem(NOW - SLACK) is None
    assert problem(NOW + 20 * SECOND) is None
    assert problem(NOW + 19 * SECOND) == "recorded-at-decreases"
    assert problem(NOW + 10 * SECOND + MAX_AHEAD + 1) == "recorded-at-in-future"


@pytest.mark.parametrize("wrong", [NOW - 100 * SECOND, NOW + 400 * MAX_AHEAD])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_refused_message_does_not_move_the_times_of_others(tmp_path: Path, wrong: int, place: int) -> None:
    """One message with an impossible recorded_at is a dead letter; the others keep theirs, and the store continues."""
    store = Store.create(tmp_path, clock=ManualClock(NOW + 10 * SECOND))
    messages = []
    for number in range(2):
        message = task_change(f"t{number}", "online", NOW, [EDGE])
        message.recorded_at = NOW + number * SECOND
        messages.append(message)
    bad = task_change("bad", "online", NOW, [EDGE])
    bad.recorded_at = wrong
    messages.insert(place, bad)
    if place == 0 and wrong < NOW:
        store.append([task_change("before", "online", NOW, [EDGE])])
        for message in messages[1:]:
            message.recorded_at = (message.recorded_at or 0) + 11 * SECOND
    store.append(messages, system_times="recorded_at")

    taken = {entry.task_id: entry.system_time for entry in store.log() if entry.status == "accepted"}
    early = {m.task_id: (m.recorded_at or 0) - taken[m.task_id] for m in messages if m is not bad}
    assert set(early) == {"t0", "t1"}
    assert set(early.values()) <= {0, 1}  # the refused row may need a microsecond
    assert [letter.task_id for letter in store.dead_letters()] == ["bad"]
    store.append([task_change("after", "online", NOW, [EDGE])])


def test_a_refused_message_in_an_import_is_no_clock(tmp_path: Path) -> None:
    """Bytes refused before the store, with a recorded_at of their own, do not move the system time either."""
    store = Store.create(tmp_path, clock=ManualClock(NOW))
    poison = RejectedMessage(b"{}", "no-task", "there is no task", recorded_at=NOW + 400 * MAX_AHEAD)
    store.append([poison], system_times="recorded_at")

    assert store.log()[0].system_time <= NOW
