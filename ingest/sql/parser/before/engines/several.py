"""Forms of single engines that the parser does not know: of Db2, Impala, MySQL, Vertica, Exasol and ClickHouse.

Each is put into words that mean the same; what has no lineage is removed.
"""

from __future__ import annotations

import re
from typing import Final

from sqlglot.dialects.dialect import Dialect
from sqlglot.tokens import Token, TokenType

from ingest.sql.parser.before.heads import insert_of_replace
from ingest.sql.parser.before.loads import copied
from ingest.sql.text.tokens import after_name, closing, items_of, kinds_of, token_like, word_at
from ingest.sql.words import words

_REGISTERS: Final = words("date time timestamp timezone schema server user path degree member")
_UNITS: Final = words("year years month months day days hour hours minute minutes second seconds microseconds")
_ISOLATION: Final = words("ur cs rs rr")
_PERIODS: Final = words("system_time business_time")
_READ_ONLY: Final = words("read fetch")
_OPERANDS: Final = (TokenType.NUMBER, TokenType.R_PAREN, TokenType.VAR, TokenType.IDENTIFIER)
#: What MySQL may say after the first word of a change; IGNORE of an INSERT the parser knows.
_PRIORITIES: Final = {
    "insert": words("low_priority high_priority delayed"),
    "replace": words("low_priority delayed"),
    "update": words("low_priority ignore"),
    "delete": words("low_priority quick ignore"),
}
_AT_END: Final = words("segmented unsegmented ksafe")
_VALUES: Final = (TokenType.STRING, TokenType.NUMBER, TokenType.NULL)
#: ClickHouse's functions that give the rows of a table, or take them, and which argument names it.
_SHOWN: Final = {"remote": 1, "remotesecure": 1, "cluster": 1, "clusterallreplicas": 1, "dictionary": 0, "loop": 0}
_CALLED: Final = frozenset([*_SHOWN, "view"])
#: Words that begin a clause of a query: after a comma there comes no source.
_NO_SOURCES: Final = words("select with array prewhere where group having qualify window order limit settings")
#: A database or table in a text; a part of a template is none.
_PLAIN_NAME: Final = re.compile(r"[\w-]+")


def plain_db2(tokens: list[Token]) -> list[Token]:
    """Return a statement of Db2 without labelled durations, isolation levels and ELSE IGNORE, registers as one word."""
    result: list[Token] = []
    place = 0
    while place < len(tokens):
        token, word, following = tokens[place], word_at(tokens, place), word_at(tokens, place + 1)
        before = result[-1].token_type if result else None
        if word == "current" and following in _REGISTERS:
            result.append(token_like(token, TokenType.VAR, f"current_{following}"))
            place += 2
        elif word == "concat" and following != "(" and before in (*_OPERANDS, TokenType.STRING):
            result.append(token_like(token, TokenType.DPIPE, "||"))
            place += 1
        elif word in _UNITS and before in _OPERANDS and following not in ("(", ".", "="):
            place += 1  # ``d + 7 DAYS``: the number says as much
        elif word == "data" and following == "initially" and result and result[0].token_type is TokenType.CREATE:
            break  # how a materialized query table is refreshed
        elif word == "with" and following in _ISOLATION and place + 2 >= len(tokens):
            place += 2
        elif word == "for" and following in _READ_ONLY and word_at(tokens, place + 2) == "only":
            place += 3
        elif word == "optimize" and following == "for" and word_at(tokens, place + 3) in ("row", "rows"):
            place += 4
        elif word == "else" and following == "ignore" and place + 2 >= len(tokens):
            place += 2
        elif word == "," and following == "period" and word_at(tokens, place + 2) in _PERIODS:
            place = max(closing(tokens, place + 3), place) + 1  # an item of CREATE TABLE that is no column
        else:
            result.append(token)
            place += 1
    return tokens if result == tokens else result


