"""Two texts of one task side by side: is it the same statement, and if not, which columns mean something else?

What cannot be followed counts as changed, never as the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final, NamedTuple

from sqlglot import exp

from ingest.sql.binder.query.query import QueryWalk
from ingest.sql.binder.relations.catalog import Catalog
from ingest.sql.compare.slices import NotSlicedError, Sliced, clauses_of, slice_query
from ingest.sql.dialects.dialects import Names, UnknownDialectError
from ingest.sql.faults import FAULTS
from ingest.sql.parser.before.unnests import explicit_everywhere
from ingest.sql.parser.parse import parse, tokenize
from ingest.sql.statements.inserts import insert_names, partition_names
from ingest.sql.text.guard import inspect_sql
from ingest.sql.text.templates import neutralise
from lineage_tt.impact.texts import Side, TextDifference
from lineage_tt.model.edges import name_of

_NOT_READ: Final = "not read"


class _Statement(NamedTuple):
    """One statement: how it writes what, its text without its query, and the query with the columns that it fills.

    ``dynamic`` are the dynamic partition columns of an insert by position into unknown columns (else None); ``order``
    is the order of rows that are stored, which no column's values depend on.
    """

    kind: str
    dataset: str | None
    shell: str
    query: Any
    names: tuple[str, ...] | None
    whole: str
    types: tuple[tuple[str, str], ...] = ()
    dynamic: tuple[str, ...] | None = None
    order: str = ""
    dropped: tuple[str, ...] = ()


class _Reading(NamedTuple):
    side: Side
    names: Names
    statements: list[_Statement]
    template: str
    settings: tuple[str, ...] = ()


def compare(before: Side, after: Side) -> TextDifference:
    """Return how the second text differs from the first in what it does."""
    other = _read(after)
    one = other if before == after else _read(before)
    if other is None:
        return TextDifference(failure=_NOT_READ)
    writes = tuple((item.dataset, item.kind) for item in other.statements if item.dataset)
    return replace(_compared(one, other, writes), drops=_drops(None if one is other else one, other))


def _drops(one: _Reading | None, other: _Reading) -> tuple[str, ...]:
    """Return the datasets that the second text drops and the first does not."""
    before = {dataset for item in one.statements for dataset in item.dropped} if one is not None else set()
    return tuple(sorted({dataset for item in other.statements for dataset in item.dropped} - before))


def _compared(one: _Reading | None, other: _Reading, writes: tuple[tuple[str, str], ...]) -> TextDifference:
    if one is None:
        return TextDifference(writes=writes, reasons=("statement",), failure=_NOT_READ)
    if len(one.statements) != len(other.statements) or one.template != other.template:
        reason = "template" if one.template != other.template else "statement"
        last = _sliced(other, other.statements[-1]) if other.statements else None
        return _with_names(TextDifference(writes=writes, reasons=(reason,)), None, last)
    found = [_pair(one, other, *pair) for pair in zip(one.statements, other.statements, strict=True)]
    made = replace(_joined(found, writes), positions=tuple(_positions(other)))
    if one.settings != other.settings:
        return replace(made, same=False, reasons=tuple(sorted({*made.reasons, "setting"})))
    return made


def _fits(statement: _Statement, sliced: Sliced) -> bool:
    """Whether a query has as many outputs as the columns that it fills, so that they can be distinguished."""
    return statement.names is None or len(statement.names) == len(sliced.outputs)


def _positions(reading: _Reading) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the names that a text gives to what it inserts by position into datasets of unknown columns."""
    for statement in reading.statements:
        sliced = _sliced(reading, statement, texts=False) if statement.dynamic is not None else None
        if sliced is None or not statement.dataset or statement.dynamic is None:
            continue
        names = [output.name for output in sliced.outputs]
        kept = len(names) - len(statement.dynamic)
        if kept > 0 and all(names) and "*" not in names:
            yield statement.dataset, (*names[:kept], *statement.dynamic)


def _joined(found: list[TextDifference], writes: tuple[tuple[str, str], ...]) -> TextDifference:
    """Return the difference of scripts: a change before the last statement may reach everything after it."""
    last = len(found) - 1
    early = any(not each.same for each in found[:last])
    return TextDifference(
        same=all(each.same for each in found),
        comparable=not early and all(each.comparable or each.same for each in found),
        changed=tuple(sorted({name for each in found for name in each.changed})),
        reasons=tuple(sorted({reason for each in found for reason in each.reasons})),
        types=tuple(kind for each in found for kind in each.types),
        types_after=tuple(kind for each in found for kind in each.types_after),
        writes=writes,
        ambiguous=tuple(sorted({name for each in found for name in each.ambiguous})),
        unknown=tuple(sorted({name for each in found for name in each.unknown})),
        uses=tuple(sorted({use for each in found for use in each.uses})),
    )


