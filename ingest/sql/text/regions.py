"""Where a text is not code: strings, quoted identifiers and comments, located in one linear pass.

Guard, template neutraliser and masking all need this before a parser may see the text, and they need it to agree with
the parser. So the quoting rules are not written down again here: they are read off sqlglot's tokenizer of the dialect
and compiled into one regular expression. It uses possessive repeats only, so that no text makes it backtrack.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, NamedTuple

from ingest.sql.dialects.registry import rules_or_standard
from ingest.sql.dialects.rules import Rules

CODE: Final = "code"
STRING: Final = "string"
IDENTIFIER: Final = "identifier"
COMMENT: Final = "comment"
TEMPLATE: Final = "template"

#: The comment between two cells of a notebook that is kept as a file: alone on its line, it ends a statement.
CELL: Final = "-- COMMAND ----------"

# A template expression or tag on one line: inside a quoted region its own quotes do not end the region.
_TEMPLATE_UNIT: Final = r"\{\{[^\n{}]*+\}\}|\{%[^\n{%]*+%\}|\{"
_QUOTED_INSIDE: Final = r"'[^'\n]*+'|\"[^\"\n]*+\""
# Template parts in code: Jinja (its strings may hold the closing sign), ${x} and $[x]. Each stops at a second opening
# sign, so that a text of nothing but opening signs is still read once. Without (?!), Python before 3.11.5 loses what a
# failed look-ahead saw (tests/unit/test_pythons.py).
_TEMPLATES: Final = (
    ("{{", rf"(?:[^{{}}'\"]++|{_QUOTED_INSIDE}|['\"]|\{{(?!\{{)|\}}(?!\}})|(?!))*+\}}\}}"),
    ("{%", rf"(?:[^{{%'\"]++|{_QUOTED_INSIDE}|['\"]|\{{(?!%)|%(?!\}})|(?!))*+%\}}"),
    ("${", r"[^{}\n]*+\}"),
    ("$[", r"[^][\n]*+\]"),
)


class Region(NamedTuple):
    """Characters ``start`` to ``end`` (excluded) of a text are all code, string, identifier, comment or template."""

    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class RegionScanner:
    """Finds the quoted and commented regions of texts in one dialect; made by :func:`region_scanner`."""

    pattern: re.Pattern[str]
    nested_comments: bool

    def opaque(self, text: str, start: int = 0) -> Iterator[Region]:
        """Yield the strings, quoted identifiers and comments of ``text`` in order; an open one reaches to the end.

        What is in front of ``start`` is passed over; there the text is code.
        """
        position, search = start, self.pattern.search
        while match := search(text, position):
            kind = match.lastgroup or CODE
            end = match.end()
            if kind == COMMENT and self.nested_comments and text.startswith("/*", match.start()):
                end = _end_of_nested_comment(text, match.start())
            yield Region(kind, match.start(), end)
            position = max(end, match.start() + 1)

    def holding(self, text: str, places: Iterable[int]) -> Iterator[Region]:
        """Yield only those regions of ``text`` that hold the given places (in order)."""
        waiting = iter(places)
        place, before, search = next(waiting, None), 0, self.pattern.search
        position = 0
        while place is not None:
            match = search(text, position)
            start, end = (match.start(), match.end()) if match else (len(text), len(text))
            if place < start:
                yield Region(CODE, before, start)
                while place is not None and place < start:
                    place = next(waiting, None)
            if match is None:
                return
            kind = match.lastgroup or CODE
            if kind == COMMENT and self.nested_comments and text.startswith("/*", start):
                end = _end_of_nested_comment(text, start)
            if place is not None and place < end:
                yield Region(kind, start, end)
                while place is not None and place < end:
                    place = next(waiting, None)
            position, before = max(end, start + 1), end

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


def region_scanner(dialect: str, *, templated: bool = False) -> RegionScanner:
    """Return the scanner of a dialect by its name; an unknown one reads as standard SQL.

    ``templated`` finds template parts in code as regions of their own, and keeps ``'{{ var('x') }}'`` in one piece.
    """
    return scanner_of(rules_or_standard(dialect), templated)


@cache
def scanner_of(dialect: Rules, templated: bool = False) -> RegionScanner:
    """Return the scanner of a dialect by its rules, as :func:`region_scanner` does by its name."""
    from ingest.sql.dialects.engine import tokenizer_of  # loads sqlglot: only where a text is scanned

    rules: Any = tokenizer_of(dialect)
    quotes = [_pair(quote) for quote in rules.QUOTES]
    names = [_pair(name) for name in rules.IDENTIFIERS if _pair(name) not in quotes]
    groups = (
        *([(TEMPLATE, [*_TEMPLATES, *dialect.client.parts])] if templated else []),
        (COMMENT, list(_comments(rules))),
        (STRING, [*_heredocs(rules), *_prefixed(rules, templated), *_plain(quotes, rules.STRING_ESCAPES, templated)]),
        (IDENTIFIER, list(_plain(names, rules.IDENTIFIER_ESCAPES, templated))),
    )
    # The expression begins with a set of characters: that alone makes the search skip code at memchr's pace.
    first = "".join(sorted({opening[0] for _, branches in groups for opening, _ in branches}))
    body = "|".join(
        f"(?P<{kind}>{'|'.join(_dispatched(opening, rest) for opening, rest in branches)})" for kind, branches in groups
    )
    return RegionScanner(re.compile(f"[{re.escape(first)}](?:{body})"), bool(rules.NESTED_COMMENTS))


Branch = tuple[str, str]  # the literal text a region opens with, and the expression of what follows it


def _dispatched(opening: str, rest: str) -> str:
    return f"(?<={re.escape(opening[0])}){re.escape(opening[1:])}{rest}"


def _pair(quote: str | tuple[str, str]) -> tuple[str, str]:
    return (quote, quote) if isinstance(quote, str) else quote


def _comments(rules: Any) -> Iterator[Branch]:
    end_of_line = r"[^\n]*+" if rules.COMMENTS_TERMINATE_AT_NEWLINE_ONLY else r"[^\n\r]*+"
    for comment in rules.COMMENTS:
        if isinstance(comment, str):
            boundary = r"(?=[\s\x00-\x1f\x7f]|\Z)" if comment == "--" and rules.DASH_COMMENT_REQUIRES_BOUNDARY else ""
            yield comment, boundary + end_of_line
        else:
            yield comment[0], r"(?s:.*?)(?:" + re.escape(comment[1]) + r"|\Z)"
    yield "{#", r"(?s:.*?)(?:\#\}|\Z)"


def _heredocs(rules: Any) -> Iterator[Branch]:
    if rules.HEREDOC_STRINGS:
        yield "$", r"(?<!\w\$)(?P<tag>(?:[A-Za-z_]\w*+)?+)\$(?s:.*?)(?:\$(?P=tag)\$|\Z)"
    elif "$$" in rules.RAW_STRINGS:
        yield "$$", r"(?<!\w\$\$)(?s:.*?)(?:\$\$|\Z)"


def _prefixed(rules: Any, templated: bool) -> Iterator[Branch]:
    """Strings whose prefix, which stays code, changes the escapes: r"", b"", e""; Oracle's q'[…]' is one family."""
    raw_strings = [_pair(quote) for quote in rules.RAW_STRINGS if quote != "$$"]
    if any(opening[0] == "q" for opening, _ in raw_strings):
        inner = r"\[(?s:.*?)\]|\{(?s:.*?)\}|\((?s:.*?)\)|<(?s:.*?)>|(?P<own>[^\s])(?s:.*?)(?P=own)"
        yield "'", rf"(?<=[qQ]')(?<!\w[qQ]')(?:{inner})'"
        raw_strings = []
    raw = rules.STRING_ESCAPES if rules.STRING_ESCAPES_ALLOWED_IN_RAW_STRINGS else []
    for family, escapes in (
        (raw_strings, raw),
        ([_pair(quote) for quote in rules.BYTE_STRINGS], rules.BYTE_STRING_ESCAPES or rules.STRING_ESCAPES),
    ):
        for closing in sorted({closing for _, closing in family}, key=len, reverse=True):
            letters = "".join(sorted({opening[0] for opening, end in family if end == closing}))
            before = f"(?<=[{letters}]{closing})(?<!\\w[{letters}]{closing})"
            yield closing[0], re.escape(closing[1:]) + before + _until(closing, escapes, templated)


