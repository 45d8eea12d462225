"""The names that a base knows, and which of them a name that it does not know may mean."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable
from functools import cached_property
from typing import Final

from lineage_tt.model.edges import dataset_of

#: difflib takes about 10 µs per name.
_MAX_COMPARED: Final = 5_000
#: From this similarity on, a known name is offered in place of one that must be known.
_NEAR: Final = 0.7
#: The same for one that may be new.
VERY_NEAR: Final = 0.8


class Names:
    """Every task that a message was about, and every node that an edge, a fact or a text named, up to a version."""

    def __init__(self, tasks: Iterable[str], nodes: Iterable[str]) -> None:
        self.tasks = frozenset(tasks)
        self.nodes = frozenset(nodes)

    @cached_property
    def datasets(self) -> frozenset[str]:
        """The datasets among the nodes, and those of columns among them."""
        return frozenset(map(dataset_of, self.nodes))


def did_you_mean(name: str, known: Collection[str], similarity: float = _NEAR) -> str:
    """Return a question with the nearest known name, for the end of a sentence; empty if no name is so similar."""
    size = len(name)  # names of other lengths are less similar, whatever their letters
    pool = [each for each in known if 2.0 * min(size, len(each)) >= similarity * (size + len(each))]
    for length in (len(name) * 3 // 4, len(name) // 2, len(name) // 4) if len(pool) > _MAX_COMPARED else ():
        if begins := [each for each in pool if each.startswith(name[:length])]:
            pool = begins
            break
    near = difflib.get_close_matches(name, sorted(pool)[:_MAX_COMPARED], n=1, cutoff=similarity)
    return f"; did you mean {near[0]}?" if near else ""
