"""Flink's statement sets: several INSERTs that run as one job. The words around them are removed; each INSERT stays."""

from __future__ import annotations

from typing import Final

from sqlglot.tokens import Token

from ingest.sql.text.tokens import word_at

_OPENINGS: Final = (["execute", "statement", "set", "begin"], ["begin", "statement", "set"])
_RUN: Final = ("insert", "with", "select")


def without_statement_set(tokens: list[Token]) -> list[Token]:
    """Return a statement without ``EXECUTE STATEMENT SET BEGIN``, ``BEGIN STATEMENT SET`` or ``EXECUTE`` in front."""
    for opening in _OPENINGS:
        if [word_at(tokens, place) for place in range(len(opening))] == opening:
            return tokens[len(opening) :]
    if word_at(tokens, 0) == "execute" and word_at(tokens, 1) in _RUN:
        return tokens[1:]
    return tokens
