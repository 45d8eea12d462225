"""Where a name is looked up: the sources of one SELECT, its aliases, the CTEs in sight and the query around it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ingest.sql.flow import Column, Flow, Part, add
from ingest.sql.relations import Effects, Relation
from ingest.sql.words import words

# Columns that engines add to every stored table, and names that stand for no column at all.
VIRTUAL_COLUMNS = words(
    """_table_suffix _partitiontime _partitiondate _file_name input__file__name block__offset__inside__file
    row__offset__inside__block raw__data__size row__id _metadata rowid ctid xmin xmax _path _file
    metadata$filename metadata$file_row_number metadata$action metadata$isupdate metadata$row_id"""
)
CONSTANT_NAMES = words(
    "grouping__id rownum level current_date current_timestamp current_user session_user sysdate systimestamp user"
)


@dataclass(slots=True, eq=False)
class Cte:
    """A named query in a WITH clause, evaluated when first read, in the scope of those before it."""

    name: str
    node: Any
    outer: Scope | None
    before: Cte | None
    recursive: bool = False
    relation: Relation | None = None


@dataclass(slots=True, eq=False)
class Source:
    """One source in FROM: its alias, the lower-case parts of its full name where it is a table, and its columns.

    ``merged`` are the lower-case names that USING or NATURAL took out of its columns: a star shows them once, in front.
    """

    alias: str
    parts: tuple[str, ...]
    relation: Relation
    merged: set[str] = field(default_factory=set)


@dataclass(slots=True, eq=False)
class Scope:
    """One SELECT's names. ``parent`` is the query around it, for correlated references.

    ``merged`` are the columns that USING or NATURAL made of two, ``aliases`` those of the select list, ``parameters``
    those of a lambda or function. ``group`` is the first source of those that a further JOIN joins to: behind a comma
    or inside brackets it begins anew; ``leading`` has the merged columns that a star shows in front of a source, by its
    place. ``aliases_visible`` is set behind the select list, ``alias_first`` while ORDER BY
    is looked at.
    """

    parent: Scope | None = None
    ctes: Cte | None = None
    sources: list[Source] = field(default_factory=list)
    by_alias: dict[str, Source] = field(default_factory=dict)
    merged: dict[str, Column] = field(default_factory=dict)
    leading: dict[int, list[Column]] = field(default_factory=dict)
    group: int = 0
    aliases: dict[str, Column] = field(default_factory=dict)
    parameters: dict[str, Column] = field(default_factory=dict)
    windows: dict[str, Any] = field(default_factory=dict)
    # what named windows partition and order by, once it was asked: a statement may use one a thousand times
    window_flows: dict[tuple[str, int, int], Flow] = field(default_factory=dict)
    effects: Effects = field(default_factory=Effects)
    lateral_aliases: bool = False
    alias_first: bool = False
    aliases_visible: bool = False
    # from when all sources are in sight; not asked where an alias may stand for something else in the next item
    resolved: Resolved | None = None

    def add_source(self, source: Source) -> None:
        """Bring a source into sight; what making it does becomes what this SELECT does."""
        self.sources.append(source)
        if source.alias:
            self.by_alias.setdefault(source.alias.lower(), source)
        self.effects.add(source.relation.effects)

    def remove_source(self) -> Source:
        """Take the last source out of sight and return it."""
        source = self.sources.pop()
        if self.by_alias.get(source.alias.lower()) is source:
            del self.by_alias[source.alias.lower()]
        return source

    def copy(self) -> Scope:
        """Return a scope with the same sources, for another SELECT over them."""
        effects = Effects()
        effects.add(self.effects)
        return Scope(
            self.parent,
            self.ctes,
            list(self.sources),
            dict(self.by_alias),
            dict(self.merged),
            dict(self.leading),
            effects=effects,
        )

    def chain(self) -> Iterator[Scope]:
        """Yield this scope and those around it, inside out."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.parent

    def cte(self, name: str) -> Cte | None:
        """Return the nearest named query of that name."""
        key = name.lower()
        for scope in self.chain():
            entry = scope.ctes
            while entry is not None:
                if entry.name == key:
                    return entry
                entry = entry.before
        return None

    def window(self, name: str) -> Any:
        """Return the named window's definition, None where there is none."""
        for scope in self.chain():
            if name.lower() in scope.windows:
                return scope.windows[name.lower()]
        return None

    def rows(self) -> frozenset[str]:
        """Return the datasets whose rows this SELECT goes over."""
        return frozenset().union(*(source.relation.rows for source in self.sources))


@dataclass(slots=True)
class Resolved:
    """What names were resolved to in one SELECT, and which names stand for no source of it."""

    names: dict[tuple[object, ...], Found] = field(default_factory=dict)
    columns: dict[str, bool] = field(default_factory=dict)


@dataclass(slots=True)
class Found:
    """A column that a name was resolved to; ``ambiguous`` names the datasets that it may come from instead."""

    column: Column | None = None
    ambiguous: tuple[str, ...] = ()
    missing: bool = False


