"""Clauses that an engine takes in two forms of words, of which the parser knows one."""

from __future__ import annotations

from typing import Final

from sqlglot.tokens import Token, TokenType

from ingest.sql.text.tokens import after_name, bracketed, token_like, word_at

#: What reading a sequence is called, where the parser does not know its words.
NEXT_VALUE: Final = "next_value_for"


def in_other_words(tokens: list[Token]) -> list[Token] | None:
    """Return a statement in the words that the parser knows, None where it has none of the others."""
    if word_at(tokens, 0) == "alter" and word_at(tokens, 1) == "table":
        return _altered(tokens)
    tokens, before = _called_sequences(tokens), tokens
    changed = [
        token_like(token, TokenType.VAR, "VERSION") if _is_version(tokens, place) else token
        for place, token in enumerate(tokens)
    ]
    return changed if changed != before else None


def _called_sequences(tokens: list[Token]) -> list[Token]:
    """``NEXT VALUE FOR d.s`` and Db2's ``PREVVAL FOR s`` are ``next_value_for(d.s)``, which names no column."""
    changed: list[Token] = []
    done = 0
    for place in range(1, len(tokens) - 1):
        before = word_at(tokens, place - 1)
        words_of_one = before in ("next", "previous") and word_at(tokens, place) == "value"
        start = place - 1 if words_of_one else place
        if not (words_of_one or word_at(tokens, place) in ("nextval", "prevval")) or start < done:
            continue
        if word_at(tokens, place + 1) != "for" or place + 2 >= len(tokens):
            continue
        end = after_name(tokens, place + 2)
        called = token_like(tokens[start], TokenType.VAR, NEXT_VALUE)
        changed += [*tokens[done:start], called, *bracketed(tokens[place + 2 : end], tokens[start])]
        done = end
    return [*changed, *tokens[done:]]


def joined_texts(tokens: list[Token]) -> list[Token] | None:
    """Hive's ``COMMENT 'it''s'``: two texts, one after the other, are one. A comment moves no column."""
    changed: list[Token] = []
    for token in tokens:
        text = changed[-1] if changed and word_at(changed, len(changed) - 2) == "comment" else None
        if text is not None and text.token_type is TokenType.STRING is token.token_type:
            changed[-1] = token_like(text, TokenType.STRING, text.text + token.text)
        else:
            changed.append(token)
    return changed if len(changed) < len(tokens) else None


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
