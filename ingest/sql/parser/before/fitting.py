"""Functions and types of engines that the parser knows less well than they do.

sqlglot rejects calls with more arguments than it knows of, ``last_value(a, true)``, and casts to types that it has
never heard of, ``CAST(a AS p4hyperloglog)``; engines add some with every version. Lineage needs every argument, but not
its meaning: the last ones are put into one, ``last_value((a, true))``, also where the parser would silently drop them.
It needs no types. Calls with too few arguments stay as they are: they are probably errors.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from sqlglot import exp
from sqlglot.tokens import Token, TokenType

from ingest.sql.result import Problem
from ingest.sql.text.tokens import closing, commas_outside, places_of, token_like, word_at

# The most functions and types of a statement that may be unknown.
_MOST: Final = 6
_PERCENTILE: Final = "PERCENTILE"
_BEFORE_TABLES: Final = frozenset([
    *(TokenType.INTO, TokenType.OVERWRITE, TokenType.TABLE, TokenType.VIEW, TokenType.EXISTS, TokenType.WITH),
    *(TokenType.RECURSIVE, TokenType.ALIAS, TokenType.DOT, TokenType.R_PAREN, TokenType.VAR, TokenType.IDENTIFIER),
])  # fmt: skip
_NO_TYPE: Final = "Expected TYPE after CAST"
_LACKS: Final = re.compile(r"\w+ lacks an operand")
_TOO_MANY: Final = re.compile(r"The number of provided arguments \(\d+\) is greater than .*\((\d+)\)")


Attempt = Callable[[list[Token]], tuple[list[Any], Problem | None]]


def fit(
    tokens: list[Token], nodes: list[exp.Expr], problem: Problem | None, attempt: Attempt
) -> tuple[list[Token], list[Any], Problem | None]:
    """Return a statement whose calls have no more arguments than the parser takes, and what parsing it gives."""
    for _ in range(_MOST):
        changed = _fitted(tokens, problem) if problem is not None else None
        if changed is None:
            break
        tokens = changed
        nodes, problem = attempt(tokens)
    return tokens, nodes, problem


def with_all_arguments(tokens: list[Token], kinds: list[TokenType]) -> list[Token]:
    """Hive's and Spark's ``percentile(a, p, frequency)``: the parser leaves out the last argument."""
    called = [place for place in places_of(TokenType.L_PAREN, kinds) if tokens[place - 1].text.upper() == _PERCENTILE]
    return _joined(tokens, _PERCENTILE, 2, _is_call) if called else tokens


def _is_call(tokens: list[Token], place: int, end: int) -> bool:
    """Whether brackets after a name hold arguments, not the columns of a table of that name, or of an alias."""
    if place > 1 and tokens[place - 2].token_type in _BEFORE_TABLES:
        return False
    following = [token.token_type for token in tokens[end + 1 : end + 3]]
    return following != [TokenType.ALIAS, TokenType.L_PAREN]


def _starts(token: Token) -> int:
    """Return the column at which a token begins, as problems say it; the tokenizer says where it ends."""
    start = int(token.col - (token.end - token.start))
    return start if start >= 1 else int(token.col)


def _fitted(tokens: list[Token], problem: Problem) -> list[Token] | None:
    """Return a statement without what the parser complains of, None where that is something else."""
    place = next((p for p, t in enumerate(tokens) if (t.line, _starts(t)) == (problem.line, problem.column)), None)
    if place is None:
        return None
    if problem.detail.startswith(_NO_TYPE):
        return _typed(tokens, place)
    too_many, lacks = _TOO_MANY.match(problem.detail), _LACKS.match(problem.detail)
    start = _opening(tokens, place) if too_many or lacks else 0
    if start < 1 or not tokens[start - 1].text.isidentifier():
        return None
    if too_many is None:  # of ``corr(DISTINCT a, b)`` the parser sees one argument
        return tokens[: start + 1] + tokens[start + 2 :] if word_at(tokens, start + 1) == "distinct" else None
    return _joined(tokens, tokens[start - 1].text.upper(), max(int(too_many[1]), 1))


def _typed(tokens: list[Token], place: int) -> list[Token] | None:
    """Put a text's type in the place of one that the parser does not know, wherever values are cast to it."""
    name = tokens[place].text
    if not place or tokens[place - 1].token_type is not TokenType.ALIAS or not name.isidentifier():
        return None
    changed: list[Token] = []
    end = 0
    for at, token in enumerate(tokens):
        if at < end:
            continue
        cast = token.text.upper() == name.upper() and at > 0 and tokens[at - 1].token_type is TokenType.ALIAS
        end = _end_of_type(tokens, at) if cast else 0
        changed.append(token_like(token, TokenType.TEXT, "string") if end else token)
    return changed


def _end_of_type(tokens: list[Token], place: int) -> int:
    """Return the place of the bracket after a type in a cast, 0 where there is none."""
    end = place + 1
    if end < len(tokens) and tokens[end].token_type is TokenType.L_PAREN:
        end = closing(tokens, end) + 1
    return end if 1 < end < len(tokens) and tokens[end].token_type is TokenType.R_PAREN else 0


def _joined(
    tokens: list[Token], name: str, most: int, counts: Callable[[list[Token], int, int], bool] = lambda *_: True
) -> list[Token]:
    """Put the last arguments of each call of ``name`` that has more than ``most`` into one bracket."""
    opens: set[int] = set()
    closes: set[int] = set()
    for place in range(1, len(tokens)):
        if tokens[place].token_type is not TokenType.L_PAREN or tokens[place - 1].text.upper() != name:
            continue
        end = closing(tokens, place)
        starts = [0, *(comma + 1 for comma in commas_outside(tokens[place + 1 : end]))]
        if len(starts) > most and counts(tokens, place, end):
            opens.add(place + 1 + starts[most - 1])
            closes.add(end)
    changed: list[Token] = []
    for place, token in enumerate(tokens):
        changed += [token_like(token, TokenType.L_PAREN, "(")] if place in opens else []
        changed += [token_like(token, TokenType.R_PAREN, ")")] if place in closes else []
        changed.append(token)
    return changed


def _opening(tokens: list[Token], end: int) -> int:
    depth = 0
    for place in range(end, -1, -1):
        kind = tokens[place].token_type
        depth += (kind is TokenType.R_PAREN) - (kind is TokenType.L_PAREN)
        if depth == 0:
            return place
    return -1
