"""PL/SQL packages: the routines of a body come as if each was created by itself, what it declares as declared in front.

A package's own declaration holds nothing that runs. SQL*Plus ends statements with a line of one slash.
"""

from __future__ import annotations

from typing import Final

from sqlglot.tokens import Token, TokenType

from ingest.sql.text.tokens import after_name, token_like, word_at

_ROUTINES: Final = ("procedure", "function")
_LONGEST_HEAD: Final = 12


def without_slashes(tokens: list[Token]) -> list[Token]:
    """Return a script with semicolons where a slash is alone on its line."""
    return [
        token_like(token, TokenType.SEMICOLON, ";")
        if token.token_type is TokenType.SLASH and _is_alone(tokens, place)
        else token
        for place, token in enumerate(tokens)
    ]


def _is_alone(tokens: list[Token], place: int) -> bool:
    line = tokens[place].line
    after = place + 1 >= len(tokens) or tokens[place + 1].line > line
    return after and (not place or tokens[place - 1].line < line)


def unpacked(chunks: list[list[Token]]) -> list[list[Token]]:
    """Return the statements of a script whose packages are taken apart."""
    if not any(_head(chunk) for chunk in chunks):
        return chunks
    result: list[list[Token]] = []
    inside = ""
    for chunk in chunks:
        head = _head(chunk)
        if head:
            inside = "body" if any(word_at(chunk, place) == "body" for place in range(2, head)) else "declaration"
            chunk = chunk[head:]
        if inside == "declaration":
            inside = "" if word_at(chunk, 0) == "end" else inside
        elif inside and chunk:
            result.append(_of_body(chunk, declares=not any(_is_routine(other) for other in result)))
        elif chunk:
            result.append(chunk)
    return result


def _of_body(chunk: list[Token], *, declares: bool) -> list[Token]:
    """Return a chunk of a body: a routine is created, what comes before the first one is declared."""
    if word_at(chunk, 0) in _ROUTINES:
        if not any(word_at(chunk, place) in ("is", "as") for place in range(2, len(chunk))):
            return [token_like(chunk[0], TokenType.END, "END")]  # declared before it is defined
        return [token_like(chunk[0], TokenType.CREATE, "CREATE"), *chunk]
    if declares and word_at(chunk, 0) not in ("begin", "end", "declare"):
        return [token_like(chunk[0], TokenType.DECLARE, "DECLARE"), *chunk]
    return chunk


def _is_routine(chunk: list[Token]) -> bool:
    return word_at(chunk, 0) == "create" and word_at(chunk, 1) in _ROUTINES


def _head(chunk: list[Token]) -> int:
    """Return the place after ``CREATE OR REPLACE PACKAGE BODY p AS``, 0 where a chunk does not begin so."""
    if word_at(chunk, 0) != "create":
        return 0
    place = next((p for p in range(1, 5) if word_at(chunk, p) == "package"), 0)
    start = place + 1 + (word_at(chunk, place + 1) == "body")
    end = after_name(chunk, start) if place else 0
    while place and end < min(len(chunk), start + _LONGEST_HEAD) and word_at(chunk, end) not in ("is", "as"):
        end += 1
    return end + 1 if place and word_at(chunk, end) in ("is", "as") else 0
