"""Literals and comments taken out of a text, so that it can be kept or shown without the secrets put there."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from ingest.sql.text.regions import CELL, CODE, COMMENT, IDENTIFIER, STRING, Region, region_scanner

MASK: Final = "?"
_BRACKETS: Final = frozenset(["[]", "{}", "()", "<>"])
# A number is not part of a name (t1, 2019_x, proj-2.ds.t); a suffix such as 10L or 1.5BD belongs to it.
_NUMBER: Final = re.compile(
    r"(?<![\w.$@`\"'\]])"
    r"(?:0[xX][0-9a-fA-F]+|(?:\d[\d_]*+(?:\.\d*+)?|\.\d+)(?:[eE][+-]?\d+)?(?:[lLsSyYdDfF]|[bB][dD])?)"
    r"(?![\w`])(?!\.[A-Za-z_])"
)
#: A template part inside of a string: its value may be part of a name, so that it is not a literal of the text.
_TEMPLATE: Final = re.compile(r"\{\{[^{}]*+\}\}|\{%[^{}%]*+%\}|\$\{[^{}\n]*+\}|\$\[[^][\n]*+\]|\$\([^()\n]*+\)")
_TEMPLATE_STRING: Final = re.compile(r"'[^'\n]*+'|\"[^\"\n]*+\"")
#: What makes a string one of digits alone: x'1F', b'01'.
_DIGITS_ONLY: Final = re.compile(r"(?<!\w)[xXbB]\Z")


class Literal(NamedTuple):
    """Characters ``start`` to ``end`` (excluded) of a text that are a literal or a comment, and its mask.

    ``value`` is the string's content or the number, empty for a comment.
    """

    kind: str
    start: int
    end: int
    mask: str
    value: str = ""


NUMBER: Final = "number"


def mask_literals(sql: str, dialect: str = "") -> str:
    """Return ``sql`` with every string's text and comment's text as ``?`` and every number as 0, newlines kept.

    What is a string follows the dialect's rules: read in the wrong dialect, parts of a string may stay as code. A
    string that is never closed is masked to the end. Names, quoted ones too, stay; of templates only the strings are
    masked.
    """
    return masked(sql, literals(sql, dialect))


def masked(sql: str, occurrences: Sequence[Literal], unmasked: Collection[int] = ()) -> str:
    """Return a text with its literals masked, except those whose places in ``occurrences`` are ``unmasked``."""
    pieces, at = [], 0
    for place, literal in enumerate(occurrences):
        if place not in unmasked:
            pieces += [sql[at : literal.start], literal.mask]
            at = literal.end
    return "".join([*pieces, sql[at:]])


def literals(sql: str, dialect: str = "") -> list[Literal]:
    """Return the literals and comments of a text in order."""
    return list(_literals(sql, dialect))


def _literals(sql: str, dialect: str) -> Iterator[Literal]:
    for kind, start, end in _joined(region_scanner(dialect, templated=True).regions(sql), sql):
        text = sql[start:end]
        if kind == STRING:
            yield _string(text, start, sql[max(0, start - 2) : start])
        elif kind == COMMENT:
            yield Literal(COMMENT, start, end, _mask_comment(text))
        elif kind == CODE:
            yield from _numbers(text, start)
        elif kind != IDENTIFIER and text.startswith("{"):
            for string in _TEMPLATE_STRING.finditer(text):
                quoted = string[0]
                mask = f"{quoted[0]}{MASK}{quoted[-1]}"
                yield Literal(STRING, start + string.start(), start + string.end(), mask, quoted[1:-1])


def _joined(regions: Iterable[Region], sql: str) -> Iterator[Region]:
    """Yield regions, those of a string that holds its own quote, doubled, as one."""
    last: Region | None = None
    for region in regions:
        if last is not None and last.kind == region.kind == STRING and sql[last.end - 1] == sql[region.start] in "'\"":
            last = Region(STRING, last.start, region.end)
            continue
        if last is not None:
            yield last
        last = region
    if last is not None:
        yield last


def _numbers(code: str, start: int) -> Iterator[Literal]:
    for number in _NUMBER.finditer(code):
        typed = number[0][-2:] if number[0][-2:].upper() == "BD" else ""  # a decimal's, which makes a cast
        yield Literal(NUMBER, start + number.start(), start + number.end(), f"0{typed}", number[0])


def _string(text: str, start: int, before: str) -> Literal:
    quote = _opening(text)
    own = text[1:2] + text[-2:-1]  # Oracle's q'[…]': the inner brackets are part of the quotes
    left, right = (own[0], own[1]) if quote == "'" and own in _BRACKETS else ("", "")
    inner = text[len(quote) + len(left) :]
    inner = inner.removesuffix(quote).removesuffix(right) if text.endswith(quote) else inner
    mask = "".join(_mask_parts(inner)) if "{" in inner or "$" in inner else MASK
    if mask == MASK and _DIGITS_ONLY.search(before):
        mask = "00"
    return Literal(STRING, start, start + len(text), f"{quote}{left}{mask}{_newlines(text)}{right}{quote}", inner)


def _mask_parts(inner: str) -> Iterator[str]:
    """Yield the parts of a string's mask: template parts, their own strings masked, and a sign for what is around."""
    at = 0
    for part in _TEMPLATE.finditer(inner):
        yield MASK if part.start() > at else ""
        yield _TEMPLATE_STRING.sub(lambda string: f"{string[0][0]}{MASK}{string[0][-1]}", part[0].replace("\n", " "))
        at = part.end()
    yield MASK if at < len(inner) or not at else ""


def _opening(text: str) -> str:
    """The signs a string opens with: one or three quotes, or the tag of a dollar quote."""
    if text.startswith(('"""', "'''")):
        return text[:3]
    if text[0] == "$":
        return text[: text.index("$", 1) + 1] if "$" in text[1:] else "$$"
    return text[0]


def _mask_comment(text: str) -> str:
    if text.rstrip() == CELL:
        return text
    if text.startswith("/*"):
        return f"/* {MASK}{_newlines(text)} */"
    if text.startswith("{#"):
        return f"{{# {MASK}{_newlines(text)} #}}"
    start = re.match(r"--|//|#!?", text)
    return f"{start[0] if start else '--'} {MASK}"


def _newlines(text: str) -> str:
    return "\n" * text.count("\n")