def _pair(one: _Reading, other: _Reading, before: _Statement, after: _Statement) -> TextDifference:
    theirs = _sliced(other, after, texts=before is not after)
    mine = theirs if before is after else _sliced(one, before)
    if mine is None or theirs is None or not (_fits(before, mine) and _fits(after, theirs)):
        return _with_names(_as_whole(one, other, before, after), mine, theirs)
    old, new = _by_name(before, mine), _by_name(after, theirs)
    common = [name for name in new if name in old]
    changed = tuple(name for name in common if old[name][0] != new[name][0])
    reasons = set() if before.shell == after.shell else {"statement"}
    if changed:
        reasons |= _reasons(mine, theirs)
    if before.order != after.order:
        reasons.add("order")
    same = not reasons and not changed and list(old) == list(new)
    kinds = tuple((name, a, b) for name in common if (a := old[name][1]) and (b := new[name][1]) and a != b)
    after_kinds = tuple((name, kind) for name, (_, kind) in new.items() if kind)
    rows = not common or _writes_otherwise(before, after)
    made = TextDifference(same, not rows, changed, tuple(sorted(reasons)), kinds, after_kinds)
    return _with_names(made, mine, theirs)


def _writes_otherwise(before: _Statement, after: _Statement) -> bool:
    """Whether another way of writing may leave other rows; a rebuilt table, a view and a query hold the same."""
    made = ("ctas", "view", "select")
    return before.shell != after.shell and not (before.kind in made and after.kind in made)


def _by_name(statement: _Statement, sliced: Sliced) -> dict[str, tuple[str, str | None]]:
    names = statement.names or tuple(output.name for output in sliced.outputs)
    found: dict[str, tuple[str, str | None]] = {}
    for name, output in zip(names, sliced.outputs, strict=False):
        key, turn = name.lower(), 1
        while key in found:  # a name that occurs twice: kept apart, for either may change
            turn += 1
            key = f"{name.lower()} ({turn})"
        found[key] = (output.slice, output.type)
    return found


def _reasons(mine: Sliced, theirs: Sliced) -> set[str]:
    differ = (mine.clauses - theirs.clauses) + (theirs.clauses - mine.clauses)
    return {kind for kind, _ in differ} or {"expression"}


def _as_whole(one: _Reading, other: _Reading, before: _Statement, after: _Statement) -> TextDifference:
    """Compare the texts of two statements that cannot be followed column by column."""
    if before.whole == after.whole and before.names == after.names:
        return TextDifference(same=True, types_after=after.types)
    reasons = {"statement"} if before.shell != after.shell else set()
    if before.query is not None and after.query is not None:
        mine, theirs = clauses_of(before.query, one.names), clauses_of(after.query, other.names)
        reasons |= {kind for kind, _ in (mine - theirs) + (theirs - mine)}
    return TextDifference(reasons=tuple(sorted(reasons or {"expression"})))


def _with_names(made: TextDifference, mine: Sliced | None, theirs: Sliced | None) -> TextDifference:
    if theirs is None:
        return made
    before = mine or Sliced((), theirs.clauses, frozenset(), frozenset(), frozenset())
    return replace(
        made,
        ambiguous=tuple(sorted(theirs.ambiguous - before.ambiguous)),
        unknown=tuple(sorted(theirs.unknown - before.unknown)),
        uses=tuple(sorted(theirs.uses)),
        types_after=made.types_after
        or tuple((output.name.lower(), output.type) for output in theirs.outputs if output.type),
    )


def _sliced(reading: _Reading, statement: _Statement, *, texts: bool = True) -> Sliced | None:
    if statement.query is None:
        return None
    try:
        side = reading.side
        return slice_query(statement.query, reading.names, side.columns, side.types, texts=texts, renames=side.renames)
    except NotSlicedError:
        return None


def _read(side: Side) -> _Reading | None:
    """Return a text's statements, None where it must not or cannot be read."""
    if inspect_sql(side.sql, dialect=side.dialect) is not None:
        return None
    try:
        names = Names(side.dialect, side.namespace, side.default_database)
    except UnknownDialectError:
        return None
    this = name_of(side.target) if side.target else ""
    marked = neutralise(side.sql, side.params, dialect=side.dialect, this=this, marked=True)
    if marked.text is side.sql:
        return _read_plain(side, side.sql, names, "")
    if marked.branches == 1 and not marked.lossy:
        found = _read_plain(side, marked.text, names, "")
        if found is not None:
            return found
        names = Names(side.dialect, side.namespace, side.default_database)
    # What a template may hold beside the first branch is compared as it is written, layout aside.
    plain = neutralise(side.sql, side.params, dialect=side.dialect, this=this)
    return _read_plain(side, plain.text, names, " ".join(side.sql.split()))


