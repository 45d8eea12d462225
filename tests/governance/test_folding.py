"""Tables folded from edges, tasks before and after, and places by number: against sets, sorts and plain walks."""

from __future__ import annotations

import random

import numpy as np

from lineage_tt.governance.points.folding import fold, folded, merged, tasks_after, tasks_before
from lineage_tt.governance.points.plain import plain_point
from lineage_tt.graph.arrays.rows import grouped
from lineage_tt.model.answers import EdgeAsOf


def test_triples_are_folded_alike_whether_they_fit_into_one_key_or_not() -> None:
    """Each triple once, in order of source, target and task."""
    chance = random.Random(7)
    rows = [(chance.randrange(9), chance.randrange(9), chance.randrange(4)) for _ in range(400)]
    columns = [np.array(column, np.int32) for column in zip(*rows, strict=True)]
    for nodes in (9, 2**31):
        found = fold(columns[0], columns[1], columns[2], nodes)
        assert list(zip(*(column.tolist() for column in found), strict=True)) == sorted(set(rows))
    nothing = np.zeros(0, np.int32)
    assert [len(column) for column in fold(nothing, nothing, nothing, 3)] == [0, 0, 0]


def test_places_are_grouped_as_a_stable_sort_has_them() -> None:
    """Numbers that come seldom, often, never."""
    chance = random.Random(11)
    numbers = np.array([chance.choice([0, 3, 3, 3, 7]) for _ in range(200)], np.int32)
    starts, order = grouped(numbers, 9)

    assert order.tolist() == np.argsort(numbers, kind="stable").tolist()
    assert starts.tolist() == np.searchsorted(np.sort(numbers), np.arange(10)).tolist()
    assert [each.tolist() for each in grouped(np.zeros(0, np.int32), 2)] == [[0, 0, 0], []]


def test_tasks_before_and_after_are_those_of_a_plain_walk_under_all_names() -> None:
    """Random tables, two of which are one thing: a task comes after who writes what it reads, by either name."""
    for seed in range(60):
        chance = random.Random(seed)
        uses = [
            (f"t{chance.randrange(8)}", f"d:{chance.randrange(10)}", f"d:{chance.randrange(10)}") for _ in range(12)
        ]
        pair = chance.sample(range(10), 2)
        same = {f"d:{pair[0]}": f"d:{pair[1]}"}
        aliases = [(f"d:{one}", f"d:{other}") for one, other in (pair, pair[::-1])]
        edges = [EdgeAsOf(t, f"{a}#c", f"{b}#c", "DIRECT", "IDENTITY", "", 1, 0, None) for t, a, b in uses]
        edges += [EdgeAsOf("alias", a, b, "DIRECT", "ALIAS", "", 1, 0, None) for a, b in aliases]
        point = plain_point(edges)
        at = point.alias
        one = merged(point.nodes, *(point.dataset[each[at]].astype(np.int64) for each in (point.source, point.target)))
        start = chance.choice(uses)[0]
        flags = np.zeros(int(folded(point).task.max()) + 1, np.bool_)
        flags[point.task_number(start)] = True
        nothing = np.zeros(point.nodes, np.bool_)
        for found, reads, writes in (
            (tasks_before(point, one, nothing, flags), 1, 2), (tasks_after(point, one, nothing, flags), 2, 1),
        ):  # fmt: skip
            expected, count = {start}, 0
            while count != len(expected):
                count = len(expected)
                ends = {same.get(use[reads], use[reads]) for use in uses if use[0] in expected}
                expected |= {use[0] for use in uses if same.get(use[writes], use[writes]) in ends}
            assert set(point.task_texts(np.flatnonzero(found))) == expected, seed
