"""States of a graph made of rectangles by hand, and what is in force in them by plain comparison."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from lineage_tt.graph.arrays.dictionary import Dictionary
from lineage_tt.graph.arrays.rows import FOREVER, NEVER, Rectangles
from lineage_tt.graph.arrays.state import State, build


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

    def holds(self, valid_at: int, version: int) -> bool:
        """Whether it is in force at a point."""
        return self.since <= valid_at < self.until and self.opened <= version < self.closed


def held(boxes: Iterable[Box], point: tuple[int, int]) -> list[Box]:
    """The rectangles in force at a point."""
    return [box for box in boxes if box.holds(*point)]


def state_of(boxes: Iterable[Box], version: int = 20) -> tuple[State, Dictionary]:
    """A state whose base is these rectangles, and its names."""
    listed, names = list(boxes), Dictionary()
    source, target = names.nodes.add(b.source for b in listed), names.nodes.add(b.target for b in listed)
    names.note_datasets()
    kinds = names.kinds(pa.array([b.kind for b in listed]), pa.array(["IDENTITY"] * len(listed)))
    payload = names.payloads_of(
        names.tasks.add(b.task for b in listed), kinds, names.expressions.add([""] * len(listed))
    )
    times: list[Any] = [np.array(column, np.int64) for column in ([b.since for b in listed], [b.until for b in listed])]
    versions: list[Any] = [
        np.array(column, np.int32) for column in ([b.opened for b in listed], [b.closed for b in listed])
    ]
    return build(Rectangles(source, target, payload, *times, *versions), names, version), names


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
