"""What lineage continues to from an edge, over a stretch of valid time."""

from __future__ import annotations

from typing import Any

import pytest
from states import Box, Walked, state_of, with_tail

from lineage_tt.graph.arrays.rows import FOREVER
from lineage_tt.graph.walks.chains import ENDLESS, own_instants, reach, starts_of, steps_from
from lineage_tt.graph.walks.scratch import Scratches
from lineage_tt.graph.walks.unnamed import Unnamed

STAR = Box("d:a#*", "d:b#*")


def _reached(boxes: list[Box], node: str, more: list[Box] | None = None, **asked: Any) -> dict[str, Any]:
    """The nodes with their steps, the instants noted, and whether a star was on the way."""
    state, names = with_tail(boxes, more or [])
    options: dict[str, Any] = {
        "down": True, "stretch": (0, 100), "version": 5, "depth": ENDLESS, "direct_only": False,
    }  # fmt: skip
    found = reach(Walked(names, Scratches()), state, names.nodes.find(node), **(options | asked))
    nodes = dict(zip(names.nodes.texts(found.ids.tolist()), found.steps.tolist(), strict=True))
    return {"nodes": nodes, "instants": found.instants, "by_star": found.by_star}


def test_it_continues_from_columns_of_a_whole_dataset_down_and_from_the_whole_dataset_up() -> None:
    """An edge into a dataset is one into each column; an edge out of a column does not come from its sisters."""
    boxes = [Box("d:s#x", "d:m"), Box("d:m#y", "d:t#z"), Box("d:s#x", "d:m#y")]

    assert _reached([*boxes, Box("d:m", "d:u#w")], "d:m#y")["nodes"] == {"d:m#y": 0, "d:t#z": 1}
    assert _reached(boxes, "d:s#x")["nodes"] == {"d:s#x": 0, "d:m": 1, "d:m#y": 1, "d:t#z": 2}
    assert _reached(boxes, "d:m")["nodes"] == {"d:m": 0, "d:t#z": 1}
    assert _reached(boxes, "d:m#y", down=False)["nodes"] == {"d:m#y": 0, "d:s#x": 1}
    assert _reached([*boxes, Box("d:q#x", "d:m#w")], "d:m#y", down=False)["nodes"] == {"d:m#y": 0, "d:s#x": 1}
    assert _reached([Box("d:s#x", "d:m#y"), Box("d:q#x", "d:m")], "d:m", down=False)["nodes"] == {"d:m": 0, "d:q#x": 1}


def test_it_is_as_deep_as_is_asked_and_over_values_alone_where_they_are_wanted() -> None:
    """The start is at no steps, and a circle ends."""
    boxes = [Box("d:a#x", "d:b#x"), Box("d:b#x", "d:a#x"), Box("d:b#x", "d:c#x", kind="INDIRECT", subtype="FILTER")]

    assert _reached(boxes, "d:a#x", depth=0)["nodes"] == {"d:a#x": 0}
    assert _reached(boxes, "d:a#x", depth=1)["nodes"] == {"d:a#x": 0, "d:b#x": 1}
    assert _reached(boxes, "d:a#x")["nodes"] == {"d:a#x": 0, "d:b#x": 1, "d:c#x": 2}
    assert _reached(boxes, "d:a#x", direct_only=True)["nodes"] == {"d:a#x": 0, "d:b#x": 1}
    late = _reached(boxes[:2], "d:a#x", [boxes[2]], direct_only=True)
    assert late["nodes"] == {"d:a#x": 0, "d:b#x": 1}


@pytest.mark.parametrize("in_tail", [False, True])
def test_edges_in_force_anywhere_in_the_stretch_are_followed(in_tail: bool) -> None:
    """The end of the stretch is not in it; times inside it at which an edge begins or ends are noted."""
    box = Box("d:a#x", "d:b#x", 10, 20, 2, 7)
    plain = Box("d:other#x", "d:b#x")

    def found(stretch: tuple[int, int], version: int = 5) -> tuple[bool, list[int]]:
        result = _reached(
            [plain] if in_tail else [plain, box], "d:a#x", [box] if in_tail else [], stretch=stretch, version=version
        )
        return "d:b#x" in result["nodes"], result["instants"]

    assert found((5, 30)) == (True, [10, 20])
    assert found((10, 20)) == (True, [])
    assert found((12, 13)) == (True, [])
    assert found((19, 21)) == (True, [20])
    assert found((5, 10)) == (False, [])
    assert found((20, 30)) == (False, [])
    assert [found((5, 30), version)[0] for version in (1, 2, 6, 7)] == [False, True, True, False]


def test_edges_that_do_not_hold_together_are_both_followed() -> None:
    """Each instant says that the answer may be another there."""
    boxes = [Box("d:a#x", "d:b#x", 0, 10), Box("d:b#x", "d:c#x", 10)]

    assert _reached(boxes, "d:a#x") == {
        "nodes": {"d:a#x": 0, "d:b#x": 1, "d:c#x": 2}, "instants": [10], "by_star": False,
    }  # fmt: skip


def test_however_many_instants_there_are_all_are_noted() -> None:
    """Each once, in order."""
    boxes = [Box("d:a#x", f"d:t{at}#x", at + 1) for at in range(1100)]

    found = _reached(boxes, "d:a#x", stretch=(0, 5000))
    assert found["instants"] == list(range(1, 1101))
    assert len(found["nodes"]) == 1101


