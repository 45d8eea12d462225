"""What the grammar expects at a place of a text that cannot be parsed yet, determined from the words before it."""

from __future__ import annotations

from typing import Final

from ingest.sql.words import words

NAME: Final = "name"
OPERAND: Final = "operand"
QUERY: Final = "query"
TYPE: Final = "type"
CLAUSE: Final = "clause"

_BEFORE_NAMES: Final = words(
    """from join into table update view exists database schema use truncate as with overwrite function over using
    describe index call macro only recursive"""
)
_BEFORE_OPERANDS: Final = words(
    """select distinct all where and or not on by having when then else in like between rlike ilike limit offset
    interval case set values qualify return is if top default div while filter any some escape percent rows range
    regexp xor"""
)
_SET_OPERATIONS: Final = frozenset(["union", "intersect", "minus"])
_BEFORE_ANY: Final = _BEFORE_NAMES | _BEFORE_OPERANDS | _SET_OPERATIONS
# What opens a list of names when a bracket follows.
_NAME_LISTS: Final = frozenset(["using", "except", "partition", "exclude"])
_CLAUSES: Final = frozenset(
    ["select", "from", "where", "by", "having", "set", "values", "on", "limit", "qualify", "with"]
)
_CASTS: Final = frozenset(["cast", "try_cast", "safe_cast"])


class Place:
    """The state after the words and signs seen so far; one frame for each open bracket."""

    def __init__(self) -> None:
        self.before = ""
        self._earlier = ""
        self._operand = False
        self._frames: list[tuple[str, str]] = [("", "")]

    @property
    def expects(self) -> str:
        """One of NAME, OPERAND, QUERY, TYPE, or CLAUSE after a whole operand."""
        before, (clause, opener) = self.before, self._frames[-1]
        if self._operand or before in ("", ";"):
            return CLAUSE
        if before == "(":
            if opener in _NAME_LISTS:
                return NAME
            return QUERY if opener in ("from", "join", "as", ",", "union", "all", "exists") else OPERAND
        if before == ",":
            return NAME if clause in ("from", "with") or opener in _NAME_LISTS else OPERAND
        if before == "as" and opener in _CASTS:
            return TYPE
        if before in _SET_OPERATIONS or (before in ("all", "distinct") and self._earlier in _SET_OPERATIONS):
            return QUERY
        return NAME if before in _BEFORE_NAMES else OPERAND

    def saw_word(self, word: str) -> None:
        """Take note of a word."""
        word = word.lower()
        self._earlier, self.before = self.before, word
        self._operand = word not in _BEFORE_ANY
        if word in _CLAUSES:
            self._frames[-1] = (word, self._frames[-1][1])

    def saw(self, sign: str) -> None:
        """Take note of a sign."""
        if sign in "([":
            self._frames.append(("", self.before if sign == "(" else "["))
        elif sign in ")]" and len(self._frames) > 1:
            self._frames.pop()
        elif sign == ";":
            self._frames = [("", "")]
        self._earlier, self.before = self.before, sign
        self._operand = sign in ")]*?" or len(sign) > 1

    def saw_operand(self) -> None:
        """Take note of a literal, a quoted name or a placeholder."""
        self._earlier, self.before = self.before, ""
        self._operand = True
