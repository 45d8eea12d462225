"""Where a text is not code: strings, quoted identifiers and comments, found in one linear pass.

Guard, template neutraliser and masking all need this before a parser may see the text, and they need it to agree with
the parser. So the quoting rules are not written down again here: they are read off sqlglot's tokenizer of the dialect
and compiled into one regular expression. It uses possessive repeats only, so that no text makes it backtrack.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, NamedTuple

from sqlglot.dialects.dialect import Dialect

from ingest.sql.dialects import ALIASES

CODE: Final = "code"
STRING: Final = "string"
IDENTIFIER: Final = "identifier"
COMMENT: Final = "comment"

# A template expression or tag on one line: inside a quoted region its own quotes do not end the region.
_TEMPLATE_UNIT: Final = r"\{\{[^\n}]*+\}\}|\{%[^\n%]*+%\}|\{"


class Region(NamedTuple):
    """Characters ``start`` to ``end`` (excluded) of a text are of one kind: code, string, identifier or comment."""

    kind: str
    start: int
    end: int


def resolve_dialect(name: str) -> str:
    """Return sqlglot's name of a dialect; an unknown one reads as the parser's own (ANSI-like) dialect."""
    known = ALIASES.get(name.lower(), name.lower())
    return known if Dialect.get(known) is not None else ""


@dataclass(frozen=True, slots=True)
class RegionScanner:
    """Finds the quoted and commented regions of texts in one dialect; made by :func:`region_scanner`."""

    pattern: re.Pattern[str]
    nested_comments: bool

    def opaque(self, text: str) -> Iterator[Region]:
        """Yield the strings, quoted identifiers and comments of ``text`` in order; an open end reaches to the end."""
        position, search = 0, self.pattern.search
        while found := search(text, position):
            kind = found.lastgroup or CODE
            end = found.end()
            if kind == COMMENT and self.nested_comments and text.startswith("/*", found.start()):
                end = _end_of_nested_comment(text, found.start())
            yield Region(kind, found.start(), end)
            position = max(end, found.start() + 1)

    def regions(self, text: str) -> Iterator[Region]:
        """Yield the whole of ``text`` as consecutive regions, code included, empty ones left out."""
        position = 0
        for region in self.opaque(text):
            if region.start > position:
                yield Region(CODE, position, region.start)
            yield region
            position = region.end
        if position < len(text):
            yield Region(CODE, position, len(text))

    def code(self, text: str, *, filler: str = " ' ") -> str:
        """Return ``text`` with every quoted or commented region replaced by ``filler`` (comments too)."""
        if not self.nested_comments or "/*" not in text:
            return self.pattern.sub(filler, text)
        return "".join(text[r.start : r.end] if r.kind == CODE else filler for r in self.regions(text))


@cache
def region_scanner(dialect: str, *, templated: bool = False) -> RegionScanner:
    """Return the scanner of a dialect; ``templated`` keeps ``{{ 'x' }}`` inside a quoted region in one piece."""
    rules: Any = Dialect.get_or_raise(resolve_dialect(dialect)).tokenizer_class
    backslash = "\\" in rules.STRING_ESCAPES
    branches = [f"(?P<{COMMENT}>{'|'.join(_comments(rules))})"]
    strings = [*_prefixed(rules, templated), *(_quoted(*_pair(q), backslash, templated) for q in _longest(rules.QUOTES))]
    if rules.HEREDOC_STRINGS:
        strings.insert(0, r"\$(?P<tag>(?:[A-Za-z_]\w*+)?+)\$(?s:.*?)(?:\$(?P=tag)\$|\Z)")
    elif "$$" in rules.RAW_STRINGS:
        strings.insert(0, r"\$\$(?s:.*?)(?:\$\$|\Z)")
    branches.append(f"(?P<{STRING}>{'|'.join(strings)})")
    escaped = "\\" in rules.IDENTIFIER_ESCAPES
    taken = {_pair(q)[0] for q in rules.QUOTES}
    names = [_quoted(*_pair(i), escaped, templated) for i in rules.IDENTIFIERS if _pair(i)[0] not in taken]
    branches.append(f"(?P<{IDENTIFIER}>{'|'.join(names)})")
    return RegionScanner(re.compile("|".join(branches)), bool(rules.NESTED_COMMENTS))


def _pair(quote: str | tuple[str, str]) -> tuple[str, str]:
    return (quote, quote) if isinstance(quote, str) else quote


def _longest(quotes: list[Any]) -> list[Any]:
    return sorted(quotes, key=lambda quote: -len(_pair(quote)[0]))


def _comments(rules: Any) -> Iterator[str]:
    end_of_line = r"[^\n]*+" if rules.COMMENTS_TERMINATE_AT_NEWLINE_ONLY else r"[^\n\r]*+"
    for comment in rules.COMMENTS:
        if isinstance(comment, str):
            boundary = r"(?=[\s\x00-\x1f\x7f]|\Z)" if comment == "--" and rules.DASH_COMMENT_REQUIRES_BOUNDARY else ""
            yield re.escape(comment) + boundary + end_of_line
        else:
            yield re.escape(comment[0]) + r"(?s:.*?)(?:" + re.escape(comment[1]) + r"|\Z)"
    yield r"\{\#(?s:.*?)(?:\#\}|\Z)"


def _prefixed(rules: Any, templated: bool) -> Iterator[str]:
    """Strings whose prefix changes the escapes: r'', b'', x'', e''…; Oracle's q'[…]' reads as one family."""
    if len(rules.RAW_STRINGS) > 50:
        yield r"(?<!\w)[qQ]'(?:\[(?s:.*?)\]'|\{(?s:.*?)\}'|\((?s:.*?)\)'|<(?s:.*?)>'|(?P<own>[^\s\[{(<])(?s:.*?)(?P=own)')"
    else:
        raw = "\\" in rules.STRING_ESCAPES and rules.STRING_ESCAPES_ALLOWED_IN_RAW_STRINGS
        for opening, closing in _longest([_pair(quote) for quote in rules.RAW_STRINGS if quote != "$$"]):
            yield r"(?<!\w)" + _quoted(opening, closing, raw, templated)
    escapes = "\\" in (rules.BYTE_STRING_ESCAPES or rules.STRING_ESCAPES)
    for opening, closing in _longest([_pair(quote) for quote in rules.BYTE_STRINGS]):
        yield r"(?<!\w)" + _quoted(opening, closing, escapes, templated)


def _quoted(opening: str, closing: str, backslash: bool, templated: bool) -> str:
    """A region from ``opening`` to ``closing``; a doubled closing quote reads as two regions side by side."""
    first, escape = re.escape(closing[0]), r"\\(?s:.)|" if backslash else ""
    stop = first + ("\\\\" if backslash else "") + ("{" if templated else "")
    inner = f"{escape}{_TEMPLATE_UNIT + '|' if templated else ''}{first}(?!{re.escape(closing[1:])})" if closing[1:] else (
        f"{escape}{_TEMPLATE_UNIT if templated else ''}".removesuffix("|")
    )
    body = f"(?:[^{stop}]++{'|' + inner if inner else ''})*+"
    return re.escape(opening) + body + f"(?:{re.escape(closing)}|\\Z|\\\\\\Z)"


_COMMENT_EDGE: Final = re.compile(r"/\*|\*/")


def _end_of_nested_comment(text: str, start: int) -> int:
    """Return where the comment that begins at ``start`` ends, comments inside it counted."""
    depth, position = 0, start
    while found := _COMMENT_EDGE.search(text, position):
        depth += 1 if found.group() == "/*" else -1
        position = found.end()
        if depth == 0:
            return position
    return len(text)