def _plain(quotes: list[tuple[str, str]], escapes: list[str], templated: bool) -> Iterator[Branch]:
    for opening, closing in sorted(quotes, key=lambda quote: -len(quote[0])):
        yield opening, _until(closing, escapes, templated)


def _until(closing: str, escapes: list[str], templated: bool) -> str:
    """The rest of a region up to ``closing``; a doubled closing quote reads as two regions side by side."""
    backslash = "\\" in escapes
    inner = [r"\\(?s:.)"] if backslash else []
    if templated:
        inner.append(_TEMPLATE_UNIT)
    if len(closing) > 1:
        inner += [f"{re.escape(closing[0])}(?!{re.escape(closing[1:])})", "(?!)"]
    stop = re.escape(closing[0]) + (r"\\" if backslash else "") + (r"\{" if templated else "")
    return f"(?:{'|'.join([f'[^{stop}]++', *inner])})*+(?:{re.escape(closing)}|\\\\?\\Z)"


_COMMENT_EDGE: Final = re.compile(r"(?=/\*|\*/)")


def _end_of_nested_comment(text: str, start: int) -> int:
    """Return where the comment that begins at ``start`` ends, comments inside it counted.

    As the tokenizer does it, a comment sign right after an opening one does not open another.
    """
    depth, read = 1, start + 2
    for match in _COMMENT_EDGE.finditer(text, start + 2):
        place = match.start()
        if place < read:
            continue
        if text[place] == "*":
            depth -= 1
            if depth == 0:
                return place + 2
        elif place > read or text[place - 2 : place] != "/*":
            depth += 1
            read = place + 2
    return len(text)
