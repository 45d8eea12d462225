"""PIVOT and UNPIVOT: which columns they use up, and what the new ones are made of."""

from __future__ import annotations

from typing import Any, Final

from sqlglot import exp

from ingest.sql.binder.names.ports import Binder
from ingest.sql.binder.names.scope import Scope, Source
from ingest.sql.binder.relations.flow import AGGREGATION, CONDITIONAL, GROUP_BY, IDENTITY, Column, Flow, Part, add
from ingest.sql.binder.relations.overlay import union_parts
from ingest.sql.binder.relations.relations import Relation
from ingest.sql.render import text_of

_FIGURES = ("min", "max", "approx_unique", "avg", "std", "q25", "q50", "q75", "count", "null_percentage")
#: IN (ANY) and IN (SELECT …): the values, and so the columns, depend on the data.
_DYNAMIC_VALUES: Final = (exp.PivotAny, exp.Query)


def pivoted(node: exp.Expr, source: Source, walk: Binder, outer: Scope) -> Relation:
    """Return the relation that a PIVOT or UNPIVOT makes of a source, whose columns may have its name in front."""
    scope = Scope(parent=outer.parent, ctes=outer.ctes)
    scope.add_source(source)
    return _made(node, source.relation, walk, scope)


def _made(node: exp.Expr, relation: Relation, walk: Binder, scope: Scope) -> Relation:
    return _unpivot(node, relation, walk, scope) if node.args.get("unpivot") else _pivot(node, relation, walk, scope)


def pivot_join(nodes: list[Any], walk: Binder, scope: Scope, start: int) -> None:
    """Put what pivots make of joined sources, those from ``start`` on, in their place: ``a JOIN b ON … PIVOT (…)``."""
    joined = scope.sources[start:]
    for node in nodes:
        inner = scope.copy()
        inner.parent, inner.ctes, inner.sources = scope.parent, scope.ctes, joined
        inner.by_alias = {name: source for name, source in scope.by_alias.items() if source in joined}
        whole = Relation(walk.stars.expand(exp.Star(), inner), inner.effects, inner.rows())
        relation = _made(node, whole, walk, inner)
        alias = node.args.get("alias")
        if alias is not None:
            relation = walk.sources.with_names(relation, alias.columns)
        while len(scope.sources) > start:
            scope.remove_source()
        scope.merged, scope.leading = {}, {}
        joined = [Source(alias.name if alias is not None else "", (), relation)]
        scope.add_source(joined[0])


def pivot_statement(walk: Binder, node: exp.Expr, scope: Scope) -> Relation:
    """DuckDB's ``PIVOT t ON b USING sum(c) GROUP BY a``: which columns it makes depends on the data.

    Those of ``UNPIVOT t ON b, c INTO NAME n VALUE v`` do not.
    """
    walk.sources.bring(node.this, scope)
    if node.args.get("unpivot"):
        return _unpivot_statement(walk, node, scope)
    group = node.args.get("group")
    keys = [column for item in group.expressions for column in walk.items.columns_of(item, scope)] if group else []
    flow: Flow = {}
    used: set[str] = set()
    for item in node.expressions:
        used |= _names(item)
        walk.values.collect(item, scope, CONDITIONAL, flow)
    for item in node.args.get("using") or ():
        used |= _names(item)
        walk.values.collect(item, scope, IDENTITY, flow)
    if not group:
        keys = [c for c in walk.stars.expand(exp.Star(), scope) if c.is_open or c.name.lower() not in used]
    _group_by(keys, scope)
    names = _listed_names(node)
    produced = [Column(name, (Part(flow, "PIVOT(?)"),)) for name in names or ("*",)]
    return Relation([*keys, *produced], scope.effects, scope.rows())


def _listed_names(node: exp.Expr) -> list[str]:
    """Return the columns of ``PIVOT t ON a IN (1, 2) USING sum(b)``, none where the data says which there are."""
    using = node.args.get("using") or ()
    if len(node.expressions) != 1 or not isinstance(node.expressions[0], exp.In) or len(using) > 1:
        return []
    values = node.expressions[0].expressions
    if not all(isinstance(value, exp.Literal) for value in values):
        return []
    suffix = f"_{using[0].alias}" if using and using[0].alias else ""
    return [f"{value.name}{suffix}" for value in values]


def summarized(walk: Binder, node: exp.Expr, outer: Scope | None) -> Relation:
    """DuckDB's ``SUMMARIZE t``: a row for each column, of figures over all its values."""
    rows = walk.query(node, outer)
    flow: Flow = {}
    for column in rows.visible():
        add(flow, column.flow(), AGGREGATION)
    constants = [Column(name, (Part({}, "?"),)) for name in ("column_name", "column_type")]
    figures = [Column(name, (Part(flow, f"{name}(?)"),)) for name in _FIGURES]
    return Relation([*constants, *figures], rows.effects, rows.rows)


