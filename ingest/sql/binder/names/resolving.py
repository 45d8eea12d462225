"""Which column a dotted name refers to, in a scope and in the queries around it."""

from __future__ import annotations

from ingest.sql.binder.names.scope import VIRTUAL_COLUMNS, NameMatch, Resolved, Scope, Source
from ingest.sql.binder.relations.flow import TRANSFORMATION, Column, Flow, Part, add
from ingest.sql.dialects.parts.precedence import Precedence


def resolve(scope: Scope, parts: list[str], *, alias_first: bool = False) -> NameMatch:
    """Resolve a dotted name, alias and struct fields included, in ``scope`` and the queries around it.

    Where no source is known to have the column, exactly one source of unknown columns must be its home (a valid
    statement names one column); with several the name is ambiguous.
    """
    known = scope.resolved
    if known is None or scope.lateral_aliases:
        return _resolve(scope, parts, alias_first=alias_first)
    name = parts[0].lower()
    key = (*parts, alias_first, scope.alias_settles, scope.aliases_visible, scope.item_name(parts[0]) in scope.aliases)
    result = known.names.get(key)
    if result is None:
        if len(parts) > 1 and parts[-1].lower() not in VIRTUAL_COLUMNS and _is_no_source(scope, name, known):
            head = resolve(scope, parts[:1], alias_first=alias_first)
            result = NameMatch(_fields(head.column, parts[1:])) if head.column is not None else head
        else:
            result = _resolve(scope, parts, alias_first=alias_first)
        known.names[key] = result
    return result


def is_no_source(scope: Scope, name: str) -> bool:
    """Whether dotted names that begin with ``name`` can only be fields of one column."""
    known = scope.resolved
    return known is not None and not scope.lateral_aliases and _is_no_source(scope, name.lower(), known)


def _is_no_source(scope: Scope, name: str, known: Resolved) -> bool:
    """Whether a name in front of a dotted one is that of a column alone, in all queries around."""
    answer = known.columns.get(name)
    if answer is None:
        answer = known.columns[name] = not any(
            name in level.by_alias or any(name in source.parts for source in level.sources) for level in scope.chain()
        )
    return answer


def _resolve(scope: Scope, parts: list[str], *, alias_first: bool) -> NameMatch:
    weak: list[Column] = []
    unseen: NameMatch | None = None
    name = parts[0].lower()
    for level in scope.chain():
        located = find_source(level, parts)
        result = _known(level, name, parts, located, alias_first=alias_first and level is scope)
        if result is not None and not result.out_of_sight:
            return result
        unseen = unseen or result
        if located[0] is None and _is_source_around(level, parts):
            continue
        options = _guesses(level, parts, located)
        if options and _is_open(level):
            # an inner source of unknown columns comes before whatever the queries around have, except a parameter
            if _is_parameter(level, name):
                return NameMatch(_parameter(level, name, parts))
            result = _one_of(weak or options)
            if result.column is not None and located[0] is None:
                result.doubtful = _doubts(level, parts, result.column)
            return result
        weak = weak or options
    return unseen or (_one_of(weak) if weak else NameMatch(missing=True))


def _is_source_around(level: Scope, parts: list[str]) -> bool:
    """Whether a dotted name begins with a source of the queries around: then it is not a struct of unknown columns."""
    around = level.parent
    return len(parts) > 1 and around is not None and any(find_source(each, parts)[0] for each in around.chain())


def _doubts(level: Scope, parts: list[str], chosen: Column) -> tuple[str, ...]:
    """Return the datasets of unknown columns to which a column is guessed to belong, where it may be another column.

    That is so where a query around is known to have a column of this name, or where an array in FROM may have structs
    with a field of this name.
    """
    name, rest = parts[0], parts[1:]
    others = [column for source in level.sources for column in source.relation.guess(name)]
    for around in level.parent.chain() if level.parent is not None else ():
        others += [column for source in around.sources if (column := source.relation.get(name)) is not None]
    flow = chosen.flow()
    for other in others:
        if other is not chosen and _fields(other, rest).flow() != flow:
            return _datasets([chosen])
    return ()


def _datasets(columns: list[Column]) -> tuple[str, ...]:
    return tuple(sorted({node.partition("#")[0] for column in columns for node in column.flow()}))


