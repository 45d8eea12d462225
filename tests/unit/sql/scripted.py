"""Statements that are run one by one, as a script runs them, over the tables t(a, b, c) and u(a, d, e)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ingest.sql.binder.relations.catalog import Catalog
from ingest.sql.dialects.dialects import Names
from ingest.sql.parser.parse import parse
from ingest.sql.parser.parsed import Parsed
from ingest.sql.parser.tokenize import tokenize
from ingest.sql.statements.run import Outcome
from ingest.sql.statements.statements import Statements
from lineage_tt.model.edges import Edge
from lineage_tt.model.facts import Shape

TABLES: Mapping[str, Shape] = {"n:d.t": ("a", "b", "c"), "n:d.u": ("a", "d", "e")}


def running(
    dialect: str = "hive", known: Mapping[str, Shape] = TABLES, *, target: str | None = None, keep: bool = False
) -> Statements:
    """Return a script at its beginning, in the database ``d``; ``keep`` keeps its temporary tables."""
    names = Names(dialect, "n", "d")
    return Statements(names, Catalog(known, names.rules.parser), target, keep_temporary=keep)


def parsed(run: Statements, sql: str) -> list[Parsed]:
    """Return the statements of a text as the parser gives them to a script."""
    tokens, unreadable = tokenize(sql, run.walk.names.engine)
    assert unreadable is None
    found = list(parse(sql, tokens, run.walk.names.engine))
    assert not [item.problem for item in found if item.problem is not None]
    return found


def tree(run: Statements, sql: str):
    """Return the tree of a text of one statement."""
    (item,) = parsed(run, sql)
    return item.node


def ran(run: Statements, sql: str) -> Outcome:
    """Run the statements of a text, and return what they did together; the kind is the last one's."""
    whole = run.outcome("other")
    for item in parsed(run, sql):
        done = run.run(item.node)
        whole.add(done)
        whole.kind = done.kind
    return whole


def pairs(edges: Iterable[Edge]) -> dict[str, str]:
    """Return the sources of each target, without namespace and database, as one line in order."""
    found: dict[str, set[str]] = {}
    for edge in edges:
        found.setdefault(edge.target.removeprefix("n:d."), set()).add(edge.source.removeprefix("n:d."))
    return {target: " ".join(sorted(sources)) for target, sources in sorted(found.items())}


def ways(edges: Iterable[Edge], target: str) -> dict[str, str]:
    """Return in which way each source reaches a target, a column or a table, of the database ``d``."""
    found: dict[str, set[str]] = {}
    for edge in edges:
        if edge.target == f"n:d.{target}":
            found.setdefault(edge.source.removeprefix("n:d."), set()).add(edge.subtype)
    return {source: "+".join(sorted(kinds)) for source, kinds in sorted(found.items())}


def reasons(run: Statements) -> list[tuple[str, str]]:
    """Return the code and the subject of each problem that a script has reported so far."""
    return [(problem.code, problem.subject) for problem in run.walk.problems]
