"""A script's binder with the sources of one FROM clause in sight, asked one expression at a time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ingest.sql.binder.names.scope import Scope
from ingest.sql.binder.query.query import QueryWalk
from ingest.sql.binder.relations.catalog import Catalog
from ingest.sql.binder.relations.flow import IDENTITY, KIND_NAMES, Column, Flow
from ingest.sql.dialects.dialects import Names
from ingest.sql.parser.parse import parse
from ingest.sql.parser.tokenize import tokenize
from lineage_tt.model.facts import Shape

WORLD: Mapping[str, Shape] = {
    "n:d.t": ("a", "b", "c"),
    "n:d.u": ("a", "d", "e"),
    "n:d.w": ("x", "y", "arr", "st"),
}


def ways(flow: Flow) -> dict[str, str]:
    """Return a flow in words: each source, as short as may be, and in which ways it arrives."""
    return {
        source.removeprefix("n:d."): "+".join(word for bit, (_, word) in KIND_NAMES.items() if kinds & bit)
        for source, kinds in flow.items()
    }


def sources(column: Column | None) -> str:
    """Return the sources of a column in one line; of none "none"."""
    return "none" if column is None else " ".join(sorted(source.removeprefix("n:d.") for source in column.flow()))


def listed(columns: Iterable[Column] | None) -> list[tuple[str, str]] | None:
    """Return the name and the sources of each column, in order."""
    return None if columns is None else [(column.name, sources(column)) for column in columns]


class Bound:
    """The binder of a script over t(a, b, c), u(a, d, e) and w(x, y, arr, st); every other table is unknown."""

    def __init__(self, given: str = "t", dialect: str = "spark", columns: Mapping[str, Shape] = WORLD) -> None:
        names = Names(dialect, "n", "d")
        self.walk = QueryWalk(names, Catalog(columns, names.rules.parser))
        self.values = self.walk.values
        self.scope = self.sight(given)

    def sight(self, given: str, around: Scope | None = None) -> Scope:
        """Return the scope of a SELECT with this FROM clause."""
        rules = self.walk.rules
        scope = Scope(around, lateral_aliases=rules.lateral_aliases, precedence=rules.precedence)
        if given:
            select = self.tree(f"SELECT 1 FROM {given}")
            self.walk.sources.bring(select.args["from_"].this, scope)
            for join in select.args.get("joins") or ():
                self.walk.joins.join(join, scope)
        return scope

    def tree(self, sql: str) -> Any:
        """Return the tree of one statement."""
        engine = self.walk.names.engine
        tokens, _ = tokenize(sql, engine)
        (parsed,) = parse(sql, tokens, engine)
        assert parsed.problem is None, parsed.problem
        return parsed.node

    def item(self, text: str) -> Any:
        """Return the tree of a select item."""
        return self.tree(f"SELECT {text} FROM t").expressions[0]

    def ways(self, text: str, by: int = IDENTITY) -> dict[str, str]:
        """Return from where, and in which ways, an expression that is used as ``by`` takes its value."""
        return ways(self.values.flow(self.item(text), self.scope, by))

    def column(self, text: str, name: str = "z") -> Column:
        """Return the column of a select item."""
        return self.values.column(self.item(text), self.scope, name)

    def decisions(self) -> dict[str, str]:
        """Return what decides about the rows so far."""
        return ways(self.scope.effects.predicates)

    def problems(self) -> list[tuple[str, str]]:
        """Return the code and the subject of each problem, in the order of the reports."""
        return [(problem.code, problem.subject) for problem in self.walk.problems]
