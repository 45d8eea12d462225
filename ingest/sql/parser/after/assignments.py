"""``SET a += b`` as what it means, ``SET a = a + (b)``: sqlglot has no assignments with an operator."""

from __future__ import annotations

from typing import Final

from sqlglot.tokens import Token, TokenType

from ingest.sql.text.tokens import NAMES, bracketed, start_of_name, token_like, word_at
from ingest.sql.words import words

#: The comment of an operator that was written before ``=``.
COMPOUND: Final = "compound"
_OPERATORS: Final = frozenset([
    *(TokenType.PLUS, TokenType.DASH, TokenType.STAR, TokenType.SLASH, TokenType.MOD),
    *(TokenType.PIPE, TokenType.AMP, TokenType.CARET),
])  # fmt: skip
#: What follows an assigned value, unless it is in a bracket or a CASE.
_AFTER_VALUE: Final = words(", ; from where output option when returning order limit")


def plain_assignments(tokens: list[Token]) -> list[Token] | None:
    """Return a statement in which each ``a += b`` is ``a = a + (b)``, its operator with COMPOUND; None for none."""
    changed: list[Token] = []
    done = 0
    for place in range(1, len(tokens) - 2):
        if place < done or not _assigns(tokens, place):
            continue
        operator = token_like(tokens[place], tokens[place].token_type, tokens[place].text)
        operator.comments.append(COMPOUND)
        end = _end_of_value(tokens, place + 2)
        named = tokens[_start_of_target(tokens, place - 1) : place]
        value = bracketed(tokens[place + 2 : end], operator)
        changed += [*tokens[done:place], tokens[place + 1], *named, operator, *value]
        done = end
    return changed + tokens[done:] if done else None


def _assigns(tokens: list[Token], place: int) -> bool:
    """Whether an operator and ``=`` without a space between them follow a name."""
    operator, equals = tokens[place], tokens[place + 1]
    glued = equals.token_type is TokenType.EQ and equals.start == operator.end + 1
    return glued and operator.token_type in _OPERATORS and tokens[place - 1].token_type in NAMES


def _start_of_target(tokens: list[Token], place: int) -> int:
    """Return where the name ``t.a``, or ``@v``, that ends at ``place`` begins."""
    place = start_of_name(tokens, place)
    return place - (place > 0 and tokens[place - 1].token_type is TokenType.PARAMETER)


def _end_of_value(tokens: list[Token], start: int) -> int:
    """Return the place after the value that begins at ``start``."""
    depth = 0
    for place in range(start, len(tokens)):
        kind, word = tokens[place].token_type, word_at(tokens, place)
        if not depth and (kind is TokenType.R_PAREN or word in _AFTER_VALUE):
            return place
        depth += (kind is TokenType.L_PAREN) + (word == "case") - (kind is TokenType.R_PAREN) - (word == "end")
    return len(tokens)
