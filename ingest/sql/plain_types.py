"""Types and collations that the parser does not know; which one a column has is not asked."""

from __future__ import annotations

from typing import Final

from sqlglot.tokens import Token, TokenType

from ingest.sql.tokens import kinds_of, places_of, token_like, word_at

_SHAPES: Final = (TokenType.GEOGRAPHY, TokenType.GEOMETRY)


def plain_unions(tokens: list[Token]) -> list[Token] | None:
    """Hive's ``uniontype<…>``: a text's type."""
    changed: list[Token] = []
    depth = 0
    found = False
    for place, token in enumerate(tokens):
        opens = token.text.lower() == "uniontype" and place + 1 < len(tokens) and tokens[place + 1].text == "<"
        if opens and not depth:
            found = True
            changed.append(token_like(token, TokenType.TEXT, "string"))
            depth = -1
        elif depth:
            depth = 1 if depth < 0 else depth + token.text.count("<") - token.text.count(">")
            if depth < 0 or (depth == 0 and token.text == ">>"):
                changed += [token_like(token, TokenType.GT, ">")] * -depth
                depth = 0
        else:
            changed.append(token)
    return changed if found else None


def plain_shapes(tokens: list[Token]) -> list[Token] | None:
    """Spark's ``GEOMETRY(ANY)``: the type without the system of its coordinates."""
    changed: list[Token] = []
    done = 0
    for place in places_of(TokenType.ANY, kinds_of(tokens)):
        around = [token.token_type for token in tokens[max(place - 2, 0) : place + 2]]
        if len(around) == 4 and around[0] in _SHAPES and around[1::2] == [TokenType.L_PAREN, TokenType.R_PAREN]:
            changed += tokens[done : place - 1]
            done = place + 2
    return changed + tokens[done:] if done else None


def without_collation(tokens: list[Token]) -> list[Token] | None:
    """``CREATE VIEW v DEFAULT COLLATION UNICODE AS …``: how texts are compared moves no column."""
    place = next(
        (p for p in places_of(TokenType.DEFAULT, kinds_of(tokens)) if word_at(tokens, p + 1) == "collation"), 0
    )
    return tokens[:place] + tokens[place + 3 :] if place else None
