"""SQL to edges: :func:`extract` resolves a text in one walk over its scopes.

The path of a text, one package per step; each imports only the packages before it:

- ``dialects`` says what is true of one dialect; ``text`` rejects what would stall a parser and fills in templates.
- ``parser`` splits a script into statements and has sqlglot read them.
- ``binder`` walks a query: each SELECT becomes a relation, columns with their sources, all at once.
- ``statements`` runs a script in order: what each statement writes, reads and makes known.
- ``compare`` says how two texts differ.

Names are imported at first use: the rules of dialects are needed where no parser is.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ingest.sql.result import Extraction, Problem, StatementLineage
    from ingest.sql.statements.extract import extract

__all__ = ["Extraction", "Problem", "StatementLineage", "extract"]


def __getattr__(name: str) -> Any:
    """Import the parser at first use (PEP 562)."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("ingest.sql.statements.extract" if name == "extract" else "ingest.sql.result"), name)
