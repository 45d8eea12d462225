"""Flink's tables over streams: watermarks, metadata columns, LIKE with options, catalogs, window table functions.

Also its rows as types, and its maps. What has no lineage is removed; a column that cannot be written becomes a computed
one, ``c AS NULL``.
"""

from __future__ import annotations

from typing import Final

from sqlglot.tokens import Token, TokenType

from ingest.sql.text.tokens import (
    after_name,
    as_names,
    bracketed,
    closing,
    items_of,
    kinds_of,
    places_of,
    token_like,
    with_commas,
    word_at,
)
from ingest.sql.words import words

_WITHOUT_ROWS: Final = ("catalog",)
#: Words after a value, and before one, that cannot be a type and a field's name.
_AFTER_VALUE: Final = words("is and or not like in between similar over at collate")
_BEFORE_VALUE: Final = words("not case cast distinct interval exists date time timestamp")
_BEFORE_TYPE: Final = (TokenType.VAR, TokenType.IDENTIFIER, TokenType.LT, TokenType.ALIAS)
_BEFORE_TABLE: Final = (TokenType.L_PAREN, TokenType.COMMA, TokenType.FARROW)


def plain_stream(tokens: list[Token]) -> list[Token]:
    """Return a statement without what only Flink has in it."""
    if tokens[0].token_type is TokenType.CREATE:
        tokens = _plain_definition(tokens)
    return _plain_arguments(_without_within(_called_session(_called_maps(_plain_rows(_plain_types(tokens))))))


def _plain_types(tokens: list[Token]) -> list[Token]:
    """``BYTES`` and ``MULTISET<INT>`` as types that the parser has."""
    changed = tokens
    for place in range(1, len(tokens) - 1):
        word, before, after = word_at(tokens, place), tokens[place - 1].token_type, tokens[place + 1].token_type
        kind = None
        if word == "multiset" and after is TokenType.LT:
            kind = TokenType.ARRAY
        elif word == "bytes" and (before in _BEFORE_TYPE or after is TokenType.GT) and before is not TokenType.DOT:
            kind = TokenType.VARBINARY
        if kind is not None:
            changed = list(tokens) if changed is tokens else changed
            changed[place] = token_like(tokens[place], kind, tokens[place].text)
    return changed


def _plain_rows(tokens: list[Token]) -> list[Token]:
    """``ROW<a INT 'what it is', b STRING>`` and ``ROW(a INT)`` as ``STRUCT<…>``, which the parser has as a type."""
    changed = list(tokens)
    left_out: set[int] = set()
    for place in places_of(TokenType.ROW, kinds_of(tokens)):
        opened = tokens[place + 1].token_type if place + 1 < len(tokens) else None
        end = 0
        if opened is TokenType.L_PAREN and _lists_types(tokens, place + 1):
            end = closing(tokens, place + 1)
            changed[place + 1] = token_like(tokens[place + 1], TokenType.LT, "<")
            changed[end] = token_like(tokens[end], TokenType.GT, ">")
        elif opened is TokenType.LT:
            end = _closing_angle(tokens, place + 1)
        if end:
            changed[place] = token_like(tokens[place], TokenType.STRUCT, "STRUCT")
            strings = (p for p in range(place, end) if tokens[p].token_type is TokenType.STRING)
            left_out.update(p for p in strings if word_at(tokens, p - 1) != "comment")
    return [token for place, token in enumerate(changed) if place not in left_out]


def _lists_types(tokens: list[Token], opened: int) -> bool:
    """Whether a bracket after ROW has fields with types, ``(a INT, b STRING)``, and no values."""
    items = items_of(tokens[opened + 1 : closing(tokens, opened)])
    return all(
        len(item) > 1 and item[1].text.isidentifier() and word_at(item, 1) not in _AFTER_VALUE and _is_name(item[0])
        for item in items
    )


def _is_name(token: Token) -> bool:
    """Whether a field may be called so: what begins a value is no name."""
    return token.token_type is TokenType.IDENTIFIER or (
        token.text.isidentifier() and token.text.lower() not in _BEFORE_VALUE
    )


def _closing_angle(tokens: list[Token], place: int) -> int:
    """Return the place of the ``>`` that closes the ``<`` at ``place``, 0 where there is none: it compares."""
    depth = 0
    for end in range(place, len(tokens)):
        depth += tokens[end].text.count("<") - tokens[end].text.count(">")
        if depth <= 0:
            return end
    return 0


def _called_maps(tokens: list[Token]) -> list[Token]:
    """``MAP['a', x, 'b', y]`` is ``MAP('a', x, 'b', y)``; the parser takes it for an element of a column."""
    changed = list(tokens)
    for place in places_of(TokenType.MAP, kinds_of(tokens)):
        if place + 1 < len(tokens) and tokens[place + 1].token_type is TokenType.L_BRACKET:
            end = closing(tokens, place + 1)
            if end and len(items_of(tokens[place + 2 : end])) % 2 == 0:
                changed[place + 1] = token_like(tokens[place + 1], TokenType.L_PAREN, "(")
                changed[end] = token_like(tokens[end], TokenType.R_PAREN, ")")
    return changed


