"""Several edges shown as one: edges of one task between two datasets, or joined by star; and without steps back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from lineage_tt.graph.arrays.dictionary import Dictionary
from lineage_tt.graph.arrays.names import Ints
from lineage_tt.graph.walks.edges import Edges
from lineage_tt.model.edges import ALIAS, DIRECT

_ALIAS: Final = (DIRECT, ALIAS)


def at_table_level(steps: Ints, edges: Edges, names: Dictionary) -> tuple[Ints, Edges]:
    """Merge edges: DIRECT if any is, the subtype if all agree, the newest version, and the interval where all hold."""
    if not len(steps):
        return steps, edges._replace(subtypes=())
    numbers, valid = edges.numbers, edges.valid
    owners = names.datasets_from(0)
    source, target = owners[numbers[:, 0]], owners[numbers[:, 1]]
    payloads = names.payloads[numbers[:, 2] >> 1]
    order = np.lexsort((target, source, payloads[:, 0]))
    keys = np.stack([payloads[:, 0], source, target], axis=1)[order]
    first = np.flatnonzero(np.append(True, (keys[1:] != keys[:-1]).any(axis=1)))
    merged = np.empty((len(first), 4), np.int32)
    merged[:, 0], merged[:, 1] = keys[first, 1], keys[first, 2]
    merged[:, 3] = np.maximum.reduceat(numbers[order, 3], first)
    times = np.stack([np.maximum.reduceat(valid[order, 0], first), np.minimum.reduceat(valid[order, 1], first)], axis=1)
    # The payload with the least INDIRECT bit gives the task and the type of the whole group.
    bit = (numbers[order, 2] & 1).astype(np.int64)
    merged[:, 2] = np.minimum.reduceat((bit << 32) | numbers[order, 2], first) & 0xFFFFFFFF
    words = [subtype for _, subtype in names.kind_words]
    distinct = {word: i for i, word in enumerate(dict.fromkeys(words))}
    subtype = np.array([distinct[word] for word in words], np.int32)[payloads[order, 1]]
    least, greatest = np.minimum.reduceat(subtype, first), np.maximum.reduceat(subtype, first)
    texts = list(distinct)
    subtypes = tuple(texts[a] if a == b else "" for a, b in zip(least.tolist(), greatest.tolist(), strict=True))
    return steps[order][first], edges._replace(numbers=merged, valid=times, subtypes=subtypes)


def merged_rows(rows: Iterable[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Return the rows, with equal joined edges merged: the newest version, and the interval where all of them hold."""
    stored: list[tuple[Any, ...]] = []
    joined: dict[tuple[Any, ...], tuple[Any, ...]] = {}
    for row in rows:
        if not row[11]:
            stored.append(row)
        elif (other := joined.get(row[:8])) is None:
            joined[row[:8]] = row
        else:
            ends = [each[10] for each in (row, other) if each[10] is not None]
            joined[row[:8]] = (
                *row[:8], max(row[8], other[8]), max(row[9], other[9]), min(ends, default=None), True,
            )  # fmt: skip
    return [*stored, *joined.values()]


def ahead(steps: Ints, edges: Edges, names: Dictionary, start: Ints, *, down: bool) -> npt.NDArray[np.bool_] | None:
    """Return a mask without steps back over an alias (``edges.without_ways_back``); None if there are no such steps."""
    if not names.has_kind(*_ALIAS):
        return None
    words = names.kind_words
    numbers = edges.numbers
    payloads = names.payloads[numbers[:, 2] >> 1]
    if edges.subtypes is None:
        over = np.flatnonzero(payloads[:, 1] == words.index(_ALIAS))
    else:
        over = np.flatnonzero([subtype == ALIAS for subtype in edges.subtypes])
    tasks, ends, counts = payloads[over, 0].tolist(), numbers[over, :2].tolist(), steps[over].tolist()
    met = {(task, *pair): count for task, pair, count in zip(tasks, ends, counts, strict=True)}
    back = np.zeros(len(steps), np.bool_)
    for place, task, (source, target), count in zip(over.tolist(), tasks, ends, counts, strict=True):
        back[place] = met.get((task, target, source), count) < count
    if not back.any():
        return None
    far = numbers[:, 1 if down else 0]
    reached = dict.fromkeys(start.tolist(), 0)
    for node, count in zip(far[~back].tolist(), steps[~back].tolist(), strict=True):
        reached[node] = min(count, reached.get(node, count))
    places = np.flatnonzero(back)
    onward = ~back
    onward[places] = [
        reached.get(node, count + 1) > count
        for node, count in zip(far[places].tolist(), steps[places].tolist(), strict=True)
    ]
    return onward
