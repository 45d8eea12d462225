"""States of a graph made of rectangles by hand, walks over them, and what is in force by plain comparison."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from lineage_tt.graph.arrays.dictionary import Dictionary
from lineage_tt.graph.arrays.rows import FOREVER, NEVER, Rectangles
from lineage_tt.graph.arrays.state import State, build
from lineage_tt.graph.arrays.walking import NO_MASK
from lineage_tt.graph.load.tail import with_nodes, with_rows
from lineage_tt.graph.walks.edges import decoded
from lineage_tt.graph.walks.joining import StarWalk, walk_through_stars
from lineage_tt.graph.walks.scratch import Scratches
from lineage_tt.graph.walks.unnamed import Unnamed


class Box(NamedTuple):
    """A rectangle: an edge of a task, since and until when it is in force, opened and closed by which versions."""

    source: str
    target: str
    since: int = 0
    until: int = FOREVER
    opened: int = 1
    closed: int = NEVER
    task: str = "t"
    kind: str = "DIRECT"
    subtype: str = "IDENTITY"
    expression: str = ""

    def holds(self, valid_at: int, version: int) -> bool:
        """Whether it is in force at a point."""
        return self.since <= valid_at < self.until and self.opened <= version < self.closed


def held(boxes: Iterable[Box], point: tuple[int, int]) -> list[Box]:
    """The rectangles in force at a point."""
    return [box for box in boxes if box.holds(*point)]


def state_of(boxes: Iterable[Box], version: int = 20) -> tuple[State, Dictionary]:
    """A state whose base is these rectangles, and its names."""
    names = Dictionary()
    return build(rectangles(list(boxes), names), names, version), names


def with_tail(boxes: Iterable[Box], more: Iterable[Box], version: int = 20) -> tuple[State, Dictionary]:
    """A state with rectangles in its tail, too."""
    state, names = state_of(boxes, version)
    fresh = rectangles(list(more), names)
    return with_rows(with_nodes(state, names), fresh), names


def rectangles(listed: list[Box], names: Dictionary) -> Rectangles:
    """Rectangles as columns of numbers, their names added to the dictionary."""
    source, target = names.nodes.add(b.source for b in listed), names.nodes.add(b.target for b in listed)
    names.note_datasets()
    kinds = names.kinds(pa.array([b.kind for b in listed]), pa.array([b.subtype for b in listed]))
    payload = names.payloads_of(
        names.tasks.add(b.task for b in listed), kinds, names.expressions.add(b.expression for b in listed)
    )
    times: list[Any] = [np.array(column, np.int64) for column in ([b.since for b in listed], [b.until for b in listed])]
    versions: list[Any] = [
        np.array(column, np.int32) for column in ([b.opened for b in listed], [b.closed for b in listed])
    ]
    return Rectangles(source, target, payload, *times, *versions)


class Walked(NamedTuple):
    """A graph as a walk sees it."""

    names: Dictionary
    scratches: Scratches


class Met(NamedTuple):
    """What a walk met: the nodes reached with their steps, and source, target, steps and whether by star of edges."""

    nodes: dict[str, int]
    edges: list[tuple[str, str, int, bool]]


def walked(
    state: State, names: Dictionary, *starts: str, point: tuple[int, int] = (0, 5), unnamed: Unnamed | None = None,
    **asked: Any,
) -> Met:  # fmt: skip
    """A walk through the stars of a state; ``asked`` are fields of the question."""
    question = StarWalk(True, *point, 99, False, NO_MASK, np.zeros(1, np.uint8))._replace(**asked)
    nodes = Unnamed(names, state) if unnamed is None else unnamed
    numbers = np.array([nodes.number(start) for start in starts], np.int32)
    ids, steps, noted = walk_through_stars(Walked(names, Scratches()), state, numbers, question, nodes)
    edges = decoded(state, noted, question.down)
    assert edges.by_star is not None
    source, target = (nodes.texts(edges.numbers[:, side].tolist()) for side in (0, 1))
    found = zip(source, target, noted[:, 2].tolist(), edges.by_star.tolist(), strict=True)
    return Met(dict(zip(nodes.texts(ids.tolist()), steps.tolist(), strict=True)), sorted(found))


def random_boxes(rng: random.Random, count: int = 60) -> list[Box]:
    """Rectangles between few nodes, with few times and versions, no two of one edge in force at one point."""
    found: list[Box] = []
    for _ in range(count):
        since, opened = rng.randrange(8), rng.randrange(1, 8)
        box = Box(
            f"d:{rng.choice('abc')}#{rng.randrange(3)}", f"d:{rng.choice('bcd')}#{rng.randrange(3)}", since,
            rng.choice([since + 1 + rng.randrange(4), FOREVER]), opened,
            rng.choice([opened + 1 + rng.randrange(4), NEVER]), f"t{rng.randrange(3)}",
        )  # fmt: skip
        if not any(
            box[:2] == other[:2] and box.task == other.task and box.since < other.until and other.since < box.until
            and box.opened < other.closed and other.opened < box.closed for other in found
        ):  # fmt: skip
            found.append(box)
    return found
