"""Columns that are equal, and columns that hold a part of another's rows: exact, from closed statements."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any, NamedTuple

from lineage_tt.governance.upkeep.redundancy.statements import COLUMN, Rows, Statement, columns_in
from lineage_tt.model.edges import column_node

Key = tuple[Any, ...]


class Equal(NamedTuple):
    """Columns that hold the same values for the same rows, in order of their names."""

    columns: tuple[str, ...]


class Contained(NamedTuple):
    """A column whose rows are some of those of another, with the same values."""

    part: str
    whole: str


class SameTable(NamedTuple):
    """A dataset whose columns are each equal to a column of another dataset: one of the two can be deleted."""

    dataset: str
    like: str
    columns: int


def equal(statements: Mapping[str, Statement]) -> list[Equal]:
    """Return the groups of equal columns, including the columns from which copies are made."""
    groups: dict[Key, set[str]] = defaultdict(set)
    for node, key in _keys(statements):
        groups[key].add(node)
    of: dict[str, set[str]] = {}  # by node: its group; a node that has several keys joins their groups
    for nodes in groups.values():
        both = set(nodes).union(*(of[node] for node in nodes if node in of))
        of |= dict.fromkeys(both, both)
    return sorted({Equal(tuple(sorted(nodes))) for nodes in of.values() if len(nodes) > 1})


def contained(statements: Mapping[str, Statement]) -> list[Contained]:
    """Return the columns that are a part of another: the same rows under more conditions, without a later grouping."""
    families: dict[Key, list[tuple[frozenset[Any], str]]] = defaultdict(list)
    for node, (rows, *rest) in _keys(statements):
        if rows.group is None:
            families[(rows._replace(where=frozenset()), *rest)].append((rows.where, node))
        else:
            families[(rows._replace(having=frozenset()), *rest)].append((rows.having, node))
    result = set()
    for members in families.values():
        for (one, part), (other, whole) in combinations(members, 2):
            if one > other:
                result.add(Contained(part, whole))
            elif other > one:
                result.add(Contained(whole, part))
    return sorted(result)


def same_tables(groups: list[Equal], columns: Mapping[str, int]) -> list[SameTable]:
    """Return the datasets that another contains completely; ``columns`` counts the known columns of each dataset."""
    like: dict[tuple[str, str], set[str]] = defaultdict(set)
    for group in groups:
        for one in group.columns:
            for other in group.columns:
                a, b = one.partition("#")[0], other.partition("#")[0]
                if a != b:
                    like[a, b].add(one)
    whole = {pair for pair, columns_alike in like.items() if len(columns_alike) == columns.get(pair[0], 0)}
    pairs = [(a, b) for a, b in sorted(whole) if (b, a) not in whole or a < b]
    return [SameTable(a, b, columns[a]) for a, b in pairs]


def _keys(statements: Mapping[str, Statement]) -> Iterator[tuple[str, Key]]:
    """Yield columns and what they hold: columns with the same key are equal. The key of a source is the source."""
    sources: set[tuple[str, str]] = set()
    for dataset, statement in statements.items():
        for name, expression in statement.columns.items():
            if not columns_in(expression):
                continue  # a constant is not a column of anything
            plain = expression[0] == COLUMN and statement.rows.keeps_all
            dialect = "" if plain or (expression[0] == COLUMN and not _computes(statement.rows)) else statement.dialect
            aggregates = statement.aggregates and statement.rows.group is None
            yield column_node(dataset, name), (statement.rows, expression, dialect, aggregates)
            if plain:
                sources.add((statement.rows.tables[0], expression[2]))
        for name in {inner for at, inner in columns_in(tuple(statement.columns.values())) if at == 0}:
            if statement.rows.keeps_all and not statement.aggregates:
                sources.add((statement.rows.tables[0], name))
    for dataset, name in sorted(sources):
        yield column_node(dataset, name), (Rows((dataset,)), (COLUMN, 0, name), "", False)


def _computes(rows: Rows) -> bool:
    """Whether anything that decides about rows is computed: dialects may compute it differently."""
    return bool(rows.joins or rows.where or rows.group or rows.having)
