"""Joins: the source they bring, the columns they compare, and the ones that USING and NATURAL merge."""

from __future__ import annotations

from sqlglot import exp

from ingest.sql.binder.names.ports import Binder
from ingest.sql.binder.names.scope import Scope, Source
from ingest.sql.binder.query.misplaced import check_clause
from ingest.sql.binder.query.sources.pivots import pivot_join
from ingest.sql.binder.relations.flow import JOIN, TRANSFORMATION, Column, Flow, Part, add, known_fields
from ingest.sql.text.misspelt import misspelt

# What a join other than a comma has.
_WRITTEN_OUT = ("kind", "side", "method", "on", "using")
# What says which rows a join joins.
_CONDITION = ("method", "on", "using", "match_condition")
# Words about which rows are joined: misspelt, each of them is an alias, and every row is joined to every row.
_CONDITIONS = ("using", "natural", "asof", "where", "left", "right", "inner")


class Joins:
    """Evaluates JOIN clauses for a query walk."""

    def __init__(self, walk: Binder) -> None:
        self.walk = walk

    def join(self, node: exp.Expr, scope: Scope) -> None:
        """Join one more item to what is in ``scope``."""
        if (node.args.get("kind") or "").upper() == "ARRAY":
            self._array_join(node, scope)
            return
        middle = len(scope.sources)
        if not self.walk.rules.comma_is_a_join and not any(node.args.get(key) for key in _WRITTEN_OUT):
            scope.group = middle
        self.walk.sources.bring(node.this, scope)
        right = scope.sources[middle:]
        conditions = [node.args[key] for key in _CONDITION if node.args.get(key)]
        if not node.args.get("kind") and all(isinstance(each, exp.Boolean) for each in conditions):
            self._doubt_aliases(scope.sources[max(0, middle - 1) :])
        if not conditions and self.walk.rules.outer_joins_need_condition:
            self._doubt_outer(node)
        names = self._in_order([self.walk.names.spell(name) for name in node.args.get("using") or ()], middle, scope)
        if (node.args.get("method") or "").upper() == "NATURAL":
            names = self._common(middle, scope)
            if not names and self.walk.rules.natural_needs_names and not any(s.relation.is_open for s in scope.sources):
                self.walk.report("unknown-column", "NATURAL JOIN finds no column that both sides have")
        if names:
            self._unite(names, middle, scope, (node.args.get("side") or "").upper())
        for key in ("on", "match_condition"):
            if node.args.get(key) is not None:
                before_groups, scope.before_groups = scope.before_groups, True
                add(scope.effects.predicates, self.walk.values.flow(node.args[key], scope, JOIN))
                scope.before_groups = before_groups
                check_clause(self.walk, [node.args[key]], scope, "ON")
        if (node.args.get("kind") or "").upper() in ("SEMI", "ANTI"):
            self._hide(right, scope)
        if node.args.get("pivots"):
            pivot_join(node.args["pivots"], self.walk, scope, scope.group)

    def _doubt_aliases(self, sources: list[Source]) -> None:
        """Report an alias that was meant as a word about the join, where a join has no condition."""
        for source in sources:
            word = misspelt(source.alias, _CONDITIONS) if source.parts and source.alias != source.parts[-1] else ""
            if word:
                detail = f"{source.alias} is read as an alias, and is perhaps {word.upper()}: the join has no condition"
                self.walk.report("syntax", detail, source.alias)

    def _doubt_outer(self, node: exp.Expr) -> None:
        """Report an outer join of a table or a query that has no condition, where it is a syntax error."""
        side, joined = (node.args.get("side") or "").upper(), node.this
        is_outer = side and (node.args.get("kind") or "OUTER").upper() == "OUTER"
        if is_outer and isinstance(joined, exp.Table | exp.Subquery) and not isinstance(joined.this, exp.Func):
            self.walk.report("syntax", f"the {side} JOIN of {joined.alias_or_name or 'a query'} has no condition")

    def _hide(self, sources: list[Source], scope: Scope) -> None:
        """Only whether a row matches counts in a semi or anti join: its columns are not in sight after it."""
        for source in sources:
            scope.sources.remove(source)
            if scope.by_alias.get(source.alias.lower()) is source:
                del scope.by_alias[source.alias.lower()]

    def _in_order(self, names: list[str], middle: int, scope: Scope) -> list[str]:
        """Return the names of USING in the order in which a star shows them."""
        if len(names) < 2 or not self.walk.rules.using_columns_in_left_order:
            return names
        places = {name: place for place, name in enumerate(dict.fromkeys(_names(scope, scope.group, middle)))}
        return sorted(names, key=lambda name: places.get(name.lower(), len(places)))

    def _common(self, middle: int, scope: Scope) -> list[str]:
        """Return the names that NATURAL joins on, in the order of the left side."""
        for source in scope.sources[scope.group :]:
            self.walk.count_all(source.relation)
            if source.relation.is_open:
                self.walk.report("unknown-columns", "NATURAL JOIN compares columns that are not known", source.alias)
        present = set(_names(scope, middle, len(scope.sources)))
        return [name for name in dict.fromkeys(_names(scope, scope.group, middle)) if name in present]

    def _unite(self, names: list[str], middle: int, scope: Scope, side: str) -> None:
        """Make one column of each pair of the same name; a star shows it in front, instead of the two."""
        united = {name.lower(): self._merge(name, middle, scope, side) for name in names}
        scope.merged = {**united, **{name: column for name, column in scope.merged.items() if name not in united}}
        for name in united:
            for place in (*self._homes(name, scope, scope.group, middle), *self._homes(name, scope, middle, None)):
                scope.sources[place].merged.add(name)
        for place in range(scope.group, len(scope.sources)):
            scope.leading[place] = [c for c in scope.leading.get(place, ()) if c.name.lower() not in united]
        scope.leading[scope.group] = [*united.values(), *scope.leading[scope.group]]

    def _homes(self, name: str, scope: Scope, start: int, end: int | None) -> list[int]:
        """Return the places of the sources that a side's column may be of: the first that has it, else all."""
        places = range(start, end if end is not None else len(scope.sources))
        known = [place for place in places if scope.sources[place].relation.get(name) is not None]
        return known[:1] or list(places)

    def _merge(self, name: str, middle: int, scope: Scope, side: str) -> Column:
        one = self._side(name, scope, scope.group, middle)
        other = self._side(name, scope, middle, len(scope.sources))
        both = [column for column in (one, other) if column is not None]
        for column in both:
            add(scope.effects.predicates, column.flow(), JOIN)
        if side == "FULL" and len(both) == 2:
            flow: Flow = {}
            for column in both:
                add(flow, column.flow(), TRANSFORMATION)
            texts = ", ".join(column.text for column in both)
            return Column(both[0].name, (Part(flow, f"COALESCE({texts})"),))
        chosen = other if side == "RIGHT" and other is not None else one if one is not None else other
        return chosen if chosen is not None else Column(name, ())

    def _known(self, name: str, scope: Scope, start: int, end: int) -> Column | None:
        for place in range(start, end):
            for column in scope.leading.get(place, ()):
                if column.name.lower() == name.lower():
                    return column
        columns = (source.relation.get(name) for source in scope.sources[start:end])
        return next((column for column in columns if column is not None), None)

    def _side(self, name: str, scope: Scope, start: int, end: int) -> Column | None:
        known = self._known(name, scope, start, end)
        if known is not None:
            if self._times(name.lower(), scope, start, end) > 1 and not self.walk.rules.using_takes_first:
                self.walk.report("ambiguous-column", f"USING names {name}, which a side has several times", name)
            return known
        options = [c for source in scope.sources[start:end] for c in source.relation.guess(name, hidden=False)]
        if len(options) > 1:
            self.walk.report("ambiguous-column", f"{name} of USING may come from several sources", subject=name)
        if not any(source.relation.guess(name) for source in scope.sources[start:end]):  # an element's field, too
            where = ", ".join(filter(None, (source.alias for source in scope.sources[start:end]))) or "a subquery"
            self.walk.report("unknown-column", f"USING names a column {name} that is not in {where}", subject=name)
        return options[0] if len(options) == 1 else None

    def _times(self, name: str, scope: Scope, start: int, end: int) -> int:
        """Return how many columns of a name a side has: those that an earlier join made one count once."""
        leading = (column for place in range(start, end) for column in scope.leading.get(place, ()))
        united = any(column.name.lower() == name for column in leading)
        apart = [source.relation for source in scope.sources[start:end] if name not in source.merged]
        return united + sum((each.get(name) is not None) + (name in each.repeated) for each in apart)

    def _array_join(self, node: exp.Expr, scope: Scope) -> None:
        """ClickHouse's ARRAY JOIN: each array's elements under its alias, or under the array's own name."""
        items = [node.this, *node.expressions]
        for item in items:
            value = item.this if isinstance(item, exp.Alias | exp.Table) else item
            alias = item.args.get("alias")
            if isinstance(value, exp.Identifier):
                value = exp.Column(this=value)
            name = (alias.name if alias is not None else "") or value.name
            column = self.walk.values.column(value, scope, name)
            parts = scope.nested(value.name) if all(s.relation.get(value.name) is None for s in scope.sources) else None
            if parts is not None:
                self._join_nested(name, parts, scope, is_named=alias is not None)
                continue
            scope.merged[name.lower()] = united = Column(name, column.parts)
            for source in scope.sources:
                source.merged.add(name.lower())
            scope.leading[0] = [*scope.leading.get(0, ()), united]

    def _join_nested(self, name: str, column: Column, scope: Scope, *, is_named: bool) -> None:
        """``ARRAY JOIN n`` of columns ``n.a`` and ``n.b``: their elements have these names, or those of an alias."""
        if is_named:
            scope.merged[name.lower()] = column.renamed(name)
            shown = [field.renamed(f"{name}.{field.name}") for field in known_fields(column) or ()]
            scope.leading[0] = [*scope.leading.get(0, ()), *shown]


def _names(scope: Scope, start: int, end: int) -> list[str]:
    """Return the names that a star over some of the sources shows, lower case."""
    names: list[str] = []
    for place in range(start, end):
        source = scope.sources[place]
        names += [column.name.lower() for column in scope.leading.get(place, ())]
        shown = (c.name.lower() for c in source.relation.visible() if not c.is_open)
        names += [name for name in shown if name not in source.merged]
    return names
