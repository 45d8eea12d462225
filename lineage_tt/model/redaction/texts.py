"""Texts without their literals, by the store's policy, where no parser is available.

This code masks too much rather than too little: it reads SQL of any dialect character by character. A text that must be
parsed again is masked by ``ingest``, which checks that the meaning is unchanged.
"""

from __future__ import annotations

import hashlib
import re
from typing import Final

from lineage_tt.model.redaction.credentials import mask_credentials
from lineage_tt.model.redaction.policy import TextPolicy

MASK: Final = "?"
#: Replaces, in a message, a text that cannot be parsed again; a replay refuses it.
MASKED_TEXT: Final = "/* masked by the policy of this store */"
DROPPED_TEXT: Final = "/* dropped by the policy of this store */"
#: Dialects in which ``"…"`` is a name; in all others it may be a string. A test holds it to the dialects' own rules.
NAMES_IN_DOUBLE_QUOTES: Final = frozenset(
    ["ansi", "athena", "clickhouse", "db2", "dremio", "druid", "duckdb", "dune", "exasol", "fabric", "greenplum",
     "materialize", "mssql", "oracle", "postgres", "postgresql", "presto", "redshift", "risingwave", "snowflake",
     "sqlite", "teradata", "trino", "tsql", "vertica"]
)  # fmt: skip
_SQL: Final = re.compile(  # (?!): see tests/unit/test_pythons.py
    r"(?:\s|\(|--[^\n]*+\n?+|/\*.*?(?:\*/|\Z)|(?!))*+"
    r"(?:select|with|insert|update|delete|merge|replace|upsert|create|alter|drop|truncate|begin|declare|call|"
    r"exec(?:ute)?|use|set|copy|load|unload|export|grant|revoke|explain|describe|refresh|if|while|from|values)\b\W",
    re.IGNORECASE | re.DOTALL,
)
_STRINGS: Final = (
    r"--[^\n]*+|(?<![\w#])#[^\n]*+|/\*(?s:.*?)(?:\*/|\Z)|"
    r"\$(?P<tag>(?:[A-Za-z_]\w*+)?+)\$(?s:.*?)(?:\$(?P=tag)\$|\Z)|"
    r"'(?:[^'\\]++|\\(?s:.)|'')*+(?:'|\Z)"
)
_NUMBERS: Final = (
    r"(?<![\w.$@`])(?:0[xX][0-9a-fA-F]++|(?:\d[\d_]*+(?:\.\d*+)?|\.\d++)(?:[eE][+-]?\d++)?)[a-zA-Z]{0,2}(?!\w)"
)
_LITERALS: Final = re.compile(rf"{_STRINGS}|\"(?:[^\"\\]++|\\(?s:.)|\"\")*+(?:\"|\Z)|`[^`]*+(?:`|\Z)|{_NUMBERS}")
_LITERALS_BESIDE_NAMES: Final = re.compile(rf"{_STRINGS}|\"[^\"]*+(?:\"|\Z)|`[^`]*+(?:`|\Z)|{_NUMBERS}")
#: Quoted pieces of a sentence.
_QUOTED: Final = re.compile(r"'(?:[^'\\]|\\.){0,4096}'|\"(?:[^\"\\]|\\.){0,4096}\"", re.DOTALL)


def looks_like_sql(text: str) -> bool:
    """Return whether a text begins like a statement."""
    return _SQL.match(text) is not None


def mask_text(text: str, dialect: str | None = None) -> str:
    """Return a text with each string, number and comment replaced by ``?``; names in backquotes stay.

    Text in double quotes stays if it is a name in the dialect.
    """
    if (dialect or "").lower() in NAMES_IN_DOUBLE_QUOTES:
        return _LITERALS_BESIDE_NAMES.sub(lambda match: match[0] if match[0][0] in '`"' else MASK, text)
    return _LITERALS.sub(lambda match: match[0] if match[0][0] == "`" else MASK, text)


def redacted_value(text: str, policy: TextPolicy) -> str:
    """Return words that people wrote, such as a reason, with the SQL in them masked or dropped."""
    if policy is TextPolicy.KEEP or not looks_like_sql(text):
        return text
    return mask_text(text) if policy is TextPolicy.MASK else DROPPED_TEXT


def redacted_words(text: str, policy: TextPolicy) -> str:
    """Return words of this product that may quote a message, with the quoted SQL masked."""
    if policy is TextPolicy.KEEP:
        return text
    return _QUOTED.sub(lambda quoted: f"'{MASK}'" if looks_like_sql(quoted[0][1:-1]) else quoted[0], text)


def redacted_expression(expression: str, policy: TextPolicy, *, given: bool = True) -> str:
    """Return the text of an edge's expression; where texts are dropped, a digest of it without its literals.

    An expression that a parser wrote (not ``given`` by a message) has no literals.
    """
    if not expression or policy is TextPolicy.KEEP:
        return expression
    if expression.startswith(_DIGEST) and len(expression) == len(_DIGEST) + 2 * _DIGEST_BYTES:
        return expression
    masked = mask_text(expression) if given else expression
    if policy is TextPolicy.MASK:
        return masked
    return _DIGEST + hashlib.blake2b(masked.encode(), digest_size=_DIGEST_BYTES).hexdigest()


_DIGEST: Final = "~"
_DIGEST_BYTES: Final = 6


def text_sha256(sql: str, dialect: str | None, policy: TextPolicy) -> str:
    """Return the digest by which the log tells texts apart; literals do not count where they are not kept."""
    text = sql if policy is TextPolicy.KEEP else mask_text(sql, dialect)
    return hashlib.sha256(text.encode()).hexdigest()


def text_digests(sql: str, dialect: str | None) -> tuple[str, str]:
    """Return the digests under which the log may hold a text: as it came, credentials masked, and without literals."""
    masked = mask_credentials(sql)
    return text_sha256(masked, dialect, TextPolicy.KEEP), text_sha256(masked, dialect, TextPolicy.MASK)
