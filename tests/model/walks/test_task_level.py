"""Lineage from task to task against the obvious: a task comes after another one where it reads what that one writes."""

from __future__ import annotations

from domain import INSTANTS, sizes
from hypothesis import given
from hypothesis import strategies as st
from reference import EdgeValue, dataset
from test_walks import graphs, store_with

from lineage_tt.levels.tasks import task_lineage


def after(sets: dict[str, frozenset[EdgeValue]], start: str, down: bool) -> dict[str, int]:
    """The tasks that come after (or before) a task, each with the least number of steps."""
    reads = {task: {dataset(edge[0 if down else 1]) for edge in edges} for task, edges in sets.items()}
    writes = {task: {dataset(edge[1 if down else 0]) for edge in edges} for task, edges in sets.items()}
    found: dict[str, int] = {start: 0}
    frontier = [start]
    while frontier:
        reached = [other for task in frontier for other in sets if writes[task] & reads[other] and other not in found]
        found.update(dict.fromkeys(reached, found[frontier[0]] + 1))
        frontier = list(dict.fromkeys(reached))
    return {task: steps for task, steps in found.items() if steps}


@sizes(6, 300)
@given(st.lists(graphs, min_size=1, max_size=2), st.booleans())
def test_a_task_comes_after_what_it_reads(tmp_path_factory, many, down: bool) -> None:
    """The tasks reached and their steps, from every task, in files and in memory."""
    sets = {f"t{i}": edges for i, edges in enumerate(edges for graph in many for edges in graph)}
    store, _ = store_with(tmp_path_factory.mktemp("tasks") / "s", tuple(sets.values()))
    graph = store.graph().as_of(INSTANTS[2])
    for view in (store.as_of(INSTANTS[2]), graph):
        for task in (task for task, edges in sets.items() if edges):
            found = task_lineage(view, [f"task:{task}"], "down" if down else "up")

            expected = after({name: edges for name, edges in sets.items() if edges}, task, down)
            assert found.nodes == {f"task:{name}": steps for name, steps in found_order(expected)}


@sizes(6, 300)
@given(st.lists(graphs, min_size=1, max_size=2))
def test_a_step_is_the_same_from_either_task(tmp_path_factory, many) -> None:
    """Down from the one that writes, up from the one that reads; its version is one of the reader's edges."""
    sets = {f"t{i}": edges for i, edges in enumerate(edges for graph in many for edges in graph)}
    store, _ = store_with(tmp_path_factory.mktemp("steps") / "s", tuple(sets.values()))
    view = store.as_of(INSTANTS[2])
    own = {task: view.edges([task]) for task in sets}
    found = {
        way: {
            step.edge
            for task in sets
            if own[task]
            for step in task_lineage(view, [f"task:{task}"], "down" if way else "up", 1).steps
        }
        for way in (True, False)
    }
    assert found[True] == found[False]
    for edge in found[True]:
        both = [*own[edge.source.removeprefix("task:")], *own[edge.task_id]]
        assert edge.version in {each.version for each in own[edge.task_id]}
        assert edge.valid_from in {each.valid_from for each in both}


def found_order(steps: dict[str, int]) -> list[tuple[str, int]]:
    """Tasks in the order of an answer."""
    return sorted(steps.items(), key=lambda item: (item[1], item[0]))