def known_column(scope: Scope, name: str) -> Column | None:
    """Return the column of this name that a source in sight is known to have; nothing is guessed."""
    for level in scope.chain():
        match = _known(level, name.lower(), [name], find_source(level, [name]), alias_first=False)
        if match is not None:
            return match.column
    return None


def _is_parameter(scope: Scope, name: str) -> bool:
    return any(name in level.parameters for level in scope.chain())


def _parameter(scope: Scope, name: str, parts: list[str]) -> Column:
    return next(_fields(level.parameters[name], parts[1:]) for level in scope.chain() if name in level.parameters)


def _one_of(options: list[Column]) -> NameMatch:
    if len(options) == 1 or all(option.flow() == options[0].flow() for option in options):
        return NameMatch(options[0])
    return NameMatch(ambiguous=_datasets(options) or ("?",))


Located = tuple["Source | None", list[str]]


def _known(level: Scope, name: str, parts: list[str], located: Located, *, alias_first: bool) -> NameMatch | None:
    rules, alias = level.precedence, level.item_name(parts[0])
    is_alone = len(parts) == 1 or name not in level.by_alias
    if alias in level.aliases and (alias_first or rules.items_anywhere) and (is_alone or rules.rows_first):
        return NameMatch(_fields(level.aliases[alias], parts[1:]))
    if rules.rows_first and len(parts) == 1 and name in level.by_alias and name not in level.merged:
        return NameMatch(whole_row(level.by_alias[name]))
    if rules.names_have_dots and len(parts) > 1 and name not in level.by_alias:
        dotted = ".".join(parts)
        whole = next((column for s in level.sources if (column := s.relation.get(dotted)) is not None), None)
        if whole is not None:
            return NameMatch(whole)
    qualified = _qualified(*located) if len(parts) > 1 else None
    if qualified is not None:
        match = _match_of(qualified, *located, rules)
        match.repeated = match.repeated or (name in level.repeated and _is_of_several(level, name, located[1]))
        return match
    if name in level.merged:
        others = (source.relation for source in level.sources if name not in source.merged)
        ambiguous = not (rules.first_source or rules.united_first) and any(each.get(name) for each in others)
        return NameMatch(_fields(level.merged[name], parts[1:]), repeated=ambiguous)
    homes = [(source, column) for source in level.sources if (column := source.relation.get(parts[0])) is not None]
    if homes:
        return _of_sources(level, parts, homes)
    nested = level.nested(name) if rules.names_have_dots and len(parts) == 1 else None
    if nested is not None:
        return NameMatch(nested)
    if name in level.parameters:
        return NameMatch(_fields(level.parameters[name], parts[1:]))
    if alias in level.aliases and (level.lateral_aliases or level.aliases_visible or not _is_open(level)):
        match = _item_or_column(level, level.aliases[alias], parts)
        hidden = rules.items_out_of_sight and not (level.lateral_aliases or level.aliases_visible)
        match.out_of_sight = hidden and not _guesses(level, parts, located)
        return match
    if len(parts) == 1 and name in level.by_alias and not level.by_alias[name].relation.is_open:
        return NameMatch(whole_row(level.by_alias[name]))
    return None


def _is_of_several(level: Scope, alias: str, rest: list[str]) -> bool:
    """Whether several sources of one alias have a column."""
    named = [source for source in level.sources if source.alias.lower() == alias]
    return len(rest) > 0 and sum(source.relation.get(rest[0]) is not None for source in named) > 1


def _match_of(column: Column, source: Source | None, rest: list[str], rules: Precedence) -> NameMatch:
    """Return the match of a name with its source in front."""
    name = rest[0].lower()
    hidden = rules.united_alone and source is not None and name in source.merged
    return NameMatch(column, repeated=source is not None and name in source.relation.repeated, out_of_sight=hidden)


