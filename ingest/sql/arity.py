"""Calls with more arguments than the parser knows of a function, ``last_value(a, true)``.

sqlglot refuses them, engines do not: their functions get optional arguments from version to version. Lineage needs
every argument, not its meaning: the last ones are put into one, ``last_value((a, true))``. Calls with fewer are left as
the errors that they may well be.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from sqlglot.tokens import Token, TokenType

from ingest.sql.result import Problem
from ingest.sql.tokens import closing, token_like

# So many functions of a statement may be called so.
_MOST: Final = 6
_TOO_MANY: Final = re.compile(r"The number of provided arguments \(\d+\) is greater than .*\((\d+)\)")


Attempt = Callable[[list[Token]], tuple[list[Any], Problem | None]]


def fit(
    tokens: list[Token], nodes: list[Any], problem: Problem | None, attempt: Attempt
) -> tuple[list[Token], list[Any], Problem | None]:
    """Return a statement whose calls have no more arguments than the parser takes, and what parsing it gives."""
    for _ in range(_MOST):
        changed = _fitted(tokens, problem) if problem is not None else None
        if changed is None:
            break
        tokens = changed
        nodes, problem = attempt(tokens)
    return tokens, nodes, problem


def _fitted(tokens: list[Token], problem: Problem) -> list[Token] | None:
    """Return a statement in which the function that the parser complains of is content, None where that is no call."""
    told = _TOO_MANY.match(problem.detail)
    end = next((p for p, t in enumerate(tokens) if (t.line, t.col) == (problem.line, problem.column)), None)
    start = _opening(tokens, end) if told and end is not None else 0
    if not told or start < 1 or not tokens[start - 1].text.isidentifier():
        return None
    return _joined(tokens, tokens[start - 1].text.upper(), max(int(told[1]), 1))


def _joined(tokens: list[Token], name: str, most: int) -> list[Token]:
    """Put the last arguments of each call of ``name`` that has more than ``most`` into one bracket."""
    opens: set[int] = set()
    closes: set[int] = set()
    for place in range(1, len(tokens)):
        if tokens[place].token_type is not TokenType.L_PAREN or tokens[place - 1].text.upper() != name:
            continue
        starts = [place + 1, *(comma + 1 for comma in _commas(tokens, place))]
        if len(starts) > most:
            opens.add(starts[most - 1])
            closes.add(closing(tokens, place))
    changed: list[Token] = []
    for place, token in enumerate(tokens):
        changed += [token_like(token, TokenType.L_PAREN, "(")] if place in opens else []
        changed += [token_like(token, TokenType.R_PAREN, ")")] if place in closes else []
        changed.append(token)
    return changed


def _commas(tokens: list[Token], start: int) -> list[int]:
    """Return the places of the commas directly inside the bracket that opens at ``start``."""
    depth, found = 0, []
    for place in range(start, len(tokens)):
        kind = tokens[place].token_type
        depth += (kind in _OPENING) - (kind in _CLOSING)
        if depth == 0:
            break
        if depth == 1 and kind is TokenType.COMMA:
            found.append(place)
    return found


def _opening(tokens: list[Token], end: int) -> int:
    depth = 0
    for place in range(end, -1, -1):
        kind = tokens[place].token_type
        depth += (kind is TokenType.R_PAREN) - (kind is TokenType.L_PAREN)
        if depth == 0:
            return place
    return -1


_OPENING: Final = frozenset([TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE])
_CLOSING: Final = frozenset([TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE])
