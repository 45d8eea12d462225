"""The column lineage of an engine that knows no kinds, combined with that of its query's text.

Trino says which columns a column comes from, but not how; the text says how, and which columns decide. Where both have
a pair of columns, the text gives its kind; a pair that only one of them has is kept.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Set
from typing import Final

from lineage_tt.model.edges import DIRECT, EdgeTuple, column_of, dataset_of

Pair = tuple[str, str]
_STAR: Final = "*"
_NAME: Final = re.compile(r"[A-Za-z_]\w*")


def combined(engine: Iterable[EdgeTuple], text: Iterable[EdgeTuple]) -> set[EdgeTuple]:
    """Return the edges of an engine without kinds and those of the text; each pair has the kinds that the text gives.

    Stars of the text give way where the engine says which columns there are.
    """
    known = set(engine)
    spoken = {(dataset_of(source), dataset_of(target)) for source, target, *_ in known if column_of(target)}
    stated = {
        edge
        for edge in text
        if _STAR not in (column_of(edge[0]), column_of(edge[1]))
        or (dataset_of(edge[0]), dataset_of(edge[1])) not in spoken
    }
    pairs = {edge[:2] for edge in stated}
    return stated | {edge for edge in known if edge[:2] not in pairs}


def with_kinds_of_names(engine: Iterable[EdgeTuple], text: Iterable[EdgeTuple]) -> set[EdgeTuple]:
    """Return an engine's edges; those whose expression is only a name get the kind that the text gives the pair.

    Hive reports the columns of a UNION in this way: the name is that of the UNION's column, and does not show what a
    branch does. Where the text has no such pair, or more than one value of it, the engine's kind stays.
    """
    values: dict[Pair, list[EdgeTuple]] = defaultdict(list)
    for edge in text:
        if edge[2] == DIRECT:
            values[edge[:2]].append(edge)

    def with_kind(edge: EdgeTuple) -> EdgeTuple:
        of_pair = values.get(edge[:2], ()) if edge[2] == DIRECT and _NAME.fullmatch(edge[4]) else ()
        return of_pair[0] if len(of_pair) == 1 else edge

    return set(map(with_kind, engine))


def matched(engine: Set[Pair], text: Set[Pair]) -> tuple[set[Pair], set[Pair]]:
    """Return the pairs of columns of an engine and of a text, stars expanded to the engine's pairs."""
    stars = {pair for pair in text if _STAR in map(column_of, pair)}
    ends = {(dataset_of(source), dataset_of(target)) for source, target in stars}
    covered = {
        (source, target)
        for source, target in engine
        if (dataset_of(source), dataset_of(target)) in ends and column_of(source) == column_of(target)
    }
    return set(engine), (set(text) - stars) | covered
