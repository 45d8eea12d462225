"""What two texts of one task say, read side by side: which columns mean something else, and why.

These are plain values; the reading itself (``ingest.resolve.comparing``) needs a parser and runs in worker processes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Protocol

from lineage_tt.model.facts import Shape
from lineage_tt.model.messages import Lineage, TaskChange

#: Types of the columns of datasets, by dataset and column; what is not known is left out.
Types = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Side:
    """A text, and all that its meaning depends on: its context, the columns of what it reads, and their types.

    ``renames`` maps, by dataset, lower-case columns of its sources to what the release calls them: the text is compared
    as if it used the new names.
    """

    sql: str
    dialect: str
    namespace: str
    default_database: str = ""
    target: str | None = None
    params: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    columns: Mapping[str, Shape] = field(default_factory=lambda: MappingProxyType({}))
    types: Types = field(default_factory=lambda: MappingProxyType({}))
    renames: Types = field(default_factory=lambda: MappingProxyType({}))

    def __reduce__(self) -> tuple[object, ...]:
        known = (self.sql, self.dialect, self.namespace, self.default_database, self.target)
        types = {dataset: dict(types_of) for dataset, types_of in self.types.items()}
        renames = {dataset: dict(new_names) for dataset, new_names in self.renames.items()}
        return Side, (*known, dict(self.params), dict(self.columns), types, renames)


@dataclass(frozen=True, slots=True)
class TextDifference:
    """How two texts differ in what they do.

    ``same``: in nothing but layout, comments and the names of aliases. ``comparable``: each column could be followed
    for itself; where not, every column counts as changed. ``changed`` are the columns, written by both, whose values or
    rows differ; ``reasons`` say in one word each where the texts differ (filter, join, grouping, expression, …).
    ``types`` are columns whose inferred type differs: name, before, after. ``writes`` says how the second text writes
    each dataset (view, ctas, insert, overwrite, select, other). ``ambiguous`` and ``unknown`` are names that the second
    text can no longer resolve. ``uses`` says how it uses columns: (column node, arithmetic | text | temporal | other).
    ``positions`` are the names that the second text gives, in order, to what it inserts by position into a dataset
    whose columns are not known. ``drops`` are the datasets that it drops or renames, ``empties`` those of which it
    deletes rows, and the text before it does not. ``makes`` are the tables and views that it creates,
    ``fills`` those into which it writes rows or values, from wherever.
    ``drops`` holds ``namespace:database.*`` where it drops a whole database. ``alters`` are the (dataset, column) that
    it alters, and the text before it does not; the column is '' where only the dataset is named.
    """

    same: bool = False
    comparable: bool = False
    changed: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    types: tuple[tuple[str, str, str], ...] = ()
    types_after: tuple[tuple[str, str], ...] = ()
    writes: tuple[tuple[str, str], ...] = ()
    ambiguous: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    uses: tuple[tuple[str, str], ...] = ()
    failure: str = ""
    positions: tuple[tuple[str, tuple[str, ...]], ...] = ()
    drops: tuple[str, ...] = ()
    empties: tuple[str, ...] = ()
    makes: tuple[str, ...] = ()
    fills: tuple[str, ...] = ()
    alters: tuple[tuple[str, str], ...] = ()


class Analyst(Protocol):
    """Reads SQL: the lineage of messages, and what differs between two texts."""

    def __call__(self, waiting: Sequence[tuple[TaskChange, Mapping[str, Shape]]]) -> list[Lineage]:
        """Return the lineage of each message under the columns beside it, in order."""
        ...

    def compare(self, pairs: Sequence[tuple[Side, Side]]) -> list[TextDifference]:
        """Return how the two texts of each pair differ, in order."""
        ...
