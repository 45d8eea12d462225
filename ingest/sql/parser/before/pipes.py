"""Pipe syntax (``FROM t |> WHERE … |> SELECT …``), unfolded into nested queries that the parser reads.

Each stage becomes a SELECT over the stages before it, under the alias ``PIPE``; sources.py lets the names that were
in sight inside such a subquery through to the stage around it, since in a pipe ``t.a`` stays valid after ``|> WHERE``.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from sqlglot.tokens import Token, TokenType

from ingest.sql.text.tokens import kinds_of, places_of, token_like
from ingest.sql.words import words

PIPE: Final = "__pipe"

Unit: TypeAlias = "Token | list[Token]"
_QUERY_STARTS: Final = frozenset(["SELECT", "FROM", "VALUES", "TABLE", "WITH"])
# What follows the list of SELECT or EXTEND in its stage.
_CLAUSES: Final = frozenset([TokenType.WINDOW, TokenType.GROUP_BY, TokenType.HAVING])
_STAGES: Final = words(
    """select extend set drop as where pivot unpivot tablesample join inner left right full cross natural lateral union
    except minus intersect order sort cluster distribute limit offset aggregate"""
) | {"order by", "sort by", "cluster by", "distribute by"}
_NEVER_A_NAME: Final = frozenset(
    [TokenType.SELECT, TokenType.WHERE, TokenType.JOIN, TokenType.ORDER_BY, TokenType.PIVOT, TokenType.UNPIVOT]
)
_AFTER_NAME: Final = frozenset(
    [
        *(TokenType.COMMA, TokenType.R_PAREN, TokenType.DOT, TokenType.FROM, TokenType.L_PAREN, TokenType.L_BRACKET),
        *(TokenType.PLUS, TokenType.DASH, TokenType.STAR, TokenType.SLASH, TokenType.PIPE, TokenType.AMP),
        *(TokenType.EQ, TokenType.NEQ, TokenType.LT, TokenType.GT, TokenType.LTE, TokenType.GTE, TokenType.DPIPE),
        *(TokenType.AND, TokenType.OR, TokenType.IS, TokenType.IN, TokenType.BETWEEN, TokenType.LIKE),
    ]
)
_ORDERS: Final = ("ORDER", "ORDER BY")
_LIMITS: Final = ("LIMIT", "OFFSET")
_SET_OPERATIONS: Final = frozenset(["UNION", "INTERSECT", "EXCEPT", "MINUS"])


def unfold(tokens: list[Token]) -> list[Token]:
    """Return a statement's tokens with every pipe, at any depth, unfolded."""
    units = _units(tokens)
    places = [place for place, unit in enumerate(units) if _is_pipe(unit)]
    if not places:
        return _flat(units)
    start = _query_start(units[: places[0]])
    prefix, head = units[:start], units[start : places[0]]
    current = _flat(head)
    like = current[0] if current else tokens[0]
    if current and current[0].token_type == TokenType.FROM:
        current = _words(like, "SELECT *") + current
    elif current and current[0].token_type == TokenType.VALUES:
        current = _words(like, "SELECT * FROM") + current
    alias, ordered = PIPE, False
    for place, end in zip(places, [*places[1:], len(units)], strict=True):
        stage = units[place + 1 : end]
        if not stage or isinstance(stage[0], list):
            continue
        if stage[0].text.upper() == "AS" and len(stage) > 1:
            alias = _flat(stage[1:])[0].text
            continue
        for one in _steps(stage):
            word = _text(one[0])
            if ordered and word in _LIMITS:  # of the rows in that order
                current = current + _flat(one)
                continue
            current, ordered = _stage(one, current, alias, like), word in _ORDERS
            alias = PIPE
    if alias != PIPE:
        current = _words(like, "SELECT * FROM") + _named(current, alias, like)
    return _flat(prefix) + current


def with_single_pipes(tokens: list[Token]) -> list[Token]:
    """Return Spark's ``TABLE t | WHERE a > 1 | SELECT b`` with ``|>``: a ``|`` before a word that begins a stage.

    Such a word may name a column or a function as well: then an operator, a bracket, a comma or FROM follows it.
    """
    changed = list(tokens)
    for place in places_of(TokenType.PIPE, kinds_of(tokens)):
        if place + 2 < len(tokens) and tokens[place + 1].text.lower() in _STAGES:
            following = tokens[place + 2].token_type
            begins = following not in _AFTER_NAME or tokens[place + 1].token_type in _NEVER_A_NAME
            changed[place] = token_like(tokens[place], TokenType.PIPE_GT, "|>") if begins else tokens[place]
    return changed


def _units(tokens: list[Token]) -> list[Unit]:
    """Return the tokens of one level, each bracket with what is inside (already unfolded) as one unit."""
    units: list[Unit] = []
    opened: list[int] = []
    for place, token in enumerate(tokens):
        if token.token_type == TokenType.L_PAREN:
            opened.append(place)
        elif token.token_type == TokenType.R_PAREN and opened:
            start = opened.pop()
            if not opened:
                units.append([tokens[start], *unfold(tokens[start + 1 : place]), token])
        elif not opened:
            units.append(token)
    if opened:
        units.extend(tokens[opened[0] :])
    return units


