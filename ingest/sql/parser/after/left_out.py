"""Clauses and types that the parser does not know and that move no column: the statement without them."""

from __future__ import annotations

from typing import Final

from sqlglot.tokens import Token, TokenType

from ingest.sql.text.tokens import after_name, closing, kinds_of, places_of, token_like, word_at
from ingest.sql.words import words

_SHAPES: Final = (TokenType.GEOGRAPHY, TokenType.GEOMETRY)
_COPIES: Final = ("clone", "copy")
_OF_ONE_KEY: Final = words(
    "sum max min replace replace_if_not_null hll_union bitmap_union quantile_union percentile_union generic"
)
_NAME_AND_TYPE: Final = 2
_UNITS: Final = words("year month day hour minute second")
#: Units in the singular that an interval may have after its number.
_OF_INTERVALS: Final = ("microsecond", "millisecond", "second", "minute", "hour", "day", "week", "month", "year")
#: After these kinds a value may begin.
_BEFORE_VALUE: Final = (
    *(TokenType.EQ, TokenType.COMMA, TokenType.L_PAREN, TokenType.PLUS, TokenType.DASH, TokenType.STAR),
    *(TokenType.SLASH, TokenType.SELECT, TokenType.THEN, TokenType.ELSE, TokenType.LT, TokenType.GT, TokenType.NEQ),
)


def without_snapshot(tokens: list[Token]) -> list[Token] | None:
    """BigQuery's CREATE and DROP SNAPSHOT TABLE: a table like others."""
    for place, token in enumerate(tokens[1:4], start=1):
        if token.text.upper() == "SNAPSHOT" and tokens[0].text.upper() in ("CREATE", "DROP"):
            return tokens[:place] + tokens[place + 1 :]
    return None


def without_lateral(tokens: list[Token]) -> list[Token] | None:
    """Postgres' ``LATERAL ROWS FROM (…)``: functions see the sources in front of them without the word, too."""
    kept = [
        token
        for place, token in enumerate(tokens)
        if token.token_type is not TokenType.LATERAL
        or [word_at(tokens, place + 1), word_at(tokens, place + 2)] != ["rows", "from"]
    ]
    return kept if len(kept) < len(tokens) else None


def name_end(tokens: list[Token]) -> int:
    """Return the place after the name of the table or view that a CREATE makes."""
    place = next(place for place, token in enumerate(tokens) if token.text.upper() in ("TABLE", "VIEW")) + 1
    while place < len(tokens) and tokens[place].text.upper() in ("IF", "NOT", "EXISTS"):
        place += 1
    return after_name(tokens, place)


def plain_clone(tokens: list[Token]) -> list[Token] | None:
    """``CREATE TABLE t SHALLOW CLONE s VERSION AS OF 3 …``: which version, and how it is kept, moves no column."""
    if word_at(tokens, 0) != "create" or not any(word_at(tokens, place) == "table" for place in range(1, 6)):
        return None
    start = place = name_end(tokens)
    if word_at(tokens, place) == "on" and word_at(tokens, place + 1) == "cluster":
        place += 3
    place += word_at(tokens, place) in ("shallow", "deep")
    if word_at(tokens, place) not in _COPIES:
        return None
    source = place + (2 if word_at(tokens, place + 1) == "as" else 1)
    return [*tokens[:start], tokens[place], *tokens[source : after_name(tokens, source)]]


def without_interval_units(tokens: list[Token]) -> list[Token] | None:
    """Teradata's ``(a - b) DAY(4) TO SECOND(2)``: the units of an interval."""
    result, place = list[Token](), 0
    while place < len(tokens):
        after = place
        if result and result[-1].token_type is TokenType.R_PAREN and _is_unit(tokens, place):
            after = _after_unit(tokens, place)
            if word_at(tokens, after) == "to" and word_at(tokens, after + 1) in _UNITS:
                after = _after_unit(tokens, after + 1)
        result += [] if after > place else [tokens[place]]
        place = max(after, place + 1)
    return result if len(result) < len(tokens) else None


def _is_unit(tokens: list[Token], place: int) -> bool:
    """Whether a word after a bracket is a unit, and no alias: a precision, TO or AS comes after it."""
    opens = place + 1 < len(tokens) and tokens[place + 1].token_type is TokenType.L_PAREN
    return word_at(tokens, place) in _UNITS and (opens or word_at(tokens, place + 1) in ("to", "as"))


