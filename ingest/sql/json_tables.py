"""JSON_TABLE (SQL:2016, as in Trino, MySQL, Postgres and Oracle) cut down to what makes its columns.

``JSON_TABLE(d, '$' AS p PASSING x AS y COLUMNS (a INT PATH '$.a' DEFAULT 0 ON EMPTY) ERROR ON ERROR)``: what happens
where something lacks or fails, and in which plan, moves no edge. What is passed does: it stands beside the document.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from sqlglot.tokens import Token, TokenType

from ingest.sql.tokens import closing, token_like, word_at
from ingest.sql.words import words

# What may stand behind a column's type.
_BEHIND_TYPE: Final = words("path format exists default null error empty true false unknown with without keep omit")
_CONSTANTS: Final = frozenset(
    [TokenType.STRING, TokenType.NUMBER, TokenType.NULL, TokenType.TRUE, TokenType.FALSE, TokenType.DASH]
)


def plain_json_tables(tokens: list[Token]) -> list[Token] | None:
    """Return the tokens with plain JSON_TABLEs, None where there is none or one whose defaults are no constants."""
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
    """Return what stands between the brackets of a JSON_TABLE, None where it cannot be cut down."""
    words_at = _Words(inside)
    start, comma = words_at.place("columns"), next(iter(words_at.commas), len(inside))
    columns = _columns(inside, start) if start > comma else None
    if columns is None:
        return None
    passing = words_at.place("passing")
    document = inside[: min(words_at.place("format"), comma)]
    if passing < start:
        like = inside[0]
        document = [
            token_like(like, TokenType.VAR, "json_passing"),
            token_like(like, TokenType.L_PAREN, "("),
            *document,
        ]
        for item in _items(inside[passing + 1 : start]):
            named = _Words(item)
            document += [token_like(like, TokenType.COMMA, ","), *item[: min(named.place("format"), named.place("as"))]]
        document.append(token_like(like, TokenType.R_PAREN, ")"))
    return [*document, *inside[comma : comma + 2], *columns]


def _columns(tokens: list[Token], place: int) -> list[Token] | None:
    """Return ``COLUMNS (…)``, which begins at ``place``, with names, types and paths alone."""
    end = closing(tokens, place + 1) if place + 1 < len(tokens) else 0
    if end <= place + 1:
        return None
    made: list[Token] = []
    for item in _items(tokens[place + 2 : end]):
        column = _column(item)
        if column is None:
            return None
        made += [*([token_like(tokens[place], TokenType.COMMA, ",")] if made else []), *column]
    return [*tokens[place : place + 2], *made, tokens[end]]


def _column(item: list[Token]) -> list[Token] | None:
    named = _Words(item)
    if word_at(item, 0) == "nested" and named.place("columns") < len(item):
        columns = _columns(item, named.place("columns"))
        path = next((token for token in item[: named.place("columns")] if token.token_type is TokenType.STRING), None)
        if columns is None or path is None:
            return None
        return [item[0], token_like(item[0], TokenType.VAR, "PATH"), path, *columns]
    behind = next((place for place in named.outside[1:] if word_at(item, place) in _BEHIND_TYPE), len(item))
    defaults = [place for place in named.outside if place >= behind and word_at(item, place) == "default"]
    for place in defaults:
        end = next((at for at in named.outside if at > place and word_at(item, at) == "on"), len(item))
        if not _CONSTANTS.issuperset(token.token_type for token in item[place + 1 : end]):
            return None
    path_at = named.place("path")
    return [*item[:behind], *item[path_at : path_at + 2]]


def _items(tokens: list[Token]) -> list[list[Token]]:
    """Return the items of a list, cut at the commas outside of brackets."""
    cuts = [-1, *_Words(tokens).commas, len(tokens)]
    return [tokens[start + 1 : end] for start, end in pairwise(cuts) if end > start + 1]


class _Words:
    """Where in a run of tokens what stands outside of brackets is."""

    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self.outside: list[int] = []
        depth = 0
        for place, token in enumerate(tokens):
            depth -= token.token_type is TokenType.R_PAREN
            if depth == 0:
                self.outside.append(place)
            depth += token.token_type is TokenType.L_PAREN

    @property
    def commas(self) -> list[int]:
        """The places of the commas."""
        return [place for place in self.outside if self._tokens[place].token_type is TokenType.COMMA]

    def place(self, word: str) -> int:
        """Return the first place of a word, that behind the last token where it is not there."""
        return next((place for place in self.outside if word_at(self._tokens, place) == word), len(self._tokens))