def _flat(units: list[Unit]) -> list[Token]:
    return [token for unit in units for token in (unit if isinstance(unit, list) else [unit])]


def _is_pipe(unit: Unit) -> bool:
    return isinstance(unit, Token) and unit.token_type == TokenType.PIPE_GT


def _text(unit: Unit) -> str:
    return unit.text.upper() if isinstance(unit, Token) else "()"


def _query_start(units: list[Unit]) -> int:
    """Return where the query begins after INSERT INTO t (…), CREATE … AS and WITH."""
    place = 0
    words = [_text(unit) for unit in units]
    if words and words[0] in ("INSERT", "CREATE"):
        place = next(
            (
                index
                for index, word in enumerate(words)
                if word in _QUERY_STARTS
                and words[index - 1] not in ("INTO", "OVERWRITE", "CREATE", "REPLACE", "TEMPORARY")
            ),
            len(words) - (words[-1] == "()"),
        )
    if place < len(words) and words[place] == "WITH":
        while place < len(words):
            place = (
                next((i for i in range(place, len(words)) if words[i] == "AS" and words[i + 1 : i + 2] == ["()"]), -3)
                + 2
            )
            if place < 0 or place >= len(words) or words[place] != ",":
                break
    return max(place, 0)


def _words(like: Token, text: str) -> list[Token]:
    kinds = {"SELECT": TokenType.SELECT, "FROM": TokenType.FROM, "*": TokenType.STAR, "AS": TokenType.ALIAS}
    kinds |= {",": TokenType.COMMA, "(": TokenType.L_PAREN, ")": TokenType.R_PAREN, "DISTINCT": TokenType.DISTINCT}
    kinds |= {"EXCEPT": TokenType.EXCEPT, "REPLACE": TokenType.REPLACE, "GROUP": TokenType.GROUP_BY}
    result = []
    for word in text.split():
        kind = kinds.get(word) or (TokenType.NUMBER if word.isdigit() else TokenType.VAR)
        result.append(token_like(like, kind, "GROUP BY" if word == "GROUP" else word))
    return result


def _named(current: list[Token], alias: str, like: Token) -> list[Token]:
    return [*_words(like, "("), *current, *_words(like, f") AS {alias}")]


def _steps(stage: list[Unit]) -> list[list[Unit]]:
    """SET a = x, b = y is one step for each assignment: later ones see earlier ones."""
    if _text(stage[0]) != "SET":
        return [stage]
    return [[stage[0], *item] for item in _split(stage[1:])]


def _split(units: list[Unit]) -> list[list[Unit]]:
    items: list[list[Unit]] = [[]]
    for unit in units:
        if isinstance(unit, Token) and unit.token_type == TokenType.COMMA:
            items.append([])
        else:
            items[-1].append(unit)
    return [item for item in items if item]


def _stage(stage: list[Unit], current: list[Token], alias: str, like: Token) -> list[Token]:
    word = _text(stage[0])
    rest = stage[1:]
    over = _words(like, "FROM") + _named(current, alias, like)
    if word in ("SELECT", "EXTEND"):
        ends = (i for i, unit in enumerate(rest) if isinstance(unit, Token) and unit.token_type in _CLAUSES)
        end = next(ends, len(rest))
        listed = _words(like, "* ,") if word == "EXTEND" else []
        return [*_words(like, "SELECT"), *listed, *_flat(rest[:end]), *over, *_flat(rest[end:])]
    if word == "SET":
        name, value = _flat(rest[:1]), _flat(rest[2:])
        return [*_words(like, "SELECT * REPLACE ("), *value, *_words(like, "AS"), *name, *_words(like, ")"), *over]
    if word in ("DROP", "RENAME"):
        change = "EXCEPT" if word == "DROP" else word
        return [*_words(like, f"SELECT * {change} ("), *_flat(rest), *_words(like, ")"), *over]
    if word == "AGGREGATE":
        return _aggregate(rest, over, like)
    if word == "DISTINCT":
        return _words(like, "SELECT DISTINCT *") + over
    if word in _SET_OPERATIONS:
        return [*_words(like, "("), *current, *_words(like, ")"), *_flat(stage)]
    return [*_words(like, "SELECT *"), *over, *_flat(stage)]


def _aggregate(rest: list[Unit], over: list[Token], like: Token) -> list[Token]:
    """Grouping columns come first in the result, then the aggregates."""
    group = next((i for i, unit in enumerate(rest) if _text(unit) in ("GROUP", "GROUP BY")), len(rest))
    keys = rest[group + 1 :]
    while keys and _text(keys[0]) in ("AND", "ORDER", "BY", "ORDER BY"):
        keys = keys[1:]
    order = ("ASC", "DESC", "NULLS", "FIRST", "LAST")
    grouping = [[unit for unit in key if _text(unit) not in order] for key in _split(keys)]
    items = grouping + _split(rest[:group])
    result = _words(like, "SELECT")
    for place, item in enumerate(items):
        result += (_words(like, ",") if place else []) + _flat(item)
    result += over
    if grouping:
        result += _words(like, "GROUP " + " , ".join(str(place + 1) for place in range(len(grouping))))
    return result
