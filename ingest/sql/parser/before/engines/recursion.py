"""SEARCH and CYCLE after a recursive query (SQL:1999, as in Postgres, Oracle and Db2) as a query around it.

``tree AS (…) SEARCH DEPTH FIRST BY id SET ord CYCLE id SET is_cycle USING path`` adds the columns ord, is_cycle and
path, all of them made of id, which the query itself does not see. sqlglot reads only some of these clauses, for the
last query of WITH alone, and code that looks at the query misses the columns.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from sqlglot.tokens import Token, TokenType

from ingest.sql.text.tokens import bracketed, items_of, kinds_of, select_all_from, token_like, with_commas, word_at
from ingest.sql.words import words

_CLAUSES: Final = words("search cycle")
_ORDERS: Final = words("depth breadth")
#: What no list of columns holds: a clause of another kind, such as an alias of this name, ends there.
_NO_COLUMNS: Final = (TokenType.L_PAREN, TokenType.R_PAREN, TokenType.SELECT, TokenType.EQ, TokenType.FROM)
_LONGEST_CONSTANT: Final = 4


class _Added(NamedTuple):
    """A column that a clause adds: the function that its value is shown as, and the columns that make it."""

    name: Token
    function: str
    columns: list[Token]


def plain_recursion(tokens: list[Token]) -> list[Token]:
    """Return a statement in which the columns of such clauses are items of a query around the recursive one."""
    kinds = kinds_of(tokens)
    if not any(
        word_at(tokens, place + 1) in _CLAUSES for place in range(len(tokens)) if kinds[place] is TokenType.R_PAREN
    ):
        return tokens
    recursive = TokenType.RECURSIVE in kinds
    changed: list[Token] = []
    opened: list[int] = []
    place = 0
    while place < len(tokens):
        changed.append(tokens[place])
        place += 1
        if kinds[place - 1] is TokenType.L_PAREN:
            opened.append(len(changed) - 1)
        elif kinds[place - 1] is TokenType.R_PAREN and opened:
            named = _named(changed, opened.pop()) if word_at(tokens, place) in _CLAUSES else None
            added, end = _clauses(tokens, place) if named is not None else ([], place)
            if added and named is not None:
                changed[named:] = _around(changed[named:], added, recursive=recursive)
            place = end
    return changed


def _named(tokens: list[Token], body: int) -> int | None:
    """Return the place of the name in ``name (a, b) AS MATERIALIZED (`` with the last bracket at ``body``, or None."""
    place = body - 1
    place -= word_at(tokens, place) == "materialized"
    place -= word_at(tokens, place) == "not"
    if place < 1 or tokens[place].token_type is not TokenType.ALIAS:
        return None
    place -= 1
    if tokens[place].token_type is TokenType.R_PAREN:
        while place > 0 and tokens[place].token_type is not TokenType.L_PAREN:
            place -= 1
        place -= 1
    return place if place > 0 else None


def _clauses(tokens: list[Token], place: int) -> tuple[list[_Added], int]:
    """Return what the clauses that begin at a place add, and the place after them, the same one without clauses."""
    added: list[_Added] = []
    while True:
        word, order = word_at(tokens, place), word_at(tokens, place + 1)
        if word == "search" and order in _ORDERS and word_at(tokens, place + 3) == "by":
            start = place + 4
        elif word == "cycle":
            start = place + 1
        else:
            return added, place
        end = start
        while end < len(tokens) and tokens[end].token_type not in (TokenType.SET, *_NO_COLUMNS):
            if word_at(tokens, end) == "restrict":  # MariaDB's, which adds no column
                break
            end += 1
        if end + 1 >= len(tokens) or end == start or tokens[end].token_type in _NO_COLUMNS:
            return added, place
        columns = [item[0] for item in items_of(tokens[start:end]) if item]
        if tokens[end].token_type is not TokenType.SET:
            place = end + 1
        elif word == "search":
            added.append(_Added(tokens[end + 1], f"{order}_first", columns))
            place = end + 2
        else:
            added.append(_Added(tokens[end + 1], "cycle_mark", columns))
            place = _after_marks(tokens, end + 2)
            if word_at(tokens, place) == "using" and place + 1 < len(tokens):
                added.append(_Added(tokens[place + 1], "cycle_path", columns))
                place += 2


def _after_marks(tokens: list[Token], place: int) -> int:
    """Return the place after ``TO 'Y' DEFAULT 'N'``; the same one where that is not there."""
    if word_at(tokens, place) != "to":
        return place
    near = range(place + 1, place + _LONGEST_CONSTANT)
    default = next((at for at in near if word_at(tokens, at) == "default"), None)
    return default + 2 if default is not None else place


def _around(query: list[Token], added: list[_Added], *, recursive: bool) -> list[Token]:
    """Return ``name AS (WITH RECURSIVE name AS (…) SELECT *, f(a) AS b FROM name)``."""
    name, like = query[0], added[0].name
    first = [token_like(name, TokenType.WITH, "WITH")]
    first += [token_like(name, TokenType.RECURSIVE, "RECURSIVE")] if recursive else []
    select, star, from_ = select_all_from(like)
    items = [[token_like(name, name.token_type, name.text), token_like(like, TokenType.DOT, "."), star]]
    for column in added:
        called = [token_like(column.name, TokenType.VAR, column.function)]
        called += bracketed(with_commas(([each] for each in column.columns), like), like)
        items.append([*called, token_like(like, TokenType.ALIAS, "AS"), column.name])
    outer = [*first, *query, select, *with_commas(items, like), from_, token_like(name, name.token_type, name.text)]
    return [
        token_like(name, name.token_type, name.text),
        token_like(like, TokenType.ALIAS, "AS"),
        *bracketed(outer, like),
    ]
