"""Statements that move rows between tables and files, in a form that the parser reads (see also ``storage``)."""

from __future__ import annotations

from itertools import pairwise

from sqlglot.dialects.dialect import Dialect
from sqlglot.tokens import Token, TokenType

from ingest.sql.text.tokens import (
    BETWEEN_DOLLARS,
    after_name,
    bracketed,
    closing,
    token_like,
    tokens_of,
    word_at,
)


def copy_of_unload(tokens: list[Token], dialect: Dialect) -> list[Token]:
    """``UNLOAD ('SELECT …') TO 'path'``, of Redshift and Athena, is ``COPY (SELECT …) TO 'path'``; options go."""
    end = closing(tokens, 1)
    if end < 3 or word_at(tokens, end + 1) != "to" or end + 2 >= len(tokens):
        return tokens
    query = tokens[2:end]
    if len(query) == 1 and query[0].token_type in (TokenType.STRING, *BETWEEN_DOLLARS):
        inner = tokens_of(query[0].text, dialect)
        if inner is None:
            return tokens
        query = inner
    return [token_like(tokens[0], TokenType.COPY, "COPY"), tokens[1], *query, *tokens[end : end + 3]]


def copy_of_outfile(tokens: list[Token]) -> list[Token]:
    """MySQL's and Doris's ``SELECT … INTO OUTFILE 'x'`` is ``COPY (SELECT …) TO 'x'``; options go."""
    place = next((p for p in range(len(tokens)) if word_at(tokens, p) == "outfile"), 0)
    if place < 3 or word_at(tokens, place - 1) != "into" or place + 1 >= len(tokens):
        return tokens
    like = tokens[0]
    source_at = next((p for p in range(place + 2, len(tokens)) if tokens[p].token_type is TokenType.FROM), len(tokens))
    query = [*tokens[: place - 1], *tokens[source_at:]]
    return copied(query, like, token_like(tokens[place + 1], TokenType.STRING, tokens[place + 1].text))


def copy_of_files(tokens: list[Token]) -> list[Token]:
    """StarRocks' ``INSERT INTO FILES ("path" = 'x', …) SELECT …`` is ``COPY (SELECT …) TO 'x'``; options go."""
    if word_at(tokens, 2) != "files" or word_at(tokens, 3) != "(":
        return tokens
    end = closing(tokens, 3)
    strings = [token for token in tokens[4:end] if token.token_type is TokenType.STRING]
    path = next((value for name, value in pairwise(strings) if name.text.lower() == "path"), None)
    if path is None:
        return tokens
    return copied(tokens[end + 1 :], tokens[0], path)


def copied(query: list[Token], like: Token, path: Token) -> list[Token]:
    """Return ``COPY (query) TO 'path'``, at the place of ``like``."""
    copy, to = token_like(like, TokenType.COPY, "COPY"), token_like(path, TokenType.VAR, "TO")
    return [copy, *bracketed(query, like), to, path]


def plain_copied(tokens: list[Token]) -> list[Token]:
    """``COPY (SELECT …) TO STDOUT`` as its query, ``FILE_FORMAT = sch.fmt`` with the name as a text."""
    end = closing(tokens, 1) if word_at(tokens, 1) == "(" else after_name(tokens, 1) - 1
    if word_at(tokens, 1) != "(" and word_at(tokens, end + 1) == "(":
        end = closing(tokens, end + 1)
    if word_at(tokens, end + 1) == "to" and word_at(tokens, end + 2) == "stdout":
        if word_at(tokens, 1) == "(":
            return tokens[2:end]
        name_end = after_name(tokens, 1)
        columns = tokens[name_end + 1 : end] or [token_like(tokens[0], TokenType.STAR, "*")]
        select, source = (
            token_like(tokens[0], TokenType.SELECT, "SELECT"),
            token_like(tokens[0], TokenType.FROM, "FROM"),
        )
        return [select, *columns, source, *tokens[1:name_end]]
    for place in range(2, len(tokens) - 2):
        after = after_name(tokens, place + 2)
        if word_at(tokens, place) == "file_format" and word_at(tokens, place + 1) == "=" and after > place + 3:
            name = "".join(token.text for token in tokens[place + 2 : after])
            return [*tokens[: place + 2], token_like(tokens[place + 2], TokenType.STRING, name), *tokens[after:]]
    return tokens


def plain_load(tokens: list[Token]) -> list[Token]:
    """MySQL's ``LOAD DATA INFILE 'x' REPLACE INTO TABLE t (a, b)`` is Hive's ``LOAD DATA INPATH 'x' INTO TABLE t``."""
    file = next((place for place in range(2, min(len(tokens), 6)) if word_at(tokens, place - 1) == "infile"), 0)
    into = next((place for place in range(file, len(tokens)) if word_at(tokens, place) == "into"), 0)
    if not file or not into or into + 2 >= len(tokens):
        return tokens
    end = after_name(tokens, into + 2)
    inpath = token_like(tokens[file - 1], TokenType.VAR, "INPATH")
    return [*tokens[:2], inpath, tokens[file], *tokens[into:end]]


def without_data(tokens: list[Token]) -> list[Token]:
    """``CREATE MATERIALIZED VIEW … WITH NO DATA``: what it will hold is the same; a table so made stays empty."""
    if word_at(tokens, 1) == "table" and word_at(tokens, len(tokens) - 2) == "no":
        return tokens
    start = next((place for place in (len(tokens) - 2, len(tokens) - 3) if word_at(tokens, place) == "with"), 0)
    return tokens[:start] if start > 0 and word_at(tokens, len(tokens) - 1) == "data" else tokens


def insert_of_append(tokens: list[Token], dialect: Dialect) -> list[Token]:
    """Redshift's ``ALTER TABLE a APPEND FROM b`` moves rows: ``INSERT INTO a BY NAME SELECT * FROM b``."""
    end = after_name(tokens, 2)
    if word_at(tokens, 1) != "table" or word_at(tokens, end) != "append" or word_at(tokens, end + 1) != "from":
        return tokens
    read = tokens[end + 2 : after_name(tokens, end + 2)]
    return [*dialect.tokenize("INSERT INTO"), *tokens[2:end], *dialect.tokenize("BY NAME SELECT * FROM"), *read]


def plain_directory(tokens: list[Token]) -> list[Token]:
    """Spark's ``INSERT OVERWRITE DIRECTORY '/x' USING parquet OPTIONS (path '/x')``: the path alone."""
    using = next((place for place in range(3, min(len(tokens), 6)) if tokens[place].token_type is TokenType.USING), 0)
    directory = next((place for place in range(2, using) if word_at(tokens, place) == "directory"), 0)
    if not directory:
        return tokens
    end, path = using + 2, tokens[using - 1]
    if word_at(tokens, end) == "options":
        start, end = end, closing(tokens, end + 1) + 1
        if end <= start:
            return tokens
        places = [place for place in range(start, end) if tokens[place].text.lower() == "path"]
        values = tokens[places[0] + 1 : places[0] + 3] if places else []
        path = next((token for token in values if token.token_type is TokenType.STRING), path)
    return [*tokens[: directory + 1], path, *tokens[end:]] if path.token_type is TokenType.STRING else tokens
