"""Clauses at the head of INSERT, MERGE and CREATE that single engines have, put into a form that the parser reads."""

from __future__ import annotations

import json
from typing import Final

from sqlglot.dialects.dialect import Dialect
from sqlglot.tokens import Token, TokenType

from ingest.sql.parser.before.views import (
    LONGEST_HEAD,
    named_format,
    of_files,
    of_recursive,
    plain_sink,
    unchecked,
    without_grace,
    without_local,
    without_options,
)
from ingest.sql.text.tokens import (
    after_name,
    bracketed,
    closing,
    items_of,
    kinds_of,
    places_of,
    select_all_from,
    token_like,
    tokens_of,
    with_commas,
    word_at,
)
from ingest.sql.words import words

_ROWS: Final = words("select values with from table")
#: Comments that keep what has been left out: of a MERGE, and of the star in one of its branches.
SCHEMA_EVOLUTION: Final = "with schema evolution"
BY_NAME: Final = "by name"
#: Before what is left out of CREATE FOREIGN TABLE: its server and the options that name what it shows.
FOREIGN_SERVER: Final = "foreign server "
_NAMING: Final = words("schema_name schema table_name table filename")
#: Words of a pipeline between CREATE and TABLE.
_PIPELINE: Final = words("or refresh replace streaming live incremental private")
_SHAPES: Final = words("pivot unpivot pivot_wider pivot_longer")
#: Each copy in another form has one of these words.
_COPYING: Final = _SHAPES | words("clone")


def plain_insert(tokens: list[Token]) -> list[Token]:
    """Return an INSERT without labels, ``OVERRIDING USER VALUE`` and the like, which say nothing about columns."""
    tokens = _without_overriding(tokens)
    result: list[Token] = []
    place = 0
    while place < len(tokens):
        word = word_at(tokens, place)
        if place > LONGEST_HEAD or (place > 2 and word in _ROWS and word_at(tokens, place + 1) != "label"):
            break
        if word == "with" and word_at(tokens, place + 1) == "label":
            place += 3
        elif word == "temporary" and word_at(tokens, place + 1) in ("partition", "partitions"):
            place += 1
        elif [word_at(tokens, p) for p in (place - 1, place, place + 1)] == [")", "if", "not"]:  # after a partition
            place += 3
        elif word == "properties" and place > 2 and place + 1 < len(tokens):
            end = closing(tokens, place + 1)
            place = end + 1 if end else place + 1
        else:
            result.append(tokens[place])
            place += 1
    return _unordered(result + tokens[place:] if len(result) < place else tokens)


def insert_of_replace(tokens: list[Token], dialect: Dialect) -> list[Token] | None:
    """MySQL's ``REPLACE INTO …`` as INSERT; the tokenizer takes all of it as one text. None for others."""
    is_one = len(tokens) == 2 and tokens[0].text.upper() == "REPLACE"
    return tokens_of(f"INSERT {tokens[1].text}", dialect) if is_one else None


def _without_overriding(tokens: list[Token]) -> list[Token]:
    """``OVERRIDING SYSTEM VALUE`` and ``OVERRIDING USER VALUE``: whose values an identity has moves no column."""
    result: list[Token] = []
    done = 0
    for place in places_of(TokenType.VAR, kinds_of(tokens)):
        whose = word_at(tokens, place + 1) if word_at(tokens, place) == "overriding" else ""
        if whose in ("system", "user") and word_at(tokens, place + 2) == "value":
            result += tokens[done:place]
            done = place + 3
    return result + tokens[done:] if done else tokens


def _unordered(tokens: list[Token]) -> list[Token]:
    """An INSERT without MaxCompute's ``ZORDER BY a, b`` at its end: how rows are kept moves no column."""
    for place in range(len(tokens) - 2, max(len(tokens) - 20, 3), -1):
        if word_at(tokens, place) == "zorder" and word_at(tokens, place + 1) == "by":
            return tokens[:place]
    return tokens


def plain_delete(tokens: list[Token]) -> list[Token]:
    """``DELETE FROM t PARTITION p1 WHERE …``: which partitions are looked at is left out."""
    place = after_name(tokens, 2)
    if word_at(tokens, place) not in ("partition", "partitions"):
        return tokens
    end = closing(tokens, place + 1) + 1 if word_at(tokens, place + 1) == "(" else place + 2
    return tokens[:place] + tokens[end:]


