"""Names that catalogs and manifests write for relations and columns, in the spelling of lineage."""

from __future__ import annotations

from sqlglot import exp
from sqlglot.errors import SqlglotError

from ingest.sql.dialects.dialects import Names


def relation(names: Names, written: str) -> str | None:
    """Return the dataset of a relation written as in SQL, ``"db"."schema"."t"``; None where it cannot be read."""
    try:
        return names.dataset(exp.to_table(written, dialect=names.dialect))
    except (SqlglotError, ValueError):
        return None


def relation_of_parts(names: Names, parts: list[str]) -> str:
    """Return the dataset of a name's parts, written without quotes."""
    named = [exp.to_identifier(part) for part in parts]
    return names.dataset(exp.Table(**dict(zip(("this", "db", "catalog"), reversed(named), strict=False))))


def column(names: Names, name: str) -> str:
    """Return a column's name as the warehouse has it, in the spelling of lineage."""
    return names.spell(exp.to_identifier(name, quoted=True))


def unquoted_column(names: Names, name: str) -> str:
    """Return a column's name that is written without quotes, in the spelling of lineage."""
    return names.spell(exp.to_identifier(name, quoted=False))
