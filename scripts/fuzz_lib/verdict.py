"""Is an answer one that may be given? No crash, no hang, and nothing empty that does not say why."""

from __future__ import annotations

import re
from typing import Any

from ingest.sql import Extraction

#: Problems that are the extractor's own, never the text's.
FAULTS = {
    "crash": "it raised",
    "worker-died": "it took its process along",
    "timeout": "it did not come back",
    "extractor-fault": "it tripped",
}
MOVES_ROWS = re.compile(
    r"^\s*(?:(?:from|with)\b[^;]*?\b)?(?:insert\s+(?:into|overwrite)|merge\s+into|create\s[^;]{0,60}?\bas\s+(?:select|with|from))\b",
    re.I | re.S,
)
# EXTRACT(YEAR FROM CASE …) reads no table
READS = re.compile(r"\b(?:from|join)\s+(?!case\b)([A-Za-z_][\w.]*)\s*(?![\w.]*\s*\()", re.I)
HIDDEN = re.compile(r"--[^\n]*|/\*.*?\*/|'(?:[^'\\]|\\.|'')*'|\"(?:[^\"\\]|\\.)*\"", re.S)
TEMPORARY = re.compile(r"\b(temp|temporary|drop|declare|cache)\b|#", re.I)


def fault_of(found: Extraction) -> str | None:
    """Return what is wrong with an extraction, None where it may stand."""
    for problem in found.problems:
        if problem.code in FAULTS:
            return f"{problem.code}: {FAULTS[problem.code]}: {problem.detail[:200]}"
    if found.coverage != "complete" and not found.problems:
        return f"{found.coverage} without a reason"
    if found.coverage == "complete" and found.problems:
        return "complete, with reasons why it is not"
    return None


def silence_of(found: Extraction, sql: str) -> str | None:
    """Return why a complete and empty answer looks like one that misses something, None where it does not.

    Two looks: the extraction's own (a statement that reads and moves rows has edges), and one at the plain text, which
    knows nothing of the parser: a text that moves rows out of a named table has edges, unless that is short-lived.
    """
    if found.edges or found.problems:
        return None
    for statement in found.statements:
        if statement.reads and statement.kind in ("insert", "ctas", "view", "merge", "select") and statement.writes:
            return f"statement {statement.index} reads {statement.reads[0]} and tells no edge"
    plain = HIDDEN.sub(" ", sql)
    if MOVES_ROWS.search(plain) and not TEMPORARY.search(plain):
        read = READS.search(plain)
        if read and read.group(1).lower() not in _named(plain):
            return f"the text moves rows and reads {read.group(1)}, yet there is no edge"
    return None


def _named(plain: str) -> set[str]:
    """Return the names that WITH and column lists give: what is read under them is not a table."""
    return {name.lower() for name in re.findall(r"(\w+)\s*(?:\([^()]*\)\s*)?as\s*\(", plain, re.I)} | {
        "values",
        "dual",
        "unnest",
    }


def described(found: Extraction) -> dict[str, Any]:
    """Return what the report counts of an extraction."""
    return {"coverage": found.coverage, "codes": sorted({problem.code for problem in found.problems})}
