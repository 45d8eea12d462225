"""The compiled walk over rows: who is reached, in how many steps, over which edges."""

from __future__ import annotations

import random

import numpy as np
from states import Box, held, random_boxes, state_of

from lineage_tt.graph.arrays.dictionary import Dictionary
from lineage_tt.graph.arrays.rows import FOREVER
from lineage_tt.graph.arrays.state import State
from lineage_tt.graph.arrays.walking import NO_MASK, TELLS, decode, in_force, rank_of, walk
from lineage_tt.model.edges import dataset_of

COLUMN, TABLE = 0, 1


def _walked(
    state: State, names: Dictionary, start: str, point: tuple[int, int], *, down: bool = True, depth: int = 99,
    level: int = COLUMN, direct: bool = False,
) -> tuple[dict[str, int], list[tuple[str, str]]]:  # fmt: skip
    """The nodes reached with their steps, and the ends of the edges on the way."""
    room = state.nodes + 1
    mark, queue, steps = np.zeros(room, np.int32), np.empty(room, np.int32), np.zeros(room, np.int32)
    edges, tell = np.empty((2 * state.rows + 1, 3), np.int32), np.zeros(TELLS, np.int64)
    given = walk(
        np.array([names.nodes.find(start)], np.int32), down, *point, depth, level, direct, True, NO_MASK, -1,
        state.out if down else state.into, state.record, state.instants, state.heads, state.tail, state.times,
        state.tails, state.hidden, np.zeros(1, np.uint8), mark, 1, queue, steps, edges, tell,
    )  # fmt: skip
    reached, noted = int(tell[0]), edges[: int(tell[1])].copy()
    numbers, valid = np.empty((len(noted), 4), np.int32), np.empty((len(noted), 2), np.int64)
    rows = state.out if down else state.into
    decode(noted, down, rows, state.instants, state.tail, state.times, numbers, valid)
    ends = [(names.nodes[source], names.nodes[target]) for source, target, _, _ in numbers.tolist()]
    return (
        {names.nodes[int(queue[at])]: int(steps[at]) for at in range(int(given), reached)},
        sorted(ends),
    )


def _closure(boxes: list[Box], start: str, point: tuple[int, int], depth: int) -> dict[str, int]:
    """What is downstream of a column, by following edges in force one by one."""
    ends = [box[:2] for box in held(boxes, point)]
    found, front = {start: 0}, {start}
    for step in range(1, depth + 1):
        front = {target for source, target in ends if source in front} - found.keys()
        found |= dict.fromkeys(front, step)
    del found[start]
    return found


def test_a_walk_reaches_what_edges_in_force_lead_to_in_the_fewest_steps() -> None:
    """At any point of both times and to any depth; each edge on the way is noted once."""
    seed = random.randrange(2**32)
    rng = random.Random(seed)
    print("seed", seed)
    boxes = random_boxes(rng)
    state, names = state_of(boxes)

    for _ in range(200):
        start = rng.choice(boxes).source
        point, depth = (rng.randrange(-1, 13), rng.randrange(0, 13)), rng.choice([1, 2, 9])
        nodes, edges = _walked(state, names, start, point, depth=depth)
        expected = _closure(boxes, start, point, depth)
        assert nodes == expected, (start, point, depth)
        near = {start, *(node for node, steps in expected.items() if steps < depth)}
        assert edges == sorted(box[:2] for box in held(boxes, point) if box.source in near)


def test_upstream_of_a_node_are_those_from_which_a_walk_down_comes_to_it() -> None:
    """The same rows, read from their other end."""
    seed = random.randrange(2**32)
    print("seed", seed)
    boxes = random_boxes(random.Random(seed))
    state, names = state_of(boxes)
    columns = sorted({end for box in boxes for end in box[:2]})

    down = {(one, other) for one in columns for other in _walked(state, names, one, (4, 4))[0]}
    up = {(one, other) for other in columns for one in _walked(state, names, other, (4, 4), down=False)[0]}

    assert {pair for pair in up if "#" in pair[0]} == down


def test_a_whole_dataset_goes_on_with_its_columns_and_a_column_comes_from_its_whole_dataset() -> None:
    """Down from a dataset edges leave its columns, too; up from a column edges into the whole dataset lead to it."""
    state, names = state_of([Box("d:a#x", "d:b"), Box("d:b#y", "d:c#z")])

    assert _walked(state, names, "d:a#x", (0, 5))[0] == {"d:b": 1, "d:c#z": 2}
    assert _walked(state, names, "d:c#z", (0, 5), down=False)[0] == {"d:b#y": 1, "d:a#x": 2}


def test_at_the_level_of_tables_every_node_is_its_dataset() -> None:
    """Steps are counted between tables."""
    state, names = state_of([Box("d:a#x", "d:b#x"), Box("d:b#y", "d:c#z"), Box("d:a#x", "d:c#q", 9)])

    nodes, _ = _walked(state, names, "d:a#x", (0, 5), level=TABLE)

    assert nodes == {"d:b": 1, "d:c": 2}
    assert all(dataset_of(node) == node for node in nodes)


def test_edges_of_type_indirect_are_passed_over_where_only_values_are_wanted() -> None:
    """What decides rows is not a value."""
    state, names = state_of([Box("d:a#x", "d:b#x"), Box("d:a#x", "d:b#y", kind="INDIRECT")])

    assert _walked(state, names, "d:a#x", (0, 5), direct=True)[0] == {"d:b#x": 1}
    assert _walked(state, names, "d:a#x", (0, 5))[0] == {"d:b#x": 1, "d:b#y": 1}


def test_the_rank_of_a_time_is_the_last_instant_not_after_it() -> None:
    """Before the first there is none."""
    instants = np.array([-5, 0, 7], np.int64)

    assert [rank_of(at, instants) for at in (-6, -5, -1, 0, 6, 7, FOREVER)] == [-1, 0, 0, 1, 1, 2, 2]
    assert rank_of(3, instants[:0]) == -1


def test_all_edges_in_force_at_a_point_are_noted_by_their_sources() -> None:
    """Whatever was closed or ended meanwhile."""
    seed = random.randrange(2**32)
    rng = random.Random(seed)
    print("seed", seed)
    boxes = random_boxes(rng)
    state, names = state_of(boxes)

    for _ in range(100):
        point = (rng.randrange(-1, 13), rng.randrange(0, 13))
        noted = np.empty((state.rows + 1, 3), np.int32)
        count = in_force(
            *point, state.out, state.record, state.instants, state.tail, state.times, state.tails, state.hidden,
            state.nodes, noted,
        )  # fmt: skip
        rows = noted[:count]
        found = zip(rows[:, 1].tolist(), state.out[rows[:, 0], 0].tolist(), strict=True)
        texts = sorted((names.nodes[one], names.nodes[other]) for one, other in found)
        assert texts == sorted(box[:2] for box in held(boxes, point)), point
