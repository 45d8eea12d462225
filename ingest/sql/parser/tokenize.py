"""From text to tokens, or to the place where a text stops being readable."""

from __future__ import annotations

import re
from itertools import zip_longest

from sqlglot.errors import TokenError
from sqlglot.tokens import Token

from ingest.sql.dialects.engine import Engine
from ingest.sql.parser.attempts import MAX_CONTEXT
from ingest.sql.parser.before.engines.macros import plain_routines
from ingest.sql.result import Problem
from ingest.sql.text.regions import scanner_of

_DELIMITER = re.compile(r"^[ \t]*DELIMITER[ \t]+(\S{1,16})[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_OPENED_KINDS = {"string": "text", "identifier": "quoted name", "comment": "comment"}


def tokenize(sql: str, engine: Engine) -> tuple[list[Token], Problem | None]:
    """Return the tokens of a text, or those before the place where it stops being readable."""
    try:
        tokens = list(engine.dialect.tokenize(delimited(sql) if engine.rules.delimiter_lines else sql))
    except TokenError as error:
        return [], _unreadable(sql, str(error), engine)
    return plain_routines(tokens) if engine.rules.forms == "locks" else tokens, None


def delimited(sql: str) -> str:
    """Return a text of MySQL's client with semicolons for what its lines ``DELIMITER //`` name; all places stay.

    Those lines become blank. A delimiter counts at the end of a line, where no other use of it is likely.
    """
    if not (lines := list(_DELIMITER.finditer(sql))):
        return sql
    parts, at = [], 0
    for line, following in zip_longest(lines, lines[1:]):
        parts += [sql[at : line.start()], " " * (line.end() - line.start())]
        at = following.start() if following is not None else len(sql)
        ended = re.compile(rf"{re.escape(line.group(1))}(?=[ \t]*$)", re.MULTILINE)
        parts.append(ended.sub(lambda match: ";".ljust(len(match.group())), sql[line.end() : at]))
    return "".join(parts)


def _unreadable(sql: str, message: str, engine: Engine) -> Problem:
    """Return that a text is not even tokens, and where: mostly a quote or comment that is not closed."""
    head = message.splitlines()[0] if message else "unreadable text"
    if not sql:
        return Problem("syntax", head[:200])
    last = None
    for region in scanner_of(engine.rules).opaque(sql):
        last = region
    if last is None or last.end < len(sql):
        return Problem("syntax", head[:200], line=1, column=1)
    words = f"this {_OPENED_KINDS.get(last.kind, last.kind)} does not end"
    near = " ".join(sql[last.start : last.start + MAX_CONTEXT].split())
    line_start = sql.rfind("\n", 0, last.start) + 1
    return Problem(
        "syntax", f"{words}, near: {near}", line=sql.count("\n", 0, last.start) + 1, column=last.start - line_start + 1
    )
