"""SQL to edges: :func:`extract` resolves a text in one walk over its scopes."""

from ingest.sql.extract import extract
from ingest.sql.result import Extraction, Problem, StatementLineage

__all__ = ["Extraction", "Problem", "StatementLineage", "extract"]