def plain_temporary(tokens: list[Token]) -> list[Token]:
    """``DECLARE GLOBAL TEMPORARY TABLE session.t AS (…) WITH DATA ON COMMIT …`` is CREATE TEMPORARY TABLE."""
    if [word_at(tokens, place) for place in range(4)] != ["declare", "global", "temporary", "table"]:
        return tokens
    end = after_name(tokens, 4)
    opened = end + 1 if word_at(tokens, end) == "as" else end
    close = closing(tokens, opened) if word_at(tokens, opened) == "(" else end - 1
    empty = any(word_at(tokens, place) == "definition" for place in range(close, min(close + 3, len(tokens))))
    no_data = [token_like(tokens[0], TokenType.WITH, "WITH"), token_like(tokens[0], TokenType.VAR, "NO")]
    no_data = [*no_data, token_like(tokens[0], TokenType.VAR, "DATA")] if empty and opened > end else []
    head = [token_like(tokens[0], TokenType.CREATE, "CREATE"), token_like(tokens[2], TokenType.TEMPORARY, "TEMPORARY")]
    return [*head, *tokens[3 : close + 1], *no_data]


def changes_and_query(tokens: list[Token]) -> list[list[Token]] | None:
    """Split ``SELECT … FROM FINAL TABLE (INSERT …)``: (the change, the query over the table that it changes)."""
    for place in range(1, len(tokens) - 4):
        if word_at(tokens, place + 1) != "table" or word_at(tokens, place) not in ("final", "new", "old"):
            continue
        end = closing(tokens, place + 2) if word_at(tokens, place + 2) == "(" else 0
        inner = tokens[place + 3 : end]
        if not end or word_at(inner, 0) not in ("insert", "update", "delete", "merge"):
            continue
        start = 1 + (word_at(inner, 1) in ("into", "from"))
        return [inner, [*tokens[:place], *inner[start : after_name(inner, start)], *tokens[end + 1 :]]]
    return None


def plain_impala(tokens: list[Token]) -> list[Token]:
    """Return a statement of Impala without STRAIGHT_JOIN and hints in brackets, UPSERT as the INSERT that it is."""
    if word_at(tokens, 0) == "upsert":
        tokens = [token_like(tokens[0], TokenType.INSERT, "INSERT"), *tokens[1:]]
    kinds = kinds_of(tokens)
    left_out = [place for place in range(1, len(tokens)) if word_at(tokens, place) == "straight_join"]
    for place in range(1, len(tokens) - 2):
        hinted = kinds[place] is TokenType.L_BRACKET and kinds[place + 2] is TokenType.R_BRACKET
        if hinted and word_at(tokens, place + 1) in ("shuffle", "noshuffle", "broadcast"):
            left_out += [place, place + 1, place + 2]
    gone = frozenset(left_out)
    return [token for place, token in enumerate(tokens) if place not in gone] if gone else tokens


def plain_mysql(tokens: list[Token], dialect: Dialect) -> list[Token]:
    """Return a change of MySQL without priorities; ``DELETE FROM a, b USING …`` as ``DELETE a, b FROM …``.

    IGNORE and REPLACE in front of the query that fills a created table go as well.
    """
    word = word_at(tokens, 0)
    if word == "replace" and len(tokens) == 2 and tokens[1].text.lower().startswith(tuple(_PRIORITIES["replace"])):
        tokens = insert_of_replace(tokens, dialect) or tokens
    if word == "create" and any(word_at(tokens, place) == "table" for place in (1, 2)):
        return _filled_plainly(tokens)
    if word not in _PRIORITIES:
        return tokens
    end = next((place for place in range(1, len(tokens)) if word_at(tokens, place) not in _PRIORITIES[word]), 1)
    tokens = [tokens[0], *tokens[end:]]
    return _plain_targets(tokens) if word == "delete" else tokens


def _plain_targets(tokens: list[Token]) -> list[Token]:
    """``DELETE FROM a.*, b USING …`` names its targets as ``DELETE a, b FROM …`` does."""
    place = start = 1 + (word_at(tokens, 1) == "from")
    targets: list[Token] = []
    while place < len(tokens):
        end = after_name(tokens, place)
        starred = word_at(tokens, end - 1) == "*"
        targets += tokens[place : end - 2 if starred else end]
        place = end
        if word_at(tokens, place) != ",":
            break
        targets.append(tokens[place])
        place += 1
    if word_at(tokens, place) != ("from" if start == 1 else "using"):
        return tokens
    return [tokens[0], *targets, token_like(tokens[place], TokenType.FROM, "FROM"), *tokens[place + 1 :]]


