"""Which message states a task's edges from an instant on."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np

from lineage_tt import Store
from lineage_tt.graph.arrays.dictionary import Dictionary
from lineage_tt.graph.load.statements import LATER_SHARE, MAX_LATER, Statements, read
from lineage_tt.model.messages import TaskChange
from lineage_tt.testing import ManualClock, task_change

NOON = 1_714_564_800_000_000
EDGES = [("d:a#x", "d:b#x")]


def _asked(found: Statements, names: Dictionary, task: str, since: int, upto: int) -> int:
    number = np.array([names.tasks.find(task)], np.int32)
    return int(found.versions_of(number, np.array([NOON + since]), upto, np.array([-1], np.int32))[0])


def test_an_edge_is_stated_by_the_message_in_force_where_it_begins(tmp_path: Path) -> None:
    """As known at a version; where no message takes effect no edge begins, and what is given stays."""
    store = Store.create(tmp_path, clock=ManualClock(NOON))
    for at in (10, 30, 20):
        store.append([task_change("t", "update", NOON + at, EDGES)])
    store.append([task_change("other", "online", NOON, EDGES)])
    names = Dictionary()
    found = read(store.opened_log, store.version, names)

    assert [_asked(found, names, "t", since, 9) for since in (9, 10, 19, 20, 30, 99)] == [-1, 1, -1, 3, 2, -1]
    assert [_asked(found, names, "t", since, 2) for since in (20, 30)] == [-1, 2]
    assert _asked(found, names, "other", 0, 9) == 4
    assert found.versions_stated(np.array([names.tasks.find("t")], np.int32), 9) == [1, 2, 3]
    assert found.versions_stated(np.array([names.tasks.find("t"), 77, -1], np.int32), 2) == [1, 2]


def test_what_a_retract_withdraws_states_nothing_from_then_on(tmp_path: Path) -> None:
    """Before the retract was known it did; the retract itself is something that the task said."""
    store = Store.create(tmp_path, clock=ManualClock(NOON))
    store.append([task_change("t", "online", NOON, EDGES, event_id="e1")])
    store.append([task_change("t", "update", NOON + 10, EDGES, event_id="e2")])
    store.append([task_change("t", "retract", NOON + 10, event_id="e3", retracts="e2")])
    names = Dictionary()
    found = read(store.opened_log, store.version, names)

    assert _asked(found, names, "t", 10, 2) == 2
    assert _asked(found, names, "t", 0, 3) == 1
    assert found.versions_stated(np.array([names.tasks.find("t")], np.int32), 3) == [1, 2, 3]


def test_messages_taken_in_later_answer_as_those_read_at_once(tmp_path: Path) -> None:
    """Of any order of times, in pieces of any size, before and after both runs have become one."""
    seed = random.randrange(2**32)
    rng = random.Random(seed)
    print("seed", seed)
    store = Store.create(tmp_path, clock=ManualClock(NOON))
    tasks = [f"t{at}" for at in range(5)]

    events = iter(range(10**6))

    def drawn(count: int) -> list[TaskChange]:
        return [
            task_change(rng.choice(tasks), "update", NOON + rng.randrange(50), EDGES, event_id=f"e{next(events)}")
            for _ in range(count)
        ]

    store.append(drawn(20))
    names = Dictionary()
    store.append(drawn(5))
    found, after = read(store.opened_log, 20, names), 20
    for count in (1, 7, MAX_LATER + 1, 3):
        store.append(drawn(count))
        found = found.extended(store.opened_log, after, after + count, names)
        after += count

    fresh_names = Dictionary()
    fresh = read(store.opened_log, after, fresh_names)
    assert len(found.later.task) == 3 <= LATER_SHARE
    for _ in range(100):
        task, since, upto = rng.choice(tasks), rng.randrange(-1, 51), rng.randrange(after + 1)
        assert _asked(found, names, task, since, upto) == _asked(fresh, fresh_names, task, since, upto), (
            task,
            since,
            upto,
        )
    assert found.extended(store.opened_log, after, after, names) is found
    assert found.nbytes >= fresh.nbytes > 0
