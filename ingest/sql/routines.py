"""``WITH FUNCTION f(a bigint) RETURNS bigint BEGIN … END SELECT f(x)``: Trino's inline routines, statements inside.

The body's semicolons end no statement. What it does with its parameters is not looked into: its value comes from all of
them, as that of any function that is not known.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from sqlglot.tokens import Token, TokenType

_INLINE: Final = re.compile(r"with\s+function\b")
_BODY: Final = "routine_body"
#: What END may close without a word of its own.
_OPENS: Final = (TokenType.BEGIN, TokenType.CASE)
_NOT_OURS: Final = frozenset(["IF", "LOOP", "WHILE", "REPEAT"])


def without_bodies(sql: str, tokens: list[Token]) -> list[Token]:
    """Return a script's tokens, each inline routine's block put as one call of its parameters."""
    if "function" not in (lowered := sql.lower()) or _INLINE.search(lowered) is None:
        return tokens
    changed: list[Token] = []
    place = 0
    while place < len(tokens):
        if tokens[place].token_type == TokenType.FUNCTION and _inline(tokens, place):
            begin = _begin(tokens, place)
            if begin is not None:
                changed += tokens[place:begin]
                changed += _returned(tokens[begin], _parameters(tokens[place:begin]))
                place = _behind(tokens, begin)
                continue
        changed.append(tokens[place])
        place += 1
    return changed


def _inline(tokens: list[Token], place: int) -> bool:
    return place > 0 and bool(tokens[place - 1].token_type in (TokenType.WITH, TokenType.COMMA))


def _begin(tokens: list[Token], place: int) -> int | None:
    """Return where the block of the function at ``place`` begins, None where its body is an expression."""
    for at in range(place, len(tokens)):
        if tokens[at].token_type == TokenType.BEGIN:
            return at
        if tokens[at].token_type in (TokenType.SEMICOLON, TokenType.SELECT) or tokens[at].text.upper() == "RETURN":
            return None
    return None


def _behind(tokens: list[Token], begin: int) -> int:
    """Return the place behind the END that closes a block."""
    depth = 0
    for at in range(begin, len(tokens)):
        ends = tokens[at].token_type == TokenType.END
        if tokens[at].token_type in _OPENS and tokens[at - 1].token_type != TokenType.END:
            depth += 1
        elif ends and not (at + 1 < len(tokens) and tokens[at + 1].text.upper() in _NOT_OURS):
            depth -= 1
            if not depth:
                return at + 1
    return len(tokens)


def _parameters(head: list[Token]) -> list[Token]:
    """Return the names of a function's parameters: the first word behind a bracket or comma of its list."""
    names: list[Token] = []
    depth = 0
    for before, token in pairwise(head):
        if depth == 1 and before.token_type in (TokenType.L_PAREN, TokenType.COMMA):
            names.append(token)
        depth += (token.token_type == TokenType.L_PAREN) - (token.token_type == TokenType.R_PAREN)
        if not depth and token.token_type == TokenType.R_PAREN:
            break
    return [name for name in names if name.token_type != TokenType.R_PAREN]


def _returned(like: Token, parameters: list[Token]) -> list[Token]:
    made = [(TokenType.VAR, "RETURN"), (TokenType.VAR, _BODY), (TokenType.L_PAREN, "(")]
    found = [Token(kind, text, like.line, like.col, like.start, like.end) for kind, text in made]
    for place, name in enumerate(parameters):
        if place:
            found.append(Token(TokenType.COMMA, ",", like.line, like.col, like.start, like.end))
        found.append(name)
    return [*found, Token(TokenType.R_PAREN, ")", like.line, like.col, like.start, like.end)]
