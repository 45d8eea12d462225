"""Teradata's macros, ``CREATE MACRO m (d DATE) AS (INSERT …; DELETE …;)``, as procedures, whose bodies are read.

REPLACE PROCEDURE and REPLACE MACRO create them, too.
"""

from __future__ import annotations

from typing import Final

from sqlglot.tokens import Token, TokenType

from ingest.sql.text.tokens import after_name, closing, token_like, word_at

_HEADS: Final = ("create", "replace")
_ROUTINES: Final = ("macro", "procedure")


def plain_routines(tokens: list[Token]) -> list[Token]:
    """Return a script with each REPLACE PROCEDURE as CREATE, and each macro as a procedure with a block."""
    changed: list[Token] = []
    place = 0
    while place < len(tokens):
        begins = not place or tokens[place - 1].token_type is TokenType.SEMICOLON
        if not begins or word_at(tokens, place) not in _HEADS or word_at(tokens, place + 1) not in _ROUTINES:
            changed.append(tokens[place])
            place += 1
            continue
        changed.append(token_like(tokens[place], TokenType.CREATE, "CREATE"))
        body = _body(tokens, place + 2) if word_at(tokens, place + 1) == "macro" else 0
        end = closing(tokens, body) if body else 0
        if not end:
            changed.append(tokens[place + 1])
            place += 2
            continue
        changed += [token_like(tokens[place + 1], TokenType.PROCEDURE, "PROCEDURE"), *tokens[place + 2 : body - 1]]
        changed += [token_like(tokens[body], TokenType.BEGIN, "BEGIN"), *tokens[body + 1 : end]]
        changed += [token_like(tokens[end], TokenType.SEMICOLON, ";"), token_like(tokens[end], TokenType.END, "END")]
        place = end + 1
    return changed


def _body(tokens: list[Token], start: int) -> int:
    """Return the place of the bracket that holds a macro's statements, after its name, its parameters and AS."""
    place = after_name(tokens, start)
    if word_at(tokens, place) == "(":
        place = closing(tokens, place) + 1
    return place + 1 if word_at(tokens, place) == "as" and word_at(tokens, place + 1) == "(" else 0
