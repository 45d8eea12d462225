"""Statements inside of statements: the bodies of routines.

``WITH FUNCTION f(a bigint) RETURNS bigint BEGIN … END SELECT f(x)``, Trino's inline routines: the body's semicolons end
no statement. What it does with its parameters is not looked into: its value comes from all of them, as that of any
function that is not known. ``DO $$ … $$`` and ``CREATE PROCEDURE … AS $$ … $$`` hold theirs as a text.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from sqlglot.tokens import Token, TokenType

from ingest.sql.result import Problem
from ingest.sql.text.tokens import BETWEEN_DOLLARS, token_like, word_at
from ingest.sql.words import words

_INLINE: Final = re.compile(r"with\s+function\b")
_BODY: Final = "routine_body"
_QUOTED: Final = re.compile(r"\$(\w*)\$(.*)\$\1\$", re.DOTALL)
#: What END may close without naming it.
_OPENS: Final = (TokenType.BEGIN, TokenType.CASE)
_NOT_OURS: Final = words("if loop while repeat")
#: What a body does beside giving a value.
CHANGES: Final = re.compile(r"\b(?:insert\s+into|update\s+\w|delete\s+from|merge\s+into|truncate\s)", re.IGNORECASE)
_NO_BLOCK: Final = (TokenType.SEMICOLON, TokenType.SELECT, TokenType.FUNCTION)


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
                place = _after(tokens, begin)
                continue
        changed.append(tokens[place])
        place += 1
    return changed


def quoted_body(tokens: list[Token]) -> str | None:
    """Return the statements that a DO runs, or that a procedure in SQL holds, as a text; None for anything else."""
    if word_at(tokens, 0) == "do" and len(tokens) == 2:
        quoted = _QUOTED.search(tokens[1].text)
        return quoted[2] if quoted is not None else None
    head = [word_at(tokens, place) for place in range(1, 4)]
    if "procedure" not in head and not ("function" in head and _changes_tables(tokens)):
        return None
    language = next((word_at(tokens, p + 1) for p in range(len(tokens)) if word_at(tokens, p) == "language"), "sql")
    if language not in ("sql", "plpgsql"):
        return None
    if word_at(tokens, len(tokens) - 2) == "as" and tokens[-1].token_type is TokenType.STRING:
        return str(tokens[-1].text)
    return next((token.text for token in tokens if token.token_type in BETWEEN_DOLLARS), None)


def _changes_tables(tokens: list[Token]) -> bool:
    """Whether a function of PL/pgSQL changes tables: it is called as a procedure is. A trigger's runs for rows."""
    words_of = [word_at(tokens, place) for place in range(len(tokens))]
    pairs = set(pairwise(words_of))
    bodies = (token.text for token in tokens if token.token_type in BETWEEN_DOLLARS)
    return ("language", "plpgsql") in pairs and ("returns", "trigger") not in pairs and any(map(CHANGES.search, bodies))


def _inline(tokens: list[Token], place: int) -> bool:
    return place > 0 and bool(tokens[place - 1].token_type in (TokenType.WITH, TokenType.COMMA))


def _begin(tokens: list[Token], place: int) -> int | None:
    """Return where the block of the function at ``place`` begins, None where its body is an expression."""
    for at in range(place + 1, len(tokens)):
        if tokens[at].token_type == TokenType.BEGIN:
            return at
        if tokens[at].token_type in _NO_BLOCK or word_at(tokens, at) == "return":
            return None
    return None


def _after(tokens: list[Token], begin: int) -> int:
    """Return the place after the END that closes a block."""
    depth = 0
    for at in range(begin, len(tokens)):
        if tokens[at].token_type in _OPENS and tokens[at - 1].token_type != TokenType.END:
            depth += 1
        elif tokens[at].token_type == TokenType.END and word_at(tokens, at + 1) not in _NOT_OURS:
            depth -= 1
            if not depth:
                return at + 1
    return len(tokens)


def _parameters(head: list[Token]) -> list[Token]:
    """Return the names of a function's parameters: the first word after a bracket or comma of its list."""
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
    """Return ``RETURN routine_body(a, b)`` as tokens."""
    comma = token_like(like, TokenType.COMMA, ",")
    arguments = [token for name in parameters for token in (comma, name)][1:]
    front = [(TokenType.VAR, "RETURN"), (TokenType.VAR, _BODY), (TokenType.L_PAREN, "(")]
    head = [token_like(like, kind, text) for kind, text in front]
    return [*head, *arguments, token_like(like, TokenType.R_PAREN, ")")]


def defines_only(name: str, line: int | None = None, *, looked_into: bool = True, kind: str = "PROCEDURE") -> Problem:
    """Return the reason why what a procedure's body does is not what its definition does."""
    return Problem(
        "definition-only",
        f"CREATE {kind} runs nothing: what {name or 'it'} holds is reported as if it ran"
        if looked_into
        else f"CREATE FUNCTION runs nothing, and what {name or 'it'} would change is not looked into",
        name,
        line=line,
    )
