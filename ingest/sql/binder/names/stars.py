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
        dropped = self._chosen([(name, name) for name in _listed(star, "except_")], columns, scope)
        replaced = self._chosen([(i.args["alias"], i) for i in _aliased(star, "replace")], columns, scope)
        renamed = self._chosen([(i.this, i) for i in _aliased(star, "rename")], columns, scope)
        ilike = star.args.get("ilike")
        pattern = like(ilike.name, any_case=True) if ilike is not None else None
        result = []
        done: set[int] = set()
        for column in columns:
            if column.is_open:
                gone = [name for each in (dropped, replaced, renamed) for name in each.hidden(column)]
                result.append(column.without(gone) if gone else column)
            elif (item := replaced.of(column)) is not None:
                if id(item) not in done:  # of several columns of one name the first is replaced, and the others go
                    result.append(self.walk.values.column(item.this, scope, column.name))
                done.add(id(item))
            elif dropped.of(column) is None and (pattern is None or pattern.fullmatch(column.name)):
                item = renamed.of(column)
                new = self.walk.names.spell(item.args["alias"]) if item is not None else ""
                result.append(column.renamed(new) if new else column)
        # names that a source of unknown columns must have
        for item in replaced.unmet:
            result.append(self.walk.values.column(item.this, scope, self.walk.names.spell(item.args["alias"])))
        known = {column.name.lower() for column in columns}
        if "*" not in known and not self.walk.rules.star_ignores_unknown_names:
            self._check([*dropped.names, *replaced.names, *renamed.names], known)
        for item in renamed.unmet if "*" in known else ():
            table = node.args.get("table") if isinstance(node, exp.Column) else None
            old = exp.Column(this=_identifier(item.this), table=table.copy() if table is not None else None)
            result.append(self.walk.values.column(old, scope, self.walk.names.spell(item.args["alias"])))
        return result

    def _chosen(self, listed: list[tuple[Any, Any]], columns: list[Column], scope: Scope) -> _Chosen:
        """Return what EXCEPT, REPLACE or RENAME lists, by the columns that it means; ``y.b`` is one of ``y`` alone."""
        chosen = _Chosen()
        groups: dict[tuple[str, ...], list[tuple[str, Any]]] = {}
        for name, item in listed:
            chosen.names.append(name)
            owner = self.walk.names.spell_path(name.parts[:-1]) if isinstance(name, exp.Column) else []
            groups.setdefault(tuple(owner), []).append((self.walk.names.spell(name), item))
        for source, group in groups.items():
            among = self._of_source(source, columns, scope) if source else columns
            if among is not None:
                chosen.add(group, among)
        return chosen

    def _of_source(self, owner: tuple[str, ...], columns: list[Column], scope: Scope) -> list[Column] | None:
        """Return those of a star's columns that a source has; None where the name is that of a struct, not a source."""
        for level in scope.chain():
            source, rest = find_source(level, [*owner, "*"])
            if source is not None:
                own = set(map(id, source.relation.starred()))
                return [column for column in columns if id(column) in own] if rest == ["*"] else None
        return None

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
        named = path_parts(node.this) if isinstance(node, exp.Dot) else node.parts[:-1]
        if named is None:
            return self._fields(self.walk.values.column(node.this, scope, ""))
        for column in node.this.find_all(exp.Column) if isinstance(node, exp.Dot) else ():  # ``(s).n.*``
            self.walk.values.lookup.note(column)
        parts = self.walk.names.spell_path(named)
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


class _Chosen:
    """What EXCEPT, REPLACE or RENAME lists: items by the columns that they mean, and names that may be unknown ones."""

    def __init__(self) -> None:
        self.names: list[Any] = []
        #: Items whose names are those of no known column.
        self.unmet: list[Any] = []
        self._items: dict[int, Any] = {}
        self._hidden: dict[int, list[str]] = {}

    def add(self, listed: list[tuple[str, Any]], among: list[Column]) -> None:
        """Add spelt names with their items: each means the columns of its own case, else those of any case."""
        by_name: dict[str, list[Column]] = {}
        for column in among:
            if column.is_open:
                self._hidden.setdefault(id(column), []).extend(name for name, _ in listed)
            else:
                by_name.setdefault(column.name, []).append(column)
        meant = all_meant((name for name, _ in listed), by_name)
        for name, item in listed:
            self._items |= {id(column): item for each in meant[name] for column in by_name[each]}
            if not meant[name]:
                self.unmet.append(item)

    def of(self, column: Column) -> Any:
        """Return the item that means a column, None where none does."""
        return self._items.get(id(column))

    def hidden(self, column: Column) -> list[str]:
        """Return the names that a source of unknown columns is not to show."""
        return self._hidden.get(id(column), [])


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