def plain_merge(tokens: list[Token], dialect: Dialect) -> list[Token]:
    """Return a MERGE without ``WITH SCHEMA EVOLUTION``, and with Oracle's ``DELETE WHERE c`` as ``WHERE c``.

    Redshift's REMOVE DUPLICATES replaces the rows that are in both: all columns are copied, by name. What is left out
    and decides about columns is kept as a comment.
    """
    if [word_at(tokens, place) for place in range(1, 4)] == ["with", "schema", "evolution"]:
        tokens = [_noted(tokens[0], SCHEMA_EVOLUTION), *tokens[4:]]
    tokens = _starred(_without_overriding(tokens))
    if word_at(tokens, len(tokens) - 2) == "remove" and word_at(tokens, len(tokens) - 1) == "duplicates":
        return [*tokens[:-2], *dialect.tokenize("WHEN NOT MATCHED THEN INSERT *")]
    place = next((p for p in range(len(tokens) - 1) if _deletes(tokens, p)), 0)
    if not place:
        return tokens
    start = max((p for p in range(place) if word_at(tokens, p) == "then"), default=0)
    filtered = any(word_at(tokens, p) == "where" for p in range(start, place))
    where = token_like(tokens[place], TokenType.AND, "AND") if filtered else tokens[place + 1]
    return [*tokens[:place], where, *tokens[place + 2 :]]


def _starred(tokens: list[Token]) -> list[Token]:
    """``UPDATE BY NAME`` and ``INSERT BY NAME *`` of a MERGE with a star in their place, which has it as a comment."""
    result: list[Token] = []
    place = 0
    while place < len(tokens):
        result.append(tokens[place])
        place += 1
        if word_at(tokens, place) == "by" and word_at(tokens, place + 1) == "name":
            if result[-1].token_type is TokenType.UPDATE:
                result.append(token_like(tokens[place], TokenType.SET, "SET"))
            elif result[-1].token_type is not TokenType.INSERT:
                continue
            result.append(_noted(token_like(tokens[place], TokenType.STAR, "*"), BY_NAME))
            place += 2 + (word_at(tokens, place + 2) == "*")
    return result


def _noted(token: Token, words: str) -> Token:
    noted = token_like(token, token.token_type, token.text)
    noted.comments.extend((*token.comments, words))
    return noted


def _deletes(tokens: list[Token], place: int) -> bool:
    return word_at(tokens, place) == "delete" and word_at(tokens, place + 1) == "where"


def plain_create(tokens: list[Token]) -> list[Token]:
    """Return a CREATE … AS without Trino's GRACE PERIOD; a pivot, or Databricks' DEEP CLONE, as a query or a clone."""
    if word_at(tokens, 1) == "foreign" and word_at(tokens, 2) == "table":  # its rows are elsewhere, its columns here
        end = next((p for p in range(3, len(tokens)) if word_at(tokens, p) == "server"), len(tokens))
        return [_noted(tokens[0], _foreign_server(tokens[end + 1 :])), *tokens[2:end]]
    tokens = of_recursive(_without_connection(without_local(tokens)))
    index = next((p for p in range(1, 5) if word_at(tokens, p) in ("search", "vector")), 0)
    if index and word_at(tokens, index + 1) == "index":  # BigQuery's moves no rows, over whichever columns it is
        table = next((p for p in range(index, len(tokens)) if word_at(tokens, p) == "on"), index)
        return [tokens[0], *tokens[index + 1 : after_name(tokens, table + 1)]]
    if any(word_at(tokens, place) in ("macro", "function") for place in range(1, 5)):
        tokens = _without_defaults(tokens)
    tokens = of_files(named_format(_plain_live(unchecked(tokens[: _distributed(tokens)]))))
    return _plain_copy(plain_sink(without_options(without_grace(tokens))))


def _without_connection(tokens: list[Token]) -> list[Token]:
    """BigQuery's external table without ``WITH CONNECTION c``: whose rights are used moves no column."""
    words_of = [token.text.lower() for token in tokens] if word_at(tokens, 1) in ("external", "or") else []
    place = words_of.index("connection") if "connection" in words_of else 0
    if place < 1 or words_of[place - 1] != "with":
        return tokens
    return tokens[: place - 1] + tokens[after_name(tokens, place + 1) :]


def _foreign_server(tokens: list[Token]) -> str:
    """Return what is kept of ``srv OPTIONS (table_name 'emp', …)``."""
    options = {
        word_at(tokens, p): tokens[p + 1].text for p in range(1, len(tokens) - 1) if word_at(tokens, p) in _NAMING
    }
    return FOREIGN_SERVER + json.dumps([tokens[0].text if tokens else "", options])


