"""What a script makes known about tables, over what the store knew before.

Every question that goes through to the store is recorded with its answer: an extraction depends on nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ingest.sql.relations import Relation
from ingest.sql.types import parsed_type
from lineage_tt.facts import Shape, names_of


@dataclass(slots=True)
class TableState:
    """A table as the script left it: columns in order (None: not known), and which of them are partition columns.

    ``content`` is set for temporary tables: what stands for them wherever they are read. ``types`` are the declared
    types of columns, where they have parts; ``declared`` the texts of all types that are declared.
    """

    columns: tuple[str, ...] | None
    partitions: tuple[str, ...] = ()
    content: Relation | None = None
    is_view: bool = False
    dropped: bool = False
    types: Mapping[str, Any] = field(default_factory=dict)
    declared: Mapping[str, str] = field(default_factory=dict)


class Catalog:
    """Tables, temporary tables, functions and variables of one script."""

    def __init__(self, columns: Mapping[str, Shape], dialect: str = "") -> None:
        self._outside = columns
        self._dialect = dialect
        self._tables: dict[str, TableState] = {}
        self.lookups: dict[str, Shape | None] = {}
        self.starred: set[str] = set()

    def state(self, dataset: str) -> TableState | None:
        """Return what the script itself said about a table, None where it said nothing."""
        return self._tables.get(dataset)

    def columns(self, dataset: str) -> tuple[str, ...] | None:
        """Return a table's columns in order, None where they are not known."""
        state = self._tables.get(dataset)
        if state is not None:
            return state.columns
        shape = self._shape(dataset)
        return None if shape is None else names_of(shape)

    def _shape(self, dataset: str) -> Shape | None:
        """Return a table's columns as the store knew them, and note that they were asked for."""
        if dataset not in self.lookups:
            known = self._outside.get(dataset)
            self.lookups[dataset] = tuple(known) if known else None
        return self.lookups[dataset]

    def types(self, dataset: str) -> Mapping[str, Any]:
        """Return the types of a table's columns as far as they are known and have parts."""
        state = self._tables.get(dataset)
        if state is not None:
            return state.types
        told = (column for column in self._shape(dataset) or () if not isinstance(column, str))
        found = ((name, parsed_type(kind, self._dialect)) for name, kind in told)
        return {name: kind for name, kind in found if kind is not None}

    def declared(self, dataset: str) -> Mapping[str, str]:
        """Return the texts of the types of a table's columns, as far as they are known."""
        state = self._tables.get(dataset)
        if state is not None:
            return state.declared
        return dict(column for column in self._shape(dataset) or () if not isinstance(column, str))

    def partitions(self, dataset: str) -> tuple[str, ...]:
        """Return the table's partition columns, as far as the script declared them."""
        state = self._tables.get(dataset)
        return state.partitions if state else ()

    def content(self, dataset: str) -> Relation | None:
        """Return what stands for a temporary table."""
        state = self._tables.get(dataset)
        return state.content if state else None

    def declare(self, dataset: str, state: TableState) -> None:
        """Set what is known of a table from here on."""
        self._tables[dataset] = state

    def amend(self, dataset: str, columns: tuple[str, ...] | None) -> None:
        """Give a table other columns, keeping which ones partition it."""
        state = self._tables.get(dataset)
        if state is None:
            self._tables[dataset] = TableState(columns, types=self.types(dataset), declared=self.declared(dataset))
        else:
            state.columns = columns

    def describe(self, dataset: str, types: Mapping[str, Any], declared: Mapping[str, str]) -> None:
        """Set the types of the columns of a table that this script made or amended."""
        state = self._tables[dataset]
        state.types, state.declared = types, declared

    def drop(self, dataset: str) -> None:
        """Forget a table: what is read under its name from here on is not known."""
        self._tables[dataset] = TableState(None, dropped=True)

    def rename(self, old: str, new: str) -> None:
        """Move what is known of a table to its new name."""
        columns = self.columns(old)
        state = self._tables.pop(old, None) or TableState(columns)
        self._tables[new] = state
        self.drop(old)

    def written(self) -> dict[str, TableState]:
        """Return every table about which the script said something."""
        return self._tables
