"""One walk over a query: each SELECT, set operation and subquery becomes a relation, all output columns at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from sqlglot import exp

from ingest.sql.binder.expressions.functions import Functions
from ingest.sql.binder.expressions.renderer import Renderer
from ingest.sql.binder.expressions.values import Values
from ingest.sql.binder.names.ports import Binder, Expressions
from ingest.sql.binder.names.scope import Cte, Scope, Source
from ingest.sql.binder.names.stars import Stars
from ingest.sql.binder.query.items import Items
from ingest.sql.binder.query.joins import Joins
from ingest.sql.binder.query.match import matched
from ingest.sql.binder.query.rejected import check_select, check_set_operations
from ingest.sql.binder.query.row_clauses import decide, decide_after
from ingest.sql.binder.query.setops import combined
from ingest.sql.binder.query.sources.pivots import pivot_statement, summarized
from ingest.sql.binder.query.sources.sources import Sources
from ingest.sql.binder.relations.catalog import Catalog
from ingest.sql.binder.relations.flow import AGGREGATION, SORT, Column, Flow, Part, add, known_fields
from ingest.sql.binder.relations.relations import Relation
from ingest.sql.dialects.dialects import Names
from ingest.sql.parser.before.unnests import explicit
from lineage_tt.model.names import repeated

_CHANGES = (exp.Insert, exp.Update, exp.Delete, exp.Merge)


class QueryWalk(Binder):
    """Resolves the queries of one script against its catalog; what cannot be resolved goes to ``problems``."""

    def __init__(self, names: Names, catalog: Catalog) -> None:
        super().__init__(names, catalog)
        self.renderer = Renderer(names.engine)
        self.functions = Functions(self)
        self.change: Callable[[exp.Expr], Relation] | None = None  # runs a data-modifying WITH query: what it returns
        self._around: Scope | None = None  # what is around such a query
        self.begin()

    def begin(self) -> None:
        """Forget the names of the statement before: its tree may be gone."""
        self.values = Values(self)
        self.stars = Stars(self)
        self.sources = Sources(self)
        self.joins = Joins(self)
        self.items = Items(self)
        self.named: list[Cte] = []  # the queries in WITH, those that nothing reads included

    def render(self, node: exp.Expr, values: Expressions) -> str:
        """Return the normalised text of a resolved expression."""
        return self.renderer.render(node, values)

    # Queries

    def query(self, node: exp.Expr, outer: Scope | None, *, top: bool = False, base: Scope | None = None) -> Relation:
        """Return the relation of a query.

        ``top`` says that its order is the written table's order; ``base`` holds sources that a SELECT without FROM
        reads.
        """
        if isinstance(node, exp.Select):
            return self._select(node, outer, top=top, base=base)
        if isinstance(node, exp.SetOperation):
            return self._set_operation(node, outer, top=top, base=base)
        if isinstance(node, exp.Subquery):
            return self._subquery(node, outer, top=top)
        if isinstance(node, exp.Paren):
            return self.query(node.this, outer, top=top, base=base)
        if isinstance(node, exp.Values):
            scope = Scope(parent=outer)
            relation = self.sources.rows_of_values(node, scope)
            alias = node.args.get("alias")
            return self.sources.with_names(relation, alias.columns if alias is not None else [])
        if isinstance(node, exp.Table):
            scope = Scope(parent=outer)
            self.sources.bring(node, scope)
            return Relation(self.stars.expand(exp.Star(), scope), scope.effects, scope.rows())
        if isinstance(node, _CHANGES) and self.change is not None:
            before, self._around = self._around, outer
            try:
                return self.change(node)
            finally:
                self._around = before
        if isinstance(node, exp.Summarize):
            return summarized(self, node.this, outer)
        if isinstance(node, exp.Pivot):
            return pivot_statement(self, node, Scope(parent=outer))
        self.report("unsupported-statement", f"a query of the form {type(node).__name__} is not understood")
        return Relation([Column("*", ())])

    def with_clause(self, node: exp.Expr, scope: Scope) -> None:
        """Bring the named queries of a WITH clause into ``scope``."""
        if isinstance(node, _CHANGES) and scope.parent is None:
            scope.parent = self._around
        clause = node.args.get("with_")
        if clause is None:
            return
        for udf in clause.args.get("udfs") or ():
            self.functions.define(udf.this, udf.args.get("expression"), udf.args.get("characteristics"))
        for name in repeated(cte.alias.lower() for cte in clause.expressions if not cte.args.get("scalar")):
            self.report("repeated-column", f"WITH has several queries {name}", name)
        for cte in clause.expressions:
            alias = cte.args.get("alias")
            self.names_scalars |= bool(cte.args.get("scalar"))
            recursive = clause.recursive or (self.rules.recursive_without_keyword and not _starts_with_itself(cte))
            scope.ctes = Cte(alias.name.lower(), cte, scope.parent, scope.ctes, recursive=bool(recursive))
            self.named.append(scope.ctes)

    def beside_change(self, node: exp.Expr) -> Scope:
        """Return a scope that sees the named queries which a change saw that was run, each evaluated once."""
        clause = node.args.get("with_")
        last = clause.expressions[-1] if clause is not None else None
        ctes = next((entry for entry in self.named if entry.node is last), None)
        return Scope(parent=self._around, ctes=ctes)

    def _subquery(self, node: exp.Expr, outer: Scope | None, *, top: bool) -> Relation:
        scope = Scope(parent=outer)
        self.with_clause(node, scope)
        inner = node.this
        if isinstance(inner, exp.Table | exp.Values) or node.args.get("joins") or node.args.get("laterals"):
            self._bring_inner(node, scope)
            for join in node.args.get("joins") or ():
                self.joins.join(join, scope)
            for lateral in node.args.get("laterals") or ():
                self.sources.bring(lateral, scope)
            relation = Relation(self.stars.expand(exp.Star(), scope), scope.effects, scope.rows())
        else:
            relation = self.query(inner, scope, top=top)
        decide_after(self, node, relation, scope, top=top)
        return relation

    def _bring_inner(self, node: exp.Expr, scope: Scope) -> None:
        """Bring what is in brackets before a join, ``((SELECT …) q JOIN …)``: the alias is its own."""
        alias = node.args.get("alias")
        if isinstance(alias, exp.TableAlias) and isinstance(node.this, exp.Query):
            relation = self.query(node.this, Scope(parent=scope.parent, ctes=scope.ctes))
            scope.add_source(Source(alias.name, (), self.sources.with_names(relation, alias.columns)))
        else:
            self.sources.bring(node.this, scope)

    def _set_operation(self, node: exp.Expr, outer: Scope | None, *, top: bool, base: Scope | None) -> Relation:
        scope = Scope(parent=outer)
        self.with_clause(node, scope)
        operations: list[Any] = []
        first = node
        while isinstance(first, exp.SetOperation) and (first is node or not first.args.get("with_")):
            operations.append(first)
            first = first.this
        check_set_operations(self, operations)
        relation = self.query(first, scope, base=base)
        for operation in reversed(operations):
            relation = combined(self, operation, relation, self.query(operation.expression, scope, base=base))
        decide_after(self, node, relation, scope, top=top)
        return relation

    def _select(self, node: exp.Expr, outer: Scope | None, *, top: bool, base: Scope | None) -> Relation:
        scope = base.copy() if base is not None and node.args.get("from_") is None else Scope(parent=outer)
        scope.lateral_aliases, scope.precedence = self.rules.lateral_aliases, self.rules.precedence
        self.with_clause(node, scope)
        args = node.args
        if args.get("from_") is not None:
            if self.rules.implicit_unnests:
                explicit(node)
            self.sources.bring(args["from_"].this, scope)
        # MATCH_RECOGNIZE is of the table before it, and the tree has its parts in the order in which they were written
        for key in args:
            if key == "joins":
                for join in args["joins"] or ():
                    self.joins.join(join, scope)
            elif key == "match" and args["match"] is not None and scope.sources:
                scope.add_source(matched(self, args["match"], scope.remove_source(), scope))
        for lateral in args.get("laterals") or ():
            self.sources.bring(lateral, scope)
        scope.windows = {window.name.lower(): window for window in args.get("windows") or ()}
        if args.get("group") is not None and self.rules.grouping.time_windows:
            self._time_windows(args["group"].expressions, scope)
        if args.get("connect") is not None:
            scope.parameters |= {word: Column(word, (Part({}, word),)) for word in _OF_HIERARCHIES}
        check_select(self, node)
        columns = self.items.select_list(node, scope)
        decide(self, node, scope, columns, top=top)
        # BigQuery's rows that are a struct have its fields for columns
        value = columns[0] if args.get("kind") == "VALUE" and len(columns) == 1 else None
        relation = Relation(known_fields(value) or columns, scope.effects, scope.rows())
        relation.value = value
        relation.inside = scope.by_alias
        relation.idle_order = scope.idle_order
        return _as_document(args["for_"], relation) if args.get("for_") is not None else relation

    def _time_windows(self, grouped: list[exp.Expr], scope: Scope) -> None:
        """Grouping by Spark's ``window(c, '1 day')`` brings a column ``window`` into sight."""
        for node in grouped:
            name = node.name.lower() if isinstance(node, exp.Anonymous) else ""
            if name in _TIME_WINDOWS:
                scope.parameters[name] = self.values.column(node, scope, name)


def _starts_with_itself(cte: Any) -> bool:
    """Whether the first query of a union reads the union's name: a recursive one may not, so a table is meant."""
    first = cte.this
    while isinstance(first, exp.SetOperation | exp.Subquery):
        first = first.this
    names = (table.name.lower() for table in first.find_all(exp.Table) if not table.args.get("db"))
    return first is not cte.this and cte.alias.lower() in names


def _as_document(clause: exp.Expr, relation: Relation) -> Relation:
    """T-SQL's ``FOR JSON`` and ``FOR XML`` make one text of all rows and columns."""
    kind = getattr(clause, "args", {}).get("kind")
    if str(getattr(kind, "name", kind)).upper() not in ("JSON", "XML"):
        return relation
    flow: Flow = {}
    for column in relation.visible():
        add(flow, column.flow(), AGGREGATION)
    add(flow, relation.idle_order, SORT)
    return Relation([Column("document", (Part(flow, "document(?)"),), position=0)], relation.effects, relation.rows)


# What CONNECT BY says about each row.
_OF_HIERARCHIES: Final = ("level", "connect_by_isleaf", "connect_by_iscycle")
_TIME_WINDOWS: Final = ("window", "session_window")
