"""The tables that a text names, collected without a parser: for texts that none of ours could read.

Only keywords and names are looked at, in one pass of linear time: strings and comments are skipped, names of WITH
queries and calls of functions are left out. The result is a guess, and is only ever reported as one.
"""

from __future__ import annotations

import re
from typing import Final

from sqlglot import exp

from ingest.sql.dialects.dialects import Names, UnknownDialectError

_SKIPPED: Final = re.compile(r"'(?:[^']|'')*'|--[^\n]*|/\*.*?\*/", re.DOTALL)
_PART: Final = r"""(?:\w[\w$]*|`[^`\n]+`|"[^"\n]+"|\[[^\]\n]+\])"""
_MENTION: Final = re.compile(
    rf"""\b(FROM|JOIN|USING|INTO|OVERWRITE|TABLE|VIEW|UPDATE)\s+
    ((?:(?:TABLE|IF|NOT|EXISTS|ONLY|LATERAL|LOCAL|INTO)\s+)*)
    ({_PART}(?:\.{_PART})*)\s*(\()?""",
    re.IGNORECASE | re.VERBOSE,
)
#: FROM inside of a value: ``EXTRACT(DAY FROM d)``, ``a IS DISTINCT FROM b``.
_IN_VALUE: Final = re.compile(
    r"\b(?:EXTRACT|TRIM|SUBSTRING|OVERLAY|TRANSLATE|CONVERT)\s*\([^()]*\)|\bDISTINCT\s+FROM\b", re.IGNORECASE
)
_NAMED: Final = re.compile(r"\b(\w+)\s+AS\s*\(", re.IGNORECASE)
_ONE: Final = re.compile(_PART)
#: A dialect in which case does not matter: most are so, and one that is not known is read as one of them.
_ANY_CASE: Final = "hive"
_READS: Final = ("FROM", "JOIN", "USING")
#: Words that are not a name in the place of one.
_WORDS: Final = frozenset(["select", "set", "values", "as", "where", "unnest", "table", "directory", "dual"])


def mentioned(sql: str, dialect: str, namespace: str, default_database: str) -> tuple[set[str], set[str]]:
    """Return (datasets that the text seems to read, datasets that it seems to write)."""
    names = _names(dialect, namespace, default_database)
    text = _SKIPPED.sub(lambda match: "''" if match.group().startswith("'") else " ", sql)
    text = _IN_VALUE.sub(" ", text)
    named = {word.lower() for word in _NAMED.findall(text)}
    reads: set[str] = set()
    writes: set[str] = set()
    for keyword, _, name, bracket in _MENTION.findall(text):
        parts = _ONE.findall(name)
        reading = keyword.upper() in _READS
        if len(parts) == 1 and (parts[0].lower() in named | _WORDS or (bracket and reading)):
            continue
        dataset = names.dataset_of_parts([_spelt(names, part) for part in parts])
        (reads if reading else writes).add(dataset)
    return reads - writes, writes


def _names(dialect: str, namespace: str, default_database: str) -> Names:
    try:
        return Names(dialect, namespace, default_database)
    except UnknownDialectError:
        return Names(_ANY_CASE, namespace, default_database)


def _spelt(names: Names, part: str) -> str:
    if part[0] in '`"[':
        return names.spell(exp.to_identifier(part[1:-1], quoted=True))
    return names.spell(part)
