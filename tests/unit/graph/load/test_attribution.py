"""Which message of a task states its edges from an instant on."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from lineage_tt.graph.load.attribution import after_of_task, began, derived, first_after, merge, stating

#: A message: task, effective, version, rank, base.
Row = tuple[int, int, int, int, int]


def _run(rows: list[Row]) -> list[Any]:
    kinds = (np.int32, np.int64, np.int32, np.int64, np.int32)
    ordered = sorted(rows, key=lambda row: row[:3])
    return [np.array([row[at] for row in ordered], kind) for at, kind in enumerate(kinds)]


def test_the_messages_of_a_task_up_to_an_instant_end_at_one_place() -> None:
    """Those at the instant itself count; of a task that said nothing there are none."""
    task, effective, *_ = _run([(1, 5, 1, 0, 0), (1, 9, 2, 0, 0), (3, 5, 3, 0, 0)])

    assert [first_after(task, effective, 1, at) for at in (4, 5, 8, 9)] == [0, 1, 1, 2]
    assert [first_after(task, effective, wanted, 99) for wanted in (0, 2, 3)] == [0, 2, 3]
    assert [after_of_task(effective, 0, 2, at) for at in (4, 5, 99)] == [0, 1, 2]


def test_of_messages_of_one_instant_that_of_the_greatest_rank_states() -> None:
    """Of equal rank the last version; what is known later or is derived does not."""
    task, effective, known, rank, base = _run(
        [(1, 5, 1, 7, 0), (1, 5, 2, 3, 0), (1, 5, 3, 7, 0), (1, 5, 4, 9, 3), (1, 2, 5, 0, 0)]
    )

    def version(upto: int) -> int:
        place = stating(task, effective, known, rank, base, 1, 5, upto)
        return int(known[place]) if place >= 0 else -1

    assert [version(upto) for upto in (0, 1, 2, 3, 9)] == [-1, 1, 1, 3, 3]
    assert stating(task, effective, known, rank, base, 2, 5, 9) == -1


def test_the_last_version_derived_of_a_message_at_its_instant_takes_its_place() -> None:
    """Of that message alone, and as known then."""
    task, effective, version, _, base = _run([(1, 5, 1, 0, 0), (1, 5, 4, 0, 1), (1, 5, 6, 0, 1), (1, 5, 7, 0, 2)])

    assert [derived(task, effective, version, base, 1, 5, 4, upto, 1) for upto in (3, 4, 9)] == [0, 4, 6]
    assert derived(task, effective, version, base, 1, 5, 4, 9, 2) == 7


def test_two_runs_are_merged_in_order_of_task_time_and_version() -> None:
    """As if they had been one; either may be empty."""
    seed = random.randrange(2**32)
    rng = random.Random(seed)
    print("seed", seed)
    rows = [(rng.randrange(4), rng.randrange(5), version, 0, 0) for version in range(60)]
    for cut in (0, 17, 60):
        one, other, whole = _run(rows[:cut]), _run(rows[cut:]), _run(rows)
        order = np.empty(60, np.int64)
        merge(one[0], one[1], one[2], other[0], other[1], other[2], order)

        for first, second, expected in zip(one, other, whole, strict=True):
            assert np.concatenate([first, second])[order].tolist() == expected.tolist()


def test_two_runs_attribute_edges_as_one_of_both_does() -> None:
    """Whatever lies in which; edges that are supposed, or begin where no message takes effect, keep their version."""
    seed = random.randrange(2**32)
    rng = random.Random(seed)
    print("seed", seed)
    rows: list[Row] = []
    for version in range(1, 50):
        base = rng.choice([0, 0, 0, rng.randrange(1, version + 1)])
        of = rows[base - 1] if base and base < version and rows[base - 1][4] == 0 else None
        fresh = rng.randrange(3), rng.randrange(6), version, rng.randrange(3), 0
        rows.append((*of[:2], version, of[3], base) if of else fresh)
    later = {row for row in rows if rng.random() < 0.4}
    none = _run([])
    payloads = np.array([(0,), (1,), (2,), (1,)], np.int32)
    cases = [(task, at) for task in range(4) for at in range(7)]

    def asked(first: list[Any], second: list[Any], upto: int) -> list[int]:
        numbers = np.array([(0, 0, task << 1, -7) for task, _ in cases], np.int32)
        valid = np.array([(at, 99) for _, at in cases], np.int64)
        starts = np.searchsorted(first[0], np.arange(int(first[0][-1]) + 2 if len(first[0]) else 1)).astype(np.int32)
        began(numbers, valid, payloads, 3, upto, starts, *first, *second)
        return [int(number) for number in numbers[:, 3]]

    for upto in (0, 10, 30, 99):
        split = asked(_run([row for row in rows if row not in later]), _run([*later]), upto)
        assert split == asked(_run(rows), none, upto) == asked(none, _run(rows), upto), upto
        assert split[21:] == [-7] * 7
        taking_effect = {(row[0], row[1]) for row in rows if row[2] <= upto}
        assert all(version == -7 for case, version in zip(cases, split, strict=True) if case not in taking_effect)
