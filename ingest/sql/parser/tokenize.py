"""From text to tokens, or to the place where a text stops being readable."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest

from sqlglot.errors import TokenError
from sqlglot.tokens import Token

from ingest.sql.dialects.engine import Engine
from ingest.sql.parser.attempts import MAX_CONTEXT
from ingest.sql.parser.before.engines.macros import plain_routines
from ingest.sql.result import Problem
from ingest.sql.text.regions import CELL, scanner_of

_DELIMITER = re.compile(r"^[ \t]*DELIMITER[ \t]+(\S{1,16})[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_CELL = re.compile(rf"^{re.escape(CELL)}[ \t]*\r?$", re.MULTILINE)
_OPENED_KINDS = {"string": "text", "identifier": "quoted name", "comment": "comment"}


def tokenize(sql: str, engine: Engine) -> tuple[list[Token], Problem | None]:
    """Return the tokens of a text, or those before the place where it stops being readable."""
    try:
        if engine.rules.words_by_statement and ";" in sql:
            return list(_one_by_one(sql, engine)), None
        text = delimited(sql) if engine.rules.delimiter_lines else cells_apart(sql) if engine.rules.cell_lines else sql
        tokens = list(engine.dialect.tokenize(text))
    except TokenError as error:
        return [], _unreadable(sql, str(error), engine)
    return plain_routines(tokens) if engine.rules.macros_run_statements else tokens, None


def _one_by_one(sql: str, engine: Engine) -> Iterator[Token]:
    """Yield the tokens of a script, each statement read by itself, at their places in the script."""
    lines = start = line_start = 0
    for end in [*_ends(sql, engine), len(sql)]:
        for token in engine.dialect.tokenize(sql[start:end]):
            column = token.col + (start - line_start if token.line == 1 else 0)
            places = (token.line + lines, column, token.start + start, token.end + start)
            yield Token(token.token_type, token.text, *places, token.comments)
        lines += sql.count("\n", start, end)
        line_start = max(line_start, sql.rfind("\n", start, end) + 1)
        start = end


def _ends(sql: str, engine: Engine) -> Iterator[int]:
    """Yield the places after the semicolons of a script, those in strings, quoted names and comments left out."""
    place = sql.find(";") + 1
    for region in scanner_of(engine.rules).opaque(sql):
        while 0 < place <= region.start:
            yield place
            place = sql.find(";", place) + 1
        if 0 < place <= region.end:
            place = sql.find(";", region.end) + 1
    while place:
        yield place
        place = sql.find(";", place) + 1


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


def cells_apart(sql: str) -> str:
    """Return a notebook with a semicolon for each line between two cells; all places stay."""
    return _CELL.sub(lambda line: ";".ljust(len(line.group())), sql) if CELL in sql else sql


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
