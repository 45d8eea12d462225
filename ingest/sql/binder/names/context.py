"""What all parts of the binder share while they read one script: the dialect's rules, the catalog and the report."""

from __future__ import annotations

from collections.abc import Iterable

from ingest.sql.binder.names.scope import Scope
from ingest.sql.binder.relations.catalog import Catalog
from ingest.sql.binder.relations.flow import Column, add
from ingest.sql.binder.relations.relations import Effects, Relation, base_column, base_relation, unknown_sources
from ingest.sql.dialects.dialects import Names
from ingest.sql.dialects.rules import Rules
from ingest.sql.parser.before.long_arrays import Markers
from ingest.sql.parser.scripts.records import Typed
from ingest.sql.result import Problem


class Context:
    """Names, tables and variables of one script; what cannot be resolved goes to ``problems``."""

    def __init__(self, names: Names, catalog: Catalog) -> None:
        self.names = names
        self.catalog = catalog
        self.problems: dict[Problem, None] = {}
        self.variables: dict[str, Column] = {}
        self.variable_effects: dict[str, Effects] = {}
        self.declared: set[str] = set()
        self.row_variables: dict[str, Relation] = {}
        #: The declared fields of variables, and of types as ``type t``.
        self.types: dict[str, Typed] = {}
        self._outside: list[tuple[dict[str, Column], dict[str, Effects], set[str], dict[str, Relation]]] = []
        self.names_scalars = False
        self.markers: Markers = {}
        #: Parts of a template have no value in the text: what it lacks may be in one of them.
        self.lacks_parts = False

    @property
    def rules(self) -> Rules:
        """The rules of the dialect that is being read: another's inside of a query handed to another database."""
        return self.names.rules

    def report(self, code: str, detail: str, subject: str = "") -> None:
        """Note a reason why the answer is not complete, once."""
        self.problems[Problem(code, detail, subject)] = None

    def report_unknown(self, datasets: Iterable[str]) -> None:
        """Note that the answer depends on columns that are not known."""
        for dataset in sorted(datasets):
            self.report("unknown-columns", f"the columns of {dataset} are not known", subject=dataset)

    def report_ambiguous(self, parts: Iterable[str], datasets: Iterable[str]) -> None:
        """Note that a name may be that of a column of any of these datasets."""
        name = ".".join(parts)
        self.report("ambiguous-column", f"{name} may come from any of {', '.join(datasets)}", subject=name)

    def report_open(self, columns: Iterable[Column]) -> None:
        """Note that the unknown columns among these decide about the answer."""
        self.report_unknown(unknown_sources(columns))

    def count_all(self, relation: Relation) -> None:
        """Note that all columns of the datasets whose rows these are count, whichever the text names."""
        self.catalog.starred |= relation.rows

    def hold(self, name: str, column: Column, effects: Effects | None = None) -> None:
        """Set a script's variable; ``effects`` are those of the query that gave its value."""
        self.variables[name.lower()] = column
        self.variable_effects[name.lower()] = effects or Effects()

    def open_body(self) -> None:
        """Remember the variables before a routine's body, whose own end with it."""
        self._outside.append(
            (dict(self.variables), dict(self.variable_effects), set(self.declared), dict(self.row_variables))
        )

    def close_body(self) -> None:
        """Take back the variables as they were before the body."""
        if self._outside:
            self.variables, self.variable_effects, self.declared, self.row_variables = self._outside.pop()

    def variable(self, name: str, scope: Scope | None = None) -> Column | None:
        """Return what a script's variable holds, None where there is no such variable.

        What decided about the value decides about the rows of the statement that uses it, in ``scope``.
        """
        column = self.variables.get(name.lower())
        if column is not None and scope is not None and name.lower() in self.variable_effects:
            effects = self.variable_effects[name.lower()]
            add(scope.effects.predicates, effects.predicates)
        return column

    def rows_named(self, name: str) -> Relation | None:
        """Return the rows under a name that is not a table (MERGE's source, a loop's record)."""
        return self.row_variables.get(name.lower())

    def base_column(self, dataset: str, name: str) -> Column:
        """Return a column of a stored dataset."""
        return base_column(dataset, name)

    def dataset(self, dataset: str) -> Relation:
        """Return a stored dataset, or the content of a temporary one, as a relation."""
        content = self.catalog.content(dataset)
        if content is not None:
            return content
        columns = self.catalog.columns(dataset)
        self.catalog.is_open |= columns is None
        left_out = self.catalog.computed(dataset) if self.rules.stars_leave_out_computed else frozenset()
        return base_relation(dataset, columns, self.catalog.kinds(dataset), left_out)