def _called_session(tokens: list[Token]) -> list[Token]:
    """``SESSION(…)`` is a function; the parser has it for a keyword."""
    kinds = kinds_of(tokens)
    called = (place for place in places_of(TokenType.SESSION, kinds) if kinds[place + 1 :][:1] == [TokenType.L_PAREN])
    return as_names(tokens, called) or tokens


def _plain_definition(tokens: list[Token]) -> list[Token]:
    place = next((p for p in range(1, min(len(tokens), 4)) if word_at(tokens, p) in ("table", *_WITHOUT_ROWS)), 0)
    if word_at(tokens, 1) == "temporary" and word_at(tokens, 2) == "system":
        return [*tokens[:2], *tokens[3:]]
    if not place:
        return tokens
    if word_at(tokens, place) in _WITHOUT_ROWS:  # a catalog is made as a schema is: it moves no rows
        start = place + 4 if word_at(tokens, place + 1) == "if" else place + 1
        schema = token_like(tokens[place], TokenType.SCHEMA, "SCHEMA")
        return [*tokens[:place], schema, *tokens[place + 1 : after_name(tokens, start)]]
    name = place + 4 if word_at(tokens, place + 1) == "if" else place + 1
    return _plain_table(tokens, after_name(tokens, name))


def _plain_table(tokens: list[Token], start: int) -> list[Token]:
    """Return CREATE TABLE with plain columns and, in front of them, the LIKE that follows all."""
    columns: list[list[Token]] = []
    end = start
    if start < len(tokens) and tokens[start].token_type is TokenType.L_PAREN:
        close = closing(tokens, start)
        if not close:
            return tokens
        columns = [plain for item in items_of(tokens[start + 1 : close]) if (plain := _column(item))]
        end = close + 1
    like = _like(tokens, end)
    if like:
        columns.insert(0, tokens[like : after_name(tokens, like + 1)])
    if not columns:
        return tokens
    mark = tokens[start - 1]
    return [*tokens[:start], *bracketed(with_commas(columns, mark), mark), *tokens[end : like or len(tokens)]]


def _column(item: list[Token]) -> list[Token] | None:
    """Return the definition of a column, None for a watermark."""
    if word_at(item, 0) == "watermark" and word_at(item, 1) == "for":
        return None
    place = next((p for p in range(1, len(item)) if word_at(item, p) == "metadata"), 0)
    if not place:
        return item
    if any(word_at(item, p) == "virtual" for p in range(place, len(item))):
        mark = item[0]
        return [mark, token_like(mark, TokenType.ALIAS, "AS"), token_like(mark, TokenType.NULL, "NULL")]
    end = place + 3 if word_at(item, place + 1) == "from" else place + 1
    return [*item[:place], *item[end:]]


def _like(tokens: list[Token], start: int) -> int:
    """Return the place of the LIKE after a table's options, 0 where there is none."""
    depth = 0
    for place in range(start, len(tokens) - 1):
        depth += (tokens[place].token_type is TokenType.L_PAREN) - (tokens[place].token_type is TokenType.R_PAREN)
        if not depth and word_at(tokens, place) == "as":
            return 0
        if not depth and word_at(tokens, place) == "like":
            return place
    return 0


def _without_within(tokens: list[Token]) -> list[Token]:
    """``PATTERN (A B) WITHIN INTERVAL '1' HOUR``: how long a match may take names no column."""
    for place in range(len(tokens) - 4):
        if word_at(tokens, place) == "within" and tokens[place - 1].token_type is TokenType.R_PAREN:
            end = next((p for p in range(place, len(tokens)) if word_at(tokens, p) == "define"), 0)
            return tokens[:place] + tokens[end:] if end else tokens
    return tokens


def _plain_arguments(tokens: list[Token]) -> list[Token]:
    """``f(TABLE t PARTITION BY a, DESCRIPTOR(c))`` is ``f(TABLE(t), DESCRIPTOR(c))``."""
    changed: list[Token] = []
    done = 0
    for place, token in enumerate(tokens):
        is_argument = (
            token.token_type is TokenType.TABLE and place > 0 and tokens[place - 1].token_type in _BEFORE_TABLE
        )
        if not is_argument or place < done or word_at(tokens, place + 1) == "(":
            continue
        end = after_name(tokens, place + 1)
        if end == place + 1:
            continue
        name = token_like(token, TokenType.VAR, token.text)
        changed += [*tokens[done:place], name, *bracketed(tokens[place + 1 : end], token)]
        done = _after_partition(tokens, end)
    return changed + tokens[done:] if done else tokens


def _after_partition(tokens: list[Token], place: int) -> int:
    """Return the place after ``PARTITION BY a, b`` of a table that a function is given: the next argument's comma."""
    if word_at(tokens, place) not in ("partition", "partition by", "order", "order by"):
        return place
    depth = 0
    for end in range(place, len(tokens)):
        kind = tokens[end].token_type
        if depth == 0 and kind is TokenType.R_PAREN:
            return end
        depth += (kind is TokenType.L_PAREN) - (kind is TokenType.R_PAREN)
        named = end + 2 < len(tokens) and tokens[end + 2].token_type is TokenType.FARROW
        if not depth and kind is TokenType.COMMA and (named or word_at(tokens, end + 1) == "descriptor"):
            return end
    return place