def _filled_plainly(tokens: list[Token]) -> list[Token]:
    for place in range(3, len(tokens) - 1):
        if word_at(tokens, place) in ("ignore", "replace"):
            following = word_at(tokens, place + 1)
            if following == "select" or (following == "as" and word_at(tokens, place + 2) in ("select", "(", "with")):
                return tokens[:place] + tokens[place + 1 :]
    return tokens


def plain_vertica(tokens: list[Token], dialect: Dialect) -> list[Token]:
    """``LIMIT 1 OVER (PARTITION BY a ORDER BY b)`` is a QUALIFY; where a table's rows are kept is left out.

    A projection is a view, ``EXPORT TO PARQUET (directory = 'x') AS SELECT …`` a COPY of the query.
    """
    tokens = _plain_copies(tokens)
    if tokens[0].token_type is TokenType.CREATE:
        end = next((p for p in range(3, len(tokens)) if word_at(tokens, p) in _AT_END), len(tokens))
        tokens = tokens[:end]
    for place in range(len(tokens) - 3, 0, -1):
        if tokens[place].token_type is not TokenType.LIMIT or word_at(tokens, place + 2) != "over":
            continue
        end = closing(tokens, place + 3) + 1
        qualify = token_like(tokens[place], TokenType.QUALIFY, "QUALIFY")
        number = dialect.tokenize("row_number()")
        counted = [token_like(tokens[place], TokenType.LTE, "<="), tokens[place + 1]]
        tokens = [*tokens[:place], qualify, *number, *tokens[place + 2 : end], *counted, *tokens[end:]]
    return tokens


def _plain_copies(tokens: list[Token]) -> list[Token]:
    """Return a CREATE PROJECTION as a view, an EXPORT to files as a COPY, a COPY of the client's file as of any."""
    like = tokens[0]
    if word_at(tokens, 0) == "copy":
        kinds = kinds_of(tokens)
        local = (p for p in range(2, len(tokens) - 1) if word_at(tokens, p) == "local")
        place = next((p for p in local if kinds[p - 1] is TokenType.FROM and kinds[p + 1] is TokenType.STRING), 0)
        return tokens[:place] + tokens[place + 1 :] if place else tokens
    if word_at(tokens, 0) == "export" and word_at(tokens, 1) == "to":
        end = closing(tokens, 3)
        named = (p + 2 for p in range(4, end - 2) if word_at(tokens, p) == "directory")
        path = next((tokens[p] for p in named if tokens[p].token_type is TokenType.STRING), None)
        query = next((p + 1 for p in range(end, len(tokens)) if tokens[p].token_type is TokenType.ALIAS), 0)
        if path is None or not end or not query:
            return tokens
        return copied(tokens[query:], like, path)
    place = 3 if word_at(tokens, 1) == "or" else 1  # further on it is a name
    if like.token_type is not TokenType.CREATE or word_at(tokens, place) != "projection":
        return tokens
    start = next((p for p in range(place, len(tokens)) if tokens[p].token_type is TokenType.ALIAS), len(tokens))
    options = (p for p in range(place, start) if word_at(tokens, p) in ("encoding", "accessrank"))
    encoded = [p for p in options if word_at(tokens, p - 1) not in ("(", ",")]  # there it is a column
    gone = {*encoded, *(p + 1 for p in encoded)}
    view = token_like(tokens[place], TokenType.VIEW, "VIEW")
    return [*tokens[:place], view, *(tokens[p] for p in range(place + 1, len(tokens)) if p not in gone)]


def named_local(tokens: list[Token]) -> list[Token]:
    """Exasol's ``LOCAL.a``: the parser drops the word, and with it that an item of the select list is meant."""
    dotted = [p for p in range(len(tokens) - 1) if word_at(tokens, p) == "local" and word_at(tokens, p + 1) == "."]
    changed = list(tokens) if dotted else tokens
    for place in dotted:
        changed[place] = token_like(tokens[place], TokenType.IDENTIFIER, "LOCAL")
    return changed