def _unpivot_statement(walk: Binder, node: exp.Expr, scope: Scope) -> Relation:
    into = node.args.get("into")
    label = walk.names.spell(into.this) if into is not None else "name"
    values = [walk.names.spell(item) for item in into.expressions] if into is not None else ["value"]
    sources: list[list[Column]] = [[] for _ in values]
    used: set[str] = set()
    for item in node.expressions:
        for place, cell in enumerate(item.expressions if isinstance(item, exp.Tuple) else [item]):
            columns = walk.items.columns_of(cell, scope)
            used |= {column.name.lower() for column in columns}
            if place < len(sources):
                sources[place] += columns
    others = _without(walk.stars.expand(exp.Star(), scope), used, walk)
    produced = [Column(name, union_parts(columns)) for name, columns in zip(values, sources, strict=True)]
    return Relation([*others, Column(label, (Part({}, "?"),)), *produced], scope.effects, scope.rows())


def _pivot(node: exp.Expr, relation: Relation, walk: Binder, scope: Scope) -> Relation:
    """Rows become columns: each is an aggregate under the condition that the FOR column has its value."""
    condition: Flow = {}
    used: set[str] = set()
    for field in node.args.get("fields") or ():
        walk.values.collect(field.this, scope, CONDITIONAL, condition)
        used |= _names(field.this)
    aggregates = []
    for item in node.expressions:
        aggregate = item.this if isinstance(item, exp.Alias) else item
        used |= _names(aggregate)
        flow: Flow = {}
        walk.values.collect(aggregate, scope, IDENTITY, flow)
        add(flow, condition)
        aggregates.append(Part(flow, lambda aggregate=aggregate: walk.render(aggregate, walk.values)))  # type: ignore[misc]
    group = node.args.get("group")
    walk.count_all(relation)
    keys = _without(relation.visible(), used, walk)
    if group is not None:
        keys = [column for item in group.expressions for column in walk.items.columns_of(item, scope)]
    _group_by(keys, scope)
    names = _pivot_names(node, walk)
    produced = [Column(name, (aggregates[place % len(aggregates)],)) for place, name in enumerate(names) if aggregates]
    values = (value for field in node.args.get("fields") or () for value in field.expressions)
    if any(isinstance(value, _DYNAMIC_VALUES) for value in values):
        produced = [Column("*", tuple(aggregates))]
    return Relation(keys + produced, scope.effects, relation.rows)


def _group_by(keys: list[Column], scope: Scope) -> None:
    """The columns that a pivot leaves decide which rows become one."""
    for column in keys:
        add(scope.effects.predicates, column.flow(), GROUP_BY)


def _without(columns: list[Column], used: set[str], walk: Binder) -> list[Column]:
    """Return the columns that are not used up; unknown ones are none of these either."""
    spelt = [walk.names.spell(name) for name in used]
    return [
        column.without(spelt) if column.is_open else column
        for column in columns
        if column.is_open or column.name.lower() not in used
    ]


def _pivot_names(node: exp.Expr, walk: Binder) -> list[str]:
    """Return the new columns' names: the parser's, else values (times aggregates)."""
    known = node.args.get("columns")
    if known:
        names = [walk.names.spell(name) if isinstance(name, exp.Identifier) else name.name for name in known]
        if not walk.rules.pivoted_numbers_get_underscore:
            return names
        given = {value.alias for field in node.args.get("fields") or () for value in field.expressions}
        return [f"_{name}" if name[:1].isdigit() and name not in given else name for name in names]
    aggregates = [item.alias for item in node.expressions]
    names = [""]
    for field in node.args.get("fields") or ():
        values = [value.alias_or_name or text_of(value, None) for value in field.expressions]
        names = [f"{left}_{value}" if left else value for left in names for value in values]
    if len(aggregates) > 1:
        names = [f"{name}_{aggregate}" for name in names for aggregate in aggregates]
    return names


def _unpivot(node: exp.Expr, relation: Relation, walk: Binder, scope: Scope) -> Relation:
    """Columns become rows: a value column from all of them, a name column from none."""
    values = [
        inner for item in node.expressions for inner in (item.expressions if isinstance(item, exp.Tuple) else [item])
    ]
    sources: list[list[Column]] = [[] for _ in values]
    names: list[str] = []
    used: set[str] = set()
    for field in node.args.get("fields") or ():
        names.append(walk.names.spell(field.this) if isinstance(field.this, exp.Expr) else str(field.this))
        for item in field.expressions:
            cell = item.this if isinstance(item, exp.Alias | exp.PivotAlias) else item
            cells = cell.expressions if isinstance(cell, exp.Tuple) else [cell]
            for place, column in enumerate(cells):
                used |= _names(column)
                if place < len(sources):
                    sources[place].append(walk.values.column(column, scope, column.name))
    walk.count_all(relation)
    others = _without(relation.visible(), used, walk)
    label = [Column(name, (Part({}, "?"),)) for name in names]
    produced = [Column(walk.names.spell(v), union_parts(columns)) for v, columns in zip(values, sources, strict=True)]
    return Relation([*others, *label, *produced], scope.effects, relation.rows)


def _names(node: exp.Expr) -> set[str]:
    names = {column.name.lower() for column in node.find_all(exp.Column)}
    return names or ({node.name.lower()} if isinstance(node, exp.Identifier) else names)
