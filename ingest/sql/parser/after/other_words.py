"""Clauses that an engine takes in two forms of words, of which the parser knows one."""

from __future__ import annotations

from sqlglot.tokens import Token, TokenType

from ingest.sql.text.tokens import after_name, token_like, word_at


def in_other_words(tokens: list[Token]) -> list[Token] | None:
    """Return a statement in the words that the parser knows, None where it has none of the others."""
    if word_at(tokens, 0) == "alter" and word_at(tokens, 1) == "table":
        return _altered(tokens)
    changed = [
        token_like(token, TokenType.VAR, "VERSION") if _is_version(tokens, place) else token
        for place, token in enumerate(tokens)
    ]
    return changed if changed != tokens else None


def _is_version(tokens: list[Token], place: int) -> bool:
    """Spark's ``FOR SYSTEM_VERSION AS OF 3`` is ``FOR VERSION AS OF 3``."""
    return word_at(tokens, place) == "system_version" and word_at(tokens, place + 1) == "as"


def _altered(tokens: list[Token]) -> list[Token] | None:
    """Spark's ``ADD COLUMN (a INT)``; MaxCompute's ``CHANGE COLUMN a RENAME TO b``."""
    place = after_name(tokens, 2)
    first, second = word_at(tokens, place), word_at(tokens, place + 1)
    if first == "add" and second == "column" and word_at(tokens, place + 2) == "(":
        return [*tokens[: place + 1], token_like(tokens[place + 1], TokenType.VAR, "COLUMNS"), *tokens[place + 2 :]]
    if first == "change" and second == "column" and word_at(tokens, place + 3) == "rename":
        rename = token_like(tokens[place], tokens[place + 3].token_type, "RENAME")
        return [*tokens[:place], rename, *tokens[place + 1 : place + 3], *tokens[place + 4 :]]
    return None