def test_a_star_on_the_way_is_noted() -> None:
    """A column leads to the star edges of its dataset, a star node to the edges of every column; walks decide."""
    boxes = [STAR, Box("d:b#x", "d:c#y"), Box("d:a#q", "d:e#q"), Box("d:far#x", "d:far2#x")]

    assert _reached(boxes, "d:a#q") == {
        "nodes": {"d:a#q": 0, "d:e#q": 1, "d:b#*": 1, "d:c#y": 2}, "instants": [], "by_star": True,
    }  # fmt: skip
    assert _reached(boxes, "d:b#x", down=False)["nodes"] == {"d:b#x": 0, "d:a#*": 1}
    assert _reached([*boxes, Box("d:z#x", "d:a#q")], "d:a#*", down=False)["nodes"] == {"d:a#*": 0, "d:z#x": 1}
    assert not _reached(boxes, "d:far#x")["by_star"]


def test_at_a_column_beside_a_star_edges_into_its_sisters_matter() -> None:
    """They decide what the star edge makes, so that their times are noted."""
    boxes = [STAR, Box("d:o#y", "d:b#x", 30, 60), Box("d:b#q", "d:c#q")]

    assert _reached(boxes, "d:b#q")["instants"] == [30, 60]
    assert _reached([STAR, boxes[2]], "d:b#q", [boxes[1]])["instants"] == [30, 60]


def test_the_own_instants_of_a_dataset_are_those_of_edges_into_its_columns() -> None:
    """Inside the stretch, as known at a version; edges into the whole dataset make no column."""
    boxes = [
        Box("d:o#y", "d:b#x", 10, 20), Box("d:o#y", "d:b#y", 15, FOREVER), Box("d:o#y", "d:b", 12, 13),
        Box("d:o#y", "d:b#z", 40, 50, 6), Box("d:b#x", "d:c#x", 17, 18),
    ]  # fmt: skip
    for first, more in ((boxes, []), (boxes[2:], boxes[:2])):
        state, names = with_tail(first, more)
        dataset = names.nodes.find("d:b")
        assert own_instants(state, dataset, (0, 100), 5) == [10, 15, 20]
        assert own_instants(state, dataset, (10, 20), 5) == [15]
        assert own_instants(state, dataset, (0, 100), 6) == [10, 15, 20, 40, 50]


def test_a_watched_node_that_nobody_named_yet_is_started_from_by_what_it_would_be() -> None:
    """A column as one of its dataset; a star node down as all columns, up as the whole dataset; else nothing."""
    state, names = state_of([Box("d:a#x", "d:b#y"), Box("d:a#z", "d:b#w")])
    graph, unnamed = Walked(names, Scratches()), Unnamed(names, state)

    def starts(node: str, down: bool = True) -> list[str]:
        return sorted(unnamed.texts(starts_of(graph, state, node, down, unnamed).tolist()))

    assert starts("d:a#x") == ["d:a#x"]
    assert starts("d:a#new") == ["d:a#new"]
    assert starts("d:a#*") == ["d:a#x", "d:a#z"]
    assert starts("d:b#*", down=False) == ["d:b"]
    assert starts("d:none") == starts("d:none#x") == starts("d:none#*") == []
    names.nodes.add(["d:late#x"])
    names.note_datasets()
    assert starts("d:late") == starts("d:late#x") == []


def test_steps_from_a_node_are_those_of_its_walk() -> None:
    """Star edges as they are stored; each end with its steps, the start left out; nothing from an unknown node."""
    state, names = state_of([STAR, Box("d:b#x", "d:c#y", task="u"), Box("d:b#x", "d:c#late", 10)])
    graph = Walked(names, Scratches())

    def met(node: str, **asked: Any) -> Any:
        return steps_from(graph, state, node, **({"down": True, "at": 0, "version": 5, "direct_only": False} | asked))

    star = ("t", "d:a#*", "d:b#*", "DIRECT", "IDENTITY", "")
    plain = ("u", "d:b#x", "d:c#y", "DIRECT", "IDENTITY", "")
    assert met("d:a#x") == ({star: 1, plain: 2}, {"d:b#x": 1, "d:c#y": 2})
    assert met("d:c#y", down=False) == ({plain: 1, star: 2}, {"d:b#x": 1, "d:a#x": 2})
    assert met("d:none#x") == ({}, {})
    assert {edge[2] for edge in met("d:b#x", at=10)[0]} == {"d:c#late", "d:c#y"}


def test_a_star_edge_that_a_walk_meets_at_several_columns_counts_from_the_first() -> None:
    """It is one stored edge, at the fewest steps of all."""
    boxes = [STAR, Box("d:z#q", "d:a#x"), Box("d:z#q", "d:m#y"), Box("d:m#y", "d:a#y")]
    state, names = state_of(boxes)

    edges, ends = steps_from(
        Walked(names, Scratches()), state, "d:z#q", down=True, at=0, version=5, direct_only=False
    )  # fmt: skip

    assert {edge[1:3]: steps for edge, steps in edges.items()} == {
        ("d:z#q", "d:a#x"): 1, ("d:z#q", "d:m#y"): 1, ("d:m#y", "d:a#y"): 2, ("d:a#*", "d:b#*"): 2,
    }  # fmt: skip
    assert (ends["d:b#x"], ends["d:b#y"]) == (2, 3)
