"""MaxCompute's statements about storage: LIFECYCLE, LOAD FROM LOCATION, UNLOAD INTO LOCATION, CLONE TABLE."""

from __future__ import annotations

from sqlglot.dialects.dialect import Dialect
from sqlglot.tokens import Token, TokenType

from ingest.sql.parser.before.loads import copied
from ingest.sql.text.tokens import after_name, closing, select_all_from, word_at


def plain_storage(tokens: list[Token], dialect: Dialect) -> list[Token]:
    """Return a statement about storage as one that the parser reads, any other as it is."""
    first, second = word_at(tokens, 0), word_at(tokens, 1)
    if first == "create":
        return _without_clauses(tokens)
    if first == "load" and second in ("overwrite", "into"):
        return _loaded(tokens, dialect)
    if first == "unload" and second == "from":
        return _unloaded(tokens)
    if first == "clone" and second == "table":
        return _cloned(tokens, dialect)
    return tokens


def _without_clauses(tokens: list[Token]) -> list[Token]:
    """A CREATE without ``LIFECYCLE 30`` and without the RANGE of ``RANGE CLUSTERED BY``."""
    depth, result, skip = 0, list[Token](), False
    for place, token in enumerate(tokens):
        depth += (token.token_type is TokenType.L_PAREN) - (token.token_type is TokenType.R_PAREN)
        word = word_at(tokens, place) if not depth else ""
        following = tokens[place + 1].token_type if place + 1 < len(tokens) else None
        if skip:
            skip = False
        elif word == "lifecycle" and following is TokenType.NUMBER:
            skip = True
        elif word != "range" or word_at(tokens, place + 1) != "clustered":
            result.append(token)
    return result


def _loaded(tokens: list[Token], dialect: Dialect) -> list[Token]:
    """``LOAD OVERWRITE TABLE t PARTITION (…) FROM LOCATION 'x' …`` is ``LOAD DATA INPATH 'x' INTO TABLE t``."""
    place = next((p for p in range(3, len(tokens) - 2) if word_at(tokens, p) == "from"), 0)
    if not place or word_at(tokens, place + 1) != "location" or tokens[place + 2].token_type is not TokenType.STRING:
        return tokens
    table = tokens[3 : after_name(tokens, 3)]
    return [*dialect.tokenize("LOAD DATA INPATH"), tokens[place + 2], *dialect.tokenize("INTO TABLE"), *table]


def _unloaded(tokens: list[Token]) -> list[Token]:
    """``UNLOAD FROM (query) INTO LOCATION 'x' …``, or of a table, is ``COPY (query) TO 'x'``; options go."""
    opens = tokens[2].token_type is TokenType.L_PAREN
    end = closing(tokens, 2) + 1 if opens else after_name(tokens, 2)
    place = next((p for p in range(end, len(tokens) - 2) if word_at(tokens, p) == "into"), 0)
    if not place or word_at(tokens, place + 1) != "location" or tokens[place + 2].token_type is not TokenType.STRING:
        return tokens
    like = tokens[0]
    query = tokens[3 : end - 1] if opens else [*select_all_from(like), *tokens[2:end]]
    return copied(query, like, tokens[place + 2])


def _cloned(tokens: list[Token], dialect: Dialect) -> list[Token]:
    """``CLONE TABLE a PARTITION (…) TO b IF EXISTS OVERWRITE`` is ``INSERT INTO b BY NAME SELECT * FROM a``."""
    end = after_name(tokens, 2)
    place = next((p for p in range(end, len(tokens) - 1) if word_at(tokens, p) == "to"), 0)
    if not place:
        return tokens
    target = tokens[place + 1 : after_name(tokens, place + 1)]
    return [*dialect.tokenize("INSERT INTO"), *target, *dialect.tokenize("BY NAME SELECT * FROM"), *tokens[2:end]]