def resolve(scope: Scope, parts: list[str], *, alias_first: bool = False) -> Found:
    """Resolve a dotted name, alias and struct fields included, in ``scope`` and the queries around it.

    Where no source is known to have the column, exactly one source of unknown columns must be its home (a valid
    statement names one column); with several the name is ambiguous.
    """
    known = scope.resolved
    if known is None or scope.lateral_aliases:
        return _resolve(scope, parts, alias_first=alias_first)
    name = parts[0].lower()
    key = (*parts, alias_first, scope.aliases_visible, name in scope.aliases)
    found = known.names.get(key)
    if found is None:
        if len(parts) > 1 and parts[-1].lower() not in VIRTUAL_COLUMNS and _is_no_source(scope, name, known):
            head = resolve(scope, parts[:1], alias_first=alias_first)
            found = Found(_fields(head.column, parts[1:])) if head.column is not None else head
        else:
            found = _resolve(scope, parts, alias_first=alias_first)
        known.names[key] = found
    return found


def _is_no_source(scope: Scope, name: str, known: Resolved) -> bool:
    """Whether a name in front of a dotted one is that of a column alone, in all queries around."""
    answer = known.columns.get(name)
    if answer is None:
        answer = known.columns[name] = not any(
            name in level.by_alias or any(name in source.parts for source in level.sources) for level in scope.chain()
        )
    return answer


def _resolve(scope: Scope, parts: list[str], *, alias_first: bool) -> Found:
    weak: list[Column] = []
    name = parts[0].lower()
    for level in scope.chain():
        located = find_source(level, parts)
        found = _known(level, name, parts, located, alias_first=alias_first and level is scope)
        if found is not None:
            return Found(found)
        options = _guesses(level, parts, located)
        if options and _is_open(level):
            # an inner source of unknown columns comes before whatever the queries around have, but for a parameter
            if _is_parameter(level, name):
                return Found(_parameter(level, name, parts))
            return _one_of(weak or options)
        weak = weak or options
    return _one_of(weak) if weak else Found(missing=True)


def known_column(scope: Scope, name: str) -> Column | None:
    """Return the column of this name that a source in sight is known to have; nothing is guessed."""
    for level in scope.chain():
        found = _known(level, name.lower(), [name], find_source(level, [name]), alias_first=False)
        if found is not None:
            return found
    return None


def _is_parameter(scope: Scope, name: str) -> bool:
    return any(name in level.parameters for level in scope.chain())


def _parameter(scope: Scope, name: str, parts: list[str]) -> Column:
    return next(_fields(level.parameters[name], parts[1:]) for level in scope.chain() if name in level.parameters)


def _one_of(options: list[Column]) -> Found:
    if len(options) == 1 or all(option.flow() == options[0].flow() for option in options):
        return Found(options[0])
    nodes = sorted({node.partition("#")[0] for option in options for node in option.flow()})
    return Found(ambiguous=tuple(nodes) or ("?",))


Located = tuple["Source | None", list[str]]


def _known(level: Scope, name: str, parts: list[str], located: Located, *, alias_first: bool) -> Column | None:
    if alias_first and name in level.aliases:
        return _fields(level.aliases[name], parts[1:])
    found = _qualified(*located) if len(parts) > 1 else None
    if found is not None:
        return found
    if name in level.merged:
        return _fields(level.merged[name], parts[1:])
    for source in level.sources:
        column = source.relation.get(name)
        if column is not None:
            return _fields(column, parts[1:])
    if name in level.parameters:
        return _fields(level.parameters[name], parts[1:])
    if name in level.aliases and (level.lateral_aliases or level.aliases_visible or not _is_open(level)):
        return _fields(level.aliases[name], parts[1:])
    if len(parts) == 1 and name in level.by_alias and not level.by_alias[name].relation.is_open:
        return whole_row(level.by_alias[name])
    return None


def _is_open(level: Scope) -> bool:
    return any(source.relation.is_open for source in level.sources)


def _qualified(source: Source | None, rest: list[str]) -> Column | None:
    if source is None or not rest:
        return None
    column = source.relation.get(rest[0])
    if column is None:
        options = source.relation.guess(rest[0])
        column = options[0] if len(options) == 1 else None
    return _fields(column, rest[1:]) if column is not None else None


def find_source(level: Scope, parts: list[str]) -> Located:
    """Return the source that the leading parts of a name stand for, and the parts left over."""
    name = parts[0].lower()
    source = level.by_alias.get(name)
    if source is not None:
        return source, parts[1:]
    if len(parts) > 2:
        for candidate in level.sources:
            if name in candidate.parts:  # the name of a database or catalog in front
                lowered = tuple(part.lower() for part in parts)
                for size in range(min(len(parts) - 1, len(candidate.parts)), 1, -1):
                    if candidate.parts[-size:] == lowered[:size]:
                        return candidate, parts[size:]
    return None, parts


def _guesses(level: Scope, parts: list[str], located: Located) -> list[Column]:
    if parts[-1].lower() in VIRTUAL_COLUMNS:
        return []
    source, rest = located
    if source is not None:
        if not rest:
            return [whole_row(source)]
        return [_fields(column, rest[1:]) for column in source.relation.guess(rest[0])]
    for hidden in (False, True):
        found = [c for source in level.sources for c in source.relation.guess(parts[0], hidden=hidden)]
        if found:
            return [_fields(column, parts[1:]) for column in found]
    return []


def _fields(column: Column, rest: list[str]) -> Column:
    return column.field(".".join(rest)) if rest else column


def whole_row(source: Source) -> Column:
    """Return a source's row used as one value (``to_json(t)``): all its columns."""
    columns = source.relation.visible()
    if len(columns) == 1:
        return columns[0].renamed(source.alias)
    flow: Flow = {}
    for column in columns:
        add(flow, column.flow())
    return Column(source.alias, (Part(flow, source.alias),), fields=lambda: columns)
