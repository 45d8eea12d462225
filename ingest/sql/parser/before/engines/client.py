"""Lines of a script that the engine's client reads itself: ``\\set x 1``, ``SPOOL f``, ``.LOGON h/u,p``, ``:r f.sql``.

They become blank, place for place, before anything else reads the text: some hold open quotes, or passwords. What they
set is what the text's own template parts may name. What they run is not known, and is reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from ingest.sql.dialects.parts.clients import Client
from ingest.sql.dialects.rules import Rules
from ingest.sql.text.regions import COMMENT, Region, scanner_of

_FLAGS: Final = re.IGNORECASE
#: What is in front of a statement that begins; a line of a slash ends one in SQL*Plus, and two may in MySQL's client.
_ENDED: Final = re.compile(r"(?:;|^[ \t]*/|//)\Z", re.MULTILINE)
#: The end of a block that no slash follows.
_BLOCK_ENDED: Final = re.compile(
    r"^(?:begin\b.*\s)?end(?:[ \t]+(?!if\b|loop\b|case\b)[\w$#.\"]+)?[ \t]*;\Z", _FLAGS | re.MULTILINE
)
_SLASH: Final = r"[ \t]*/[ \t]*$"
_SPACE: Final = re.compile(r"\s*+")
_LONGEST_END: Final = 200
_LONGEST_VALUE: Final = 1_000
#: The most lines that are reported.
_MAX_REPORTED: Final = 20


@dataclass(slots=True)
class Script:
    """A text without its client's lines, and these lines: what they set, and what they run, with a line from 1."""

    text: str
    lines: list[str] = field(default_factory=list)
    sets: dict[str, str] = field(default_factory=dict)
    runs: dict[str, int] = field(default_factory=dict)


def without_client_lines(sql: str, rules: Rules) -> Script:
    """Return a text whose client's lines are blank; all that is left is where it was."""
    client = rules.client
    if not client.lines or (pattern := _pattern(client)).search(sql) is None:
        return Script(sql)
    script = Script(sql)
    pieces, at, number = [], 0, 1
    for start, end in _lines(sql, rules, pattern):
        number += sql.count("\n", at, start)
        line = sql[start:end]
        pieces += [sql[at:start], _instead(line, client)]
        at = end
        script.lines.append(" ".join(line.split()))
        runs = _begins(client.runs, line)
        if runs is not None and len(script.runs) < _MAX_REPORTED:
            script.runs.setdefault(" ".join(runs[0].split()), number)
        found = _begins(client.sets, line)
        if found is not None and not any(opening in found["value"] for opening, _ in client.parts):
            value = found["value"].strip().rstrip(";").strip()[:_LONGEST_VALUE]
            script.sets[found["name"]] = value.strip("'\"")
            if client.inserts and not value.startswith("`"):
                script.sets[client.inserts + found["name"]] = _unquoted(value)
    script.text = "".join([*pieces, sql[at:]])
    return script


@cache
def _pattern(client: Client) -> re.Pattern[str]:
    line = rf"^[ \t]*(?:{client.lines})"
    return re.compile(f"(?:{line}{'|' + client.sends if client.sends else ''})[^\n]*", _FLAGS | re.MULTILINE)


def _begins(expression: str, line: str) -> re.Match[str] | None:
    return re.match(expression, line.strip(), _FLAGS) if expression else None


def _unquoted(value: str) -> str:
    """Return the text of a value in quotes; quotes inside it are doubled, or escaped by a backslash."""
    if len(value) > 1 and value[0] == value[-1] == "'":
        return value[1:-1].replace("''", "'").replace("\\'", "'")
    return value


def _instead(line: str, client: Client) -> str:
    """Return what replaces a line, of the same length."""
    if _begins(client.copies, line):
        return re.sub(client.copies, lambda found: found[0].replace("\\", " "), line, count=1, flags=_FLAGS) + ";"
    return (";" if _begins(client.sends, line) else "").ljust(len(line))


def _lines(sql: str, rules: Rules, pattern: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Yield where the client's lines are: in no string or comment, and where a statement may begin.

    After each of them all is code again, whatever quotes it holds.
    """
    scanner, client, blocks = scanner_of(rules), rules.client, _Blocks(sql, rules.client.blocks)
    at, passed = 0, [Region("", 0, 0)]
    regions = scanner.opaque(sql)
    region: Region | None = None
    begun = False
    for found in pattern.finditer(sql):
        start, end = found.span()
        if start < at:
            continue
        space = _SPACE.match(sql, at)
        if at == 0 or space is None or space.end() < start:  # else it follows another one, and no region is between
            if not begun:
                region, begun = next(regions, None), True
            while region is not None and region.end <= start:
                passed.append(region)
                region = next(regions, None)
            if region is not None and region.start < start:
                continue
            if not client.anywhere and not _may_begin(sql, at, start, passed, blocks):
                continue
        yield start, end
        at = end
        passed = [Region("", end, end)]
        blocks.skip(end)
        if not begun or (region is not None and region.start < end):
            regions, begun = scanner.opaque(sql, end), False


class _Blocks:
    """Whether a place is in a block: each opening and each line of a slash is looked at once, in order."""

    def __init__(self, sql: str, opening: str) -> None:
        self._marks = re.finditer(rf"^(?:[ \t]*(?P<opens>{opening})|{_SLASH})", sql, _FLAGS | re.MULTILINE)
        self._next = next(self._marks, None) if opening else None
        self._within = False

    def skip(self, place: int) -> None:
        """Leave what is in front of a place, where no block is open."""
        self.within(place)
        self._within = False

    def within(self, place: int) -> bool:
        """Whether a block is open at a place; places come in order."""
        while self._next is not None and self._next.start() < place:
            self._within = self._next["opens"] is not None
            self._next = next(self._marks, None)
        return self._within


def _may_begin(sql: str, at: int, start: int, passed: list[Region], blocks: _Blocks) -> bool:
    """Whether nothing but comments is between a place and the end of the statement before it."""
    within = blocks.within(start)
    place = len(passed) - 1
    while True:
        before = passed[place].end
        code = sql[max(at, before) : start].rstrip()
        if code:
            return (_BLOCK_ENDED if within else _ENDED).search(code[-_LONGEST_END:]) is not None
        if place == 0 or passed[place].kind != COMMENT:
            return place == 0
        start, place = passed[place].start, place - 1
