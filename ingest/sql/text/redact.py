"""Literals and comments taken out of a text, so that it can be kept or shown without the secrets put there."""

from __future__ import annotations

import re
from typing import Final

from ingest.sql.text.regions import COMMENT, IDENTIFIER, STRING, region_scanner

MASK: Final = "?"
_BRACKETS: Final = frozenset(["[]", "{}", "()", "<>"])
# A number is no part of a name (t1, 2019_x, proj-2.ds.t); a suffix such as 10L or 1.5BD belongs to it.
_NUMBER: Final = re.compile(
    r"(?<![\w.$@`\"'\]])"
    r"(?:0[xX][0-9a-fA-F]+|(?:\d[\d_]*+(?:\.\d*+)?|\.\d+)(?:[eE][+-]?\d+)?(?:[lLsSyYdDfF]|[bB][dD])?)"
    r"(?![\w`])(?!\.[A-Za-z_])"
)


def mask_literals(sql: str, dialect: str = "") -> str:
    """Return ``sql`` with every string's text and comment's text as ``?`` and every number as 0, newlines kept.

    What is a string follows the dialect's rules: read in the wrong dialect, parts of a string may stay as code.
    A string that is never closed is masked to the end. Names, quoted ones too, stay; templates in code stay, too.
    """
    pieces: list[str] = []
    for region in region_scanner(dialect).regions(sql):
        text = sql[region.start : region.end]
        if region.kind == STRING:
            pieces.append(_mask_string(text))
        elif region.kind == COMMENT:
            pieces.append(_mask_comment(text))
        elif region.kind == IDENTIFIER:
            pieces.append(text)
        else:
            pieces.append(_NUMBER.sub("0", text))
    return "".join(pieces)


def _mask_string(text: str) -> str:
    quote = _opening(text)
    own = text[1:2] + text[-2:-1]  # Oracle's q'[…]': the inner brackets are part of the quotes
    left, right = (own[0], own[1]) if quote == "'" and own in _BRACKETS else ("", "")
    return f"{quote}{left}{MASK}{_newlines(text)}{right}{quote}"


def _opening(text: str) -> str:
    """The signs a string opens with: one or three quotes, or the tag of a dollar quote."""
    if text.startswith(('"""', "'''")):
        return text[:3]
    if text[0] == "$":
        return text[: text.index("$", 1) + 1] if "$" in text[1:] else "$$"
    return text[0]


def _mask_comment(text: str) -> str:
    if text.startswith("/*"):
        return f"/* {MASK}{_newlines(text)} */"
    if text.startswith("{#"):
        return f"{{# {MASK}{_newlines(text)} #}}"
    start = re.match(r"--|//|#!?", text)
    return f"{start[0] if start else '--'} {MASK}"


def _newlines(text: str) -> str:
    return "\n" * text.count("\n")
