"""Walks through random graphs with star edges: DuckDB against the closure that the model computes."""

from __future__ import annotations

from pathlib import Path

import pytest
from agreement import compare_walk
from domain import COLUMNS, INSTANTS, NODES, sizes
from hypothesis import given
from hypothesis import strategies as st
from reference import EdgeValue, as_edge, is_star, walk
from test_walks import kinds, store_with

from lineage_tt.impact.base import closure
from lineage_tt.model.edges import TaskEdge, dataset_of

#: every node of the small world, a star node for each dataset, and a column that no edge ever names
STARS = [f"{table}#*" for table in COLUMNS]
ALL = [*NODES, *STARS, "hive:a#nobody", "bi:e#nobody"]

plain_ends, star_ends = st.sampled_from([*NODES, *STARS]), st.sampled_from(STARS)


#: the expressions of star edges: two in three leave columns out, one of them a column that no edge ever names
left_out = st.sampled_from(["", "* EXCEPT (nobody)", "* EXCEPT (other, x)"])


def _edge(source: st.SearchStrategy[str], target: st.SearchStrategy[str]) -> st.SearchStrategy[EdgeValue]:
    made = st.tuples(source, target, kinds, left_out)
    return made.map(lambda m: (m[0], m[1], *m[2], m[3] if is_star(m[0]) and is_star(m[1]) else ""))


#: two in three have a star at both ends: what continues from one star to the next
edges = st.one_of(_edge(plain_ends, plain_ends), _edge(star_ends, star_ends), _edge(star_ends, star_ends))
star_graphs = st.lists(st.frozensets(edges, max_size=7), min_size=1, max_size=3).map(tuple)


@pytest.mark.long
@sizes(12, 400)
@given(star_graphs)
def test_walks_go_through_stars(tmp_path_factory, graph) -> None:
    """From every node, star and unnamed column, both ways, whole and cut short: the model's edges, steps and marks."""
    folder: Path = tmp_path_factory.mktemp("stars") / "s"
    store, model = store_with(folder, graph)
    view = store.as_of(INSTANTS[2])
    for node in ALL:
        compare_walk(view, model, [node], "both", None, "column")
    for depth in (0, 1, 2, None):
        compare_walk(view, model, ALL[:3], "both", depth, "table")
        compare_walk(view, model, ["hive:a#nobody", "hive:b", "hive:c#*"], "both", depth, "column")
    direct = [edge for edge in model.state(INSTANTS[2], model.version) if edge[3] == "DIRECT"]
    for node in {end for edge in direct for end in edge[1:3]}:
        for way in ("up", "down"):
            found = view.lineage(node, direction=way, direct_only=True)
            assert {(*s.edge[:6], s.by_star): s.steps for s in found.steps} == walk(direct, [node], way)


@sizes(150, 5000)
@given(star_graphs, st.sampled_from(ALL), st.booleans())
def test_the_closure_of_an_impact_report_is_the_walk(graph, start: str, direct_only: bool) -> None:
    """What a release's downstream comes to, star by star: the nodes of the model's walk, with their steps."""
    every = [TaskEdge(f"t{i}", *edge) for i, edge_set in enumerate(graph) for edge in sorted(edge_set)]
    kept = [edge for edge in every if not direct_only or edge.type == "DIRECT"]
    expected: dict[str, int] = {}
    for shown, steps in walk([as_edge(edge) for edge in kept], [start], "down").items():
        expected[shown[2]] = min(steps, expected.get(shown[2], steps))

    found = closure.walk(
        [start],
        lambda datasets: [edge for edge in every if dataset_of(edge.source) in set(datasets)],
        lambda tasks: [edge for edge in every if edge.task_id in set(tasks)],
        direct_only=direct_only,
    )

    assert {node: at.steps for node, at in found.items() if at.steps} == {
        node: steps for node, steps in expected.items() if node != start
    }
