"""Patterns of a scene that match nothing at a point."""

from __future__ import annotations

import pytest
from plain_labels import A, B, C, edge, labelled

from lineage_tt.governance.labels.idle import idle
from lineage_tt.governance.labels.scene import Scene

EDGES = [edge(A, B, "MASK_HASH(x)", "TRANSFORMATION"), edge(B, C, "lower('sha256(x)')", "TRANSFORMATION")]


@pytest.mark.parametrize(
    ("scene", "expected"),
    [
        (Scene(stop_functions=("mask_*", "Lower")), []),
        (Scene(stop_functions=("sha256", "mask_*")), [("stop_functions", "sha256")]),  # only named in a text
        (Scene(stop_nodes=("d:b", "d:c#x", "d:a*")), []),
        (Scene(stop_nodes=("tmp:*", "D:b")), [("stop_nodes", "tmp:*"), ("stop_nodes", "D:b")]),
        (Scene(only=("pii", "fin*")), [("only", "fin*")]),
        (Scene(), []),
    ],
)
def test_patterns_that_match_no_name_are_listed_with_their_key(scene: Scene, expected: list[tuple[str, str]]) -> None:
    """Functions are compared in any case, as SQL is; nodes, datasets and labels as they are written."""
    found = labelled(EDGES, {A: "pii"}, scene=scene)
    assert list(idle(found.point, scene, ["pii"])) == expected
    assert found.idle == expected


def test_a_point_without_labels_blames_no_pattern_of_labels() -> None:
    """Nothing is stated that ``only`` could let through."""
    scene = Scene(only=("pii",))
    assert labelled(EDGES, scene=scene).idle == []
