"""Expansion of stars: the visible columns in sight, less EXCEPT, with REPLACE and RENAME, merged by USING."""

from __future__ import annotations

import re
from typing import Any

from sqlglot import exp

from ingest.sql.binder.names.lookup import path_parts
from ingest.sql.binder.names.ports import Binder
from ingest.sql.binder.names.resolving import find_source, resolve
from ingest.sql.binder.names.scope import VIRTUAL_COLUMNS, Scope, Source
from ingest.sql.binder.relations.flow import Column, known_fields
from ingest.sql.binder.relations.relations import all_meant

_MAX_DIGITS = 9
# A quoted name with one of these in it may be a pattern over column names (Hive, Spark).
PATTERN_CHARACTERS = frozenset("*+?|()[]{}^$\\")

# What no column is called by chance, unlike `Amount (USD)`, `rate(%)` and `count(1)`: `.*`, `[de]+`, `(a)?`, `a|b`,
# `^a`, `a[0-9]`, `a\d`, `a.{2}`.
_SURELY_PATTERN = re.compile(r"[.)\]][*+?]|\||^\^|\[\^?\w-\w|\\[dswDSW]|\{\d")

# The pattern for all columns but some: `(ds|pt)?+.+`
_ALL_BUT = re.compile(r"\((\w+(?:\|\w+)*)\)\?\+\.\+")


