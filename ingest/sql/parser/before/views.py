"""CREATE VIEW and its like in plain form: views of files, sinks, and when the rows of a materialized view are made."""

from __future__ import annotations

from typing import Final

from sqlglot.tokens import Token, TokenType

from ingest.sql.text.tokens import after_name, bracketed, closing, select_all_from, token_like, word_at
from ingest.sql.words import words

#: How many tokens of a statement are looked at for the clauses of its head.
LONGEST_HEAD: Final = 60
#: CREATE names the kind of what it makes before this place: ``CREATE OR REPLACE GLOBAL TEMPORARY VIEW``.
_LAST_KIND: Final = 6
_OF_QUERIES: Final = frozenset([TokenType.ALIAS, TokenType.SELECT, TokenType.WITH])
_AGES: Final = words("grace stale")
#: What MySQL may say of a view before its kind, and the kind itself.
_BEFORE_NAMES: Final = words("view algorithm definer") | {"sql security"}
_ROWS: Final = words("select with ( values from table")


def named_format(tokens: list[Token]) -> list[Token]:
    """Spark's ``CREATE TABLE t USING org.apache.spark.sql.parquet`` names a class: its last part is the format."""
    end = min(len(tokens), LONGEST_HEAD)
    using = next((p for p in range(3, end) if tokens[p].token_type in (TokenType.USING, TokenType.ALIAS)), 0)
    if not using or tokens[using].token_type is TokenType.ALIAS:
        return tokens
    if not any(word_at(tokens, place) in ("table", "view") for place in range(1, _LAST_KIND)):  # a procedure's MERGE
        return tokens
    after = after_name(tokens, using + 1)
    return [*tokens[: using + 1], *tokens[after - 1 :]] if after > using + 2 else tokens


def of_files(tokens: list[Token]) -> list[Token]:
    """Spark's ``CREATE TEMPORARY VIEW v USING parquet OPTIONS (path 'x')`` is a view of ``parquet.`x```.

    Its older name is TEMPORARY TABLE. Whatever the format is, the path says where the rows are.
    """
    using = next((p for p in range(3, min(len(tokens), 12)) if tokens[p].token_type is TokenType.USING), 0)
    head = {word_at(tokens, place) for place in range(1, using)}
    if not using or not ("view" in head or ("table" in head and "temporary" in head)):
        return tokens
    if any(token.token_type in _OF_QUERIES for token in tokens[:using]):  # the USING of a join
        return tokens
    path = next((p + 1 for p in range(using, len(tokens) - 1) if tokens[p].text.lower() == "path"), len(tokens))
    path += word_at(tokens, path) == "="
    if path >= len(tokens) or tokens[path].token_type is not TokenType.STRING:
        return tokens
    like = tokens[using]
    query = [
        token_like(like, TokenType.ALIAS, "AS"),
        *select_all_from(like),
        token_like(like, TokenType.VAR, "parquet"),
    ]
    return [*tokens[:using], *query, token_like(like, TokenType.DOT, "."),
            token_like(tokens[path], TokenType.IDENTIFIER, tokens[path].text)]  # fmt: skip


def plain_sink(tokens: list[Token]) -> list[Token]:
    """``CREATE SINK s AS SELECT … WITH (…)`` and ``CREATE SINK s FROM t …`` are views; one INTO a table fills that."""
    place = next((p for p in range(1, min(len(tokens), 4)) if word_at(tokens, p) == "sink"), 0)
    start = place + (4 if word_at(tokens, place + 1) == "if" else 1)
    end = after_name(tokens, start)
    if not place or end >= len(tokens):
        return tokens
    like, name = tokens[0], tokens[start:end]
    into = word_at(tokens, end) == "into" and word_at(tokens, end + 1) not in ("kafka", "iceberg")
    if into:
        name, end = tokens[end + 1 : after_name(tokens, end + 1)], after_name(tokens, end + 1)
    head = [token_like(like, TokenType.CREATE, "CREATE"), token_like(like, TokenType.VIEW, "VIEW"), *name]
    head = (
        [token_like(like, TokenType.INSERT, "INSERT"), token_like(like, TokenType.INTO, "INTO"), *name]
        if into
        else head
    )
    named = token_like(like, TokenType.ALIAS, "AS")
    if word_at(tokens, end) == "as":
        close = _after_query(tokens, end + 1)
        return [*head, *([] if into else [named]), *tokens[end + 1 : close]]
    source = next((p for p in range(end, min(end + 4, len(tokens))) if word_at(tokens, p) == "from"), 0)
    if not source:
        return tokens
    return [
        *head,
        *([] if into else [named]),
        *select_all_from(like),
        *tokens[source + 1 : after_name(tokens, source + 1)],
    ]


def _after_query(tokens: list[Token], start: int) -> int:
    """Return the place of the options ``WITH (a = b)`` that follow a query, its end where there are none."""
    for place in range(len(tokens) - 2, start, -1):
        if word_at(tokens, place) == "with" and word_at(tokens, place + 1) == "(":
            return place
    return len(tokens)


