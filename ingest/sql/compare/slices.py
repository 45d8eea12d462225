"""Each output of a query with just that part of the query on which its values and rows depend, in canonical form.

Two queries give a column the same values in the same rows if the column's slices are the same text. A slice holds what
decides about rows (filters, joins, grouping, limits) whatever the column; other outputs, and what only they need, are
left out. Names inside the query (aliases, named queries) do not count. Rests on sqlglot's optimizer; what it cannot
qualify is not sliced (``NotSlicedError``), and the caller then counts every column as changed.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.annotate_types import annotate_types
from sqlglot.optimizer.canonicalize_internal_names import canonicalize_internal_names
from sqlglot.optimizer.journal import Journal, revert
from sqlglot.optimizer.pushdown_projections import projection_reachability, prune_projections
from sqlglot.optimizer.qualify import qualify
from sqlglot.optimizer.scope import Scope, traverse_scope

from ingest.sql.compare.brackets import without_brackets
from ingest.sql.dialects.dialects import Names
from ingest.sql.sqlglot_errors import SQLGLOT_ERRORS
from lineage_tt.impact.texts import Types
from lineage_tt.model.facts import Shape, names_of

_TROUBLE: Final = (SqlglotError, AssertionError, *SQLGLOT_ERRORS)
_DATABASE: Final = "d"
_CLAUSES: Final = {
    exp.Where: "filter",
    exp.Having: "filter",
    exp.Qualify: "filter",
    exp.Join: "join",
    exp.Group: "grouping",
    exp.Distinct: "grouping",
    exp.Limit: "limit",
    exp.Fetch: "limit",
    exp.Offset: "limit",
    exp.TableSample: "sampling",
    exp.Lateral: "source",
    exp.Unnest: "source",
    exp.Pivot: "source",
}


class NotSlicedError(Exception):
    """The optimizer could not follow this query."""


class Output(NamedTuple):
    """One output column: its name, its slice, and its type as far as it can be inferred."""

    name: str
    slice: str
    type: str | None


class Sliced(NamedTuple):
    """A query as its outputs; ``clauses`` are the texts of its parts by kind, to say where two queries differ."""

    outputs: tuple[Output, ...]
    clauses: Counter[tuple[str, str]]
    ambiguous: frozenset[str]
    unknown: frozenset[str]
    uses: frozenset[tuple[str, str]]


_NO_RENAMES: Final[Types] = {}


def slice_query(
    query: exp.Expr,
    names: Names,
    columns: Mapping[str, Shape],
    types: Types,
    *,
    texts: bool = True,
    renames: Types = _NO_RENAMES,
) -> Sliced:
    """Return a query's outputs, each with its slice; NotSlicedError where the optimizer cannot follow.

    Without ``texts`` the slices are empty: a caller that only needs types does not wait for them. ``renames`` maps, by
    dataset, lower-case columns of stored tables to the names under which the slices call them.
    """
    try:
        tables = _bind_tables(query := query.copy(), names)
        schema = _schema(tables, names, columns, types)
        known = schema if schema[_DATABASE] else None  # without any, a single source has the columns named
        query = qualify(query, dialect=names.dialect, schema=known, validate_qualify_columns=False, identify=True)
        if known is None:
            _refuse_guesses(query)
        ambiguous, unknown = _unresolved(query, schema)
        annotated = annotate_types(query.copy(), schema=known, dialect=names.dialect)
        kinds = [_type_name(item) for item in _leaf(annotated).selects]
        aliases = [item.alias_or_name for item in _leaf(query).selects]
        _rename(query, tables, renames)
        without_brackets(query, names)
        slices = _slices(query, names) if texts else [""] * len(aliases)
        outputs = tuple(map(Output, aliases, slices, kinds))
        return Sliced(outputs, clauses_of(query, names), ambiguous, unknown, _uses(query, tables))
    except RecursionError as error:
        raise NotSlicedError("nested too deeply") from error
    except _TROUBLE as error:
        raise NotSlicedError(type(error).__name__) from error


def clauses_of(query: Any, names: Names) -> Counter[tuple[str, str]]:
    """Return the texts of a query's clauses by kind: filter, join, grouping, limit, order, union, source."""
    result: Counter[tuple[str, str]] = Counter()
    for node in query.walk():
        kind = _CLAUSES.get(type(node))
        if kind == "join":
            head = " ".join(filter(None, (node.args.get(key) or "" for key in ("method", "side", "kind"))))
            result[kind, f"{head} {_text(node.args.get('on'), names)} {node.args.get('using') or ''}"] += 1
        elif kind == "filter" and isinstance(node.parent, exp.Filter):
            continue
        elif kind:
            result[kind, _text(node, names)] += 1
        elif isinstance(node, exp.SetOperation):
            result["union", f"{type(node).__name__} {node.args.get('distinct')}"] += 1
        elif isinstance(node, exp.Order) and isinstance(node.parent, exp.Query):
            result["order", _text(node, names)] += 1
        elif isinstance(node, exp.Table):
            result["source", ".".join(part.name for part in node.parts)] += 1
    return result


