"""What every statement of a script is given: the binder, the catalog, and where what it writes goes."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass, field

from sqlglot import exp

from ingest.sql.binder.query.query import QueryWalk
from ingest.sql.binder.relations.catalog import Catalog, TableState
from ingest.sql.binder.relations.flow import Column, Part
from ingest.sql.binder.relations.relations import Relation, unknown_sources
from ingest.sql.dialects.dialects import Names
from ingest.sql.statements import temporary as temporary_tables
from ingest.sql.statements.emit import Write, edges_of
from lineage_tt.model.edges import Edge
from lineage_tt.model.names import and_more, repeated

_LIKE_A_NAME = re.compile(r"\(*(?:[^\W\d][\w$.]*|\$\d+)\)*")


@dataclass(slots=True)
class Outcome:
    """What one statement did: its kind, edges, and the datasets that it read and wrote."""

    kind: str
    edges: list[Edge] = field(default_factory=list)
    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)

    def add(self, other: Outcome) -> None:
        """Add what a further part of the statement did."""
        self.edges += other.edges
        self.reads |= other.reads
        self.writes |= other.writes


class Run(ABC):
    """One script's statements so far.

    ``target`` is the dataset that a bare SELECT writes. With ``keep_temporary`` temporary tables count as stored ones.
    """

    def __init__(
        self, names: Names, catalog: Catalog, target: str | None = None, *, keep_temporary: bool = False
    ) -> None:
        self.catalog = catalog
        self.walk = QueryWalk(names, catalog)
        self.target = target
        self.keep_temporary = keep_temporary
        self.short_lived: frozenset[str] = frozenset()
        self.created: set[str] = set()
        self.written: set[str] = set()
        self.outputs: dict[str, tuple[str, ...]] = {}
        #: The names with which queries fill tables of unknown columns.
        self.filled: dict[str, tuple[str, ...]] = {}
        #: Whether the script has set Delta's option for MERGE to add the source's columns to the target.
        self.merge_adds_columns = False
        #: Where tables say that their files are: nodes of folders by datasets.
        self.places: dict[str, str] = {}

    def outcome(self, kind: str) -> Outcome:
        """Return the outcome of a statement that writes nothing."""
        return Outcome(kind)

    def created_table(self, dataset: str) -> Outcome:
        """Return the outcome of a statement that makes an empty table."""
        return Outcome("ddl", writes=set() if dataset in self.short_lived else {dataset})

    @abstractmethod
    def block(self, node: exp.Expr) -> Outcome:
        """Run the statements of a block one after the other."""

    @abstractmethod
    def insert_rows(self, node: exp.Expr, relation: Relation) -> Outcome:
        """Write a relation where an INSERT says: a table, with column list or partition, or a directory."""

    def write(
        self,
        kind: str,
        write: Write,
        *,
        created: bool = False,
        temporary: bool = False,
        partitions: tuple[str, ...] = (),
        overwrite: bool = False,
    ) -> Outcome:
        """Take one write into the result, or keep it as the content of a temporary table."""
        temporary = temporary or write.dataset in self.short_lived
        if created:
            if not temporary and not self.walk.rules.repeated_names_get_numbers:
                self._doubt_repeated(write)
            if kind != "view" or not self.walk.rules.views_name_columns:
                self._doubt_unnamed(write)
            self._declare(write, partitions, is_view=kind == "view")
        elif self.walk.names.as_written:
            self._spell(write)
        if not self.keep_temporary and (temporary or self.catalog.holds_content(write.dataset)):
            temporary_tables.fill(self.walk, write, afresh=created or overwrite, loads=kind == "other")
            return Outcome(kind)
        write.columns = [(name or "*", column) for name, column in write.columns]  # one without a name may be any
        self._doubt_stars(write)
        self.written.add(write.dataset)
        edges = edges_of(write)
        reads = write.effects.reads - self.created
        if created:
            self.created.add(write.dataset)
        return Outcome(kind, edges, reads, {write.dataset})

    def _spell(self, write: Write) -> None:
        """Give columns that are written in another case the names that the target has for them.

        Where names are kept as they are written, most engines take a column's name in any case all the same.
        """
        known = self.catalog.columns(write.dataset) or ()
        if any(name not in known for name, _ in write.columns):
            others = {each.lower(): each for each in known}
            write.columns = [
                (name if name in known else others.get(name.lower(), name), column) for name, column in write.columns
            ]

    def _doubt_stars(self, write: Write) -> None:
        """Report the datasets of unknown columns that a star brings, or that a whole row covers."""
        if self.catalog.is_open:
            predicates = Column("", (Part(write.effects.predicates, ""),))
            self.walk.report_open([*(column for _, column in write.columns), predicates])
        if any(name == "*" and column.flow() and not unknown_sources([column]) for name, column in write.columns):
            self.walk.report("unknown-columns", f"not every column of {write.dataset} is known", subject=write.dataset)

    def _doubt_repeated(self, write: Write) -> None:
        """Report names that a table or a view would have twice: engines reject it, or a source has changed since."""
        unnamed = self.walk.rules.unnamed_as_postgres  # ?column? is a name there
        named = (name for name, column in write.columns if not column.is_open and (unnamed or column.position is None))
        if twice := repeated(named):
            detail = f"{write.dataset} would have several columns {and_more(twice)}"
            self.walk.report("repeated-column", detail, subject=write.dataset)

    def _doubt_unnamed(self, write: Write) -> None:
        """Report a column of a created table or view that neither the query nor a list of names gives one.

        Where such columns are called by their text, whether ``(a)`` and ``$1`` are names is not known. What a part of
        a template gives, which has no value, may have one.
        """
        if not self.walk.rules.created_columns_need_names or self.walk.lacks_parts:
            return
        unnamed = [name for name, column in write.columns if column.position is not None and column.name == name]
        if not self.walk.rules.unnamed_column:
            unnamed = [name for name in unnamed if not _LIKE_A_NAME.fullmatch(name)]
        if unnamed:
            detail = f"{write.dataset} would have a column without a name"
            self.walk.report("unnamed-column", detail, subject=write.dataset)

    def _declare(self, write: Write, partitions: tuple[str, ...], *, is_view: bool) -> None:
        names = tuple(name for name, _ in write.columns)
        known = None if "*" in names else names
        self.catalog.declare(write.dataset, TableState(known, partitions, is_view=is_view))
