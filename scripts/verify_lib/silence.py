"""Texts that name a table and say nothing about it: neither an edge nor a reason why there is none.

The names are taken from the text by a search for words, which shares nothing with the extractor.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ingest.sql import Extraction

_NOT_CODE = re.compile(r"'(?:[^'\\]|\\.|'')*'|\"(?:[^\"\\]|\\.)*\"|--[^\n]*|#[^\n]*|/\*.*?\*/", re.DOTALL)
_NAMED = re.compile(
    r"\b(?:from|join|into)\s+((?>`[^`]+`(?:\.`[^`]+`)*|[A-Za-z_][\w-]*(?:\.[\w*-]+)*))(?!\s*\()", re.IGNORECASE
)
_QUERIES = re.compile(r"(?:\bwith\b|,)\s*(?:recursive\s+)?`?(\w+)`?\s+as\s*\(", re.IGNORECASE)
_ALIASES = re.compile(r"\b(?:as\s+)?`?(\w+)`?\s*(?=,|\)|\bon\b|\bwhere\b|$)", re.IGNORECASE)
_FUNCTIONS = re.compile(r"\b(?:extract|trim|substring|overlay|position)\s*\([^()]*\bfrom\b", re.IGNORECASE)
_DISTINCT = re.compile(r"\bis\s+(?:not\s+)?distinct\s+from\b", re.IGNORECASE)
_NO_NAMES = frozenset(["unnest", "select", "lateral", "values", "table", "the", "only"])


def _code(sql: str) -> str:
    """Return a text without comments, its strings empty."""
    return _NOT_CODE.sub(lambda match: "''" if match[0][0] in "'\"" else " ", sql)


def _without_unused(code: str) -> str:
    """Return a text without the WITH queries that nothing in it names: what they read has no part in the result."""
    while True:
        for match in _QUERIES.finditer(code):
            rest = code[: match.end()] + code[_closing(code, match.end()) :]  # without its own body
            if len(re.findall(rf"(?<![\w.-]){re.escape(match[1])}(?![\w-])", rest, re.IGNORECASE)) == 1:
                code = rest[: match.start(1)] + rest[match.end(1) :]
                break
        else:
            return code


def _closing(code: str, place: int) -> int:
    """Return the place of the bracket that closes what is open at a place, the end where there is none."""
    depth = 1
    for at in range(place, len(code)):
        depth += (code[at] == "(") - (code[at] == ")")
        if not depth:
            return at
    return len(code)


def named_tables(sql: str) -> set[str]:
    """Return the last parts, in lower case, of the names after FROM, JOIN and INTO that are not a WITH query's."""
    code = _FUNCTIONS.sub("f(", _DISTINCT.sub("=", _without_unused(_code(sql))))
    queries = {name.lower() for name in _QUERIES.findall(code)}
    tables = set()
    for name in _NAMED.findall(code):
        parts = [part.strip("`").lower() for part in name.replace("`.`", ".").strip("`").split(".")]
        if len(parts) > 1 or parts[0] not in queries | _NO_NAMES:
            tables.add(parts[-1])
    return tables


def is_silent(sql: str, found: Extraction) -> bool:
    """Whether a text names a table and gives neither an edge nor a reason."""
    return bool(named_tables(sql)) and not found.edges and not found.problems


def unaccounted(sql: str, found: Extraction) -> Iterator[str]:
    """Yield each table that a text without a reason names and that is nowhere in what was extracted.

    A table that the text makes for itself, and a name that is another's alias, are accounted for by its statements.
    """
    if found.problems:
        return
    known = {dataset for dataset, _ in found.lookups} | {*found.reads, *found.writes}
    for statement in found.statements:
        known |= {*statement.reads, *statement.writes}
    words = {word.lower() for dataset in known for word in re.findall(r"[\w*-]+", dataset)}
    aliases = {name.lower() for name in _ALIASES.findall(_code(sql))}
    made = {
        name.lower() for name in re.findall(r"\b(?:table|view)\s+(?:if\s+not\s+exists\s+)?`?([\w.-]+)`?", sql, re.I)
    }
    made = {name.rpartition(".")[2] for name in made}
    for name in sorted(named_tables(sql) - words - aliases - made):
        if not any(part in words for part in re.findall(r"[\w*]+", name)):
            yield name
