"""Lines of a script that the engine's client reads itself: ``\\set x 1``, ``SPOOL f``, ``.LOGON h/u,p``, ``:r f.sql``.

They become blank, place for place, before anything else reads the text: some hold open quotes, or passwords. What they
set is what the text's own template parts may name. What they run is not known here, and is said.
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
#: What is in front of a statement that begins; in SQL*Plus a slash ends one, too.
_ENDS: Final = ";/"
_LONGEST_VALUE: Final = 1_000


#: The most lines that are reported.
_MOST_REPORTED: Final = 20


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
        if runs is not None and len(script.runs) < _MOST_REPORTED:
            script.runs.setdefault(" ".join(runs[0].split()), number)
        found = _begins(client.sets, line)
        if found is not None and not any(opening in found["value"] for opening, _ in client.parts):
            script.sets[found["name"]] = found["value"].strip().rstrip(";").strip().strip("'\"")[:_LONGEST_VALUE]
    script.text = "".join([*pieces, sql[at:]])
    return script


@cache
def _pattern(client: Client) -> re.Pattern[str]:
    line = rf"^[ \t]*(?:{client.lines})"
    return re.compile(f"(?:{line}{'|' + client.sends if client.sends else ''})[^\n]*", _FLAGS | re.MULTILINE)


def _begins(expression: str, line: str) -> re.Match[str] | None:
    return re.match(expression, line.strip(), _FLAGS) if expression else None


def _instead(line: str, client: Client) -> str:
    """Return what replaces a line, of the same length."""
    if _begins(client.copies, line):
        return re.sub(client.copies, lambda found: found[0].replace("\\", " "), line, count=1, flags=_FLAGS) + ";"
    return (";" if _begins(client.sends, line) else "").ljust(len(line))


def _lines(sql: str, rules: Rules, pattern: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Yield where the client's lines are: in no string or comment, and where a statement may begin.

    After each of them all is code again, whatever quotes it holds.
    """
    scanner = scanner_of(rules)
    at, passed = 0, [Region("", 0, 0)]
    regions = scanner.opaque(sql)
    region = next(regions, None)
    for found in pattern.finditer(sql):
        start, end = found.span()
        if start < at:
            continue
        while region is not None and region.end <= start:
            passed.append(region)
            region = next(regions, None)
        if region is not None and region.start < start:
            continue
        if not rules.client.anywhere and not _may_begin(sql, at, start, passed):
            continue
        yield start, end
        at = end
        passed = [Region("", end, end)]
        regions = scanner.opaque(sql, end)
        region = next(regions, None)


def _may_begin(sql: str, at: int, start: int, passed: list[Region]) -> bool:
    """Whether nothing but comments is between a place and the end of the statement before it."""
    place = len(passed) - 1
    while True:
        before = passed[place].end
        code = sql[max(at, before) : start].rstrip()
        if code:
            return code[-1] in _ENDS
        if place == 0 or passed[place].kind != COMMENT:
            return place == 0
        start, place = passed[place].start, place - 1
