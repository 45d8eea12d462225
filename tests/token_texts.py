"""Converts SQL texts to the tokens of a dialect, and tokens back to text."""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot.tokens import Token, TokenType

from ingest.sql.dialects.engine import engine_of
from ingest.sql.dialects.registry import rules_or_standard


def tokens_in(sql: str, dialect: str = "hive") -> list[Token]:
    """Return the tokens of a text."""
    return list(engine_of(rules_or_standard(dialect)).dialect.tokenize(sql))


def text_of(tokens: Iterable[Token] | None) -> str | None:
    """Return tokens as text, separated by spaces, strings in single quotes; None for None."""
    if tokens is None:
        return None
    return " ".join(f"'{token.text}'" if token.token_type is TokenType.STRING else token.text for token in tokens)