def _item_or_column(level: Scope, column: Column, parts: list[str]) -> NameMatch:
    """Return the match of a name that a select item has and sources of unknown columns may have, too.

    Where the item itself is made of the column, the column exists, and comes first. After the select list the name is
    the item's: no clause there may name a column that is not grouped by. In the list it is the column's if there is
    one: which it is depends on the unknown columns. Only a table that all come from is sure to be read.
    """
    item = _fields(column, parts[1:])
    guessed = _guesses(level, parts, find_source(level, parts)) if _is_open(level) else []
    if not guessed:
        return NameMatch(item)
    flow = item.flow()
    if len(guessed) == 1 and guessed[0].flow().keys() <= flow.keys():
        return NameMatch(guessed[0])
    if level.aliases_visible:
        return NameMatch(item)
    sure = set(_datasets([item])).intersection(*(_datasets([column]) for column in guessed))
    part = Part(dict.fromkeys(sorted(sure), TRANSFORMATION), parts[-1])
    return NameMatch(Column(parts[-1], (part,)), doubtful=_datasets(guessed))


def _of_sources(level: Scope, parts: list[str], homes: list[tuple[Source, Column]]) -> NameMatch:
    """Return the match of a name that some sources are known to have, each with its column."""
    name, alias, rest = parts[0].lower(), level.item_name(parts[0]), parts[1:]
    having = [column for _, column in homes]
    repeated = any(name in source.relation.repeated for source, _ in homes)
    if len(having) > 1 and level.precedence.rows_first:  # WITH OFFSET's name is not a column's, either
        of_arrays = [source.relation.get(name) for source in level.sources if _is_array(source)]
        having = [column for column in of_arrays if column is not None and not column.hidden] or having
    if len(having) == 1 or (level.precedence.first_source and len(level.sources) < 3):
        doubtful = _before(level, name) if level.precedence.first_source else ()
        return NameMatch(_fields(having[0], rest), doubtful=doubtful, repeated=repeated)
    match = _one_of([_fields(column, rest) for column in having])
    match.repeated = repeated or sum(bool(source.parts or source.relation.rows) for source, _ in homes) > 1
    settled = (match.column is None or match.repeated) and level.alias_settles and alias in level.aliases
    return NameMatch(_fields(level.aliases[alias], rest)) if settled else match


def _before(level: Scope, name: str) -> tuple[str, ...]:
    """Return the datasets of unknown columns before the first source that is known to have a column."""
    first = next(place for place, source in enumerate(level.sources) if source.relation.get(name) is not None)
    return _datasets(
        [column for source in level.sources[:first] for column in source.relation.guess(name, hidden=False)]
    )


def _is_array(source: Source) -> bool:
    """Whether a source is an array whose elements have its alias for their name."""
    visible = source.relation.visible() if source.alias and not source.parts else []
    return bool(visible) and visible[0].name.lower() == source.alias.lower()


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
    """Return the source that the leading parts of a name refer to, and the parts left over."""
    name = parts[0].lower()
    source = level.by_alias.get(name)
    if source is None and level.precedence.tables_keep_names and len(parts) > 1:
        source = next((each for each in level.sources if each.parts and each.parts[-1] == name), None)
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
    if source is not None and not rest:
        row = whole_row(source)
        if level.precedence.rows_are_values or not source.relation.is_open:
            return [row]
        return _of_open(level, parts) or [row]
    if source is not None:
        return [_fields(column, rest[1:]) for column in source.relation.guess(rest[0])]
    return _of_open(level, parts)


def _of_open(level: Scope, parts: list[str]) -> list[Column]:
    """Return the columns that sources of unknown columns may have for a name."""
    for hidden in (False, True):
        guesses = [c for source in level.sources for c in source.relation.guess(parts[0], hidden=hidden)]
        if guesses:
            return [_fields(column, parts[1:]) for column in guesses]
    return []


def _fields(column: Column, rest: list[str]) -> Column:
    return column.field(".".join(rest)) if rest else column


def whole_row(source: Source) -> Column:
    """Return a source's row used as one value (``to_json(t)``): all its columns."""
    columns = source.relation.visible()
    if len(columns) == 1:
        if columns[0].name.lower() == source.alias.lower():  # an array's element
            return columns[0].renamed(source.alias)
        return Column(source.alias, columns[0].parts, fields=lambda: columns)
    flow: Flow = {}
    for column in columns:
        add(flow, column.flow())
    return Column(source.alias, (Part(flow, source.alias),), fields=lambda: columns)
