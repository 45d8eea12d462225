"""Hive's ``FROM UNIQUEJOIN PRESERVE t a (a.k), u b (b.k)`` as full joins: each source on the keys of the first."""

from __future__ import annotations

from sqlglot.tokens import Token, TokenType

from ingest.sql.text.tokens import closing, items_of, kinds_of, places_of, token_like, word_at


def plain_unique_joins(tokens: list[Token]) -> list[Token] | None:
    """Return the tokens with full joins, None where there is no UNIQUEJOIN or its keys are not understood."""
    places = places_of(TokenType.FROM, kinds_of(tokens))
    start = next((place + 1 for place in places if word_at(tokens, place + 1) == "uniquejoin"), None)
    if start is None:
        return None
    changed, place = tokens[:start], start + 1
    first: list[list[Token]] = []
    while place < len(tokens) and tokens[place].token_type not in (TokenType.SELECT, TokenType.INSERT):
        token = tokens[place]
        if token.token_type is TokenType.L_PAREN:
            end = closing(tokens, place)
            keys = items_of(tokens[place + 1 : end])
            if not end or (first and len(keys) != len(first)):
                return None
            for number, (one, other) in enumerate(zip(first, keys, strict=False)):
                kind, word = (TokenType.AND, "AND") if number else (TokenType.ON, "ON")
                changed += [token_like(token, kind, word), *one, token_like(token, TokenType.EQ, "="), *other]
            first, place = first or keys, end
        elif token.token_type is TokenType.COMMA:
            changed += [token_like(token, TokenType.FULL, "FULL"), token_like(token, TokenType.JOIN, "JOIN")]
        elif token.text.upper() != "PRESERVE":
            changed.append(token)
        place += 1
    return changed + tokens[place:]
