"""What a script makes known about tables, over what the store knew before.

Every question that goes through to the store is recorded with its answer: an extraction depends on nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ingest.sql.binder.relations.relations import Relation
from ingest.sql.binder.relations.types import Kind, Kinds, parsed_type
from lineage_tt.model.facts import Shape, names_of


@dataclass(slots=True)
class TableState:
    """A table as the script left it: columns in order (None: not known), and the partition columns if they stay last.

    ``content`` is set for temporary tables: it replaces them wherever they are read. ``kinds`` are the types of
    columns, as far as they are declared; ``computed`` are those that an INSERT leaves out unless it lists them,
    ``formulas`` what computed columns of a temporary table are computed from, and ``with_computed`` makes its content
    with them: they are evaluated where the table is read, not after each of its writes.
    """

    columns: tuple[str, ...] | None
    partitions: tuple[str, ...] = ()
    content: Relation | None = None
    with_computed: Callable[[], Relation] | None = None
    is_view: bool = False
    dropped: bool = False
    kinds: Kinds = field(default_factory=dict)
    computed: frozenset[str] = frozenset()
    formulas: dict[str, Any] = field(default_factory=dict)

    @property
    def is_left_behind(self) -> bool:
        """Whether the table outlives the script, and its columns are known."""
        return bool(self.columns) and self.content is None and not self.dropped


class Catalog:
    """Tables, temporary tables, functions and variables of one script."""

    def __init__(self, columns: Mapping[str, Shape], dialect: str = "") -> None:
        self._outside = columns
        self._dialect = dialect
        self._tables: dict[str, TableState] = {}
        #: Of tables known from outside: the partition columns that the script repeats (CREATE TABLE IF NOT EXISTS).
        self._repeated: dict[str, tuple[str, ...]] = {}
        self.lookups: dict[str, Shape | None] = {}
        #: Datasets of which all columns count, not only those that the text names: a star's, a positional insert's.
        self.starred: set[str] = set()
        #: Whether a table of unknown columns was read.
        self.is_open = False

    def state(self, dataset: str) -> TableState | None:
        """Return what the script itself states about a table, None where it states nothing."""
        return self._tables.get(dataset)

    def columns(self, dataset: str) -> tuple[str, ...] | None:
        """Return a table's columns in order, None where they are not known."""
        state = self._tables.get(dataset)
        if state is not None:
            return state.columns
        shape = self._shape(dataset)
        return None if shape is None else names_of(shape)

    def all_columns(self, dataset: str) -> tuple[str, ...] | None:
        """Return ``columns``, and note that each of them and their order count."""
        self.starred.add(dataset)
        return self.columns(dataset)

    def _shape(self, dataset: str) -> Shape | None:
        """Return a table's columns as the store knew them, and note that they were looked up."""
        if dataset not in self.lookups:
            known = self._outside.get(dataset)
            self.lookups[dataset] = tuple(known) if known else None
        return self.lookups[dataset]

    def kinds(self, dataset: str) -> Kinds:
        """Return the types of a table's columns as far as they are known."""
        state = self._tables.get(dataset)
        if state is not None:
            return state.kinds
        typed = (column for column in self._shape(dataset) or () if not isinstance(column, str))
        return {name: Kind(text, parsed_type(text, self._dialect)) for name, text in typed}

    def partitions(self, dataset: str) -> tuple[str, ...]:
        """Return the table's partition columns, as far as the script declared them."""
        state = self._tables.get(dataset)
        return state.partitions if state else self._repeated.get(dataset, ())

    def knows_partitions(self, dataset: str) -> bool:
        """Return whether the script says which columns partition a table, or that none does."""
        return dataset in self._tables or dataset in self._repeated

    def repeat(self, dataset: str, columns: tuple[str, ...], partitions: tuple[str, ...]) -> None:
        """Note the declaration of a table known from outside, where it agrees with the columns known.

        It agrees if its partition columns are the last ones known, or if it has none and no known column is lacking.
        """
        if not columns:
            return
        known = [name.lower() for name in self.columns(dataset) or ()]
        last = [name.lower() for name in partitions]
        if known[len(known) - len(last) :] == last if last else set(known) <= {name.lower() for name in columns}:
            self._repeated[dataset] = partitions

    def computed(self, dataset: str) -> frozenset[str]:
        """Return the columns that an INSERT leaves out unless it lists them, as far as the script declared them."""
        state = self._tables.get(dataset)
        return state.computed if state else frozenset()

    def compute(self, dataset: str, columns: Iterable[str]) -> None:
        """Set the columns that an INSERT leaves out, of a table that this script made or amended."""
        self._tables[dataset].computed = frozenset(columns)

    def content(self, dataset: str) -> Relation | None:
        """Return the content of a temporary table."""
        state = self._tables.get(dataset)
        if state is not None and state.with_computed is not None:
            state.content, state.with_computed = state.with_computed(), None
        return state.content if state else None

    def holds_content(self, dataset: str) -> bool:
        """Return whether a table is a temporary one that is replaced by its content, without making that."""
        state = self._tables.get(dataset)
        return state is not None and state.content is not None

    def declare(self, dataset: str, state: TableState) -> None:
        """Set what is known of a table from here on."""
        self._tables[dataset] = state

    def amend(self, dataset: str, columns: tuple[str, ...] | None) -> None:
        """Give a table other columns, keeping which ones partition it."""
        state = self._tables.get(dataset)
        if state is None:
            self._tables[dataset] = TableState(columns, self.partitions(dataset), kinds=self.kinds(dataset))
        else:
            state.columns = columns

    def describe(self, dataset: str, kinds: Kinds) -> None:
        """Set the types of the columns of a table that this script made or amended."""
        self._tables[dataset].kinds = kinds

    def drop(self, dataset: str) -> None:
        """Forget a table: what is read under its name from here on is not known."""
        self._tables[dataset] = TableState(None, dropped=True)

    def rename(self, old: str, new: str) -> None:
        """Move what is known of a table to its new name."""
        columns = self.all_columns(old)
        state = self._tables.pop(old, None) or TableState(columns)
        self._tables[new] = state
        self.drop(old)

    def written(self) -> dict[str, TableState]:
        """Return every table about which the script states something."""
        return self._tables