def plain_shown(tokens: list[Token]) -> list[Token]:
    """ClickHouse's ``remote('host', d.t)``, ``cluster('c', d, t)`` and ``dictionary('d.t')`` as ``d.t``.

    ``view(SELECT …)`` is the query. ``INSERT INTO FUNCTION remote('host', d.t)`` is an INSERT into that table.
    """
    if _CALLED.isdisjoint(token.text.lower() for token in tokens):
        return tokens
    result: list[Token] = []
    in_from = [False]  # whether a clause of sources was begun, for each bracket that is open
    place = 0
    while place < len(tokens):
        word = word_at(tokens, place)
        shown: list[Token] = []
        if word in _CALLED and word_at(tokens, place + 1) == "(" and _is_source(tokens, place, in_from[-1]):
            end = closing(tokens, place + 1)
            if word != "view":
                shown = _shown(items_of(tokens[place + 2 : end])[_SHOWN[word] :]) if end else []
            elif word_at(tokens, place + 2) in ("select", "with"):
                shown = tokens[place + 1 : place + 2]
                end = place + 1
        if shown and result and result[-1].token_type is TokenType.FUNCTION:
            result.pop()
        if "(" in (word, *(token.text for token in shown[:1])):
            in_from.append(False)
        elif word == ")" and len(in_from) > 1:
            in_from.pop()
        elif word == "from" or word.partition(" ")[0] in _NO_SOURCES:  # ORDER BY is one token
            in_from[-1] = word == "from"
        result += shown or [tokens[place]]
        place = end + 1 if shown else place + 1
    return result if len(result) < len(tokens) else tokens


def _is_source(tokens: list[Token], place: int, in_from: bool) -> bool:
    """Whether a call is a source of a query, the table of an INSERT or an IN, or all that a function is given.

    A table, a column or a query in WITH may have the name of such a function, with columns in brackets after it.
    """
    before = word_at(tokens, place - 1)
    if before == "join":
        return word_at(tokens, place - 2) != "array"
    if before == "as":  # CREATE TABLE o AS remote(…)
        return tokens[0].token_type is TokenType.CREATE
    return not place or before in ("from", "function", "in") or (before == "," and in_from)


def _shown(items: list[list[Token]]) -> list[Token]:
    """Return the name of the table, or the call of another function, that the first of some arguments is.

    A database and a table may be two arguments. Nothing is returned for what is neither.
    """
    first, second = [*items, [], []][:2]
    if [token.text.lower() for token in first] == ["currentdatabase", "(", ")"]:
        named = _path(second)
        return named if len(named) == 1 else []
    if first and first[-1].token_type is TokenType.R_PAREN:  # a function of its own, or one that makes a name
        is_named = bool(_path(second)) and word_at(first, 0) not in _CALLED
        return [] if is_named else plain_shown(first)
    named = _path(first)
    if len(named) == 1 and second:
        more = _path(second)
        named = [*named, *more] if more else []
    return [part for name in named for part in (token_like(name, TokenType.DOT, "."), name)][1:]


def _path(item: list[Token]) -> list[Token]:
    """Return the parts of a dotted name, or of one in a text, as quoted names; none for anything else."""
    if len(item) == 1 and item[0].token_type is TokenType.STRING:
        parts = item[0].text.split(".")
        is_plain = all(map(_PLAIN_NAME.fullmatch, parts))
        return [token_like(item[0], TokenType.IDENTIFIER, part) for part in parts] if is_plain else []
    is_path = all(token.token_type is TokenType.DOT for token in item[1::2]) and all(map(_is_name, item[::2]))
    return [token_like(part, TokenType.IDENTIFIER, part.text) for part in item[::2]] if is_path else []


def _is_name(token: Token) -> bool:
    return token.token_type is TokenType.IDENTIFIER or (token.token_type not in _VALUES and token.text.isidentifier())