def _text(node: Any, names: Names) -> str:
    return str(node.sql(names.dialect, comments=False)) if node is not None else ""


def _leaf(query: exp.Expr) -> Any:
    """Return the SELECT that names a query's outputs."""
    while isinstance(query, exp.SetOperation | exp.Subquery | exp.Paren):
        query = query.this
    if not isinstance(query, exp.Select):
        raise NotSlicedError(type(query).__name__)
    return query


def _slices(query: exp.Expr, names: Names) -> list[str]:
    """Return the slice of each output. What an output does not need is removed before copying, then put back.

    So a slice costs what it holds, not what the query does.
    """
    slices: list[str] = []
    journal: Journal = []
    needed = projection_reachability(query)
    for root in range(len(_leaf(query).selects)):
        prune_projections(needed, root, journal)
        copy = query.copy()
        revert(journal)
        slices.append(_canonical(copy, names))
    return slices


def _canonical(copy: Any, names: Names) -> str:
    for item in copy.selects[:1]:  # the name of an output is kept apart from what it holds
        if isinstance(item, exp.Alias) and not isinstance(copy, exp.SetOperation):
            item.set("alias", exp.to_identifier("_", quoted=True))
    return _text(canonicalize_internal_names(copy), names)


def _bind_tables(query: exp.Expr, names: Names) -> dict[str, str]:
    """Give every stored table its own name in one schema; return the datasets by these names."""
    tables: dict[str, str] = {}
    for scope in traverse_scope(query):
        for alias, source in scope.sources.items():
            if isinstance(source, exp.Table) and isinstance(source.this, exp.Identifier) and source.name:
                if source.args.get("db") is not None and source.db == _DATABASE and source.name in tables:
                    continue
                dataset = names.dataset(source)
                key = "ds_" + hashlib.sha256(dataset.encode()).hexdigest()[:16]
                tables[key] = dataset
                if not source.alias:
                    source.set("alias", exp.TableAlias(this=exp.to_identifier(alias)))
                source.set("this", exp.to_identifier(key, quoted=True))
                source.set("db", exp.to_identifier(_DATABASE, quoted=True))
                source.set("catalog", None)
    for column in query.find_all(exp.Column):
        if column.args.get("db") is not None:
            column.set("db", None)
            column.set("catalog", None)
    return tables


def _rename(query: exp.Expr, tables: Mapping[str, str], renames: Types) -> None:
    """Call the columns of stored tables by their new names."""
    for scope in traverse_scope(query) if renames else ():
        for column in scope.columns:
            source = scope.sources.get(column.table)
            dataset = tables.get(source.name) if isinstance(source, exp.Table) else None
            new = renames.get(dataset or "", {}).get(column.name.lower())
            if new is not None:
                column.set("this", exp.to_identifier(new, quoted=True))


