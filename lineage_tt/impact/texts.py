"""How two texts of one task differ: which columns mean something else, and why.

These are plain values; the reading itself (``ingest.resolve.comparing``) needs a parser and runs in worker processes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Protocol

from lineage_tt.model.facts import Shape
from lineage_tt.model.messages import Lineage, TaskChange

#: The types of columns, by dataset and column; unknown types are left out.
Types = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Side:
    """A text, and everything on which its meaning depends: its context, the columns of its sources, and their types.

    ``renames`` maps, by dataset, lower-case columns of its sources to their names after the release: the text is
    compared as if it used the new names.
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

    ``same``: they differ only in layout, comments and the names of aliases. ``comparable``: each column could be
    followed by itself; otherwise every column counts as changed. ``changed`` are the columns, written by both, whose
    values or rows differ; ``reasons`` name, in one word each, where the texts differ (filter, join, grouping, …).
    ``types`` are columns whose inferred type differs: name, before, after. ``writes`` says how the second text writes
    each dataset (view, ctas, insert, overwrite, select, other). ``ambiguous`` and ``unknown`` are names that the second
    text can no longer resolve. ``uses`` says how it uses columns: (column node, arithmetic | text | temporal | other).
    ``positions`` are the names that the second text gives, in order, to what it inserts by position into a dataset
    whose columns are not known. ``drops`` are the datasets that it drops or renames, ``empties`` those from which it
    deletes rows, unless the text before does the same. ``drops`` contains ``namespace:database.*`` if it drops a whole
    database. ``makes`` are the tables and views that it creates, ``fills`` those into which it writes rows or values
    from any source. ``alters`` are the (dataset, column) pairs that it alters, unless the text before does the same;
    the column is '' if only the dataset is named.
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
        """Return the lineage of each message, resolved with the columns given for it, in order."""
        ...

    def compare(self, pairs: Sequence[tuple[Side, Side]]) -> list[TextDifference]:
        """Return how the two texts of each pair differ, in order."""
        ...
