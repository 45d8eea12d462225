"""MaxCompute's ``project:f(a)``: a function of another project."""

from __future__ import annotations

from sqlglot.tokens import Token, TokenType

from ingest.sql.text.tokens import NAMES, kinds_of, places_of, token_like


def plain_projects(tokens: list[Token]) -> list[Token]:
    """Return a statement in which such a call is ``project.f(a)``; the parser takes the colon for a path to a field."""
    kinds = kinds_of(tokens)
    changed = tokens
    for place in places_of(TokenType.COLON, kinds):
        called = kinds[place + 2 : place + 3] == [TokenType.L_PAREN] and kinds[place + 1] in NAMES
        if called and place and kinds[place - 1] in NAMES:
            changed = list(tokens) if changed is tokens else changed
            changed[place] = token_like(tokens[place], TokenType.DOT, ".")
    return changed
