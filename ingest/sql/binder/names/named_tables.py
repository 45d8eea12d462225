"""Tables that an expression names without a query: ``x IN t``, and ClickHouse's ``dictGet('d', …)`` and ``joinGet``."""

from __future__ import annotations

from typing import Any, Final

from sqlglot import exp

from ingest.sql.binder.names.ports import Binder, Expressions
from ingest.sql.binder.names.resolving import find_source
from ingest.sql.binder.names.scope import Scope
from ingest.sql.binder.relations.flow import TRANSFORMATION, Flow, add, through
from ingest.sql.words import words

#: What a lookup's name is without its type, ``dictGetUInt64OrDefault`` among them, where its second argument is a name.
_GETS: Final = ("dictget", "joinget")
#: Lookups that have no column's name: they look at keys.
_OF_KEYS: Final = words("dicthas dictisin dictgethierarchy dictgetchildren dictgetdescendants")
#: The parts of a table's name, and those of the column that the parser takes it for.
_PARTS: Final = {"this": "this", "db": "table", "catalog": "db"}


def in_table(values: Expressions, node: exp.In, scope: Scope, by: int, out: Flow) -> None:
    """Add the sources of ``x IN t``; where ``t`` is a table, it is put as ``x IN (SELECT * FROM t)``."""
    _select_from_named(values.walk, node, scope)
    values.below(node, scope, through(TRANSFORMATION, by), out)


def _select_from_named(walk: Binder, node: exp.In, scope: Scope) -> None:
    rule = walk.rules.in_names_tables
    named = node.args.get("field")
    if named is None and rule == "unless a column" and len(node.expressions) == 1:
        named = node.expressions[0]  # ClickHouse's brackets around one name are only brackets
    if rule == "never" or not isinstance(named, exp.Column) or named.is_star:
        return
    if rule == "unless a column" and _is_value(walk, named, scope):
        return
    node.set("field", None)
    node.set("expressions", None)
    node.set("query", exp.Subquery(this=exp.select("*").from_(_of_name(named), copy=False)))


def _is_value(walk: Binder, named: exp.Column, scope: Scope) -> bool:
    """Whether a name is a value in sight: a column that a source is known to have, or that a join made; an item, a
    parameter, a variable.

    What a source of unknown columns may have is none: engines take a column there only of late, and rarely.
    """
    parts = walk.names.spell_path(named.parts)
    name = parts[0].lower()
    if scope.cte(name, scalar=True) is not None or walk.variable(name) is not None or name in walk.declared:
        return True
    for level in scope.chain():
        item = level.item_name(parts[0])
        ahead = level.ahead.get(item)
        if name in level.merged or item in level.aliases or name in level.parameters:
            return True
        if ahead is not None and ahead is not level.current:
            return True
        source, rest = find_source(level, parts) if len(parts) > 1 else (None, parts)
        if source is not None and rest:
            return source.relation.is_open or source.relation.get(rest[0]) is not None
        columns = (".".join(parts), name)
        if any(each.relation.get(column) is not None for each in level.sources for column in columns):
            return True
    return False


def looked_up(values: Expressions, name: str, call: exp.Expr, scope: Scope, by: int, out: Flow) -> bool:
    """Add the sources of a lookup in a dictionary or a Join table; returns whether the call, ``name``, is one.

    They are the columns that it names and its other arguments; of a lookup of keys the dictionary as a whole.
    """
    arguments = call.expressions
    of_keys = name in _OF_KEYS
    if not values.walk.rules.looks_up_by_name or not arguments or not (of_keys or name.startswith(_GETS)):
        return False
    by = through(TRANSFORMATION, by)
    for argument in arguments[1:]:
        values.collect(argument, scope, by, out)
    table = _table(values, arguments[0], scope)
    columns = [] if of_keys or len(arguments) < 2 else _texts(arguments[1])
    if table is None or not (of_keys or columns):
        values.walk.report("unknown-source", f"which columns {call.name} looks up is not known", call.name)
        return True
    dataset = values.walk.names.dataset(table)
    relation = values.walk.dataset(dataset)
    scope.effects.add(relation.effects)
    if of_keys:
        add(out, dict.fromkeys(relation.rows, TRANSFORMATION), by)
    for column in columns:
        found = relation.get(column) or next(iter(relation.guess(column)), None)
        if found is None:
            values.walk.report("unknown-column", f"{dataset} is not known to have a column {column}", dataset)
            found = values.walk.base_column(dataset, column)
        add(out, found.flow(), by)
    return True


def _table(values: Expressions, named: Any, scope: Scope) -> exp.Table | None:
    """Return the table that a lookup names; None where a value says which it is.

    It is a text, a constant of WITH, or a name without quotes, which is put as a text: it is no column.
    """
    if isinstance(named, exp.Column) and not named.is_star and not _is_value(values.walk, named, scope):
        named.replace(exp.Literal.string(".".join(part.name for part in named.parts)))
        return _of_name(named)
    constant = scope.cte(named.name, scalar=True) if isinstance(named, exp.Column) and not named.table else None
    values.collect(named, scope, TRANSFORMATION, {})
    text = constant.node.this if constant is not None else named
    parts = [part for part in text.name.split(".") if part] if _is_text(text) else []
    return exp.table_(*reversed(parts)) if 0 < len(parts) < 4 else None


def _of_name(named: exp.Column) -> exp.Table:
    """Return the table of which a name is that the parser took for a column's."""
    return exp.Table(**{key: named.args.get(part) for key, part in _PARTS.items()})


def _texts(named: exp.Expr) -> list[str]:
    """Return the names in a text, or in a tuple of texts; none where one of them is something else."""
    listed = named.expressions if isinstance(named, exp.Tuple | exp.Struct) else [named]
    return [each.name for each in listed] if all(map(_is_text, listed)) else []


def _is_text(node: exp.Expr) -> bool:
    return isinstance(node, exp.Literal) and bool(node.is_string)