def _after_unit(tokens: list[Token], place: int) -> int:
    opens = place + 1 < len(tokens) and tokens[place + 1].token_type is TokenType.L_PAREN
    return closing(tokens, place + 1) + 1 if opens else place + 1


def without_column_aggregates(tokens: list[Token]) -> list[Token] | None:
    """Doris' and StarRocks' ``litres INT SUM DEFAULT '0'``: how rows of one key are put together in a table."""
    if word_at(tokens, 0) != "create" or not any(word_at(tokens, place) == "key" for place in range(len(tokens))):
        return None
    depth, result, since = 0, list[Token](), 0
    for place, token in enumerate(tokens):
        depth += (token.token_type is TokenType.L_PAREN) - (token.token_type is TokenType.R_PAREN)
        opens = depth == 1 and token.token_type in (TokenType.L_PAREN, TokenType.COMMA)
        since = 0 if opens else since + (depth == 1)
        if not (depth == 1 and since > _NAME_AND_TYPE and word_at(tokens, place) in _OF_ONE_KEY):
            result.append(token)
    return result if len(result) < len(tokens) else None


def without_level(tokens: list[Token]) -> list[Token] | None:
    """Spark's ``WITH RECURSIVE t(n) MAX RECURSION LEVEL 100 AS (…)``: how deep it may go moves no column."""
    level = ["max", "recursion", "level"]
    place = next((p for p in range(len(tokens) - 4) if [word_at(tokens, p + n) for n in range(3)] == level), None)
    return tokens[:place] + tokens[place + 4 :] if place is not None else None


def without_partitioned_on(tokens: list[Token]) -> list[Token] | None:
    """``CREATE VIEW v PARTITIONED ON (a) AS …``: the columns are the query's all the same."""
    if not any(token.text.upper() == "VIEW" for token in tokens[:4]):
        return None
    for place in range(len(tokens) - 2):
        if tokens[place].text.upper() == "PARTITIONED" and tokens[place + 1].text.upper() == "ON":
            end = closing(tokens, place + 2)
            return tokens[:place] + tokens[end + 1 :] if end else None
    return None


def without_collation(tokens: list[Token]) -> list[Token] | None:
    """``CREATE VIEW v DEFAULT COLLATION UNICODE AS …``: how texts are compared moves no column."""
    place = next(
        (p for p in places_of(TokenType.DEFAULT, kinds_of(tokens)) if word_at(tokens, p + 1) == "collation"), 0
    )
    return tokens[:place] + tokens[place + 3 :] if place else None


def without_with_options(tokens: list[Token]) -> list[Token] | None:
    """PostgreSQL's ``CREATE TABLE p PARTITION OF t (c WITH OPTIONS DEFAULT 0)``: words that say nothing."""
    said = [p for p in range(len(tokens) - 1) if (word_at(tokens, p), word_at(tokens, p + 1)) == ("with", "options")]
    gone = {*said, *(place + 1 for place in said)}
    return [token for place, token in enumerate(tokens) if place not in gone] if gone else None


def plain_unions(tokens: list[Token]) -> list[Token] | None:
    """Hive's ``uniontype<…>``: a text's type."""
    changed: list[Token] = []
    depth = 0
    found = False
    for place, token in enumerate(tokens):
        opens = token.text.lower() == "uniontype" and place + 1 < len(tokens) and tokens[place + 1].text == "<"
        if opens and not depth:
            found = True
            changed.append(token_like(token, TokenType.TEXT, "string"))
            depth = -1
        elif depth:
            depth = 1 if depth < 0 else depth + token.text.count("<") - token.text.count(">")
            if depth < 0 or (depth == 0 and token.text == ">>"):
                changed += [token_like(token, TokenType.GT, ">")] * -depth
                depth = 0
        else:
            changed.append(token)
    return changed if found else None


