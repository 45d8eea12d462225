"""CREATE TABLE and VIEW with clauses that the parser does not know: only columns, partitions and the query matter."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from sqlglot.tokens import Token, TokenType

from ingest.sql.parser.after.left_out import name_end
from ingest.sql.text.misspelt import misspelt
from ingest.sql.text.tokens import closing, word_at
from ingest.sql.words import words

_QUERY: Final = words("select with ( from values table")
#: ``STORED AS ORC`` (Hive's) and ``LOB (a) STORE AS b`` (Oracle's) name a format, not a query.
_NAME_A_FORMAT: Final = words("stored store")
#: Words that begin or continue a query; a clause that holds one with a slip is perhaps one.
_OF_QUERIES: Final = ("select", "from")
#: Words after which the table whose columns or rows are taken must come.
_NAME_ANOTHER: Final = words("like clone copy")


def bare_create(tokens: list[Token]) -> list[Token] | None:
    """Return a CREATE with its columns, PARTITIONED BY and its query alone; None where more might be lost than clauses.

    What follows an AS that begins no query is not left out: it is a query with a slip in it (``AS SELEKT a FROM b``).
    """
    kind = next((token.text.upper() for token in tokens[1:6] if token.text.upper() in ("TABLE", "VIEW")), "")
    if tokens[0].text.upper() != "CREATE" or not kind:
        return None
    start = name_end(tokens)
    result = tokens[:start]
    end = start
    if start < len(tokens) and tokens[start].token_type == TokenType.L_PAREN:
        end = closing(tokens, start)
        result = tokens[: end + 1]
    as_query = _place_of_as(tokens, end)
    if as_query and not (as_query + 1 < len(tokens) and tokens[as_query + 1].text.lower() in _QUERY):
        return None
    for place in range(end, len(tokens) - 2):
        if tokens[place].token_type is TokenType.PARTITION_BY:
            result = result + tokens[place : closing(tokens, place + 1) + 1]
            break
    if as_query:
        result = result + tokens[as_query:]
    if kind == "VIEW" and (not as_query or any(token.text.upper() == "TO" for token in tokens[end:as_query])):
        return None  # ClickHouse's view to a table
    if not as_query and _may_read(tokens, end):
        return None  # a query that does not begin as one: it must not be lost
    return result if len(result) < len(tokens) else None


def _place_of_as(tokens: list[Token], start: int) -> int:
    """Return the place of the AS before a query, outside of brackets; 0 where there is none."""
    depth = 0
    for place in range(start, len(tokens)):
        kind = tokens[place].token_type
        depth += (kind is TokenType.L_PAREN) - (kind is TokenType.R_PAREN)
        if depth <= 0 and word_at(tokens, place) == "as" and word_at(tokens, place - 1) not in _NAME_A_FORMAT:
            return place
    return 0


def _may_read(tokens: list[Token], start: int) -> bool:
    """Whether clauses without AS may hold a query, name a parent, or lack the table that they are to name."""
    if any(map(_reads, tokens[start:])) or word_at(tokens, len(tokens) - 1) in _NAME_ANOTHER:
        return True
    words_of = [word_at(tokens, place) for place in range(start, len(tokens))]
    return "inherits" in words_of or ("partition", "of") in pairwise(words_of)


def _reads(token: Token) -> bool:
    """Whether a token is a FROM, or a slip of one, or holds one between two quotes that are not a pair."""
    if token.token_type is TokenType.VAR and misspelt(token.text, _OF_QUERIES):
        return True
    quoted = token.token_type == TokenType.IDENTIFIER and "from" in token.text.lower().split()
    return quoted or bool(token.token_type == TokenType.FROM)