def _read_plain(side: Side, text: str, names: Names, template: str) -> _Reading | None:
    """Return the statements of a text without template parts, None where it must not or cannot be read."""
    if text is not side.sql and inspect_sql(text, dialect=side.dialect) is not None:
        return None
    tokens, problem = tokenize(text, names.engine)
    if problem is not None:
        return None
    statements, settings = [], []
    for item in parse(text, tokens, names.engine):
        if item.problem is not None or item.node is None:
            return None
        if isinstance(item.node, exp.Semicolon):
            continue
        if isinstance(item.node, exp.Set):
            settings.append(item.node.sql(names.dialect, comments=False))
            continue
        if isinstance(item.node, exp.Use) and isinstance(item.node.this, exp.Table):
            names.use(names.parts(item.node.this))
        if names.rules.implicit_unnests:
            explicit_everywhere(item.node)
        try:
            statements.append(_statement(item.node, names, side))
        except FAULTS:
            return None
    return _Reading(side, names, statements, template, tuple(settings))


def _statement(node: Any, names: Names, side: Side) -> _Statement:
    whole = node.sql(names.dialect, comments=False)
    if isinstance(node, exp.Query):
        return _Statement("select", side.target, "", node, None, whole)
    query = node.args.get("expression")
    if isinstance(node, exp.Drop) and node.kind in ("TABLE", "VIEW"):
        tables = [table for table in node.args.get("tables") or () if isinstance(table, exp.Table) and table.name]
        return _Statement("other", None, whole, None, None, whole, dropped=tuple(map(names.dataset, tables)))
    if isinstance(node, exp.Create) and isinstance(node.this, exp.Schema) and query is None:
        return _Statement("other", None, whole, None, None, whole, tuple(_declared(node.this, names)))
    if not isinstance(node, exp.Insert | exp.Create) or not isinstance(query, exp.Query):
        return _Statement("other", None, whole, None, None, whole)
    query = _with_clause_of(node, query)
    table = node.this.this if isinstance(node.this, exp.Schema) else node.this
    if query is None or not isinstance(table, exp.Table):
        return _Statement("other", None, whole, None, None, whole)
    listed = [names.spell(item) for item in node.this.expressions] if isinstance(node.this, exp.Schema) else []
    filled = _filled(node, table, listed, names, side)
    kind = "overwrite" if node.args.get("overwrite") else "insert"
    dynamic = None
    if isinstance(node, exp.Create):
        kind = "view" if node.kind == "VIEW" else "ctas"
    elif filled is None and not node.args.get("by_name"):
        dynamic = tuple(partition_names(QueryWalk(names, Catalog(side.columns)), _partition(node, table))[1])
    order = ""
    if kind != "view":
        query, order = _without_order(query, names)
    return _Statement(kind, names.dataset(table), _shell(node, names), query, filled, whole, (), dynamic, order)


#: Clauses of a query that say in which order, or in which files, its rows are stored.
_ORDERING: Final = ("order", "sort", "cluster", "distribute")


def _without_order(query: Any, names: Names) -> tuple[Any, str]:
    """Return a query whose rows are stored without the order in which they are, and that order as text."""
    clauses = [clause for key in _ORDERING if (clause := query.args.get(key)) is not None]
    if not clauses or any(query.args.get(key) is not None for key in ("limit", "offset", "fetch")):
        return query, ""
    order = " ".join(clause.sql(names.dialect, comments=False) for clause in clauses)
    query = query.copy()
    for key in _ORDERING:
        query.set(key, None)
    return query, order


def _partition(node: Any, table: Any) -> Any:
    return table.args.get("partition") or node.args.get("partition")


def _declared(schema: Any, names: Names) -> Iterator[tuple[str, str]]:
    for item in schema.expressions:
        if isinstance(item, exp.ColumnDef) and item.args.get("kind") is not None:
            yield names.spell(item).lower(), item.args["kind"].sql()


def _with_clause_of(node: Any, query: Any) -> Any:
    """Return the query with the WITH clause before the statement, None where both have one."""
    clause = node.args.get("with_")
    if clause is None:
        return query
    if query.args.get("with_") is not None:
        return None
    query = query.copy()
    query.set("with_", clause.copy())
    return query


def _filled(node: Any, table: Any, listed: list[str], names: Names, side: Side) -> tuple[str, ...] | None:
    if isinstance(node, exp.Create):
        return tuple(listed) or None
    if node.args.get("by_name"):
        return None
    walk = QueryWalk(names, Catalog(side.columns))
    found = insert_names(walk, names.dataset(table), listed, _partition(node, table))
    return tuple(found) if found is not None else None


def _shell(node: Any, names: Names) -> str:
    """Return a statement without its query and its column list: how it writes, and where."""
    copy = node.copy()
    copy.set("expression", exp.select("1"))
    copy.set("with_", None)
    if isinstance(copy.this, exp.Schema):
        copy.set("this", copy.this.this)
    return str(copy.sql(names.dialect, comments=False)).lower()
