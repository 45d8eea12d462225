"""Snowflake's tasks, pipes and streams: what a task or pipe runs, and the table that a stream shows the changes of."""

from __future__ import annotations

from typing import Final

from sqlglot.tokens import Token, TokenType

from ingest.sql.result import Problem
from ingest.sql.tokens import behind_name, select_all_from, token_like, word_at
from ingest.sql.words import words

_RUNS: Final = ("task", "pipe")
_BODIES: Final = words(
    "insert update delete merge select with copy call execute begin declare truncate create alter drop"
)
_LONGEST_HEAD: Final = 400


def unwrapped(tokens: list[Token]) -> tuple[list[Token], Problem | None] | None:
    """Return the statement that a CREATE TASK or PIPE runs, or a view for a STREAM; None for other statements.

    A task only runs on its schedule: with it comes a problem that says so.
    """
    if word_at(tokens, 0) != "create":
        return None
    place = next((p for p in range(1, min(len(tokens), 6)) if word_at(tokens, p) in (*_RUNS, "stream")), 0)
    kind = word_at(tokens, place)
    if not place or any(word_at(tokens, p) not in ("or", "replace") for p in range(1, place)):
        return None
    start = place + 4 if word_at(tokens, place + 1) == "if" else place + 1
    end = behind_name(tokens, start)
    if kind == "stream":
        return _shown(tokens, start, end)
    body = next((p + 1 for p in range(end, min(len(tokens), _LONGEST_HEAD)) if _starts_body(tokens, p)), 0)
    if not body:
        return None
    name = "".join(token.text for token in tokens[start:end])
    detail = f"CREATE TASK runs nothing: what {name} holds is told as if it ran"
    return tokens[body:], Problem("definition-only", detail, name) if kind == "task" else None


def _starts_body(tokens: list[Token], place: int) -> bool:
    if word_at(tokens, place) != "as" or place + 1 >= len(tokens):
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
    return [*view, *select_all_from(like), *tokens[kind + 1 : behind_name(tokens, kind + 1)]], None
