"""JSON_TABLE (SQL:2016, as in Trino, MySQL, Postgres and Oracle) cut down to what makes its columns.

``JSON_TABLE(d, '$' AS p PASSING x AS y COLUMNS (a INT PATH '$.a' DEFAULT 0 ON EMPTY) ERROR ON ERROR)``: what happens
where something is missing or fails, and under which plan, moves no edge. Passed values do: they are kept beside the
document.
"""

from __future__ import annotations

from typing import Final

from sqlglot.tokens import Token, TokenType

from ingest.sql.text.tokens import closing, commas_outside, items_of, outside, token_like, word_at
from ingest.sql.words import words

# What may follow a column's type.
_AFTER_TYPE: Final = words("path format exists default null error empty true false unknown with without keep omit")
_CONSTANTS: Final = frozenset(
    [TokenType.STRING, TokenType.NUMBER, TokenType.NULL, TokenType.TRUE, TokenType.FALSE, TokenType.DASH]
)


def plain_json_tables(tokens: list[Token]) -> list[Token] | None:
    """Return the tokens with plain JSON_TABLEs, None where there is none or one whose defaults are not constants."""
    changed: list[Token] = []
    done = 0
    for place in range(len(tokens) - 1):
        if place < done or word_at(tokens, place) != "json_table" or tokens[place + 1].token_type != TokenType.L_PAREN:
            continue
        end = closing(tokens, place + 1)
        plain = _plain(tokens[place + 2 : end]) if end else None
        if plain is None:
            return None
        changed += [*tokens[done : place + 2], *plain]
        done = end
    return changed + tokens[done:] if done else None


def _plain(inside: list[Token]) -> list[Token] | None:
    """Return what is between the brackets of a JSON_TABLE, None where it cannot be cut down."""
    comma = next(iter(commas_outside(inside)), len(inside))
    start = _place(inside, "columns", comma)
    columns = _columns(inside, start)
    if columns is None:
        return None
    passing = _place(inside, "passing", comma)
    document = inside[: min(_place(inside, "format", 1), comma)]
    if passing < start:
        like = inside[0]
        call = [token_like(like, TokenType.VAR, "json_passing"), token_like(like, TokenType.L_PAREN, "(")]
        document = call + document
        for item in filter(None, items_of(inside[passing + 1 : start])):
            end = min(_place(item, "format", 1), _place(item, "as", 1))
            document += [token_like(like, TokenType.COMMA, ","), *item[:end]]
        document.append(token_like(like, TokenType.R_PAREN, ")"))
    return [*document, *inside[comma : comma + 2], *columns]


def _columns(tokens: list[Token], place: int) -> list[Token] | None:
    """Return ``COLUMNS (…)``, which begins at ``place``, with names, types and paths alone."""
    end = closing(tokens, place + 1) if place + 1 < len(tokens) else 0
    if end <= place + 1:
        return None
    columns: list[Token] = []
    for item in filter(None, items_of(tokens[place + 2 : end])):
        column = _column(item)
        if column is None:
            return None
        columns += [*([token_like(tokens[place], TokenType.COMMA, ",")] if columns else []), *column]
    return [*tokens[place : place + 2], *columns, tokens[end]]


def _column(item: list[Token]) -> list[Token] | None:
    """Return a column's name, type and path, None where its default value is not a constant."""
    inner = _place(item, "columns", 1)
    if word_at(item, 0) == "nested" and inner < len(item):
        columns = _columns(item, inner)
        path = next((token for token in item[:inner] if token.token_type is TokenType.STRING), None)
        if columns is None or path is None:
            return None
        return [item[0], token_like(item[0], TokenType.VAR, "PATH"), path, *columns]
    after = next((place for place in outside(item)[1:] if word_at(item, place) in _AFTER_TYPE), len(item))
    rest = iter([place for place in outside(item) if place >= after])
    for place in rest:
        if word_at(item, place) == "default":
            end = next((at for at in rest if word_at(item, at) == "on"), len(item))
            if not _CONSTANTS.issuperset(token.token_type for token in item[place + 1 : end]):
                return None
    path_at = _place(item, "path", after)
    return [*item[:after], *item[path_at : path_at + 2]]


def _place(tokens: list[Token], word: str, start: int) -> int:
    """Return the first place of a word outside of brackets, from ``start`` on; the end where it is not there."""
    return next((p for p in outside(tokens) if p >= start and word_at(tokens, p) == word), len(tokens))
