"""Patterns of a scene that match nothing at a point: they stop or keep no label, perhaps by a typing error."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import translate

import numpy as np

from lineage_tt.governance.labels.propagation_rules import called
from lineage_tt.governance.labels.scene import Scene
from lineage_tt.governance.ports import PointGraph
from lineage_tt.model.edges import dataset_of


def idle(point: PointGraph, scene: Scene, labels: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the key and each pattern of a scene that matches no name at a point; ``labels`` are those stated there."""
    if scene.stop_functions:
        texts = point.expression_texts(np.unique(point.expression))
        names = {name.lower() for text in texts for name in called(text)}
        yield from _unmatched("stop_functions", scene.stop_functions, names, str.lower)
    if scene.stop_nodes:
        nodes = set(point.node_texts(np.arange(point.nodes, dtype=np.int32)))
        yield from _unmatched("stop_nodes", scene.stop_nodes, nodes | set(map(dataset_of, nodes)))
    if scene.only and labels:
        yield from _unmatched("only", scene.only, labels)


def _unmatched(
    key: str, patterns: Iterable[str], names: Iterable[str], folded: Callable[[str], str] = str
) -> Iterator[tuple[str, str]]:
    for pattern in patterns:
        match = re.compile(translate(folded(pattern))).match
        if not any(match(name) for name in names):
            yield key, pattern
