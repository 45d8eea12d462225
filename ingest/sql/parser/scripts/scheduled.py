"""Statements that others hold: tasks, jobs, events and pipes run theirs later, a stream shows a table's changes.

Snowflake's TASK, PIPE and STREAM, StarRocks' SUBMIT TASK and PIPE, Doris's JOB, MySQL's EVENT, Databricks' FLOW.
"""

from __future__ import annotations

from typing import Final

from sqlglot.tokens import Token, TokenType

from ingest.sql.result import Problem
from ingest.sql.text.tokens import after_name, select_all_from, token_like, word_at
from ingest.sql.words import words

#: What holds a statement, and the word in front of it.
_HOLDS: Final = {"task": "as", "pipe": "as", "job": "do", "event": "do", "flow": "as"}
_BODIES: Final = words(
    "insert update delete merge select with copy call execute begin declare truncate create alter drop auto apply"
)
_BEFORE_KIND: Final = words("or replace")
_LONGEST_HEAD: Final = 400


def unwrapped(tokens: list[Token]) -> tuple[list[Token], Problem | None] | None:
    """Return the statement that a CREATE or SUBMIT holds, or a view for a STREAM; None for other statements.

    The definition runs nothing, and a problem that says so comes with it; only a pipe loads what arrives from then on.
    """
    tokens = without_definer(tokens)
    place = next((p for p in range(1, min(len(tokens), 6)) if word_at(tokens, p) in (*_HOLDS, "stream")), 0)
    kind = word_at(tokens, place)
    if not place or any(word_at(tokens, p) not in _BEFORE_KIND for p in range(1, place)):
        return None
    start = place + 4 if word_at(tokens, place + 1) == "if" else place + 1
    end = after_name(tokens, start)
    if kind == "stream":
        return _shown(tokens, start, end)
    first = start if word_at(tokens, 0) == "submit" else end
    body = next((p + 1 for p in range(first, min(len(tokens), _LONGEST_HEAD)) if _holds(tokens, p, _HOLDS[kind])), 0)
    if not body:
        return None
    name = "".join(token.text for token in tokens[start:end]) if end < body else ""
    detail = f"CREATE {kind.upper()} runs nothing: what {name or 'it'} holds is reported as if it ran"
    if kind == "flow":  # it runs as soon as its pipeline does
        return [token for token in tokens[body:] if token.text.upper() != "ONCE"], None
    return tokens[body:], Problem("definition-only", detail, name) if kind != "pipe" else None


def without_definer(tokens: list[Token]) -> list[Token]:
    """Return MySQL's ``CREATE DEFINER = `root`@`%` EVENT …`` without the user whose rights the statement has."""
    place = next((p for p in range(1, min(len(tokens), 4)) if word_at(tokens, p) == "definer"), 0)
    if not place or word_at(tokens, place + 1) != "=":
        return tokens
    end = place + (5 if word_at(tokens, place + 3) == "@" else 3)
    end += 2 if [word_at(tokens, p) for p in (end, end + 1)] == ["(", ")"] else 0
    return tokens[:place] + tokens[end:]


def _holds(tokens: list[Token], place: int, word: str) -> bool:
    if word_at(tokens, place) != word or place + 1 >= len(tokens):
        return False
    return word_at(tokens, place + 1) in _BODIES or tokens[place + 1].token_type is TokenType.RAW_STRING


def _shown(tokens: list[Token], start: int, end: int) -> tuple[list[Token], Problem | None] | None:
    """``CREATE STREAM s ON TABLE t`` shows the rows of ``t`` that changed: a view of it."""
    on = next((p for p in range(end, len(tokens)) if word_at(tokens, p) == "on"), 0)
    kind = next((p for p in range(on + 1, min(on + 4, len(tokens))) if word_at(tokens, p) in ("table", "view")), 0)
    if not on or not kind or kind + 1 >= len(tokens):
        return None
    like = tokens[0]
    view = [like, token_like(like, TokenType.VIEW, "VIEW"), *tokens[start:end], token_like(like, TokenType.ALIAS, "AS")]
    return [*view, *select_all_from(like), *tokens[kind + 1 : after_name(tokens, kind + 1)]], None
