"""Resolution of names in expressions; names that cannot be resolved are reported, never guessed."""

from __future__ import annotations

from collections.abc import Set
from functools import partial
from typing import Any

from sqlglot import exp

from ingest.sql.binder.names.ports import Binder
from ingest.sql.binder.names.resolving import find_source, is_no_source, known_column, resolve
from ingest.sql.binder.names.scope import CONSTANT_NAMES, VIRTUAL_COLUMNS, NameMatch, Scope
from ingest.sql.binder.names.variables import fields_of_file, unknown_field
from ingest.sql.binder.relations.flow import Column, Flow, Part, add, add_fields
from ingest.sql.dialects.dialects import start_of
from ingest.sql.dialects.parts.time_units import DATE_PARTS
from ingest.sql.render import digest_of

_SESSION_VARIABLES = ["system", "session"]
_NO_NAMES = frozenset([exp.Star, exp.Parameter])


class Lookup:
    """Looks names up for a query walk, and remembers what each was resolved to."""

    def __init__(self, walk: Binder) -> None:
        self.walk = walk
        # By the node's identity; holding the node keeps its identity unique.
        self._columns: dict[int, tuple[Any, Column]] = {}
        # Where the names are in the text, None until first needed: the tree may hold a copy of what was resolved.
        self._places: set[int] | None = None
        self._active: set[int] = set()  # the named expressions that are being looked at

    def column_at(self, node: exp.Expr) -> Column | None:
        """Return what a name in the tree was resolved to."""
        entry = self._columns.get(id(node))
        return entry[1] if entry is not None else None

    def note(self, node: exp.Expr) -> None:
        """Remember that a name was looked at which denotes no column of its own: a pattern, a word."""
        self._columns[id(node)] = (node, Column(node.name, ()))
        self._places = None

    def knows(self, node: exp.Column) -> bool:
        """Whether a name in the tree, or another at its place in the text, was resolved; True without a place."""
        return id(node) in self._columns or (place := start_of(node.this)) is None or place in self.places

    @property
    def places(self) -> Set[int]:
        """Where the names that were resolved begin in the text."""
        if self._places is None:
            self._places = set()
            for node, _ in self._columns.values():
                # of a column only its own word, of a path all words
                for part in (path_parts(node) or ()) if node.__class__ is exp.Dot else (node.this,):
                    if (start := start_of(part)) is not None:
                        self._places.add(start)
        return self._places

    def find(self, parts: list[str], scope: Scope, *, bracketed: bool = False) -> Column | None:
        """Resolve a name, ``bracketed`` for ``(s).f``; one that cannot be is a problem, reported once: None."""
        walk, rules = self.walk, self.walk.rules
        if walk.markers and parts[0] in walk.markers:
            return self._any_of(walk.markers[parts[0]], scope)
        if rules.session_variables and parts[0] in _SESSION_VARIABLES and self._is_session_variable(parts, scope):
            return self._session_variable(parts)
        if walk.variables and (variable := self._declared(parts, scope)) is not None:
            return variable
        if walk.row_variables and (field := self._of_loop(parts, scope)) is not None:
            return field
        if rules.precedence.items_anywhere and (item := self._ahead(parts, scope)) is not None:
            return item
        if walk.names_scalars and (scalar := self._scalar(parts, scope)) is not None:
            return scalar
        is_item = len(parts) == 1 and scope.item_name(parts[0]) in scope.as_items
        lost = not bracketed and self._lacks_source(parts, scope)
        match = NameMatch(missing=True) if lost else resolve(scope, parts, alias_first=scope.alias_first or is_item)
        if match.column is not None:
            self._doubt(match, parts)
            return self.checked(match.column, parts)
        if match.ambiguous:
            walk.report_ambiguous(parts, match.ambiguous)
            return None
        if rules.session_variables and parts[0] == _SESSION_VARIABLES[1] and len(parts) == 2:
            return self._session_variable(parts)
        end = next((place for place, part in enumerate(parts, 1) if part.lower() in VIRTUAL_COLUMNS), 0)
        if end:
            virtual = self._virtual(parts[:end], scope)
            return virtual.field(".".join(parts[end:])) if end < len(parts) else virtual
        last = parts[-1].lower()
        if last in CONSTANT_NAMES or last.startswith("@") or last in DATE_PARTS:
            return Column(parts[-1], (Part({}, parts[-1]),))
        return self._stale(parts, scope)

    def _doubt(self, match: NameMatch, parts: list[str]) -> None:
        """Report why the column that a name was resolved to may be another one, or may not be named so."""
        if not (match.doubtful or match.repeated or match.out_of_sight):
            return
        name, unknown = ".".join(parts), ", ".join(match.doubtful)
        if unknown:
            detail = f"which {name} is meant depends on the columns of {unknown}, which are not known"
            self.walk.report("ambiguous-column", detail, subject=name)
        if match.repeated:
            self.walk.report("ambiguous-column", f"several columns are called {name}", subject=name)
        if match.out_of_sight:
            self.walk.report("unknown-column", f"the engine has no {name} in sight there", name)

    def _any_of(self, names: list[list[str]], scope: Scope) -> Column:
        """Return what the names that a marker replaced are together."""
        flow: Flow = {}
        owners: dict[str, Column | None] = {}
        fields: dict[Column, list[str]] = {}
        for name in map(self.walk.names.spell_words, names):
            if name[0] not in owners:
                owners[name[0]] = self._owner(name[0], scope)
            owner = owners[name[0]]
            if owner is not None and len(name) > 1 and name[-1].lower() not in VIRTUAL_COLUMNS:
                fields.setdefault(owner, []).append(".".join(name[1:]))
                continue
            column = self.find(name, scope)
            if column is not None:
                add(flow, column.flow())
        for owner, paths in fields.items():
            add_fields(flow, owner, paths)
        return Column("", (Part(flow, partial(digest_of, flow)),))

    def _owner(self, name: str, scope: Scope) -> Column | None:
        """Return the column whose fields are the dotted names that begin so, None where they may be more than that."""
        walk = self.walk
        if walk.variables or walk.names_scalars or walk.rules.bare_fields is not None or not is_no_source(scope, name):
            return None
        column = resolve(scope, [name], alias_first=scope.alias_first).column
        return column if column is not None and column.fields is None else None

    def _declared(self, parts: list[str], scope: Scope) -> Column | None:
        """Return the variable that a script declares, or its field, where nothing else is known by that name."""
        name = parts[0]
        declares = self.walk.rules.any_name_may_be_variable or name.lower() in self.walk.declared
        variable = self.walk.variable(name, scope) if declares else None
        if variable is None or any(name.lower() in level.by_alias for level in scope.chain()):
            return None
        if known_column(scope, name) is not None:
            return None
        if self.walk.rules.variables.colon == "only" and any(s.relation.is_open for s in scope.sources):
            return None
        field = self.of_record(parts, scope)
        if field is None and len(parts) > 1 and self.walk.rows_named(name) is not None:
            return unknown_field(self.walk, parts)
        return field or variable

    def _of_loop(self, parts: list[str], scope: Scope) -> Column | None:
        """Return the field of a loop's row, where nothing else is known by the row's name."""
        if len(parts) < 2 or parts[0].lower() not in self.walk.row_variables:
            return None
        if any(parts[0].lower() in level.by_alias for level in scope.chain()):
            return None
        return self.of_record(parts, scope) if known_column(scope, parts[0]) is None else None

    def _scalar(self, parts: list[str], scope: Scope) -> Column | None:
        """Return what ``WITH a + b AS k`` (ClickHouse) names: an expression over the sources in scope."""
        entry = scope.cte(parts[0], scalar=True)
        if entry is None or id(entry) in self._active:  # WITH lower(a) AS a
            return None
        self._active.add(id(entry))
        column = self.walk.values.column(entry.node.this, scope, parts[0])
        self._active.discard(id(entry))
        return column.field(".".join(parts[1:])) if len(parts) > 1 else column

    def _ahead(self, parts: list[str], scope: Scope) -> Column | None:
        """Return the select item of a name that is still to come, where it may be named before (ClickHouse)."""
        name = parts[0].lower()
        while not (scope.sources or scope.ahead or name in scope.parameters) and scope.parent is not None:  # a lambda's
            scope = scope.parent
        alias = scope.item_name(parts[0])
        item = scope.ahead.get(alias)
        if item is None or item is scope.current or alias in scope.aliases or name in scope.by_alias:
            return None
        if id(item) in self._active:
            return None
        self._active.add(id(item))
        column = scope.aliases[alias] = self.walk.values.column(item.this, scope, item.alias)
        self._active.discard(id(item))
        return column.field(".".join(parts[1:])) if len(parts) > 1 else column

    def checked(self, column: Column, parts: list[str]) -> Column:
        """Return a column; a field that its struct is known not to have is a problem, reported once."""
        if column.missing:
            name = ".".join(parts)
            self.walk.report("unknown-column", f"no struct is known to have a field {name}", subject=name)
        return column

    def _is_session_variable(self, parts: list[str], scope: Scope) -> bool:
        """Whether a name can only be a variable's: ``system.session.v``, or ``session.v`` of a script with a ``v``."""
        if parts[0] == _SESSION_VARIABLES[0]:
            return parts[1:2] == _SESSION_VARIABLES[1:]
        own = len(parts) == 2 and parts[1].lower() in self.walk.declared | self.walk.variables.keys()
        return own and is_no_source(scope, parts[0]) and known_column(scope, parts[0]) is None

    def _session_variable(self, parts: list[str]) -> Column:
        """Spark's ``system.session.v`` and ``session.v``: what the script set it to, else no column's value."""
        return self.walk.variable(parts[-1]) or Column(parts[-1], (Part({}, parts[-1]),))

    def _virtual(self, parts: list[str], scope: Scope) -> Column:
        """A column that the engine adds to a stored table, where only one such table can be meant."""
        source, _ = find_source(scope, [*parts[:-1], "*"] if len(parts) > 1 else ["", "*"])
        stored = [source] if source is not None else [s for s in scope.sources if s.parts]
        if len(stored) == 1 and len(stored[0].relation.rows) == 1:
            column = self.walk.base_column(next(iter(stored[0].relation.rows)), parts[-1])
            if parts[-1].lower() == "_metadata" and self.walk.rules.file_metadata:
                column.fields = partial(fields_of_file, column)
            return column
        return Column(parts[-1], (Part({}, parts[-1]),))

    def _stale(self, parts: list[str], scope: Scope) -> Column | None:
        """A column that no source is known to have: the statement may be newer than what is known of its one table."""
        field = self.of_record(parts, scope)
        if field is not None:
            return field
        variable = self.walk.variable(parts[0], scope)
        if variable is not None:
            return variable
        name = ".".join(parts)
        source, rest = find_source(scope, parts)
        if source is None and len(scope.sources) == 1 and not self._lacks_source(parts, scope):
            source, rest = scope.sources[0], parts
        if source is not None and rest and source.parts and len(source.relation.rows) == 1:
            dataset = next(iter(source.relation.rows))
            self.walk.report("unknown-column", f"{dataset} is not known to have a column {name}", subject=dataset)
            return self.walk.base_column(dataset, ".".join(rest))
        self.walk.report("unknown-column", f"no source is known to have a column {name}", subject=name)
        return None

    def _lacks_source(self, parts: list[str], scope: Scope) -> bool:
        """Whether what is in front of a name is no source, where an engine takes it for no column's struct, either."""
        fields = self.walk.rules.bare_fields
        if len(parts) < 2 or fields is None or parts[-1].lower() in fields:
            return False
        return not any(level.has_value(parts[0]) or find_source(level, parts)[0] for level in scope.chain())

    def of_record(self, parts: list[str], scope: Scope) -> Column | None:
        """Return the field of a row that a loop or a FETCH goes over, None for other names."""
        record = self.walk.rows_named(parts[0]) if len(parts) > 1 else None
        field = record.get(parts[1]) or next(iter(record.guess(parts[1])), None) if record is not None else None
        if field is None or record is None:
            return None
        scope.effects.add(record.effects)  # what decides which rows a loop goes over
        return field.field(".".join(parts[2:])) if len(parts) > 2 else field

    def _called(self, parts: list[Any], scope: Scope) -> Column | None:
        """Return what a word that calls a function of the engine, or reads a sequence, gives: no column's value."""
        names = self.walk.names
        words = names.niladic if len(parts) == 1 else names.rules.sequence_words
        if not words and not names.rules.local_items:
            return None
        last = parts[-1]
        if names.rules.local_items and len(parts) > 1 and parts[0].name == "LOCAL":
            return self._item(names.spell(last), scope)
        if last.name.lower() not in words or last.args.get("quoted"):
            return None
        if len(parts) > 1 and find_source(scope, names.spell_path(parts))[0] is not None:
            return None
        if known_column(scope, names.spell(parts[0])) is not None or self.walk.variable(parts[0].name) is not None:
            return None
        return Column(last.name, (Part({}, last.name),))

    def _item(self, name: str, scope: Scope) -> Column:
        """Return the item of the select list that ``LOCAL.name`` is; one that comes later is not looked at."""
        item = next((named for level in scope.chain() if (named := level.aliases.get(level.item_name(name)))), None)
        if item is None:
            self.walk.report("unknown-column", f"no item before LOCAL.{name} is called so", subject=name)
        return item or Column(name, ())

    def plain(self, node: exp.Expr, scope: Scope) -> Column | None:
        """Return the column that a name or a field path refers to, None where it is more than that."""
        parts = path_parts(node) if node.__class__ is not exp.Identifier else None
        if parts is None:
            return None
        bracketed = isinstance(node, exp.Dot) and node.find(exp.Paren) is not None
        spelt = self.walk.names.spell_path(parts)
        match = self._called(parts, scope) or self.find(spelt, scope, bracketed=bracketed)
        column = match if match is not None else Column(parts[-1].name, ())
        self._columns[id(node)] = (node, column)
        self._places = None
        return column


def path_parts(node: exp.Expr) -> list[Any] | None:
    """Return the identifiers of a dotted path, a bare name or ``((a).b).c`` among them, None for anything else."""
    if isinstance(node, exp.Column):
        parts = node.parts
        return parts if _NO_NAMES.isdisjoint(map(type, parts)) else None
    fields = []
    while isinstance(node, exp.Dot):
        if not isinstance(node.expression, exp.Identifier):
            return None
        fields.append(node.expression)
        node = node.this.unnest() if isinstance(node.this, exp.Paren) else node.this
    root = path_parts(node) if isinstance(node, exp.Column) else [node] if isinstance(node, exp.Identifier) else None
    return root + fields[::-1] if root is not None else None
