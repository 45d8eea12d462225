"""The sources in FROM: tables, CTEs, subqueries, laterals, UNNEST, VALUES and table functions, each as a relation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot import exp

from ingest.sql.binder.names.ports import Binder
from ingest.sql.binder.names.scope import Cte, Scope, Source
from ingest.sql.binder.names.variables import row_listed
from ingest.sql.binder.query.sources.pivots import pivot_join, pivoted
from ingest.sql.binder.query.sources.table_functions import TableFunctions
from ingest.sql.binder.query.sources.unnested import laid_out, unnested
from ingest.sql.binder.relations.flow import IDENTITY, JOIN, TRANSFORMATION, Column, Flow, Part, add
from ingest.sql.binder.relations.relations import Relation
from ingest.sql.dialects.generators import ENGINES_OWN, has_own_columns
from ingest.sql.parser.before.pipes import PIPE
from lineage_tt.model.names import and_more, repeated

_ONE_ROW = "dual"
# Snowflake's TABLE(f(t.a)), as a LATERAL, sees what is in front of it.
_LATERALS = (exp.Lateral, exp.TableFromRows)


class Sources:
    """Evaluates the items of FROM for a query walk and brings them into a scope."""

    def __init__(self, walk: Binder) -> None:
        self.walk = walk
        self._functions = TableFunctions(walk)

    def bring(self, node: exp.Expr, scope: Scope) -> None:
        """Bring a FROM item, and what is joined to it inside its own brackets, into ``scope``."""
        while isinstance(node, exp.Final | exp.Stream):  # ClickHouse's FROM t FINAL, Databricks' STREAM(t)
            node = node.this
        group = scope.group
        # a SELECT without brackets keeps its joins to itself
        beside = {} if isinstance(node, exp.Select) else node.args
        if beside.get("joins"):
            scope.group = len(scope.sources)
        if isinstance(node, exp.Subquery) and isinstance(node.this, exp.Table | exp.Subquery) and not node.alias:
            if node.args.get("with_"):
                scope.add_source(self._source(node, scope))
            else:
                start = len(scope.sources)
                self.bring(node.this, scope)  # (a JOIN b ON …): only brackets
                if node.args.get("pivots"):
                    pivot_join(node.args["pivots"], self.walk, scope, start)
        else:
            source = self._source(node, scope)
            scope.add_source(source)
            if source.alias == PIPE:
                for name, seen in source.relation.inside.items():
                    scope.by_alias.setdefault(name, seen)
        for join in beside.get("joins") or ():
            self.walk.joins.join(join, scope)
        for lateral in beside.get("laterals") or ():
            scope.add_source(self._source(lateral, scope))
        scope.group = group

    def _source(self, node: exp.Expr, scope: Scope) -> Source:
        alias = node.args.get("alias")
        name = alias.name if isinstance(alias, exp.TableAlias) else ""
        parts: tuple[str, ...] = ()
        if isinstance(node, exp.Table):
            relation = self._table(node, scope)
            self._choose_version(node, scope)
            if not isinstance(node.this, exp.Func):
                parts = self.walk.names.in_front(node)
            name = name or (parts[-1] if parts else node.this.name if node.this is not None else "")
        elif isinstance(node, exp.Subquery | exp.Query):
            around = scope if self.walk.rules.subqueries_see_beside else scope.beside()
            alone = node.args.get("joins") and isinstance(node.this, exp.Query)  # what joins it is beside it
            relation = self.walk.query(node.this if alone else node, around)
        elif isinstance(node, _LATERALS):
            relation = self._lateral(node, scope)
        elif isinstance(node, exp.Unnest):
            return unnested(self.walk, node, scope)
        elif isinstance(node, exp.Values):
            relation = self.rows_of_values(node, scope)
        elif (fields := laid_out(self.walk, node, scope)) is not None:
            return fields
        else:
            if not isinstance(node, exp.Func):
                self.walk.report("unsupported-statement", f"{type(node).__name__} in FROM is not understood")
            relation = self._functions.generated(node, scope, [])
        if isinstance(alias, exp.TableAlias) and not isinstance(node, _LATERALS):
            is_whole = bool(parts) or isinstance(node, exp.Subquery)
            relation = self.with_names(relation, alias.columns, name if is_whole else None)
        for pivot in node.args.get("pivots") or ():
            relation = pivoted(pivot, Source(name, parts, relation), self.walk, scope)
            pivot_alias = pivot.args.get("alias")
            if pivot_alias is not None:
                name = pivot_alias.name or name
                relation = self.with_names(relation, pivot_alias.columns)
        if isinstance(node, exp.Subquery | exp.Query):
            self._count_names(relation, name)
        return Source(name, parts, relation)

    def check_list(self, called: str, names: int, columns: int) -> None:
        """Report a list of names that engines reject: of more names than columns, or of fewer, which some take."""
        if names > columns or (names < columns and self.walk.rules.lists_may_be == "exact"):
            self.walk.report("column-count", f"{called} lists {names} columns for {columns}", subject=called)

    def _count_names(self, relation: Relation, called: str) -> None:
        """Note the names that a query in FROM or WITH has twice; report them where engines reject them even there."""
        rules = self.walk.rules
        columns = [c for c in relation.visible() if not c.is_open and c.position is None]
        if relation.open_columns() or len({column.name for column in columns}) == len(columns):
            return  # of an array's elements it is not known whether they have a name of their own
        if rules.one_column_may_repeat:
            columns = list({(c.name, *sorted(c.flow().items())): c for c in columns}.values())
        twice = repeated(column.name for column in columns)
        if not rules.repeated_names_get_numbers:
            relation.repeated = frozenset(name.lower() for name in twice)
        if twice and rules.queries_in_from_have_names_once:
            detail = f"{called or 'a query in FROM'} has several columns {and_more(twice)}"
            self.walk.report("repeated-column", detail, subject=called)

    def with_names(self, relation: Relation, names: Sequence[exp.Expr], called: str | None = None) -> Relation:
        """Return a relation whose first columns have the names of a column alias list.

        With ``called``, what the list belongs to, a list that does not fit is reported, see ``check_list``.
        """
        if not names:
            return relation
        spelt = [self.walk.names.spell(name) if isinstance(name, exp.Identifier) else name.name for name in names]
        visible = relation.visible()
        self.walk.count_all(relation)
        if any(column.is_open for column in visible):
            self.walk.report_open(visible)
            flow: Flow = dict.fromkeys(sorted(relation.rows), TRANSFORMATION)
            if not flow:  # a function's rows, made of its arguments
                for column in visible:
                    add(flow, column.flow(), TRANSFORMATION)
            return Relation([Column(name, (Part(flow, name),)) for name in spelt], relation.effects, relation.rows)
        if called is not None:
            self.check_list(called, len(spelt), len(visible))
        renamed = [column.renamed(name) for column, name in zip(visible, spelt, strict=False)]
        return Relation(renamed + visible[len(renamed) :], relation.effects, relation.rows)

    # Tables and CTEs

    def _table(self, node: Any, scope: Scope) -> Relation:
        if node.args.get("rows_from"):
            return self._functions.side_by_side(node, scope)
        if isinstance(node.this, exp.DynamicIdentifier):
            return self._named_by(node.this.this)
        if isinstance(node.this, exp.Func):
            name = node.this.name if isinstance(node.this, exp.Anonymous) else ""
            if name:
                inlined = self.walk.functions.table(name, node.this.expressions, scope)
                if inlined is not None:
                    return inlined
            return self._functions.rows(node, scope)
        if node.args.get("db") is None and node.this is not None:
            entry = scope.cte(node.name)
            if entry is not None:
                return self.cte(entry)
            bound = self.walk.rows_named(node.name)
            if bound is not None:
                return bound
        if node.this is None or not node.name:
            return Relation([])
        if self.walk.rules.has_dual and node.name.lower() == _ONE_ROW and node.db.lower() in ("", "sys"):
            dataset = self.walk.names.dataset(node)
            if self.walk.catalog.columns(dataset) is None:  # a table of this name that was created is one
                return Relation([Column(self.walk.names.spell("dummy"), (Part({}, "dummy"),))])
        dataset = self.walk.names.dataset(node)
        if isinstance(node.this, exp.Parameter) and self.walk.catalog.state(dataset) is None:
            detail = f"the rows of @{node.name} are handed in, or filled elsewhere, and which these are is not known"
            return self._unknown(detail, f"@{node.name}")
        if self.walk.rules.batches and node.this.args.get("temporary") and self.walk.catalog.state(dataset) is None:
            detail = f"the temporary table #{node.name} is made elsewhere, and what fills it is not known"
            return self._unknown(detail, f"#{node.name}")
        return self.walk.dataset(dataset)

    def _named_by(self, value: Any) -> Relation:
        """``IDENTIFIER('d.t')`` and ``TABLE('d.t')``: a table named by a text; by a variable, one that is not known."""
        if isinstance(value, exp.Literal) and value.is_string:
            named = exp.to_table(value.name, dialect=self.walk.names.dialect)
            return self.walk.dataset(self.walk.names.dataset(named))
        return self._unknown("a table is named by a variable, and which it is is not known")

    def _unknown(self, detail: str, subject: str = "") -> Relation:
        """Report a source of which neither rows nor columns are known, and return it."""
        self.walk.report("unknown-source", detail, subject)
        return Relation([Column("*", (Part({}, "?"),))])

    def _choose_version(self, node: exp.Expr, scope: Scope) -> None:
        """``FOR SYSTEM_TIME AS OF o.ts``: which version of a row is joined depends on the column."""
        version = node.args.get("version")
        if isinstance(version, exp.Version) and version.expression is not None and self.walk.rules.temporal_joins:
            add(scope.effects.predicates, self.walk.values.flow(version.expression, scope, JOIN))

    def cte(self, entry: Cte) -> Relation:
        """Return the relation of a named query, evaluated once."""
        if entry.relation is None:
            alias = entry.node.args["alias"]
            holder = Scope(parent=entry.outer, ctes=entry.before)
            body = entry.node.this
            called = None if self.walk.rules.lists_may_be == "any in WITH" else entry.name
            if entry.recursive and isinstance(
                body.unnest() if isinstance(body, exp.Subquery) else body, exp.SetOperation
            ):
                entry.relation = self._recursive(entry, body, alias, called)
            else:
                entry.relation = self.with_names(self.walk.query(body, holder), alias.columns, called)
                self._count_names(entry.relation, entry.name)
        return entry.relation

    def _recursive(self, entry: Cte, body: Any, alias: Any, called: str | None) -> Relation:
        """A recursive CTE: the anchor's columns, then what the step adds, until nothing new comes."""
        body = body.unnest() if isinstance(body, exp.Subquery) else body
        seen = Cte(entry.name, entry.node, entry.outer, entry.before, relation=Relation([]))
        holder = Scope(parent=entry.outer, ctes=seen)
        self.walk.with_clause(body, holder)
        anchor = self.walk.query(body.this, holder)
        current = self.with_names(anchor, alias.columns, called)
        for _ in range(len(current.columns) + 2):
            before = [column.flow() for column in current.columns]
            seen.relation = current
            whole = self.walk.query(body, Scope(parent=entry.outer, ctes=seen))
            current = self.with_names(whole, alias.columns)
            if [column.flow() for column in current.columns] == before:
                break
        return current

    def _lateral(self, node: exp.Expr, scope: Scope) -> Relation:
        alias = node.args.get("alias")
        names = list(alias.columns) if isinstance(alias, exp.TableAlias) else []
        inner = node.this
        if isinstance(node, exp.TableFromRows) and isinstance(inner, exp.Literal | exp.Parameter | exp.Placeholder):
            return self._named_by(inner)
        if isinstance(inner, exp.Unnest) and inner.args.get("offset") is not None:
            unnest = inner.copy()
            unnest.set("alias", alias.copy() if alias is not None else None)
            return unnested(self.walk, unnest, scope).relation
        if isinstance(inner, exp.Subquery | exp.Query):
            relation = self.walk.query(inner, scope)
            return self.with_names(relation, names)
        call = self._called(inner, scope)
        if isinstance(call, exp.Anonymous):
            inlined = self.walk.functions.table(call.name, call.expressions, scope)
            if inlined is not None:
                return self.with_names(inlined, names)
        registered = self._functions.registered(inner, scope, names)
        if registered is not None:
            return registered
        owner = inner.this if isinstance(inner, exp.Dot) else None
        own = isinstance(owner, exp.Expr) and owner.name.lower() in ENGINES_OWN
        if isinstance(call, exp.Anonymous) and not own and not node.args.get("view"):  # Hive's read no tables
            self._functions.look_into(call.name)
        call = call if isinstance(inner, exp.Dot) else inner
        if not names or has_own_columns(call, self.walk.rules):
            return self.with_names(self._functions.called(node, call, scope), names)
        return self._functions.generated(call, scope, names)

    def _called(self, node: exp.Expr, scope: Scope) -> exp.Expr:
        """Return the function of ``d.f(a) OVER (PARTITION BY b)``; a method of a column, ``t.c.f(a)``, stays whole."""
        call: exp.Expr = node.this if isinstance(node, exp.Window) else node
        if not isinstance(call, exp.Dot) or not isinstance(call.expression, exp.Expr):
            return call
        if call.expression.name.lower() in self.walk.rules.xml_methods:
            return call
        first: Any = call
        while isinstance(first, exp.Dot | exp.Column):
            first = first.parts[0] if isinstance(first, exp.Column) else first.this
        owner = first.name.lower() if isinstance(first, exp.Expr) else ""  # nothing is in front of ``.f(a)``
        of_source = any(owner in level.by_alias for level in scope.chain())
        return call if of_source else call.expression

    def rows_of_values(self, node: exp.Expr, scope: Scope) -> Relation:
        """Return VALUES as a relation: columns by position, over all rows."""
        if (record := row_listed(self.walk, node)) is not None:
            return record
        names = self.walk.names
        rows = [_cells(row, spread=self.walk.rules.values_take_rows) for row in node.expressions]
        width = max(map(len, rows), default=0)
        if width > min(map(len, rows), default=0):
            self.walk.report("column-count", f"rows of VALUES have {min(map(len, rows))} and {width} values")
        flows: list[Flow] = [{} for _ in range(width)]
        holder = scope.beside()
        holder.parent = scope
        for row in rows:
            for place, cell in enumerate(row):
                self.walk.values.collect(cell, holder, IDENTITY, flows[place])
        columns = [Column(names.of_values(n), (Part(flow, "?"),), position=n) for n, flow in enumerate(flows)]
        return Relation(columns, holder.effects)


def _cells(row: Any, *, spread: bool) -> list[Any]:
    """Return the values of a row of VALUES; with ``spread`` ``ROW(a, b)`` is one as ``(a, b)`` is."""
    cells = list(row.expressions) if isinstance(row, exp.Tuple) else [row.this if isinstance(row, exp.Paren) else row]
    if not spread or len(cells) != 1 or not isinstance(cells[0], exp.Struct | exp.Anonymous):
        return cells
    return list(cells[0].expressions) if cells[0].name.lower() in ("", "row") else cells
