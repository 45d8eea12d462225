"""A small world of tables, and lineage told briefly: {target column: {source: subtypes}}."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ingest.sql import Extraction, extract
from ingest.sql.statements.script import EXTRACTOR_FAULT

WORLD = {
    "n:d.t": ["a", "b", "c"],
    "n:d.u": ["a", "d", "e"],
    "n:d.w": ["x", "y", "arr", "m", "st"],
    "n:d.p": ["v1", "v2", "ds", "hr"],
}
Told = dict[str, dict[str, str]]


class Lineage:
    """What one extraction says, by column and by dataset."""

    def __init__(self, found: Extraction) -> None:
        self.found = found
        assert not [problem for problem in found.problems if problem.code == EXTRACTOR_FAULT]

    def columns(self, table: str = "d.o") -> Told:
        """Return, for each column of a table, its sources and in which ways they reach it."""
        result: Told = {}
        for edge in self.found.edges:
            dataset, _, column = edge.target.partition("#")
            if dataset == f"n:{table}" and column:
                sources = result.setdefault(column, {})
                source = edge.source.removeprefix("n:d.")
                sources[source] = "+".join(sorted({*filter(None, sources.get(source, "").split("+")), edge.subtype}))
        return result

    def names(self, table: str = "d.o") -> dict[str, str]:
        """Return the sources of each column of a table, in one line without their ways."""
        return {column: " ".join(sorted(sources)) for column, sources in self.columns(table).items()}

    def decisions(self, table: str = "d.o") -> dict[str, str]:
        """Return the columns that decide about the rows of a table, by kind."""
        told: dict[str, list[str]] = {}
        for edge in self.found.edges:
            if edge.target == f"n:{table}" and edge.type == "INDIRECT":
                told.setdefault(edge.subtype, []).append(edge.source.removeprefix("n:d."))
        return {kind: " ".join(sorted(sources)) for kind, sources in told.items()}

    def tables(self) -> set[tuple[str, str]]:
        """Return the pairs of tables."""
        pairs = {(edge.source.partition("#")[0], edge.target.partition("#")[0]) for edge in self.found.edges}
        return {(source.removeprefix("n:d."), target.removeprefix("n:d.")) for source, target in pairs}

    def codes(self) -> set[str]:
        """Return the codes of the problems."""
        return {problem.code for problem in self.found.problems}

    def expression(self, column: str, table: str = "d.o") -> str:
        """Return the one expression that makes a column."""
        texts = {
            edge.expression for edge in self.found.edges if edge.target == f"n:{table}#{column}" and edge.expression
        }
        assert len(texts) == 1, texts
        return texts.pop()


@pytest.fixture
def lineage() -> Callable[..., Lineage]:
    """Extract a text over the tables t(a, b, c), u(a, d, e), w(x, y, arr, m, st), p(v1, v2, ds, hr) into o."""

    def run(sql: str, dialect: str = "spark", **more: object) -> Lineage:
        given: dict[str, object] = {"namespace": "n", "default_database": "d", "columns": WORLD, "target": "n:d.o"}
        return Lineage(extract(sql, dialect=dialect, **{**given, **more}))  # type: ignore[arg-type]

    return run
