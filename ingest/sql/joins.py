"""Joins: the source they bring, the columns they compare, and the ones that USING and NATURAL make one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from ingest.sql.flow import JOIN, TRANSFORMATION, Column, Flow, Part, add
from ingest.sql.scope import Scope, Source

if TYPE_CHECKING:
    from ingest.sql.query import QueryWalk


class Joins:
    """Evaluates JOIN clauses for a query walk."""

    def __init__(self, walk: QueryWalk) -> None:
        self.walk = walk

    def join(self, node: Any, scope: Scope) -> None:
        """Join one more item to what is in ``scope``."""
        if (node.args.get("kind") or "").upper() == "ARRAY":
            self._array_join(node, scope)
            return
        left = list(scope.sources)
        self.walk.sources.bring(node.this, scope)
        right = scope.sources[len(left) :]
        names = [name.name for name in node.args.get("using") or ()]
        if (node.args.get("method") or "").upper() == "NATURAL":
            names = self._common(left, right, scope)
        side = (node.args.get("side") or "").upper()
        merged = {name.lower(): self._merge(name, left, right, scope, side) for name in names}
        if merged:
            scope.merged = {**merged, **{k: v for k, v in scope.merged.items() if k not in merged}}
        for key in ("on", "match_condition"):
            if node.args.get(key) is not None:
                add(scope.effects.predicates, self.walk.values.flow(node.args[key], scope, JOIN))
        if (node.args.get("kind") or "").upper() in ("SEMI", "ANTI"):
            self._hide(right, scope)

    def _hide(self, sources: list[Source], scope: Scope) -> None:
        """Only whether a row matches counts in a semi or anti join: its columns are not in sight behind it."""
        for source in sources:
            scope.sources.remove(source)
            if scope.by_alias.get(source.alias.lower()) is source:
                del scope.by_alias[source.alias.lower()]

    def _common(self, left: list[Source], right: list[Source], scope: Scope) -> list[str]:
        """Return the names that NATURAL joins on, in the order of the left side."""
        for source in (*left, *right):
            if source.relation.is_open:
                self.walk.report("unknown-columns", "NATURAL JOIN compares columns that are not known", source.alias)
        present = {c.name.lower() for source in right for c in source.relation.visible() if not c.is_open}
        names = dict.fromkeys(scope.merged)
        for source in left:
            names.update(dict.fromkeys(c.name.lower() for c in source.relation.visible() if not c.is_open))
        return [name for name in names if name in present]

    def _merge(self, name: str, left: list[Source], right: list[Source], scope: Scope, side: str) -> Column:
        one = scope.merged.get(name.lower()) or self._side(name, left)
        other = self._side(name, right)
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
        if chosen is None:
            self.walk.report("unknown-column", f"no source is known to have the column {name} of USING", subject=name)
            return Column(name, ())
        return chosen

    def _side(self, name: str, sources: list[Source]) -> Column | None:
        for source in sources:
            column = source.relation.get(name)
            if column is not None:
                return column
        options = [column for source in sources for column in source.relation.guess(name, hidden=False)]
        if len(options) > 1:
            self.walk.report("ambiguous-column", f"{name} of USING may come from several sources", subject=name)
        return options[0] if len(options) == 1 else None

    def _array_join(self, node: Any, scope: Scope) -> None:
        """ClickHouse's ARRAY JOIN: each array's elements under its alias, or under the array's own name."""
        items = node.expressions or [node.this]
        for item in items:
            value = item.this if isinstance(item, exp.Alias | exp.Table) else item
            alias = item.args.get("alias")
            if isinstance(value, exp.Identifier):
                value = exp.Column(this=value)
            name = (alias.name if alias is not None else "") or value.name
            column = self.walk.values.column(value, scope, name)
            scope.merged[name.lower()] = Column(name, column.parts)
