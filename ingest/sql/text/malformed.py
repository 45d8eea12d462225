"""Finds what no dialect allows in a statement, by its tokens alone: a parser may read on, and the answer looks whole.

sqlglot reads some calls without their last bracket, passes over empty items of lists, and takes a doubled keyword for a
name; what prepares a text for it may skip a bracket. Only what is wrong in every dialect is looked for here.
"""

from __future__ import annotations

import re
from itertools import repeat
from typing import Final

from sqlglot.tokens import Token, TokenType

from ingest.sql.text.tokens import kinds_of, word_at
from ingest.sql.words import words

#: One letter for each kind of token, so that regular expressions find runs of them; a dash is any other token.
_LETTERS: Final = {
    TokenType.L_PAREN: "(", TokenType.R_PAREN: ")", TokenType.L_BRACKET: "[", TokenType.R_BRACKET: "]",
    TokenType.L_BRACE: "{", TokenType.R_BRACE: "}", TokenType.COMMA: ",", TokenType.DOT: ".", TokenType.NUMBER: "9",
    TokenType.SELECT: "S", TokenType.FROM: "F", TokenType.JOIN: "J", TokenType.INTO: "I", TokenType.WHERE: "W",
    TokenType.TABLE: "T", TokenType.INSERT: "N", TokenType.DELETE: "D", TokenType.ALIAS: "A", TokenType.CREATE: "C",
    TokenType.DROP: "X", TokenType.ALTER: "X", TokenType.UPDATE: "X", TokenType.MERGE: "X",
    TokenType.SEMICOLON: ";", TokenType.STRING: "'", TokenType.COLON: ":",
}  # fmt: skip
#: A keyword that is a name: after a dot, and after the colon of a path into a document, ``v:from.email``.
_NAMES: Final = re.compile(r"(?<=[.:])[A-Z]")
_PARTNERS: Final = {")": "(", "]": "[", "}": "{"}
_BRACKETS: Final = re.compile(r"[()\[\]{}]")
_EMPTY_ITEM: Final = re.compile(r"[,(A](?=,)|(?<!,)S(?=,)")
#: A word that follows itself in no dialect.
_DOUBLED: Final = re.compile(r"([SFJIWTNDAC])(?=\1)")
#: A name without its first part; ``.5`` is a number, and T-SQL leaves out parts: ``..t``.
_HEADLESS: Final = re.compile(r"[FJIT,](?=\.[^9.])")
_UNFINISHED: Final = re.compile(r"[FJIWA.]\Z|\A[CNX]\Z")
#: All of these in the statements of a text, and a statement that may hold others in a string.
_SUSPECT: Final = re.compile(
    rf"{_EMPTY_ITEM.pattern}|{_DOUBLED.pattern}|{_HEADLESS.pattern}"
    r"|[FJIWA.](?=;|\Z)|(?:\A|;)(?:[CNX]|[^;]')(?=;|\Z)"
)
_NO_BRACKETS: Final = re.compile(r"[^()\[\]{};]+")
#: The guard rejects deeper nesting; a text of another kind of brackets may still get here.
_DEEPEST: Final = 100
#: Calls whose arguments may be left out: ``EXEC m(1,,2)`` in Teradata.
_CALLS: Final = words("exec execute call")
#: Settings have keywords in their names: ``SET table.exec.state.ttl = 1``.
_SETTINGS: Final = words("set reset")
#: After these, SELECT is a privilege or an action.
_BEFORE_ACTIONS: Final = words("grant revoke deny for actions audit noaudit privileges")


def may_be_malformed(tokens: list[Token]) -> bool:
    """Whether a statement of a text may be malformed: one look at the whole text clears most of them."""
    shape = _shape(tokens)
    if _SUSPECT.search(shape):
        return True
    brackets = _NO_BRACKETS.sub("", shape)
    for _ in range(_DEEPEST):
        closed = brackets.replace("()", "").replace("[]", "").replace("{}", "")
        if closed == brackets:
            break
        brackets = closed
    return bool(brackets.strip(";"))


def malformed(tokens: list[Token]) -> tuple[Token, str] | None:
    """Return where a statement is malformed, and how in words; None where nothing that is looked for is found."""
    shape = _shape(tokens)
    bracket = _unpaired(shape)
    if bracket is not None:
        return tokens[bracket], f"the bracket {tokens[bracket].text} has no partner"
    if word_at(tokens, 0) not in _CALLS:
        for item in _EMPTY_ITEM.finditer(shape):
            if item.group() != "S" or word_at(tokens, item.start() - 1) not in _BEFORE_ACTIONS:
                return tokens[item.end()], f"nothing between {tokens[item.start()].text} and ,"
    if found := _DOUBLED.search(shape):
        return tokens[found.end()], f"{tokens[found.end()].text.upper()} twice"
    if (found := _HEADLESS.search(shape)) and word_at(tokens, 0) not in _SETTINGS:
        return tokens[found.end()], f"a name after {tokens[found.start()].text.upper()} begins with a dot"
    if _UNFINISHED.search(shape):
        return tokens[-1], f"the statement ends after {tokens[-1].text.upper()}"
    return None


def _shape(tokens: list[Token]) -> str:
    return _NAMES.sub("-", "".join(map(_LETTERS.get, kinds_of(tokens), repeat("-"))))


def _unpaired(shape: str) -> int | None:
    """Return the place of the first bracket that has no partner of its kind, None where each has one."""
    opened: list[tuple[str, int]] = []
    for found in _BRACKETS.finditer(shape):
        kind = found.group()
        if kind not in _PARTNERS:
            opened.append((kind, found.start()))
        elif not opened or opened.pop()[0] != _PARTNERS[kind]:
            return found.start()
    return opened[0][1] if opened else None
