"""Which target column each output of a query goes to: by column list, by partition clause, by position, by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sqlglot import exp

from ingest.sql.binder.names.ports import Binder
from ingest.sql.binder.names.scope import VIRTUAL_COLUMNS, Scope, Source
from ingest.sql.binder.relations.flow import IDENTITY, Column, Part
from ingest.sql.binder.relations.relations import Relation
from ingest.sql.statements.emit import Write, edges_of
from lineage_tt.model.edges import Edge, column_node
from lineage_tt.model.names import and_more, repeated

Pairs = list[tuple[str, Column]]
_NUMBERED = (exp.AutoIncrementColumnConstraint, exp.GeneratedAsIdentityColumnConstraint)


def partition_names(walk: Binder, partition: Any) -> tuple[list[str], list[str]]:
    """Return the static and the dynamic columns of a PARTITION clause.

    In MySQL and its kin, and in Oracle, a name in it is a partition's, and no column's.
    """
    names_partitions = walk.rules.partition_clause_names_partitions
    static: list[str] = []
    dynamic: list[str] = []
    for item in partition.expressions if isinstance(partition, exp.Partition) else ():
        if isinstance(item, exp.EQ | exp.PropertyEQ):
            static.append(_spelt(walk, item.this))
        elif isinstance(item, exp.Column | exp.Identifier | exp.Var) and not names_partitions:
            dynamic.append(_spelt(walk, item))
    return static, dynamic


def _spelt(walk: Binder, node: exp.Expr) -> str:
    return walk.names.spell(node)


def listed_names(walk: Binder, dataset: str, items: Sequence[exp.Expr]) -> list[str]:
    """Return the names that an INSERT lists; ClickHouse's ``* EXCEPT (a)`` lists all others that are known."""
    if len(items) != 1 or not isinstance(items[0], exp.Star):
        return [walk.names.spell(item) for item in items]
    gone = {name.name.lower() for name in items[0].args.get("except_") or ()}
    gone |= {name.lower() for name in walk.catalog.computed(dataset)}
    return [name for name in walk.catalog.all_columns(dataset) or () if name.lower() not in gone]


def check_targets(walk: Binder, dataset: str, names: Iterable[str]) -> None:
    """Report the columns that a statement names as its targets and that the table is known not to have.

    The text fails when it is run, or is newer than what is known of the table. A name may be a path into a struct.
    """
    known = walk.catalog.columns(dataset)
    there = {name.lower() for name in known or ()} | VIRTUAL_COLUMNS
    for name in names if known else ():
        if not there & {name.lower(), name.lower().partition(".")[0]}:
            walk.report("unknown-column", f"{dataset} is not known to have a column {name}", subject=dataset)


def insert_names(walk: Binder, dataset: str, listed: Sequence[str], partition: Any) -> list[str] | None:
    """Return the target columns in the order in which the query fills them, None where they are not known.

    Listed ones are checked. Static partition columns get constants and take no place; dynamic ones come last.
    """
    static, dynamic = partition_names(walk, partition)
    excluded = {name.lower() for name in (*static, *dynamic)}
    if listed:
        check_targets(walk, dataset, listed)
        if (twice := repeated(listed)) and not walk.rules.insert_may_repeat_names:
            walk.report("repeated-column", f"the INSERT lists {and_more(twice)} of {dataset} twice", subject=dataset)
        return [*listed, *(name for name in dynamic if name.lower() not in {name.lower() for name in listed})]
    known = walk.catalog.all_columns(dataset)
    if known is None:
        return None
    excluded |= {name.lower() for name in walk.catalog.computed(dataset)}
    return [name for name in known if name.lower() not in excluded] + dynamic


def left_out(walk: Binder, listed: Iterable[exp.Expr]) -> frozenset[str]:
    """Return the columns of a definition that an INSERT without a list of columns leaves out."""
    listed = list(listed)
    names: set[str] = set()
    kinds: tuple[type[exp.Expr], ...] = ()
    if walk.rules.computed_columns_take_no_place:
        names |= formulas(walk, listed).keys()
        kinds = (exp.EphemeralColumnConstraint,)
    if walk.rules.identity_columns_take_no_place:
        kinds = (*kinds, *_NUMBERED)
    return frozenset(names | {name for name, kind in _constraints(walk, listed) if isinstance(kind, kinds)})


def formulas(walk: Binder, listed: Iterable[exp.Expr]) -> dict[str, exp.Expr]:
    """Return what the computed columns of a definition are computed from."""
    found: dict[str, exp.Expr] = {}
    for name, kind in _constraints(walk, listed):
        if isinstance(kind, exp.ComputedColumnConstraint) and isinstance(kind.this, exp.Expr):
            found[name] = kind.this
        elif isinstance(kind, exp.GeneratedAsIdentityColumnConstraint) and isinstance(kind.expression, exp.Expr):
            found[name] = kind.expression  # GENERATED ALWAYS AS (a * 2)
    return found


