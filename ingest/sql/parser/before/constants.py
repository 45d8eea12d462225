"""Session variables that hold the name of a table: ``SET t = 'a.b'; SELECT … FROM IDENTIFIER($t)``."""

from __future__ import annotations

from typing import Final

from sqlglot.tokens import Token, TokenType

from ingest.sql.text.tokens import token_like, word_at

#: ``SET x = 'a'``, and ``IDENTIFIER ( $ x )``.
_SETTING: Final = 4
_USING: Final = 5
_NAMING: Final = ("identifier", "table")


def with_named_tables(chunks: list[list[Token]]) -> list[list[Token]]:
    """Return statements that name tables by session variables with the constants that the text set these to before."""
    known: dict[str, str] = {}
    result = []
    for chunk in chunks:
        if word_at(chunk, 0) == "set":
            _note(chunk, known)
        result.append(_replaced(chunk, known) if known else chunk)
    return result


def _note(chunk: list[Token], known: dict[str, str]) -> None:
    """Note a constant text, and forget what is set to anything else."""
    end = next((at for at, token in enumerate(chunk) if token.token_type is TokenType.EQ), len(chunk))
    for token in chunk[1:end]:
        known.pop(token.text.lower(), None)
    if len(chunk) == _SETTING and chunk[2].token_type is TokenType.EQ and chunk[3].token_type is TokenType.STRING:
        known[chunk[1].text.lower()] = chunk[3].text


def _replaced(chunk: list[Token], known: dict[str, str]) -> list[Token]:
    kinds = [TokenType.L_PAREN, TokenType.PARAMETER, TokenType.VAR, TokenType.R_PAREN]
    result: list[Token] = []
    place = 0
    while place < len(chunk):
        found = [token.token_type for token in chunk[place + 1 : place + _USING]] == kinds
        name = known.get(chunk[place + 3].text.lower()) if found and word_at(chunk, place) in _NAMING else None
        if name is None:
            result.append(chunk[place])
            place += 1
            continue
        like = chunk[place]
        result += [token_like(like, TokenType.VAR, "IDENTIFIER"), chunk[place + 1]]
        result += [token_like(chunk[place + 3], TokenType.STRING, name), chunk[place + 4]]
        place += _USING
    return result
