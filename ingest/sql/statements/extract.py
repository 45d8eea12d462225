"""SQL text in, edges out: the one function that the rest of the system calls."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ingest.sql.dialects.dialects import UnknownDialectError
from ingest.sql.dialects.function_registry import registry_of
from ingest.sql.result import OPAQUE, Extraction, Problem
from ingest.sql.statements.script import Script
from lineage_tt.model.facts import Shape
from lineage_tt.storage.processes import no_collections

_NOTHING: Mapping[str, Shape] = MappingProxyType({})


def extract(
    sql: str,
    *,
    dialect: str,
    namespace: str,
    default_database: str = "",
    target: str | None = None,
    columns: Mapping[str, Shape] = _NOTHING,
    functions: str = "",
    lacks_parts: bool = False,
) -> Extraction:
    """Return the lineage of a SQL text, one statement or a script.

    Datasets become ``namespace:name``, the missing leading parts of a name taken from ``default_database``.
    ``target`` is the dataset that a bare SELECT writes; ``columns`` maps dataset nodes to their columns in order, as
    known before this text: a column is its name, or its name and the text of a type that has parts. ``functions`` is
    what ``function_registry.load`` read. ``lacks_parts`` says that parts of a template have no value in the text, so
    that a clause which it lacks may be one of them. Never raises for what the text says: what is not understood comes
    back as problems.
    """
    try:
        script = Script(dialect=dialect, namespace=namespace, default_database=default_database, columns=columns)
        script.statements.walk.lacks_parts = lacks_parts
        script.statements.walk.functions.registry = registry_of(functions) if functions else None
    except UnknownDialectError as unknown:
        return Extraction((), OPAQUE, (Problem("unsupported-dialect", str(unknown)),), (), (), (), (), ())
    with no_collections():  # a syntax tree is many small objects that live to the end: it nearly doubled the time
        return script.run(sql, target)