def computed_edges(walk: Binder, dataset: str, listed: list[exp.Expr], others: Sequence[str] | None = ()) -> list[Edge]:
    """Return the edges between the columns of one table: ``b INT AS (a * 2)``, ``d Date DEFAULT toDate(ts)``.

    ``others`` are the columns that it has beside those listed, None where these are not known: then a formula's names
    are columns. It may name what is none, such as the ``value`` of Snowflake's files: that gives no edge.
    """
    made = formulas(walk, listed)
    names = [walk.names.spell(item) for item in listed if isinstance(item, exp.ColumnDef | exp.Identifier)]
    if others is None:
        used = (column for formula in made.values() for column in formula.find_all(exp.Column))
        others = [walk.names.spell(column.this) for column in used]
    names = list(dict.fromkeys([*names, *others]))
    known = {name.lower() for name in names}
    for name, kind in _constraints(walk, listed):
        if isinstance(kind, exp.DefaultColumnConstraint) and isinstance(kind.this, exp.Expr):
            named = [column.name.lower() for column in kind.this.find_all(exp.Column)]
            if named and known.issuperset(named):  # most are constants, or words that call a function
                made[name] = kind.this
    if not made:
        return []
    own = [Column(name, (Part({column_node(dataset, name): IDENTITY}, name),)) for name in names]
    scope = Scope()
    scope.add_source(Source("", (), Relation([*own, Column("*", (), hidden=True)])))
    pairs = [(name, walk.values.column(formula, scope, name)) for name, formula in made.items()]
    return edges_of(Write(dataset, pairs))


def _constraints(walk: Binder, listed: Iterable[exp.Expr]) -> Iterator[tuple[str, Any]]:
    """Yield the constraints of each column of a definition, with its name."""
    for item in listed:
        for constraint in (item.args.get("constraints") or ()) if isinstance(item, exp.ColumnDef) else ():
            yield walk.names.spell(item.this), constraint.args.get("kind")


def by_position(
    walk: Binder, dataset: str, columns: list[Column], names: list[str] | None, *, fewer: bool = False
) -> Pairs:
    """Lay the query's columns over the target's names; without names each keeps its own.

    Another number of columns is a problem; with ``fewer`` only a greater one.
    """
    if names is None:
        return [(column.name, column) for column in columns]
    if any(column.is_open for column in columns):
        return _around_star(columns, names)
    if len(columns) > len(names) or (len(columns) < len(names) and not fewer):
        walk.report("column-count", f"{len(columns)} columns are written to {len(names)} of {dataset}", subject=dataset)
    pairs = list(zip(names, columns, strict=False))
    if not walk.rules.insert_may_repeat_names:
        return pairs
    first: dict[str, Column] = {}
    for name, column in pairs:
        first.setdefault(name, column)
    return list(first.items())


def _around_star(columns: list[Column], names: list[str]) -> Pairs:
    """Columns in front of a star count from the front, those after it from the back."""
    first = next(place for place, column in enumerate(columns) if column.is_open)
    last = next(place for place, column in enumerate(reversed(columns)) if column.is_open)
    pairs = list(zip(names, columns[:first], strict=False))
    tail = list(zip(reversed(names[first:]), reversed(columns[len(columns) - last :]), strict=False))
    middle = columns[first : len(columns) - last]
    if len(middle) == 1 and not any(node.endswith("*") for node in middle[0].flow()):
        between = names[first : len(names) - len(tail)]  # what a function makes: each column of all its arguments
        return [*pairs, *((name, middle[0].renamed(name)) for name in between), *reversed(tail)]
    return [*pairs, *((column.name, column) for column in middle), *reversed(tail)]


def by_name(columns: list[Column], names: Sequence[str] | None) -> Pairs:
    """Pair the query's columns with the target's by name, in the target's spelling."""
    spelling = {name.lower(): name for name in names or ()}
    return [(spelling.get(column.name.lower(), column.name), column) for column in columns]


def with_dynamic_last(columns: list[Column], dynamic: list[str]) -> Pairs:
    """Columns of an unknown target keep their names, but the last ones fill the dynamic partition columns."""
    leading = len(columns) - len(dynamic)
    if leading < 0 or any(column.is_open for column in columns[leading:]):
        return [(column.name, column) for column in columns]
    named = [(column.name, column) for column in columns[:leading]]
    return named + list(zip(dynamic, columns[leading:], strict=True))


def doubt_names(walk: Binder, dataset: str, pairs: Pairs) -> None:
    """Say that a table of unknown columns is filled by position with values that have no name of their own."""
    names = [name.lower() for name, _ in pairs]
    for place, (name, column) in enumerate(pairs, 1):
        if column.flow() and not column.is_open and (column.position is not None or names.count(name.lower()) > 1):
            detail = f"the columns of {dataset} are not known, and the query has no name of its own for number {place}"
            walk.report("unknown-columns", detail, subject=dataset)
