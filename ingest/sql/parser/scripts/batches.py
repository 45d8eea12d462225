"""T-SQL scripts: statements need no semicolon between them, so they are split where a word can only begin the next one.

``GO`` alone on a line ends a batch. IF, WHILE, ELSE, BEGIN, END, TRY and CATCH guard statements; what they guard
is resolved as if it ran. The head of a procedure or trigger, up to its AS, is a separate chunk.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from sqlglot.tokens import Token, TokenType

from ingest.sql.text.tokens import QUOTED, word_at
from ingest.sql.words import words

#: Words that begin a statement anywhere outside of brackets.
_ALWAYS: Final = words(
    """declare print truncate raiserror use deallocate waitfor return break continue goto while if exec execute open
    close commit rollback save grant deny revoke create alter drop fetch bulk dbcc backup restore kill checkpoint
    select insert update delete merge set with begin end else throw go reconfigure shutdown
    rename copy"""
) | {"update statistics"}
_MAIN: Final = words("select insert update delete merge")
_CONTROL: Final = words("if while else begin end")
_ROUTINES: Final = words("procedure proc trigger")
_SETS: Final = words("union all except intersect")
_OF_RIGHTS: Final = words("grant deny revoke")
#: What CREATE, ALTER and DROP are followed by where they begin a statement, and not a part of ALTER TABLE.
_KINDS: Final = words(
    "table view procedure proc function schema database trigger type synonym sequence user role login"
)
#: What is in front of a column of ``SELECT a, copy INTO #t``.
_BEFORE_COLUMNS: Final = ("select", "distinct", "all", ",")
_BEFORE_NAMES: Final = (TokenType.DOT, TokenType.PARAMETER, TokenType.HASH)


def statements(tokens: list[Token]) -> Iterator[list[Token]]:
    """Yield the statements of a script in order, without the words that only guard them."""
    place = 0
    while place < len(tokens):
        if tokens[place].token_type is TokenType.SEMICOLON or is_go(tokens, place):
            place += 1 + (is_go(tokens, place) and _is_count(tokens, place + 1))
            continue
        end = _Statement(tokens, place).end()
        if not _only_guards(tokens, place):
            yield tokens[place:end]
        place = end


def _only_guards(tokens: list[Token], place: int) -> bool:
    word = word_at(tokens, place)
    return word in _CONTROL and not (word == "begin" and _begins_transaction(tokens, place))


def _begins_transaction(tokens: list[Token], place: int) -> bool:
    return word_at(tokens, place + 1) in ("tran", "transaction", "distributed", "dialog", "conversation")


def is_go(tokens: list[Token], place: int) -> bool:
    """Whether GO is alone on its line, except for how often to repeat the batch."""
    if word_at(tokens, place) != "go":
        return False
    line = tokens[place].line
    after = place + 1 + _is_count(tokens, place + 1)
    return (place == 0 or tokens[place - 1].line < line) and (after >= len(tokens) or tokens[after].line > line)


def _is_count(tokens: list[Token], place: int) -> bool:
    return place < len(tokens) and tokens[place].token_type is TokenType.NUMBER and _same_line(tokens, place)


def _same_line(tokens: list[Token], place: int) -> bool:
    return bool(tokens[place].line == tokens[place - 1].line)


class _Statement:
    """One statement from its first token on, looking for the token after its last."""

    def __init__(self, tokens: list[Token], start: int) -> None:
        self._tokens = tokens
        self._start = start
        self._verb = word_at(tokens, start)
        # after WITH the statement's own verb is yet to come; INSERT waits for its rows
        self._main = "" if self._verb == "with" else self._verb
        self._has_rows = False
        self._has_set = False
        self._granted = False
        head = [word_at(tokens, start + n) for n in range(4)]
        self._defines = self._verb in ("create", "alter")
        self._routine = self._defines and bool(_ROUTINES.intersection(head))
        self._function = self._defines and "function" in head

    def end(self) -> int:
        """Return the place after the statement."""
        tokens, start = self._tokens, self._start
        if self._verb in ("begin", "end", "else") and not (
            self._verb == "begin" and _begins_transaction(tokens, start)
        ):
            named = word_at(tokens, start + 1) in ("try", "catch", "atomic", "conversation")
            return start + 1 + (self._verb != "else" and named)
        depth = cases = 0
        for place in range(start + 1, len(tokens)):
            token = tokens[place]
            kind = token.token_type
            if kind is TokenType.L_PAREN:
                depth += 1
            elif kind is TokenType.R_PAREN:
                depth -= 1
            elif depth > 0:
                continue
            elif kind is TokenType.SEMICOLON:
                if not self._function:
                    return place
            elif kind in QUOTED:
                continue
            elif (word := token.text.lower()) == "case":
                cases += 1
            elif word == "values":
                self._has_rows = True
            elif word in ("to", "from"):
                self._granted = True
            elif word == "end" and cases:
                cases -= 1
            elif self._routine and word == "as" and self._ends_head(place):
                return place + 1
            elif word in _ALWAYS and not cases and self._begins(word, place):
                return place
        return len(tokens)

    def _ends_head(self, place: int) -> bool:
        """Whether AS ends the head of a routine: not ``WITH EXECUTE AS OWNER``, nor a parameter's ``@p AS int``."""
        before = word_at(self._tokens, place - 1)
        is_parameter = self._tokens[place - 2].token_type is TokenType.PARAMETER
        return before not in ("execute", "exec") and not is_parameter

    def _begins(self, word: str, place: int) -> bool:
        """Whether a word outside of brackets begins the next statement; notes what it means for this one."""
        if word == "go":
            return is_go(self._tokens, place)
        before = word_at(self._tokens, place - 1)
        part_of_name = self._tokens[place - 1].token_type in _BEFORE_NAMES or self._following(place) is TokenType.DOT
        # before the grantees these words name the operations
        if part_of_name or self._function or (self._verb in _OF_RIGHTS and not self._granted):
            return False
        if word in _MAIN:
            return self._begins_main(word, place, before)
        rule = _RULES.get(word)
        return rule(self, place, before) if rule is not None else True

    def _following(self, place: int) -> Any:
        return self._tokens[place + 1].token_type if place + 1 < len(self._tokens) else None

    def _begins_main(self, word: str, place: int, before: str) -> bool:
        if before in ("then", "for", "bulk") or self._routine or (self._defines and before in ("as", "on")):
            return False
        if (word == "merge" and word_at(self._tokens, place + 1) == "join") or (
            word == "update" and self._following(place) is TokenType.L_PAREN
        ):
            return False
        if word == "select" and before in _SETS:
            return False
        if word == "select" and self._main == "insert" and not self._has_rows:
            self._has_rows = True
            return False
        if not self._main:
            self._main = word
            return False
        return True

    def _begins_set(self, place: int, before: str) -> bool:
        owns = self._main == "update" or self._verb == "alter"
        if before in ("update", "delete") or (owns and not self._has_set):
            self._has_set = True
            return False
        return True

    def _begins_with(self, place: int, before: str) -> bool:
        """``WITH q AS (`` and ``WITH q (a) AS (`` begin a statement; a hint or an option does not."""
        if self._defines:
            self._main = "" if before == "as" else self._main
            return False
        at = place + 2
        opens = at < len(self._tokens) and self._tokens[at].token_type is TokenType.L_PAREN
        return self._following(place) is not TokenType.L_PAREN and (opens or word_at(self._tokens, at) == "as")

    def _begins_call(self, place: int, before: str) -> bool:
        if before in ("with", "as"):
            return False
        if self._main == "insert" and not self._has_rows:
            self._has_rows = True
            return False
        return True

    def _begins_change(self, place: int, before: str) -> bool:
        """CREATE, ALTER and DROP; ``CREATE OR ALTER``, and what an ALTER does, are parts of their statement."""
        if before == "or":
            return False
        return self._verb != "alter" or word_at(self._tokens, place + 1) in _KINDS

    def _begins_if(self, place: int, before: str) -> bool:
        return not (word_at(self._tokens, place + 1) == "exists" and self._verb in ("drop", "alter"))

    def _begins_fetch(self, place: int, before: str) -> bool:
        return before not in ("row", "rows")

    def _begins_synapses(self, place: int, before: str) -> bool:
        """``RENAME OBJECT a TO b`` and ``COPY INTO t FROM …``; else the words are names."""
        return word_at(self._tokens, place + 1) in ("object", "into") and before not in _BEFORE_COLUMNS

    def _begins_throw(self, place: int, before: str) -> bool:
        return not _same_line(self._tokens, place)


_RULES: Final = {
    "set": _Statement._begins_set,
    "with": _Statement._begins_with,
    "exec": _Statement._begins_call,
    "execute": _Statement._begins_call,
    "create": _Statement._begins_change,
    "alter": _Statement._begins_change,
    "drop": _Statement._begins_change,
    "if": _Statement._begins_if,
    "fetch": _Statement._begins_fetch,
    "throw": _Statement._begins_throw,
    "rename": _Statement._begins_synapses,
    "copy": _Statement._begins_synapses,
}
