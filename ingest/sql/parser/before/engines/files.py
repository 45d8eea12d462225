"""ClickHouse's functions of files: a bare word among their arguments, as in ``file('x.csv', CSV)``, is a text.

It says the format, the compression, or that nobody signs; the parser takes it for a column. The first argument stays:
it may be the name of a collection of settings. A function of a cluster reads the files that the plain one reads.
"""

from __future__ import annotations

from typing import Final

from sqlglot.tokens import Token, TokenType

from ingest.sql.text.tokens import (
    QUOTED,
    bracketed,
    closing,
    items_of,
    select_all_from,
    token_like,
    with_commas,
    word_at,
)
from ingest.sql.words import words

_OF_FILES: Final = words("file url s3 gcs hdfs azureblobstorage iceberg deltalake hudi")
_OF_CLUSTERS: Final = {"filecluster": "file", "urlcluster": "url", "s3cluster": "s3", "hdfscluster": "hdfs"}
#: ``format(CSV, '1,2')`` has its rows in a text; its first argument is the format.
_OF_TEXTS: Final = "format"
_CALLED: Final = _OF_FILES | _OF_CLUSTERS.keys() | {_OF_TEXTS}
_BEFORE: Final = words("from join function")


def with_formats(tokens: list[Token]) -> list[Token]:
    """Return a statement with the words that functions of files are given as texts."""
    said = {token.text.lower() for token in tokens}
    if "infile" in said and tokens[0].token_type is TokenType.INSERT:
        return _of_file(tokens)
    if _CALLED.isdisjoint(said):
        return tokens
    changed: list[Token] = []
    done = 0
    for place in range(1, len(tokens) - 1):
        name = word_at(tokens, place)
        if place < done or name not in _CALLED or word_at(tokens, place - 1) not in _BEFORE:
            continue
        end = closing(tokens, place + 1) if word_at(tokens, place + 1) == "(" else 0
        items = items_of(tokens[place + 2 : end]) if end else []
        if not items:
            continue
        plain = _OF_CLUSTERS.get(name)
        given = items[1:] if plain and len(items) > 1 else items
        first = 0 if name == _OF_TEXTS else 1
        texts = [*given[:first], *(_text(item) for item in given[first:])]
        called = token_like(tokens[place], TokenType.VAR, plain) if plain else tokens[place]
        changed += [*tokens[done:place], called, tokens[place + 1], *with_commas(texts, tokens[place + 1])]
        done = end
    return changed + tokens[done:] if done else tokens


def _of_file(tokens: list[Token]) -> list[Token]:
    """``INSERT INTO t FROM INFILE 'x.csv' COMPRESSION 'gzip' FORMAT CSV``: the rows of ``file('x.csv')``."""
    place = next((p for p in range(len(tokens) - 1) if word_at(tokens, p) == "infile"), 0)
    path = tokens[place + 1 : place + 2]
    if word_at(tokens, place - 1) != "from" or not path or path[0].token_type is not TokenType.STRING:
        return tokens
    call = [token_like(tokens[place], TokenType.VAR, "file"), *bracketed(path, path[0])]
    return [*tokens[: place - 1], *select_all_from(tokens[place]), *call]


def _text(item: list[Token]) -> list[Token]:
    if len(item) != 1 or item[0].token_type in QUOTED or not item[0].text.isidentifier():
        return item
    return [token_like(item[0], TokenType.STRING, item[0].text)]