def plain_shapes(tokens: list[Token]) -> list[Token] | None:
    """Spark's ``GEOMETRY(ANY)``: the type without the system of its coordinates."""
    changed: list[Token] = []
    done = 0
    for place in places_of(TokenType.ANY, kinds_of(tokens)):
        around = [token.token_type for token in tokens[max(place - 2, 0) : place + 2]]
        if len(around) == 4 and around[0] in _SHAPES and around[1::2] == [TokenType.L_PAREN, TokenType.R_PAREN]:
            changed += tokens[done : place - 1]
            done = place + 2
    return changed + tokens[done:] if done else None


def without_subsets(tokens: list[Token]) -> list[Token] | None:
    """``PATTERN (a b+) SUBSET u = (a, b) DEFINE …``: rows of either one are rows of the table."""
    place = next((p for p in range(1, len(tokens)) if word_at(tokens, p) == "subset"), 0)
    end = next((p for p in range(place, len(tokens)) if word_at(tokens, p) == "define"), 0)
    of_pattern = place and end and tokens[place - 1].token_type is TokenType.R_PAREN
    return tokens[:place] + tokens[end:] if of_pattern else None


def without_logged_errors(tokens: list[Token]) -> list[Token] | None:
    """Oracle's ``LOG ERRORS INTO t ('x') REJECT LIMIT UNLIMITED``: rows that were refused are not lineage."""
    place = len(tokens) - 1
    while place > 0 and not (word_at(tokens, place) == "log" and word_at(tokens, place + 1) == "errors"):
        place -= 1
    return tokens[:place] if place > 0 else None


def named_target(tokens: list[Token]) -> list[Token] | None:
    """``UPDATE (SELECT …) q SET …``: the query that is updated gets a name, as T-SQL has it."""
    if word_at(tokens, 0) != "update" or len(tokens) < 3 or tokens[1].token_type is not TokenType.L_PAREN:
        return None
    end = closing(tokens, 1)
    if not end or word_at(tokens, 2) not in ("select", "with"):
        return None
    like = tokens[0]
    alias = [] if word_at(tokens, end + 1) == "set" else tokens[end + 1 : end + 2]
    name = alias or [token_like(like, TokenType.VAR, "updated_query")]
    head = [token_like(like, TokenType.WITH, "WITH"), *name, token_like(like, TokenType.ALIAS, "AS")]
    return [*head, *tokens[1 : end + 1], like, *name, *tokens[end + 1 + len(alias) :]]


def without_watermarks(tokens: list[Token]) -> list[Token] | None:
    """Databricks' ``FROM STREAM(t) WATERMARK ts DELAY OF INTERVAL 1 MINUTE``: how long late rows are waited for.

    The time of an expression, ``WATERMARK f(a) AS ts``, is a further column, and stays.
    """
    changed: list[Token] = []
    done = 0
    for place in range(1, len(tokens) - 5):
        if word_at(tokens, place) != "watermark":
            continue
        end = after_name(tokens, place + 1)
        if [word_at(tokens, at) for at in range(end, end + 3)] == ["delay", "of", "interval"] and end + 3 < len(tokens):
            changed += tokens[done:place]
            is_text = tokens[end + 3].token_type is TokenType.STRING
            done = end + (4 if is_text and _ends_interval(tokens, end + 4) else 5)
    return changed + tokens[done:] if done else None


def _ends_interval(tokens: list[Token], place: int) -> bool:
    """Whether a text is all of an interval, as ``'1 minute'`` is: no unit comes after it."""
    return word_at(tokens, place).rstrip("s") not in _OF_INTERVALS


def called_defaults(tokens: list[Token]) -> list[Token] | None:
    """MySQL's ``DEFAULT(a)`` is a constant that the definition of ``a`` has: a call, of which no value is an argument.

    Before the bracket of a column's own default, ``a INT DEFAULT (1)``, comes its type or another property.
    """
    changed: list[Token] = []
    done = 0
    for place in places_of(TokenType.DEFAULT, kinds_of(tokens)):
        opens = place + 1 < len(tokens) and tokens[place + 1].token_type is TokenType.L_PAREN
        end = closing(tokens, place + 1) if opens else 0
        if end and tokens[place - 1].token_type in _BEFORE_VALUE:
            changed += [*tokens[done:place], token_like(tokens[place], TokenType.VAR, "DEFAULT"), tokens[place + 1]]
            done = end
    return changed + tokens[done:] if done else None
