"""The clauses of a query that decide which rows there are, and in which order: filters, grouping, order, limits."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from sqlglot import exp

from ingest.sql.binder.names.ports import Binder
from ingest.sql.binder.names.resolving import known_column
from ingest.sql.binder.names.scope import Scope
from ingest.sql.binder.query.groups import grouping, is_word
from ingest.sql.binder.query.misplaced import check_clause
from ingest.sql.binder.query.ungrouped import check_distinct, check_grouped
from ingest.sql.binder.relations.flow import FILTER, GROUP_BY, JOIN, SORT, TRANSFORMATION, Column, Part, add
from ingest.sql.binder.relations.relations import Effects, Relation

_LIMITS = ("limit", "offset", "fetch")


def decide(walk: Binder, node: exp.Expr, scope: Scope, columns: list[Column], *, top: bool) -> None:
    """Add to a SELECT's effects the columns that its clauses name; ``columns`` are its outputs, open ones included.

    Only the order of the whole (``top``), or one that a limit depends on, decides about anything.
    """
    args, precedence = node.args, scope.precedence
    lateral = scope.lateral_aliases
    for key in ("prewhere", "where", "having", "qualify"):
        scope.aliases_visible = key in ("having", "qualify") or precedence.items_in_where
        scope.lateral_aliases = lateral and (scope.aliases_visible or not precedence.items_out_of_sight)
        scope.alias_first, scope.alias_settles = key in precedence.items_first, key in precedence.items_settle
        if args.get(key) is not None:
            if key == "having" and precedence.items_unless_grouped:
                scope.as_items = _ungrouped_items(walk, node, scope)
            scope.before_groups = key in ("prewhere", "where")
            _add(walk, [args[key].this], scope, FILTER, [])
            scope.before_groups, scope.as_items = False, frozenset()
            if key != "qualify":
                items = node.expressions if scope.aliases_visible or scope.lateral_aliases else ()
                check_clause(walk, [args[key].this], scope, key.upper(), items=items, aggregates=key != "having")
    scope.alias_first = scope.alias_settles = False
    scope.lateral_aliases = lateral
    if args.get("connect") is not None:
        connect = args["connect"]
        _add(walk, [part for part in (connect.args.get("start"), connect.args["connect"]) if part], scope, JOIN, [])
    distinct = args.get("distinct")
    on = distinct.args.get("on") if distinct is not None else None
    if on is not None:
        _add(walk, on.expressions if isinstance(on, exp.Tuple) else [on], scope, GROUP_BY, columns, alone=True)
    _group(walk, node, scope, columns)
    check_distinct(walk, node, scope)
    scope.aliases_visible = True
    scope.alias_first, scope.alias_settles = "order" in precedence.items_first, False
    for key in ("order", "sort", "cluster", "distribute"):
        if args.get(key) is None:
            continue
        effects = scope.effects
        if key in ("cluster", "distribute") or not (top or on is not None or _limited(node)):
            scope.effects = Effects()  # it decides about no row, but its names must be known
        _order(walk, args[key], scope, columns)
        _interpolate(walk, args[key].expressions, scope, columns)
        if key == "order" and scope.effects is not effects:
            scope.idle_order = scope.effects.predicates
        scope.effects = effects
    _limit(walk, node, scope, columns)
    scope.alias_first = False


def _group(walk: Binder, node: exp.Expr, scope: Scope, columns: list[Column]) -> None:
    """Add what GROUP BY lists, and check the columns that are in no aggregate."""
    if node.args.get("group") is None:
        check_grouped(walk, node, scope, ())
        return
    rules = walk.rules.grouping
    listed, named = grouping(node, rules)
    scope.alias_settles = "group" in scope.precedence.items_settle
    scope.aliases_visible = rules.item_names
    scope.before_groups = named
    _add(walk, listed, scope, GROUP_BY, columns, alone=named and "group" in scope.precedence.items_first)
    scope.before_groups = False
    if named:
        grouped = _with_items(listed, node)
        check_clause(walk, grouped if rules.takes_places else listed, scope, "GROUP BY", items=node.expressions)
        check_grouped(walk, node, scope, grouped)


def _ungrouped_items(walk: Binder, node: exp.Expr, scope: Scope) -> frozenset[str]:
    """Return the names of items that HAVING means, even if a column has them: those that are not grouped by.

    A column of several sources is ambiguous all the same, unless the engine settles that.
    """
    listed = grouping(node, walk.rules.grouping)[0] if node.args.get("group") is not None else []
    items = {scope.item_name(item.alias): item.this for item in node.expressions if isinstance(item, exp.Alias)}
    grouped: set[str] = set()
    for each in (part.unalias() for part in _with_items(listed, node)):
        named = (each, items.get(scope.item_name(each.name)))
        grouped |= {scope.item_name(column.name) for column in named if isinstance(column, exp.Column)}
    settles = "having" in scope.precedence.items_settle
    alone = (name for name in items if settles or len(scope.homes(exp.column(name))) < 2)
    return frozenset(alone) - grouped


def decide_after(walk: Binder, node: exp.Expr, relation: Relation, scope: Scope, *, top: bool) -> None:
    """Add what follows a union, or a query in brackets: its names are those of the outputs."""
    order = node.args.get("order")
    limited = _limited(node)
    if order is None and not limited:
        return
    inner = Scope(
        parent=scope, aliases={c.name.lower(): c for c in relation.columns if not c.is_open}, alias_first=True
    )
    if order is not None and (top or limited or isinstance(node.parent, exp.Array)):
        _order(walk, order, inner, relation.visible())
        if not (top or limited):
            relation.idle_order, inner.effects = inner.effects.predicates, Effects()
    _limit(walk, node, inner, relation.visible())
    relation.effects.add(inner.effects)


def _add(
    walk: Binder, nodes: Iterable[exp.Expr], scope: Scope, kind: int, columns: list[Column], *, alone: bool = False
) -> None:
    """Add the sources of expressions; a number among them is an output's place.

    With ``alone``, an expression that is only a name refers to the output of this name rather than to a column.
    """
    inside = scope.alias_first
    for node in nodes:
        inner = node.this if isinstance(node, exp.Ordered) else node
        inner = inner.unnest() if isinstance(inner, exp.Paren) else inner
        is_place = isinstance(inner, exp.Literal) and not inner.is_string
        if (is_place or (kind == SORT and isinstance(inner, exp.PositionalColumn))) and inner.name.isdigit():
            place = int(inner.name) - 1
            if 0 <= place < len(columns):
                add(scope.effects.predicates, columns[place].flow(), kind)
            elif kind != GROUP_BY or walk.rules.grouping.takes_places:
                _doubt_place(walk, inner.name, columns)
        else:
            scope.alias_first = inside or (alone and isinstance(inner, exp.Column) and len(inner.parts) == 1)
            walk.values.collect(inner, scope, kind, scope.effects.predicates)
            scope.alias_first = inside


def _with_items(listed: Iterable[exp.Expr], node: exp.Expr) -> list[exp.Expr]:
    """Return what GROUP BY lists, with the items whose places are in it instead of the numbers."""
    items = {str(place): item for place, item in enumerate(node.expressions, 1)} if not node.is_star else {}
    return [items.get(each.name, each) if isinstance(each, exp.Literal) else each for each in listed]


def _doubt_place(walk: Binder, place: str, columns: list[Column]) -> None:
    """Report a number that is the place of no output: the text fails, or a star in it has brought fewer columns."""
    if columns and not any(column.is_open for column in columns):
        walk.report("column-count", f"{place} is the place of no output: the query has {len(columns)}", place)


def _order(walk: Binder, order: Any, scope: Scope, columns: list[Column]) -> None:
    items = order.expressions
    if len(items) == 1 and _is_all(items[0].this, scope):
        walk.values.lookup.note(items[0].this)
        for column in columns:
            add(scope.effects.predicates, column.flow(), SORT)
    else:
        _add(walk, items, scope, SORT, columns, alone=True)


def _interpolate(walk: Binder, items: Iterable[exp.Expr], scope: Scope, columns: list[Column]) -> None:
    """ClickHouse's ``WITH FILL INTERPOLATE (c AS c + d)``: in rows that are filled in, ``c`` is made so."""
    fills = (item.args["with_fill"] for item in items if item.args.get("with_fill") is not None)
    for each in (each for fill in fills for each in fill.args.get("interpolate") or ()):
        if not isinstance(each, exp.Alias):
            continue
        made = walk.values.flow(each.this, scope, TRANSFORMATION)
        for place, column in enumerate(columns):
            if column.name.lower() == each.alias.lower() and not made.keys() <= column.flow().keys():
                part = Part(made, partial(walk.render, each.this, walk.values))
                columns[place] = Column(column.name, (*column.parts, part), position=column.position)


def _is_all(node: exp.Expr, scope: Scope) -> bool:
    """Whether ORDER BY has the word ALL: all outputs, unless there is a column of this name."""
    word = is_word(node, "all") or (isinstance(node, exp.Var) and node.name.lower() == "all")
    return word and scope.item_name(node.name) not in scope.aliases and known_column(scope, node.name) is None


def _limited(node: exp.Expr) -> bool:
    return any(node.args.get(key) is not None for key in _LIMITS)


def _limit(walk: Binder, node: exp.Expr, scope: Scope, columns: list[Column]) -> None:
    """ClickHouse's LIMIT … BY keeps some rows of each group; how many rows a limit leaves may be a query's answer."""
    for key in _LIMITS:
        limit = node.args.get(key)
        if limit is not None:
            _add(walk, limit.args.get("expressions") or (), scope, GROUP_BY, columns)
            for part in (limit.args.get("expression"), limit.args.get("count")):
                if isinstance(part, exp.Query):
                    _add(walk, [part], scope, FILTER, [])
