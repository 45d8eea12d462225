"""The select list: each item becomes one or more named columns."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from ingest.sql.binder.expressions.column_sets import named_at_once
from ingest.sql.binder.expressions.structs import fields_of
from ingest.sql.binder.names import postgres_names
from ingest.sql.binder.names.lookup import path_parts
from ingest.sql.binder.names.ports import Binder
from ingest.sql.binder.names.scope import Resolved, Scope
from ingest.sql.binder.query.groups import always_null
from ingest.sql.binder.query.sources.spread import spread
from ingest.sql.binder.query.sources.table_functions import of_cells
from ingest.sql.binder.relations.flow import TRANSFORMATION, Column, Flow, Part, add
from ingest.sql.dialects.generators import generated_names, inlined_array, is_generator, stacked
from ingest.sql.render import text_of


class Items:
    """Evaluates select lists for a query walk."""

    def __init__(self, walk: Binder) -> None:
        self.walk = walk

    def select_list(self, node: exp.Expr, scope: Scope) -> list[Column]:
        """Return the columns of a SELECT; each item may see the names of those before it."""
        scope.resolved = Resolved()
        if not node.expressions and not self.walk.rules.selects_nothing:
            self.walk.report("syntax", "a SELECT without columns")
        columns: list[Column] = []
        unnamed = 0
        nulls, numbered = always_null(node), self.walk.rules.unnamed_by_place
        if scope.precedence.items_anywhere:
            scope.ahead = self._ahead(node, scope)
        for position, item in enumerate(node.expressions):
            scope.current = item
            expanded = self._item(item, scope, position, unnamed)
            if nulls and item.unalias().sql() in nulls:
                expanded = [Column(column.name, (Part({}, "null"),), position=column.position) for column in expanded]
            if numbered:
                expanded = [_numbered(column, place) for place, column in enumerate(expanded, len(columns))]
            unnamed += any(column.position is not None for column in expanded)
            columns.extend(expanded)
            if scope.ahead and not isinstance(item, exp.Alias):
                continue
            if isinstance(item, exp.Literal):  # Spark names the column after it, but nothing refers to it by that name
                continue
            for column in expanded:
                scope.aliases.setdefault(scope.item_name(column.name), column)
        excluded = {item.name.lower(): self.walk.names.spell(item) for item in node.args.get("exclude") or ()}
        if not excluded:
            return columns
        remaining = [column for column in columns if column.name.lower() not in excluded]
        return [column.without(excluded.values()) if column.is_open else column for column in remaining]

    def _ahead(self, node: exp.Expr, scope: Scope) -> dict[str, Any]:
        """Return the items that may be named anywhere, by alias; two of one alias are reported unless they are one."""
        aliases: dict[str, Any] = {}
        for item in node.expressions:
            if isinstance(item, exp.Alias):
                other = aliases.setdefault(scope.item_name(item.alias), item)
                same = isinstance(item.this, exp.Column) and item.this.name == other.this.name
                if other is not item and not same and other.this != item.this:
                    self.walk.report("repeated-column", f"several items are called {item.alias}", item.alias)
        return aliases

    def columns_of(self, item: exp.Expr, scope: Scope) -> list[Column]:
        """Return the columns that an item expands to where names are listed: a star's, a pattern's or the one named."""
        return self._item(item, scope, 0, 0)

    def _item(self, item: exp.Expr, scope: Scope, position: int, unnamed: int) -> list[Column]:
        walk = self.walk
        if walk.rules.column_sets and (several := named_at_once(walk, item, scope)) is not None:
            return several
        if walk.rules.unnest_spreads_structs and (fields := spread(walk, item, scope)) is not None:
            return fields
        if isinstance(item, exp.Alias):
            if isinstance(item.this, exp.Star):
                return walk.stars.expand(item.this, scope)
            return [walk.values.column(item.this, scope, walk.names.spell(item.args["alias"]))]
        if isinstance(item, exp.Paren) and walk.rules.bracketed_column_keeps_name:
            plain = exp.Star | exp.Column | exp.Dot if walk.rules.bracketed_star else exp.Column | exp.Dot
            item = item.unnest() if isinstance(item.unnest(), plain) else item
        if isinstance(item, exp.Star) or (isinstance(item, exp.Column | exp.Dot) and item.is_star):
            starred = walk.stars.expand(item, scope)
            return starred if walk.rules.unnamed_by_place else [_placed(column) for column in starred]
        if isinstance(item, exp.Column):
            matched = walk.stars.matching(item, scope)
            return matched if matched is not None else [self._plain(item, scope)]
        if isinstance(item, exp.PositionalColumn):
            placed = walk.stars.placed(item, scope)
            return [placed] if placed is not None else [Column("*", ())]
        if isinstance(item, exp.Aliases):
            return self._several(item.this, scope, [walk.names.spell(name) for name in item.expressions])
        if isinstance(item, exp.QueryTransform):
            return self._script(item, scope)
        if is_generator(item):
            names = generated_names(item, walk.rules, is_map=walk.values.is_map(item.this, scope))
            array = inlined_array(item)
            if array is not None:
                names = [column.name for column in fields_of(walk.values, array, scope) or ()]
            if names:
                return self._several(item, scope, names)
            if array is not None:  # as many as the struct has fields
                return [Column("*", walk.values.column(item, scope, "").parts)]
        return [self._unnamed(item, scope, position, unnamed)]

    def _plain(self, item: exp.Column, scope: Scope) -> Column:
        column = self.walk.values.column(item, scope, self.walk.names.spell(item.this))
        source = scope.by_alias.get(item.table.lower()) if item.table else None
        return column if source is None else self.walk.stars.in_join(scope, source, column)

    def _unnamed(self, item: exp.Expr, scope: Scope, position: int, unnamed: int) -> Column:
        walk = self.walk
        is_path = not walk.rules.unnamed_by_place or path_parts(item) is not None
        if is_path and isinstance(item, exp.Dot) and isinstance(item.expression, exp.Identifier):
            return walk.values.column(item, scope, walk.names.spell(item.expression))
        if walk.rules.cast_keeps_name:
            cast = _cast(item)
            if cast is not None:
                return walk.values.column(item, scope, walk.names.spell(cast.this))
        if walk.rules.unnamed_as_postgres:
            name = postgres_names.name_of(item, walk.names.dialect)
            return walk.values.column(item, scope, name, None if name != postgres_names.NO_NAME else position)
        column = walk.values.column(item, scope, "", position)
        if isinstance(item, exp.Literal) and item.is_string and walk.rules.literal_is_name:
            column.name = item.name.lower()
            return column
        text = text_of(item, walk.names.dialect) if not walk.rules.unnamed_column else ""
        column.name = walk.names.unnamed(position, unnamed, text if walk.rules.unnamed_keeps_case else text.lower())
        return column

    def _several(self, node: exp.Expr, scope: Scope, names: list[str]) -> list[Column]:
        """Columns that one function makes: each comes from all its arguments, with STACK only from its own."""
        cells = stacked(node)
        if cells and len(cells) == len(names):
            return [of_cells(self.walk, n, column, scope) for n, column in zip(names, cells, strict=True)]
        if isinstance(node, exp.Column | exp.Dot) and node.is_star:
            expanded = self.walk.stars.expand(node, scope)
            if len(expanded) == len(names):
                return [column.renamed(name) for name, column in zip(names, expanded, strict=True)]
        column = self.walk.values.column(node, scope, "")
        return [Column(name, column.parts) for name in names]

    def _script(self, node: exp.Expr, scope: Scope) -> list[Column]:
        """TRANSFORM … USING: what the program does is not known, each output may come from every input."""
        walk = self.walk
        schema = node.args.get("schema")
        names = (
            [item.this if isinstance(item, exp.ColumnDef) else item for item in schema.expressions] if schema else []
        )
        spelt = [walk.names.spell(name) for name in names] or ["key", "value"]
        inputs = [column for item in node.expressions for column in self.columns_of(item, scope)]
        flow: Flow = {}
        for column in inputs:
            add(flow, column.flow(), TRANSFORMATION)
        walk.report(
            "opaque-call", f"the program of TRANSFORM is not looked into: {', '.join(spelt)} may use all its inputs"
        )
        text = f"TRANSFORM({', '.join(column.text for column in inputs)})"
        return [Column(name, (Part(flow, text),)) for name in spelt]


def _numbered(column: Column, place: int) -> Column:
    """Trino's columns without names are called by their place among all, those of a star included."""
    if column.position is None:
        return column
    return Column(f"_col{place}", column.parts, position=place, fields=column.fields)


def _placed(column: Column) -> Column:
    """A column that a star brings has a name, even where the query below gave it none."""
    return column if column.position is None else Column(column.name, column.parts)


def _cast(item: exp.Expr) -> Any | None:
    """Return the column that a cast is of; a type's call, ``decimal(a)``, is one."""
    inner = item.this if isinstance(item, exp.Cast) else None
    if isinstance(item, exp.Anonymous) and item.name.lower() in _TYPES_CALLED and len(item.expressions) == 1:
        inner = item.expressions[0]
    return inner if isinstance(inner, exp.Column) else None


# Spark's types that the parser takes for any function's name
_TYPES_CALLED = frozenset(["tinyint", "smallint", "bigint", "decimal", "binary"])