def _schema(tables: Mapping[str, str], names: Names, columns: Mapping[str, Shape], types: Types) -> dict[str, Any]:
    known = {}
    for key, dataset in tables.items():
        if dataset in columns:
            listed = names_of(columns[dataset])
            kinds = {name.lower(): kind for name, kind in types.get(dataset, {}).items()}
            known[key] = {names.spell(name): kinds.get(name.lower()) or "unknown" for name in listed}
    return {_DATABASE: known}


def _refuse_guesses(query: exp.Expr) -> None:
    """Raise NotSlicedError where a column may be of several sources, none of which has known columns."""
    for scope in traverse_scope(query):
        if len(scope.sources) > 1 and scope.unqualified_columns:
            raise NotSlicedError("a column of several unknown sources")


def _type_name(item: exp.Expr) -> str | None:
    kind = item.type
    if kind is None or kind.this in (exp.DType.UNKNOWN, exp.DType.NULL, exp.DType.USERDEFINED):
        return None
    return str(kind.sql())


def _unresolved(query: exp.Expr, schema: Mapping[str, Any]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the names that several sources have, and those that none has, where all sources are known."""
    ambiguous: set[str] = set()
    unknown: set[str] = set()
    for scope in traverse_scope(query):
        listed = [_columns_of(source, schema) for source in scope.sources.values()]
        for column in scope.unqualified_columns:
            homes = sum(column.name.lower() in names for names in listed if names is not None)
            if homes > 1 and not isinstance(column.parent, exp.Ordered):
                ambiguous.add(column.name.lower())
        for column in scope.columns:
            source = scope.sources.get(column.table) if column.table else None
            names = _columns_of(source, schema) if source is not None else None
            if names is not None and column.name.lower() not in names and not isinstance(column.this, exp.Star):
                unknown.add(column.name.lower())
    return frozenset(ambiguous), frozenset(unknown)


def _columns_of(source: Any, schema: Mapping[str, Any]) -> set[str] | None:
    if isinstance(source, Scope):
        query = source.expression
        if not isinstance(query, exp.Query) or any(item.is_star for item in query.selects):
            return None
        return {name.lower() for name in (*query.named_selects, *source.outer_columns)}
    if isinstance(source, exp.Table):
        known = schema[_DATABASE].get(source.name)
        return {name.lower() for name in known} if known is not None else None
    return None


_ARITHMETIC: Final = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.IntDiv, exp.Mod, exp.Neg, exp.Sum, exp.Avg, exp.Stddev,
                      exp.Variance, exp.Abs, exp.Round, exp.Ceil, exp.Floor, exp.Pow, exp.Sqrt, exp.Ln)  # fmt: skip
_TEXT: Final = (exp.Upper, exp.Lower, exp.Substring, exp.Trim, exp.Like, exp.ILike, exp.RegexpLike, exp.Length,
                exp.Split, exp.Replace, exp.StartsWith, exp.Left, exp.Right, exp.RegexpExtract)  # fmt: skip
_TEMPORAL: Final = (exp.Extract, exp.DateTrunc, exp.TimestampTrunc, exp.DateAdd, exp.DateSub, exp.DateDiff, exp.Year,
                    exp.Month, exp.Day, exp.TsOrDsAdd)  # fmt: skip


def _uses(query: exp.Expr, tables: Mapping[str, str]) -> frozenset[tuple[str, str]]:
    """Return how the query uses the columns of stored tables: (column node, kind of use)."""
    uses: set[tuple[str, str]] = set()
    for scope in traverse_scope(query):
        for column in scope.columns:
            source = scope.sources.get(column.table)
            if isinstance(source, exp.Table) and source.name in tables:
                uses.add((f"{tables[source.name]}#{column.name}", _use(column)))
    return frozenset(uses)


def _use(column: exp.Expr) -> str:
    above = column.parent
    while isinstance(above, exp.Paren):
        above = above.parent
    if isinstance(above, _ARITHMETIC):
        return "arithmetic"
    if isinstance(above, _TEXT):
        return "text"
    if isinstance(above, _TEMPORAL):
        return "temporal"
    return "identity" if isinstance(above, exp.Alias | exp.Select) else "other"
