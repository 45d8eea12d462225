"""The names that a base knows, and which of them a name that it does not know may mean."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Final

from lineage_tt.model.edges import dataset_of
from lineage_tt.model.names import meaning, near_names

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


def did_you_mean(name: str, known: Iterable[str], similarity: float = _NEAR) -> str:
    """Return a question with the nearest known name, for the end of a sentence; empty if no name is so similar."""
    return meaning(near_names(name, known, similarity))
