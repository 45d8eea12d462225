"""Triggers and rules: a statement that runs for each row that another one changes, which it calls NEW and OLD.

``CREATE TRIGGER g AFTER UPDATE ON t FOR EACH ROW INSERT …`` and PostgreSQL's ``CREATE RULE r AS ON INSERT TO t DO …``.
T-SQL's triggers are read with its batches.
"""

from __future__ import annotations

from typing import Final

from sqlglot.tokens import Token, TokenType

from ingest.sql.parser.scripts.scheduled import without_definer
from ingest.sql.result import Problem
from ingest.sql.text.tokens import after_name, word_at
from ingest.sql.words import words

#: What the changed row is called before and after the change.
ROWS: Final = ("new", "old")
_BODIES: Final = words("insert update delete merge set begin select call declare if execute replace with for")
_LONGEST_HEAD: Final = 100


def triggered(tokens: list[Token]) -> tuple[list[Token], list[Token], Problem] | None:
    """Return the table whose rows change, what runs for each, and that the definition runs nothing; None for others."""
    tokens = without_definer(tokens)
    place = next((p for p in range(1, min(len(tokens), 5)) if word_at(tokens, p) in ("trigger", "rule")), 0)
    if not place:
        return None
    of_table, of_body = ("on", "row") if word_at(tokens, place) == "trigger" else ("to", "do")
    start = place + 4 if word_at(tokens, place + 1) == "if" else place + 1
    head = range(after_name(tokens, start), min(len(tokens), _LONGEST_HEAD))
    on = next((p for p in head if word_at(tokens, p) == of_table), 0)
    end = next((p for p in head if p > on and word_at(tokens, p) == of_body), 0)
    body = next((p for p in range(end, len(tokens)) if word_at(tokens, p) in _BODIES), 0)
    if not on or not end or not body:
        return None
    name = "".join(token.text for token in tokens[start : after_name(tokens, start)])
    detail = f"CREATE {tokens[place].text.upper()} runs nothing: what {name} holds is reported as if it ran"
    problem = Problem("definition-only", detail, name, line=tokens[0].line)
    return tokens[on + 1 : after_name(tokens, on + 1)], _plain_rows(tokens[body:]), problem


def _plain_rows(tokens: list[Token]) -> list[Token]:
    """``:new.a``, Oracle's, is ``new.a``."""
    marks = (TokenType.COLON, TokenType.PLACEHOLDER)
    return [t for p, t in enumerate(tokens) if t.token_type not in marks or word_at(tokens, p + 1) not in ROWS]
