"""How much of a node's value comes from where: shares, distances and ways over the steps of a walk."""

from __future__ import annotations

import pytest

from lineage_tt.governance.cause.flow import Flow, Part, flow_of, merged
from lineage_tt.model.answers import EdgeAsOf, Step


def step(steps: int, source: str, target: str, kind: str = "DIRECT") -> Step:
    """A step of a walk upstream."""
    return Step("up", steps, EdgeAsOf("t", source, target, kind, "", "", 1, 0, None))


def test_shares_are_divided_among_the_sources_of_a_value() -> None:
    """Half each of two, and what arrives over several ways adds up; rows have a part of their own."""
    flow = flow_of("d:z#v", [
        step(1, "d:a#v", "d:z#v"), step(1, "d:b#v", "d:z#v"), step(2, "d:c#v", "d:a#v"), step(2, "d:c#v", "d:b#v"),
        step(2, "d:e#v", "d:b#v"), step(1, "d:a#k", "d:z", "INDIRECT"),
    ])  # fmt: skip

    assert {node: round(part.share, 3) for node, part in flow.parts.items() if "#" in node} == {
        "d:z#v": 1.0, "d:a#v": 0.5, "d:b#v": 0.5, "d:c#v": 0.75, "d:e#v": 0.25, "d:a#k": 0.4,
    }  # fmt: skip
    assert flow.parts["d:c#v"].steps == 2


def test_a_circle_of_columns_ends() -> None:
    """Shares go round it a bounded number of times, and stay within 1."""
    flow = flow_of("d:a#v", [step(1, "d:b#v", "d:a#v"), step(2, "d:a#v", "d:b#v")])

    assert all(0 < part.share <= 1 for part in flow.parts.values())


def test_a_node_without_sources_is_its_own_flow() -> None:
    """With its dataset, at no distance."""
    flow = flow_of("d:a#v", [])

    assert flow == Flow({"d:a#v": Part(1.0, 0), "d:a": Part(1.0, 0)}, {}, {})
    assert flow_of("d:a", []).parts == {"d:a": Part(1.0, 0)}


def test_a_column_that_is_not_known_has_the_part_of_its_dataset() -> None:
    """That is the greatest share and the least distance of its columns; another dataset has none."""
    flow = flow_of("d:z#v", [step(1, "d:a#v", "d:z#v"), step(1, "d:b#v", "d:z#v"), step(2, "d:a#w", "d:b#v"),
                             step(2, "d:c#v", "d:b#v")])  # fmt: skip

    assert flow.of("d:a#other") == flow.of("d:a") == Part(0.5, 1)
    assert flow.of("d:a#w") == Part(0.25, 2)
    assert flow.of("d:nothing") is flow.of("d:nothing#v") is None


def test_a_dataset_that_is_on_the_way_itself_has_its_own_part() -> None:
    """Not that of a column of it which is nearer."""
    flow = flow_of("d:z#v", [step(1, "d:e#w", "d:z#v"), step(2, "d:e", "d:e#w"), step(2, "d:f#w", "d:e#w")])

    assert (flow.parts["d:e"], flow.parts["d:e#w"]) == (Part(0.5, 2), Part(1.0, 1))


def test_each_group_of_what_decides_over_rows_has_a_part_of_its_own() -> None:
    """Divided among its columns, beside that of the values; of a whole dataset the columns' sources are its values."""
    flow = flow_of("d:z#v", [
        step(1, "d:a#v", "d:z#v"), step(1, "d:a#k", "d:z", "INDIRECT"), step(1, "d:b#k", "d:z", "INDIRECT"),
        step(1, "d:c#k", "d:z#v", "INDIRECT"), step(1, "d:d#k", "d:z#v", "INDIRECT"),
    ])  # fmt: skip

    assert flow.parts["d:a#v"].share == 1.0
    assert [flow.parts[f"d:{each}#k"].share for each in "abcd"] == pytest.approx([0.1] * 4)


def test_the_way_of_a_node_is_a_shortest_one() -> None:
    """Of two as short the one over values; down to the node asked for; a node that is not on the way has none."""
    flow = flow_of("d:z#v", [
        step(1, "d:a#v", "d:z#v"), step(1, "d:b#v", "d:z#v"), step(2, "d:c#v", "d:a#v", "INDIRECT"),
        step(2, "d:c#v", "d:b#v"), step(3, "d:c#v", "d:c#v"),
    ])  # fmt: skip

    assert [each.edge.target for each in flow.path("d:c#v")] == ["d:b#v", "d:z#v"]
    assert flow.path("d:z#v") == flow.path("d:nothing") == []


def test_a_way_round_a_circle_is_given_once() -> None:
    """Where two points disagree on which of two nodes comes first."""
    one, other = flow_of("d:z#v", [step(1, "d:a#v", "d:b#v")]), flow_of("d:z#v", [step(1, "d:b#v", "d:a#v")])

    assert len(merged([one, other]).path("d:a#v")) == 2


def test_a_task_has_all_that_it_writes_on_the_way() -> None:
    """Under its own id, each target once."""
    edges = [step(1, "d:a#v", "d:z#v"), step(1, "d:b#v", "d:z#v"), step(2, "d:c#v", "d:a#v")]
    flow = flow_of("d:z#v", [edges[0], edges[1], edges[2]._replace(edge=edges[2].edge._replace(task_id="u"))])

    assert flow.targets == {"t": frozenset({"d:z#v"}), "u": frozenset({"d:a#v"})}


def test_flows_of_several_points_are_merged() -> None:
    """The greatest share, the least distance, all targets, and the way of the first point that has one."""
    now = flow_of("d:z#v", [step(1, "d:a#v", "d:z#v"), step(1, "d:b#v", "d:z#v")])
    then = flow_of("d:z#v", [step(1, "d:c#v", "d:z#v"), step(2, "d:a#v", "d:c#v")])
    flow = merged([now, then])

    assert {node: flow.parts[f"d:{node}#v"] for node in "abc"} == {
        "a": Part(1.0, 1), "b": Part(0.5, 1), "c": Part(1.0, 1),
    }  # fmt: skip
    assert flow.targets == {"t": frozenset({"d:z#v", "d:c#v"})}
    assert [each.edge.target for each in flow.path("d:a#v")] == ["d:z#v"]
    assert merged([then, now]).parts == flow.parts
    assert merged([]) == Flow({}, {}, {})
