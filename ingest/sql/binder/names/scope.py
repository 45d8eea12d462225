"""Where a name is looked up: the sources of one SELECT, its aliases, the CTEs in sight and the query around it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ingest.sql.binder.relations.flow import Column, Flow, Part, add
from ingest.sql.binder.relations.relations import Effects, Relation
from ingest.sql.dialects.parts.precedence import PLAIN, Precedence
from ingest.sql.words import words

# Columns that engines add to every stored table, and names that are not columns at all.
VIRTUAL_COLUMNS = words(
    """_table_suffix _partitiontime _partitiondate _file_name input__file__name block__offset__inside__file
    row__offset__inside__block raw__data__size row__id _metadata rowid ctid xmin xmax _path _file
    metadata$filename metadata$file_row_number metadata$action metadata$isupdate metadata$row_id"""
)
CONSTANT_NAMES = words(
    """grouping__id rownum level current_date current_timestamp current_user session_user sysdate systimestamp user
    sqlerrm sqlcode sqlstate sqlrowcount sqlfound sqlnotfound"""
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

    ``merged`` are the columns that USING or NATURAL made of two, ``aliases`` those of the select list by ``item_name``,
    ``parameters`` those of a lambda or function. ``group`` is the first source of those that a further JOIN joins to:
    after a comma or inside brackets it restarts; ``leading`` has the merged columns that a star shows in front of a
    source, by its place. ``aliases_visible`` is set after the select list, ``alias_first`` and ``alias_settles`` in
    clauses where an alias goes before a column, or before columns of several sources. ``ahead`` are the select items
    that may be named before they were looked at, ``current`` is the one being looked at. ``as_items`` are the names
    that alone are an item's in HAVING, outside of aggregates, although a column has them, too.
    """

    parent: Scope | None = None
    ctes: Cte | None = None
    sources: list[Source] = field(default_factory=list)
    by_alias: dict[str, Source] = field(default_factory=dict)
    # the aliases that several sources have, in lower case
    repeated: set[str] = field(default_factory=set)
    merged: dict[str, Column] = field(default_factory=dict)
    leading: dict[int, list[Column]] = field(default_factory=dict)
    group: int = 0
    aliases: dict[str, Column] = field(default_factory=dict)
    parameters: dict[str, Column] = field(default_factory=dict)
    windows: dict[str, Any] = field(default_factory=dict)
    # what named windows partition and order by, once it was asked: a statement may use one a thousand times
    window_flows: dict[tuple[str, int, int], Flow] = field(default_factory=dict)
    effects: Effects = field(default_factory=Effects)
    # what an ORDER BY that decides about no row sorts by
    idle_order: Flow = field(default_factory=dict)
    lateral_aliases: bool = False
    precedence: Precedence = PLAIN
    ahead: dict[str, Any] = field(default_factory=dict)
    current: Any = None
    alias_first: bool = False
    alias_settles: bool = False
    aliases_visible: bool = False
    as_items: frozenset[str] = frozenset()
    # while WHERE, ON or GROUP BY is looked at, which come before there are groups
    before_groups: bool = False
    # from when all sources are in sight; unused where an alias may mean something else in the next item
    resolved: Resolved | None = None

    def has_value(self, name: str) -> bool:
        """Whether a parameter, or an item that was looked at, is called so."""
        return name.lower() in self.parameters or self.item_name(name) in self.aliases

    def beside(self) -> Scope:
        """Return the scope of a derived table: it sees the queries around and the CTEs, not the sources beside it."""
        return Scope(parent=self.parent, ctes=self.ctes, parameters=self.parameters)

    def add_source(self, source: Source) -> None:
        """Bring a source into sight; the effects of making it become effects of this SELECT."""
        self.sources.append(source)
        if source.alias and self.by_alias.setdefault(source.alias.lower(), source) is not source:
            self.repeated.add(source.alias.lower())
        self.effects.add(source.relation.effects)
        add(self.effects.elements, source.relation.effects.elements)

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
        add(effects.elements, self.effects.elements)
        return Scope(
            self.parent,
            self.ctes,
            list(self.sources),
            dict(self.by_alias),
            set(self.repeated),
            dict(self.merged),
            dict(self.leading),
            effects=effects,
        )

    def nested(self, name: str) -> Column | None:
        """Return what ClickHouse's columns ``n.a`` and ``n.b`` are together as ``n``; None where there are none."""
        start = f"{name.lower()}."
        columns = [column for source in self.sources for column in source.relation.visible()]
        fields = [c.renamed(c.name[len(start) :]) for c in columns if c.name.lower().startswith(start)]
        flow: Flow = {}
        for each in fields:
            add(flow, each.flow())
        return Column(name, (Part(flow, name),), fields=lambda: fields) if fields else None

    def item_name(self, name: str) -> str:
        """Return a name as items of the select list are found by it."""
        return name if self.precedence.items_keep_case else name.lower()

    def homes(self, column: Any) -> list[Source]:
        """Return the sources of this SELECT that may have a column in the text: one where its name is not ambiguous."""
        if column.table:
            named = self.by_alias.get(column.table.lower())
            return [named] if named is not None else []
        return [source for source in self.sources if source.relation.get(column.name) is not None]

    def chain(self) -> Iterator[Scope]:
        """Yield this scope and those around it, inside out."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.parent

    def cte(self, name: str, *, scalar: bool = False) -> Cte | None:
        """Return the nearest named query of that name, or the nearest named expression (ClickHouse's)."""
        key = name.lower()
        for scope in self.chain():
            entry = scope.ctes
            while entry is not None:
                if entry.name == key and bool(entry.node.args.get("scalar")) is scalar:
                    return entry
                entry = entry.before
        return None

    def window(self, name: str) -> Any:
        """Return the named window's definition, None where there is none."""
        for scope in self.chain():
            if name.lower() in scope.windows:
                return scope.windows[name.lower()]
        return None

    def elements(self) -> Flow:
        """Return the columns of other rows than this SELECT's whose parts it goes over: a correlated array's."""
        return self.effects.elements_beside(self.rows())

    def rows(self) -> frozenset[str]:
        """Return the datasets whose rows this SELECT goes over."""
        return frozenset().union(*(source.relation.rows for source in self.sources))


@dataclass(slots=True)
class Resolved:
    """What names were resolved to in one SELECT, and which names are not a source of it."""

    names: dict[tuple[object, ...], NameMatch] = field(default_factory=dict)
    columns: dict[str, bool] = field(default_factory=dict)


@dataclass(slots=True)
class NameMatch:
    """A column that a name was resolved to; ``ambiguous`` names the datasets that it may come from instead.

    ``doubtful`` names, beside a column, the datasets of unknown columns that decide whether it is that column;
    ``repeated`` says that several columns have the name, and that they are from the same place, as where a table is
    joined to itself, or of one source. ``out_of_sight`` says that it is an item which may not be named there.
    """

    column: Column | None = None
    ambiguous: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()
    repeated: bool = False
    out_of_sight: bool = False
    missing: bool = False
