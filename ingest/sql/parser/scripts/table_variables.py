"""MaxCompute's script mode: ``@a := SELECT …`` names rows for later statements, ``@x := 1`` a value.

Rows become a temporary table of that name, or fill one that ``@a TABLE (…)`` declares; a value becomes SET.
"""

from __future__ import annotations

from typing import Final

from sqlglot.tokens import Token, TokenType

from ingest.sql.text.tokens import token_like, word_at

_AT: Final = TokenType.PARAMETER
_ROWS: Final = ("select", "with", "from", "values", "table")


def with_plain_variables(tokens: list[Token]) -> list[Token]:
    """Return a script whose assignments to variables are statements that the parser reads."""
    changed: list[Token] = []
    declared: set[str] = set()
    start = 0
    for end in [*(place for place, t in enumerate(tokens) if t.token_type is TokenType.SEMICOLON), len(tokens)]:
        changed += _plain(tokens[start:end], declared)
        changed += tokens[end : end + 1]
        start = end + 1
    return changed


def _plain(tokens: list[Token], declared: set[str]) -> list[Token]:
    if len(tokens) < 3 or tokens[0].token_type is not _AT:
        return tokens
    name, variable = tokens[1].text.lower(), tokens[:2]
    if tokens[2].token_type is TokenType.TABLE:
        declared.add(name)
        return [*_words(tokens[0], "CREATE TEMPORARY TABLE"), *variable, *tokens[3:]]
    place = next((place for place, t in enumerate(tokens) if t.token_type is TokenType.COLON_EQ), 0)
    if not place:
        return tokens
    value = tokens[place + 1 :]
    if not _is_query(value):
        return [*_words(tokens[0], "SET"), *variable, token_like(tokens[place], TokenType.EQ, "="), *value]
    if name in declared:
        return [*_words(tokens[0], "INSERT OVERWRITE TABLE"), *variable, *value]
    return [*_words(tokens[0], "CREATE TEMPORARY TABLE"), *variable, *_words(tokens[place], "AS"), *value]


def _is_query(value: list[Token]) -> bool:
    first = next((place for place, t in enumerate(value) if t.token_type is not TokenType.L_PAREN), len(value))
    return word_at(value, first) in _ROWS


_KINDS: Final = {
    "CREATE": TokenType.CREATE,
    "TEMPORARY": TokenType.TEMPORARY,
    "TABLE": TokenType.TABLE,
    "INSERT": TokenType.INSERT,
    "OVERWRITE": TokenType.OVERWRITE,
    "SET": TokenType.SET,
    "AS": TokenType.ALIAS,
}


def _words(like: Token, text: str) -> list[Token]:
    return [token_like(like, _KINDS[word], word) for word in text.split()]
