"""Compares two texts word by word, without layout and comments, for callers that have no parser."""

from __future__ import annotations

import re
from typing import Final

from lineage_tt.governance.cause.ports import Text, TextChange

#: Comments, quoted texts and names, numbers, words, and any other sign. The quantifiers are possessive, and the end of
#: the text also ends a quote or a comment, so every text is read once from beginning to end.
_TOKEN: Final = re.compile(
    r"(?P<gap>\s++|--[^\n]*+|/\*.*?(?:\*/|\Z))"
    r"|(?P<quoted>'(?:[^'\\]|\\.|'')*+(?:'|\\?\Z)|\"(?:[^\"\\]|\\.)*+(?:\"|\\?\Z)|`[^`]*+(?:`|\Z))"
    r"|(?P<word>\w++)|(?P<sign>.)",
    re.DOTALL,
)


def words_of(sql: str) -> list[str]:
    """Return the words of a text in order: plain words in lower case, quoted ones as they are, no comments."""
    words = []
    for token in _TOKEN.finditer(sql):
        if token.lastgroup == "word":
            words.append(token.group().lower())
        elif token.lastgroup != "gap":
            words.append(token.group())
    return words


def same_words(one: Text, other: Text) -> bool:
    """Return whether two texts differ only in layout, comments, and the case of words outside quotes."""
    return words_of(one.sql) == words_of(other.sql)


def compared(one: Text, other: Text) -> TextChange:
    """Return how two texts differ, as far as their words show; which columns differ is not known."""
    return TextChange(True) if same_words(one, other) else TextChange(False, None, ("text",))
