"""Brackets that the parser needs and engines do not: around computed columns, and around what PRIOR is of."""

from __future__ import annotations

from typing import Final

from sqlglot.tokens import Token, TokenType

from ingest.sql.parser.after.left_out import name_end
from ingest.sql.text.tokens import (
    NAMES,
    after_name,
    bracketed,
    closing,
    items_of,
    outside,
    with_commas,
    word_at,
)

_BEFORE_ITEMS: Final = (TokenType.SELECT, TokenType.COMMA, TokenType.L_PAREN)
#: What may follow the expression of a computed column.
_AFTER: Final = ("not", "null", "comment", "constraint")
_LONGEST_HEAD: Final = 6


def computed_columns(tokens: list[Token]) -> list[Token] | None:
    """Snowflake's ``CREATE EXTERNAL TABLE t (d DATE AS TO_DATE(a))``: the expression with brackets around it."""
    head = [word_at(tokens, place) for place in range(_LONGEST_HEAD)]
    if head[0] != "create" or "external" not in head or "table" not in head:
        return None
    start = name_end(tokens)
    end = closing(tokens, start) if word_at(tokens, start) == "(" else 0
    if not end:
        return None
    items = [_computed(item) for item in items_of(tokens[start + 1 : end])]
    changed = [*tokens[: start + 1], *with_commas(items, tokens[start]), *tokens[end:]]
    return changed if len(changed) > len(tokens) else None


def _computed(item: list[Token]) -> list[Token]:
    """Return the definition of a column with brackets around all of what it is computed as."""
    places = outside(item)
    start = next((place + 1 for place in places if item[place].token_type is TokenType.ALIAS), 0)
    if not start:
        return item
    end = next((place for place in places if place > start and word_at(item, place) in _AFTER), len(item))
    if end <= start or (word_at(item, start) == "(" and closing(item, start) == end - 1):
        return item
    return [*item[:start], *bracketed(item[start:end], item[start]), *item[end:]]


def prior_items(tokens: list[Token]) -> list[Token] | None:
    """``SELECT PRIOR a``, which the parser knows in CONNECT BY alone, as a call: the value of the row above."""
    result: list[Token] = []
    place = 0
    while place < len(tokens):
        result.append(tokens[place])
        is_item = place > 0 and tokens[place - 1].token_type in _BEFORE_ITEMS and word_at(tokens, place) == "prior"
        place += 1
        if is_item and place < len(tokens) and tokens[place].token_type in NAMES:
            end = after_name(tokens, place)
            result += bracketed(tokens[place:end], tokens[place])
            place = end
    return result if len(result) > len(tokens) else None
