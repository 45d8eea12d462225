"""The variables that a statement of a block sets, split off what the parser reads, and procedures called by name."""

from __future__ import annotations

from typing import Any, Final

from sqlglot import exp
from sqlglot.tokens import Token, TokenType

from ingest.sql.dialects.rules import Rules
from ingest.sql.parser.scripts.blocks import Called, Fetched
from ingest.sql.text.tokens import NAMES, items_of, kinds_of, outside, word_at
from ingest.sql.words import words

#: After these words INTO names a table.
_FILLS: Final = words("insert merge replace upsert ignore")
_PATHS: Final = (".", "(", "[")
#: What else follows INTO after FROM: files, and the names of an UNPIVOT.
_NO_TARGETS: Final = words("outfile dumpfile name")
_MARKS: Final = (TokenType.COLON, TokenType.PARAMETER)
_ASSIGNS: Final = (TokenType.COLON_EQ, TokenType.EQ)


def without_targets(tokens: list[Token], rules: Rules) -> tuple[tuple[str, ...], list[Token]]:
    """Split ``SELECT a, b INTO x, y FROM t``: the variables that the row goes to, and the query; no names for others.

    One name alone may be that of a table which the query makes. It is a variable after STRICT, after FROM, as MySQL has
    it, where the items follow it, ``SELECT INTO x a FROM t``, and in the dialects whose variables are written ``:x``.
    """
    if not rules.variables.select_into:
        return (), tokens
    if word_at(tokens, 0) not in ("select", "with") or TokenType.INTO not in kinds_of(tokens):
        return (), tokens
    places = outside(tokens)
    place = next((p for p in places if tokens[p].token_type is TokenType.INTO), 0)
    if not place or word_at(tokens, place - 1) in _FILLS:
        return (), tokens
    strict = word_at(tokens, place + 1) == "strict" and word_at(tokens, place + 2) not in ("from", "")
    names, end = _targets(tokens, place + 1 + strict)
    follows = word_at(tokens, place - 1) == "select" and word_at(tokens, end) not in ("from", "")
    after_from = any(tokens[p].token_type is TokenType.FROM for p in places if p < place)
    only = strict or follows or rules.variables.colon != "bind"
    only = only or (after_from and word_at(tokens, place + 1) not in _NO_TARGETS)
    return (names, tokens[:place] + tokens[end:]) if len(names) > 1 or (names and only) else ((), tokens)


def _targets(tokens: list[Token], place: int) -> tuple[tuple[str, ...], int]:
    """Return the names of ``x, @y, :z``, and the place after them; none where one is a field or an element."""
    names: list[str] = []
    while True:
        place += place < len(tokens) and tokens[place].token_type in _MARKS
        if place >= len(tokens) or tokens[place].token_type not in NAMES or word_at(tokens, place + 1) in _PATHS:
            return (), place
        names.append(tokens[place].text)
        place += 1
        if word_at(tokens, place) != ",":
            return tuple(names), place
        place += 1


def meant(node: Any, names: tuple[str, ...], rules: Rules) -> Any:
    """Return what a block means by a tree: variables that are set, ``names`` split off already, or a call; else it."""
    if names:
        return Fetched(names, query=node)
    if rules.calls_by_name and isinstance(node, _CALLED) and not isinstance(node, exp.Case | exp.If):
        return Called(_called_name(node))
    return into_variables(node) if rules.select_into_sets_variables else node


def _called_name(node: exp.Expr) -> str:
    if isinstance(node, exp.Null):
        return ""
    if isinstance(node, exp.Dot):
        return f"{_called_name(node.this)}.{_called_name(node.expression)}"
    if isinstance(node, exp.Column):
        return ".".join(part.name for part in node.parts)
    known = isinstance(node, exp.Func) and not isinstance(node, exp.Anonymous)
    return str(node.sql_name() if known else node.name)


_CALLED: Final = (exp.Func, exp.Dot, exp.Column, exp.Null)


def into_variables(node: exp.Expr) -> Any:
    """Return a SELECT … INTO that sets variables as such, any other tree as it is."""
    into = node.args.get("into") if isinstance(node, exp.Select) else None
    if into is None:
        return node
    listed = into.expressions or ([into.this] if into.this is not None else [])
    names = tuple(target_name(item) for item in listed if isinstance(item, exp.Expr))
    query = node.copy()
    query.set("into", None)
    return Fetched(names, query=query)


def target_name(item: exp.Expr) -> str:
    """Return the variable that INTO names, with the field of a record after a dot; ``l(1)`` is the collection."""
    parts = item.parts if isinstance(item, exp.Table | exp.Column) else [item]
    return ".".join(part.name for part in parts) or item.this.name


def set_apart(tokens: list[Token]) -> list[list[Token]]:
    """Return ``SET VAR a = 1, b = 2`` and ``SET @a = 1, @b = 2`` as a statement for each variable, else nothing."""
    if word_at(tokens, 0) != "set" or len(tokens) < 2:
        return []
    at = tokens[1].token_type is TokenType.PARAMETER
    start = 1 if at else 2
    if not at and word_at(tokens, 1) not in ("var", "variable"):
        return []
    items = items_of(tokens[start:])
    plain = all(len(item) > start and item[1 + at].token_type in _ASSIGNS for item in items)
    return [[*tokens[:start], *item] for item in items] if plain and len(items) > 1 else []
