"""Lineage from task to task, sub-tasks counted as the task that starts them, against a naive computation."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from rounds import rounds

from lineage_tt import Store
from lineage_tt.levels.tasks import outermost, rolled_up, task_lineage
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.testing import task_change

START = 1_767_225_600_000_000
SEED = int(os.environ.get("LINEAGE_TT_SEED", random.randrange(2**32)))


def naive(pairs: set[tuple[str, str]], parents: dict[str, str], start: str, depth: int) -> dict[str, int]:
    """The tasks downstream of one, by steps: all pairs of tasks, renamed, walked as a plain graph."""

    def top(node: str) -> str:
        while node in parents:
            node = parents[node]
        return node

    rolled = {(top(one), top(other)) for one, other in pairs if top(one) != top(other)}
    result: dict[str, int] = {}
    frontier = {top(start)}
    for count in range(1, depth + 1):
        frontier = {other for one, other in rolled if one in frontier} - result.keys() - {top(start)}
        result |= dict.fromkeys(frontier, count)
    return result


@pytest.mark.long
@pytest.mark.parametrize("turn", range(rounds(12)))
def test_rolled_up_is_the_graph_of_outermost_tasks(tmp_path: Path, turn: int) -> None:
    """Whatever starts what: downstream of any task, to any depth."""
    print(f"LINEAGE_TT_SEED={SEED}")
    draw = random.Random(SEED + turn)
    tasks = [f"t{n}" for n in range(7)]
    made = {task: (f"db:d{draw.randrange(7)}", f"db:d{draw.randrange(7)}") for task in tasks}
    store = Store.create(tmp_path)
    store.append([task_change(task, "online", START, [pair]) for task, pair in made.items() if pair[0] != pair[1]])
    made = {task: pair for task, pair in made.items() if pair[0] != pair[1]}
    parents = {f"task:t{n}": f"task:t{draw.randrange(n)}" for n in range(1, 7) if draw.random() < 0.5}
    view = store.as_of(START)
    pairs = {
        (f"task:{one}", f"task:{other}") for one, (_, out) in made.items() for other, (into, _) in made.items()
        if out == into and one != other
    }  # fmt: skip
    for task in made:
        for depth in (1, 2, 9):
            found = rolled_up(view, parents, [f"task:{task}"], "down", depth)
            got = {
                step.edge.target: step.steps for step in reversed(found.steps) if step.edge.target not in found.start
            }
            assert got == naive(pairs, parents, f"task:{task}", depth), (task, depth, parents, made)


def test_a_task_that_only_starts_others_has_their_lineage(tmp_path: Path) -> None:
    """An Airflow run has no tables of its own: its tasks have. What they pass to each other stays inside."""
    store = Store.create(tmp_path)
    edges = {"dag.a": ("db:x", "db:y"), "dag.b": ("db:y", "db:z"), "board": ("db:z", "bi:b")}
    store.append([task_change(task, "online", START, [pair]) for task, pair in edges.items()])
    view, parents = store.as_of(START), {"task:dag.a": "task:dag", "task:dag.b": "task:dag"}
    found = rolled_up(view, parents, ["task:dag"], "both")

    assert [(step.edge.source, step.edge.target, step.edge.expression) for step in found.steps] == [
        ("task:dag", "task:board", "db:z")
    ]
    assert rolled_up(view, parents, ["task:dag.a"], "both") == found
    assert rolled_up(view, {}, ["task:dag.a"], "down").steps == task_lineage(view, ["task:dag.a"], "down").steps
    with pytest.raises(InvalidRequestError, match="no edges"):
        rolled_up(view, parents, ["task:other"])
    with pytest.raises(InvalidRequestError, match="depth"):
        rolled_up(view, parents, ["task:dag"], depth=-1)


def test_tasks_that_start_each_other_are_one() -> None:
    """What producers say may go round in circles: the least name stands for the circle."""
    parents = {"task:a": "task:b", "task:b": "task:c", "task:c": "task:a", "task:x": "task:b", "task:s": "task:s"}
    assert {outermost(node, parents) for node in ("task:a", "task:b", "task:c", "task:x")} == {"task:a"}
    assert outermost("task:s", parents) == "task:s"
