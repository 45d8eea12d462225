"""A safety net for what the parser drops: each dotted name of a text is in the tree, or names no column and no table.

Most names are known by their places, which were noted when they were looked up; a tree is searched only where one is
not.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from sqlglot import exp
from sqlglot.tokens import Token, TokenType

from ingest.sql.binder.names.ports import NameLookup
from ingest.sql.dialects.dialects import Names, start_of
from ingest.sql.parser.scan import name_at, spelt
from ingest.sql.statements.unread import LOOKED_AT
from ingest.sql.text.tokens import NAMES, kinds_of, places_of, word_at

#: Before a name that is not a column's and no table's: a JSON path, a stage, a variable.
_MARKS: Final = (TokenType.COLON, TokenType.PARAMETER, TokenType.DCOLON)
#: Statements whose names their own rules look at in the text.
_LOOKED_AT: Final = (*LOOKED_AT, exp.Copy, exp.Semicolon, exp.ForIn)


def dropped(tokens: list[Token], node: Any, lookup: NameLookup, names: Names) -> str:
    """Return a dotted name of a statement that its tree has nowhere, "" where there is none."""
    if not isinstance(node, exp.Expr) or isinstance(node, _LOOKED_AT):
        return ""
    known, tables = lookup.places, names.starts
    left = [
        (start, end) for start, end in _chains(tokens)
        if (at := tokens[_last(tokens, start, end)].start) not in known and at not in tables
    ]  # fmt: skip
    if not left:
        return ""
    in_tree = set(map(start_of, node.find_all(exp.Identifier)))
    for start, end in left:
        if tokens[_last(tokens, start, end)].start not in in_tree and not _is_other(tokens, start, end, node):
            return "".join(token.text for token in tokens[start : end + 1])
    return ""


def errors_logged(tokens: list[Token], names: Names) -> str | None:
    """Return the table that rows which are refused go to: Oracle's ``LOG ERRORS INTO t``."""
    for place in places_of(TokenType.INTO, kinds_of(tokens)):
        if word_at(tokens, place - 1) == "errors" and word_at(tokens, place - 2) == "log":
            parts = name_at(tokens, place + 1, lists_columns=True)
            return names.dataset_of_spelt(spelt(names, parts)) if parts else None
    return None


def _chains(tokens: list[Token]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last place of each dotted name that is not a function's."""
    kinds = kinds_of(tokens)
    done = 0
    for place in places_of(TokenType.DOT, kinds):
        if place <= done or place + 1 >= len(kinds) or kinds[place - 1] not in NAMES:
            continue
        end = place + 1
        while end + 2 < len(kinds) and kinds[end + 1] is TokenType.DOT:
            end += 2
        done = end
        called = end + 1 < len(kinds) and kinds[end + 1] is TokenType.L_PAREN
        if kinds[end] in NAMES and not called:
            yield place - 1, end


def _last(tokens: list[Token], start: int, end: int) -> int:
    """Return the place of a name's last word; of ``INFORMATION_SCHEMA.COLUMNS`` BigQuery's parser makes one word."""
    return end - 2 if end - start > 2 and word_at(tokens, end - 2) == "information_schema" else end


def _is_other(tokens: list[Token], start: int, end: int, node: exp.Expr) -> bool:
    """Whether a name is in a JSON path, of a stage, an option, a format, or a table of errors."""
    if start and tokens[start - 1].token_type in _MARKS:
        return True
    if word_at(tokens, start - 1) == "into" and word_at(tokens, start - 2) == "errors":
        return True
    if any(word_at(tokens, start - back) in ("locking", "lock") for back in (1, 2)):  # Teradata's
        return True
    if start and tokens[start - 1].token_type is TokenType.SLASH:  # a file of a stage, ``@s/a.csv``
        path = "".join(token.text for token in tokens[start - 1 : end + 1])
        if any(isinstance(table.this, exp.Var) and path in table.name for table in node.find_all(exp.Table)):
            return True
    return isinstance(node, exp.Create) and (
        word_at(tokens, end + 1) in ("=", ",", ")") or word_at(tokens, start - 1) == "using"  # a format's class
    )
