"""BigQuery's functions of a model that the parser does not know, as those of the same form that it does.

``ML.EVALUATE(MODEL d.m, TABLE d.t)`` gives figures, as ML.FORECAST does; ``ML.EXPLAIN_PREDICT(MODEL d.m, (SELECT …))``
gives its rows with more columns, as ML.GENERATE_EMBEDDING does.
"""

from __future__ import annotations

from typing import Final

from sqlglot.tokens import Token, TokenType

from ingest.sql.text.tokens import bracketed, closing, items_of, token_like, with_commas, word_at
from ingest.sql.words import words

#: Those whose rows are the given ones, with more columns.
_KEEP_ROWS: Final = words(
    "explain_predict detect_anomalies transform understand_text annotate_image process_document transcribe"
)
#: What the parser knows of each kind: with a table or query, and then settings; with settings alone.
_KEEPS: Final = "GENERATE_EMBEDDING"
_FIGURES: Final = "FORECAST"


def plain_models(tokens: list[Token]) -> list[Token] | None:
    """Return a query whose functions of a model are of the two kinds that the parser knows, None where it has none."""
    changed: list[Token] = []
    done = 0
    for place in range(1, len(tokens) - 5):
        if place < done or word_at(tokens, place) != "ml" or word_at(tokens, place + 1) != ".":
            continue
        if word_at(tokens, place - 1) not in ("from", "join"):
            continue
        end = closing(tokens, place + 3) if word_at(tokens, place + 3) == "(" else 0
        arguments = items_of(tokens[place + 4 : end])
        if end and word_at(arguments[0], 0) == "model":
            changed += [*tokens[done:place], *_called(tokens[place : place + 3], arguments)]
            done = end + 1
    return changed + tokens[done:] if done else None


def _called(name: list[Token], arguments: list[list[Token]]) -> list[Token]:
    """Return the call of a function of the same kind, what it reads in front of its settings."""
    like = name[0]
    given = [item for item in arguments[1:] if word_at(item, 0) in ("table", "(")]
    settings = [item for item in arguments[1:] if word_at(item, 0) == "struct"] or [
        [token_like(like, TokenType.STRUCT, "STRUCT"), *bracketed([], like)]
    ]
    known = _KEEPS if given and word_at(name, 2) in _KEEP_ROWS else _FIGURES
    called = [*name[:2], token_like(name[2], TokenType.VAR, known)]
    return [*called, *bracketed(with_commas([arguments[0], *given[:1], *settings[:1]], like), like)]