def without_options(tokens: list[Token]) -> list[Token]:
    """Oracle's ``BUILD IMMEDIATE REFRESH FAST ON DEMAND`` and ClickHouse's ``POPULATE``: the view without them."""
    if "materialized" not in [word_at(tokens, place) for place in range(1, 4)]:
        return tokens
    end = next((p for p in range(3, min(len(tokens), LONGEST_HEAD)) if word_at(tokens, p) == "as"), 0)
    start = next((p for p in range(4, end) if word_at(tokens, p) == "populate"), 0)
    if start:
        return tokens[:start] + tokens[start + 1 :]
    start = next((p for p in range(4, end) if word_at(tokens, p) == "build"), 0)
    following = word_at(tokens, start + 1)
    if start and following in ("immediate", "deferred") and not _distributes(tokens[start:end]):
        return tokens[:start] + tokens[end:]
    return tokens


def _distributes(tokens: list[Token]) -> bool:
    """Whether a clause is Doris's, which the parser knows."""
    return any(token.text.lower() in ("distributed", "properties", "auto", "schedule") for token in tokens)


def without_grace(tokens: list[Token]) -> list[Token]:
    """``GRACE PERIOD INTERVAL '1' HOUR`` and ``WHEN STALE INLINE`` say how old a view's rows may be."""
    if _AGES.isdisjoint(token.text.lower() for token in tokens[: LONGEST_HEAD + 1]):
        return tokens
    for place in range(3, min(len(tokens) - 4, LONGEST_HEAD)):
        pair = word_at(tokens, place), word_at(tokens, place + 1)
        if pair == ("grace", "period"):
            return without_grace(tokens[:place] + tokens[place + 5 :])
        if pair == ("when", "stale"):
            return without_grace(tokens[:place] + tokens[place + 3 :])
    return tokens


def without_local(tokens: list[Token]) -> list[Token]:
    """``CREATE LOCAL TEMPORARY TABLE``: a temporary table is its session's own in any case."""
    place = 3 if word_at(tokens, 1) == "or" else 1
    is_local = word_at(tokens, place) == "local" and word_at(tokens, place + 1) in ("temp", "temporary")
    return [*tokens[:place], *tokens[place + 1 :]] if is_local else tokens


def of_recursive(tokens: list[Token]) -> list[Token]:
    """``CREATE RECURSIVE VIEW v (n) AS q`` is ``CREATE VIEW v AS WITH RECURSIVE v (n) AS (q) SELECT n FROM v``."""
    place = next((p for p in range(1, 6) if word_at(tokens, p) == "recursive" and word_at(tokens, p + 1) == "view"), 0)
    end = after_name(tokens, place + 2)
    close = closing(tokens, end) if place and word_at(tokens, end) == "(" else 0
    if not close or word_at(tokens, close + 1) != "as":
        return tokens
    like, name = tokens[0], tokens[end - 1]
    with_ = [token_like(like, TokenType.WITH, "WITH"), token_like(like, TokenType.RECURSIVE, "RECURSIVE")]
    named = [name, *tokens[end : close + 2], *bracketed(tokens[close + 2 :], like)]
    query = [
        token_like(like, TokenType.SELECT, "SELECT"),
        *tokens[end + 1 : close],
        token_like(like, TokenType.FROM, "FROM"),
    ]
    return [*tokens[:place], *tokens[place + 1 : end], tokens[close + 1], *with_, *named, *query, name]


def unchecked(tokens: list[Token]) -> list[Token]:
    """A view without ``WITH CASCADED CHECK OPTION`` at its end: which rows may be written through it moves none."""
    for place in range(len(tokens) - 1, max(len(tokens) - 6, 3), -1):
        if word_at(tokens, place) != "option" or word_at(tokens, place - 1) != "check":
            continue
        start = place - 2 - (word_at(tokens, place - 2) in ("local", "cascaded"))
        return tokens[:start] if word_at(tokens, start) == "with" else tokens
    return tokens


def replaced(tokens: list[Token]) -> list[Token]:
    """``ALTER VIEW v (a, b) WITH SCHEMABINDING AS SELECT …`` as CREATE OR REPLACE, whose clauses the parser knows.

    Of ``ALTER VIEW v AS SELECT …`` it knows all. What MySQL says before VIEW is left out: who runs it, and how.
    """
    if word_at(tokens, 1) not in _BEFORE_NAMES:
        return tokens
    view = next((p for p in range(1, min(len(tokens), LONGEST_HEAD)) if tokens[p].token_type is TokenType.VIEW), 0)
    end = after_name(tokens, view + 1)
    query = next((p for p in range(end, len(tokens)) if tokens[p].token_type is TokenType.ALIAS), 0)
    if not view or word_at(tokens, query + 1) not in _ROWS or (view == 1 and query == end):
        return tokens
    head = ((TokenType.CREATE, "CREATE"), (TokenType.OR, "OR"), (TokenType.REPLACE, "REPLACE"))
    return [*(token_like(tokens[0], kind, word) for kind, word in head), *tokens[view:]]