def _without_defaults(tokens: list[Token]) -> list[Token]:
    """DuckDB's ``CREATE MACRO f(a, b := 2) AS …``: a default is a constant, and calls may leave the argument out."""
    opened = next((place for place in range(2, len(tokens)) if tokens[place].token_type is TokenType.L_PAREN), 0)
    end = closing(tokens, opened) if opened else 0
    kept: list[list[Token]] = []
    for item in items_of(tokens[opened + 1 : end]):
        kinds = kinds_of(item)
        kept.append(item[: kinds.index(TokenType.COLON_EQ)] if TokenType.COLON_EQ in kinds else item)
    return [*tokens[: opened + 1], *with_commas(kept, tokens[opened]), *tokens[end:]] if end else tokens


def _head_words(tokens: list[Token]) -> set[str]:
    return {token.text.lower() for token in tokens[: LONGEST_HEAD + 1]}


def _plain_copy(tokens: list[Token]) -> list[Token]:
    """``DEEP CLONE t`` and ``CLONE AS t`` as CLONE, ``AS PIVOT …`` as a query."""
    if _head_words(tokens).isdisjoint(_COPYING):
        return tokens
    for place in range(3, min(len(tokens) - 1, LONGEST_HEAD)):
        word, following = word_at(tokens, place), word_at(tokens, place + 1)
        if word == "deep" and following == "clone":
            return tokens[:place] + tokens[place + 1 :]
        if word == "clone" and following == "as":  # ClickHouse
            return tokens[: place + 1] + tokens[place + 2 :]
        if word == "as" and following in _SHAPES:
            like = tokens[place]
            return [*tokens[: place + 1], *select_all_from(like), *bracketed(tokens[place + 1 :], like)]
        if word == "as":
            break
    return tokens


def _plain_live(tokens: list[Token]) -> list[Token]:
    """Databricks' ``CREATE … LIVE TABLE t (CONSTRAINT c EXPECT (x) ON VIOLATION DROP ROW) … AS SELECT …``.

    Rows that violate a constraint are left out where it says so: its condition is a WHERE over the query.
    """
    kind = next((p for p in range(1, min(len(tokens), 7)) if word_at(tokens, p) in ("table", "view")), 0)
    end = after_name(tokens, kind + 1)
    close = closing(tokens, end) if kind and word_at(tokens, end) == "(" else 0
    if not kind or not any(word_at(tokens, p) in ("live", "expect") for p in (*range(1, kind), *range(end, close))):
        return tokens
    head = [tokens[0], *(t for t in tokens[1:kind] if t.text.lower() not in _PIPELINE)]
    query = next((p + 1 for p in range(close or end, len(tokens)) if word_at(tokens, p) == "as"), len(tokens))
    like = tokens[0]
    where: list[Token] = []
    columns: list[list[Token]] = []
    for item in items_of(tokens[end + 1 : close]):
        expected = next((p for p in range(len(item)) if word_at(item, p) == "expect"), None)
        if expected is None:
            columns += [item] if item else []
        elif word_at(item, len(item) - 2) == "drop":
            joining = token_like(like, TokenType.AND, "AND") if where else token_like(like, TokenType.WHERE, "WHERE")
            where += [joining, *item[expected + 1 : closing(item, expected + 1) + 1]]
    listed = with_commas(columns, like)
    listed = [tokens[end], *listed, tokens[close]] if listed else []
    body = tokens[query:]
    if where:
        body = [*select_all_from(like), *bracketed(body, like), *where]
    return [*head, *tokens[kind:end], *listed, *tokens[query - 1 : query], *body]


def _distributed(tokens: list[Token]) -> int:
    """Return the place of Greenplum's ``DISTRIBUTED BY (a)``, RANDOMLY or REPLICATED at the end, else the end."""
    for place in range(len(tokens) - 2, max(len(tokens) - 20, 3), -1):
        if word_at(tokens, place) != "distributed":
            continue
        if word_at(tokens, place + 1) in ("randomly", "replicated") and place + 2 == len(tokens):
            return place
        last = word_at(tokens, place + 1) == "by" and closing(tokens, place + 2) == len(tokens) - 1
        return place if last and word_at(tokens, place + 2) == "(" else len(tokens)
    return len(tokens)