class Stars:
    """Expands stars for a query walk."""

    def __init__(self, walk: Binder) -> None:
        self.walk = walk

    def expand(self, node: exp.Expr, scope: Scope) -> list[Column]:
        """Return the columns that ``*``, ``t.*`` or ``t.s.*`` expands to, with its EXCEPT, REPLACE and RENAME."""
        star = node.this if isinstance(node, exp.Column) else node.expression if isinstance(node, exp.Dot) else node
        columns = self._named(node, scope)
        present = {column.name for column in columns}
        dropped = self._by_column([(name, name) for name in _listed(star, "except_")], present)
        replaced = self._by_column([(i.args["alias"], i) for i in _aliased(star, "replace")], present)
        renamed = self._by_column([(i.this, i) for i in _aliased(star, "rename")], present)
        gone = [*dropped.values(), *(i.args["alias"] for i in replaced.values()), *(i.this for i in renamed.values())]
        hidden = [self.walk.names.spell(name) for name in gone]
        ilike = star.args.get("ilike")
        pattern = like(ilike.name, any_case=True) if ilike is not None else None
        result = []
        for column in columns:
            key = column.name
            if column.is_open:
                result.append(column.without(hidden) if hidden else column)
            elif key in replaced:
                item = replaced.pop(key)
                result.append(self.walk.values.column(item.this, scope, column.name))
            elif key not in dropped and (pattern is None or pattern.fullmatch(key)):
                new = self.walk.names.spell(renamed[key].args["alias"]) if key in renamed else ""
                result.append(column.renamed(new) if new else column)
        # names that a source of unknown columns must have
        for item in replaced.values():
            result.append(self.walk.values.column(item.this, scope, self.walk.names.spell(item.args["alias"])))
        known = {column.name.lower() for column in columns}
        if "*" not in known and not self.walk.rules.star_ignores_unknown_names:
            self._check(gone, known)
        for item in (item for key, item in renamed.items() if key not in present and "*" in known):
            table = node.args.get("table") if isinstance(node, exp.Column) else None
            old = exp.Column(this=_identifier(item.this), table=table.copy() if table is not None else None)
            result.append(self.walk.values.column(old, scope, self.walk.names.spell(item.args["alias"])))
        return result

    def _by_column(self, listed: list[tuple[Any, Any]], present: set[str]) -> dict[str, Any]:
        """Return each listed item by the column that its name means: of its own case, else of any case."""
        spelt = [(self.walk.names.spell(identifier), item) for identifier, item in listed]
        columns = all_meant((name for name, _ in spelt), present) if spelt else {}
        return {column: item for name, item in spelt for column in columns[name] or [name]}

    def _check(self, named: list[Any], known: set[str]) -> None:
        """Report what EXCEPT, REPLACE and RENAME name and a star does not bring, which engines reject."""
        for name in named:
            is_path = isinstance(name, exp.Column) and name.args.get("table") is not None
            if not is_path and name.name.lower() not in known | VIRTUAL_COLUMNS:
                spelled = self.walk.names.spell(name)
                detail = f"a star leaves out or replaces {spelled}, and no source is known to have such a column"
                self.walk.report("unknown-column", detail, subject=spelled)

    def placed(self, node: exp.Expr, scope: Scope) -> Column | None:
        """DuckDB's ``#2``: the second of the columns that a star expands to; one not known is a problem."""
        place = int(node.name) if node.name.isdecimal() and len(node.name) < _MAX_DIGITS else 0
        listed = self._all(scope)[:place]
        if 0 < place == len(listed) and not any(column.is_open for column in listed):
            return listed[-1].renamed(listed[-1].name)
        self.walk.report("unknown-column", f"no source is known to have a column #{node.name}", subject=f"#{node.name}")
        return None

    def _named(self, node: Any, scope: Scope) -> list[Column]:
        if isinstance(node, exp.Star):
            return self._all(scope)
        if isinstance(node, exp.Dot) and path_parts(node.this) is None:
            return self._fields(self.walk.values.column(node.this, scope, ""))
        parts = self.walk.names.spell_path(node.parts[:-1])
        for level in scope.chain():
            source, rest = find_source(level, [*parts, "*"])
            if source is None:
                continue
            if rest == ["*"]:
                self._note(source)
                starred = self._element_fields(source) or source.relation.starred()
                left_out = source.merged if self.walk.rules.star_omits_using else set()
                return [self.in_join(level, source, c) for c in starred if c.name.lower() not in left_out]
            column = source.relation.get(rest[0])
            if column is None and rest[0].lower() in VIRTUAL_COLUMNS:
                break
            structs = [column] if column is not None else source.relation.guess(rest[0])
            path = ".".join(rest[1:-1])
            return [field for each in structs for field in self._fields(each.field(path) if path else each)]
        if parts[-1].lower() in VIRTUAL_COLUMNS:
            virtual = self.walk.values.lookup.find(parts, scope)
            return self._fields(virtual) if virtual is not None else []
        match = resolve(scope, parts)
        if match.column is None:
            if match.ambiguous:
                self.walk.report_ambiguous(parts, match.ambiguous)
            else:
                self.walk.report("unknown-column", f"nothing is called {'.'.join(parts)}", subject=".".join(parts))
            return []
        return self._fields(match.column)

    def _element_fields(self, source: Source) -> list[Column]:
        """Return the unknown fields of BigQuery's ``e.*`` over ``UNNEST(c) AS e``: it takes none of a plain value."""
        visible = source.relation.visible()
        if not self.walk.rules.unnest_alias_is_element or not visible or visible[0].name != source.alias:
            return []
        return [Column("*", column.parts) for column in source.relation.open_columns() if column.hidden]

    def _fields(self, column: Column) -> list[Column]:
        """Return a struct's fields; they, too, change with what is known of the columns that it comes from."""
        self.walk.catalog.starred |= {node.partition("#")[0] for node in column.flow()}
        return _fields_of(column)

    def _all(self, scope: Scope) -> list[Column]:
        level: Scope | None = scope
        while level is not None and not level.sources and level.parameters:
            level = level.parent  # inside a lambda
        if level is None:
            return []
        result: list[Column] = []
        in_place = self._in_place(level)
        for place, source in enumerate(level.sources):
            self._note(source)
            result.extend(column for column in level.leading.get(place, ()) if column.name.lower() not in in_place)
            for column in source.relation.starred():
                name = column.name.lower()
                if name not in source.merged:
                    result.append(self.in_join(level, source, column))
                elif name in in_place:
                    result.append(in_place.pop(name))
        return result

    def in_join(self, level: Scope, source: Source, column: Column) -> Column:
        """Return a column of one of a join's sources under the name that the join gives it."""
        if not self.walk.rules.joined_names_are_qualified or column.is_open or source not in level.sources:
            return column
        place = level.sources.index(source)
        others = level.sources[:place] if len(level.sources) == 2 else [s for s in level.sources if s is not source]
        if all(other.relation.get(column.name) is None for other in others):
            return column
        return column.renamed(f"{source.alias}.{column.name}")

    def _in_place(self, level: Scope) -> dict[str, Column]:
        """Return the columns of USING that a star shows where the left side has them, not in front of all."""
        if not self.walk.rules.using_columns_in_place:
            return {}
        known = {column.name.lower() for source in level.sources for column in source.relation.starred()}
        return {name: column for name, column in level.merged.items() if name in known}

    def _note(self, source: Source) -> None:
        """Remember the stored datasets that a star covers: its expansion changes with their columns."""
        if source.parts:
            self.walk.catalog.starred |= source.relation.rows

    def matching(self, node: exp.Expr, scope: Scope) -> list[Column] | None:
        """Return the columns that a quoted name matches as a pattern, None where it is a plain name.

        It is one, too, where it matches nothing that is known and may as well be a name.
        """
        if not self.walk.rules.quoted_patterns or not isinstance(node, exp.Column) or not node.this.args.get("quoted"):
            return None
        text = node.name
        if not PATTERN_CHARACTERS & set(text):
            return None
        if resolve(scope, [part.name for part in node.parts]).column is not None and not self._only_guessed(
            node, scope
        ):
            return None
        try:
            pattern = re.compile(text, re.IGNORECASE)
        except re.error:
            return None
        if node.table:
            source, _ = find_source(scope, [node.table, "*"])
            candidates = source.relation.visible() if source else []
        else:
            candidates = self._all(scope)
        known = any(pattern.fullmatch(column.name) for column in candidates if not column.is_open)
        if not known and _SURELY_PATTERN.search(text) is None:
            return None
        self.walk.values.lookup.note(node)
        but = _ALL_BUT.fullmatch(text)
        gone = [self.walk.names.spell(name) for name in but[1].split("|")] if but else []
        return [
            column.without(gone) if column.is_open and gone else column
            for column in candidates
            if column.is_open or pattern.fullmatch(column.name)
        ]

    def _only_guessed(self, node: exp.Expr, scope: Scope) -> bool:
        return all(source.relation.get(node.name) is None for source in scope.sources)


def _fields_of(column: Column) -> list[Column]:
    known = known_fields(column)
    if known is None:
        return [Column("*", column.field("*").parts)]
    return [field for field in known if not field.hidden]


def _identifier(name: exp.Expr) -> Any:
    return (name.this if isinstance(name, exp.Column) else name).copy()


def _listed(star: exp.Expr, key: str) -> list[Any]:
    value = star.args.get(key)
    if value is None or isinstance(value, bool):
        return []
    items = value if isinstance(value, list) else [value]
    return [inner for item in items for inner in (item.expressions if isinstance(item, exp.Tuple) else [item])]


def _aliased(star: exp.Expr, key: str) -> list[exp.Alias]:
    return [item for item in _listed(star, key) if isinstance(item, exp.Alias)]


def like(pattern: str, *, any_case: bool) -> re.Pattern[str]:
    """Return LIKE's pattern, for names that match it whole, as a regular expression."""
    written = "".join({"%": ".*", "_": "."}.get(sign, re.escape(sign)) for sign in pattern)
    return re.compile(written, re.IGNORECASE if any_case else 0)
