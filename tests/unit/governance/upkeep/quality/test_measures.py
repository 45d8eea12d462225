"""What the log says of messages in force, histograms of waits, and edges that flap."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from lineage_tt import Store
from lineage_tt.governance.points.graphed import Points
from lineage_tt.governance.upkeep.quality.measures import MessageFigures, Pairs, bars, flapping, message_figures
from lineage_tt.model.answers import Basis
from lineage_tt.testing import ManualClock, task_change

SECOND, DAY = 1_000_000, 86_400_000_000
EDGE = [("d:a#x", "d:b#x")]


def figures(folder: Path, recorded: int | None, said: Any = None, **deliveries: Any) -> MessageFigures:
    """The figures of a message that takes effect at 100 s and is stored at 200 s."""
    store = Store.create(folder / "s", clock=ManualClock(200 * SECOND))
    message = task_change("t", "online", 100 * SECOND, EDGE)
    message.recorded_at = recorded
    message.attributes = None if said is None else orjson.dumps(said).decode()
    store.append([message])
    return message_figures(Points(store, store.graph()), [1], **deliveries)[1]


@pytest.mark.parametrize(
    ("recorded", "to_message", "to_commit"),
    [(130 * SECOND, 30 * SECOND, 70 * SECOND), (100 * SECOND, 0, 100 * SECOND), (40 * SECOND, 0, 160 * SECOND),
     (250 * SECOND, 150 * SECOND, 0), (None, None, 100 * SECOND)],
)  # fmt: skip
def test_waits_are_from_effect_to_message_and_from_there_to_the_store(
    tmp_path: Path, recorded: int | None, to_message: int | None, to_commit: int
) -> None:
    """A plan is not late, nor a message of a clock that is ahead; one that does not say is measured from its effect."""
    found = figures(tmp_path, recorded)

    assert (found.to_message, found.to_commit, found.to_delivery) == (to_message, to_commit, ())


@pytest.mark.parametrize(
    ("said", "pairs"),
    [
        ({"openlineage": {"agreement": {"both": 9, "engine": 2, "sql": 1}}}, Pairs(9, 2, 1)),
        ({"openlineage": {"agreement": {"both": 9}}}, Pairs(9, 0, 0)),
        ({"openlineage": {"agreement": {"both": "many"}}}, None),
        ({"openlineage": {"agreement": [9, 2, 1]}}, None),
        ({"openlineage": "none"}, None),
        ({}, None),
    ],
)
def test_pairs_are_read_where_a_run_states_them(tmp_path: Path, said: Any, pairs: Pairs | None) -> None:
    """Attributes are anybody's: what is not a number says nothing."""
    assert figures(tmp_path, None, said).pairs == pairs


def test_each_delivery_is_a_wait_from_the_commit(tmp_path: Path) -> None:
    """One that a clock dates before it waited for nothing; those of other versions are of other messages."""
    deliveries = {1: [260 * SECOND, 190 * SECOND], 2: [999 * SECOND]}

    assert figures(tmp_path, None, deliveries=deliveries).to_delivery == (60 * SECOND, 0)


def test_waits_fall_into_the_first_bar_that_holds_them() -> None:
    """A bar's upper end is in it; what is longer than a week has a bar without an end."""
    waits = [0, 60 * SECOND, 60 * SECOND + 1, 3600 * SECOND, DAY, 7 * DAY, 7 * DAY + 1, 900 * DAY]

    assert bars(waits) == {"minute": 2, "hour": 2, "day": 1, "week": 1, "longer": 2}
    assert set(bars([]).values()) == {0}


def test_an_edge_flaps_that_began_three_times_within_the_window(tmp_path: Path) -> None:
    """The window begins after its first instant and ends with the point; the most restless edge comes first."""
    store = Store.create(tmp_path / "s", clock=ManualClock(100 * DAY))
    for day in (10, 12, 14, 16):
        store.append(
            [task_change("often", "online", day * DAY, EDGE), task_change("often", "offline", (day + 1) * DAY)]
        )
    for day in (12, 14, 16):
        store.append([task_change("less", "online", day * DAY, EDGE), task_change("less", "offline", (day + 1) * DAY)])
    points = Points(store, store.graph())

    def found(at: int, days: int, version: int = store.version) -> list[tuple[str, int]]:
        basis = Basis(at * DAY, version, 0)
        return [(each.task_id, each.began) for each in flapping(points, points.at(basis), days)]

    assert found(20, 90) == [("often", 4), ("less", 3)]
    assert found(20, 9) == [("less", 3), ("often", 3)]
    assert found(16, 4) == []
    assert found(16, 5) == [("less", 3), ("often", 3)]
    assert found(15, 90) == [("often", 3)]
    assert found(20, 90, 8) == [("often", 4)]
