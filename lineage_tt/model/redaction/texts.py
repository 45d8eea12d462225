"""Texts without their literals, by the store's policy, where no parser is at hand.

What is here masks too much rather than too little: it reads SQL of any dialect by signs alone. A text that is to be
parsed again is masked by ``ingest``, which looks that it still says the same.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Collection
from functools import partial
from typing import Any, Final

from lineage_tt.model.redaction.credentials import mask_credentials
from lineage_tt.model.redaction.policy import TextPolicy

MASK: Final = "?"
#: What stands in a message for a text that cannot be parsed again: a replay refuses it.
MASKED_TEXT: Final = "/* masked by the policy of this store */"
DROPPED_TEXT: Final = "/* dropped by the policy of this store */"
_MARK: Final = "by the policy of this store */"
#: Dialects in which ``"…"`` is a name; in all others it may be a string. A test holds it to the dialects' own rules.
NAMES_IN_DOUBLE_QUOTES: Final = frozenset(
    ["ansi", "athena", "clickhouse", "db2", "dremio", "druid", "duckdb", "dune", "exasol", "fabric", "greenplum",
     "materialize", "mssql", "oracle", "postgres", "postgresql", "presto", "redshift", "risingwave", "snowflake",
     "sqlite", "teradata", "trino", "tsql", "vertica"]
)  # fmt: skip
_SQL: Final = re.compile(
    r"(?:\s|\(|--[^\n]*+\n|/\*.{0,4096}?\*/)*+"
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
    """Return whether a text begins as a statement does."""
    return _SQL.match(text) is not None


def mask_text(text: str, dialect: str | None = None) -> str:
    """Return a text with each string, number and comment as ``?``; names in backquotes stay.

    What is in double quotes stays where the dialect has names there.
    """
    if (dialect or "").lower() in NAMES_IN_DOUBLE_QUOTES:
        return _LITERALS_BESIDE_NAMES.sub(lambda found: found[0] if found[0][0] in '`"' else MASK, text)
    return _LITERALS.sub(lambda found: found[0] if found[0][0] == "`" else MASK, text)


def redacted_value(text: str, policy: TextPolicy) -> str:
    """Return words that people wrote, such as a reason: SQL among them is masked, or goes."""
    if policy is TextPolicy.KEEP or not looks_like_sql(text):
        return text
    return mask_text(text) if policy is TextPolicy.MASK else DROPPED_TEXT


def redacted_words(text: str, policy: TextPolicy) -> str:
    """Return words of this product that may quote what a message holds: SQL that they quote is masked."""
    if policy is TextPolicy.KEEP:
        return text
    return _QUOTED.sub(lambda quoted: f"'{MASK}'" if looks_like_sql(quoted[0][1:-1]) else quoted[0], text)


def redacted_expression(expression: str, policy: TextPolicy, *, given: bool = True) -> str:
    """Return the text of an edge's expression; a digest of it, without its literals, where texts are dropped.

    One that a parser wrote (not ``given`` by a message) holds no literal.
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
    told = sql if policy is TextPolicy.KEEP else mask_text(sql, dialect)
    return hashlib.sha256(told.encode()).hexdigest()


def text_digests(sql: str, dialect: str | None) -> tuple[str, str]:
    """Return the digests under which the log may hold a text: as it came, credentials masked, and without literals."""
    masked = mask_credentials(sql)
    return text_sha256(masked, dialect, TextPolicy.KEEP), text_sha256(masked, dialect, TextPolicy.MASK)


# --- JSON -------------------------------------------------------------------------------------------------------------


def redacted_json(text: str | None, policy: TextPolicy) -> str | None:
    """Return JSON whose texts are those that the policy keeps; the same where it holds no SQL."""
    if text is None or policy is TextPolicy.KEEP:
        return text
    try:
        given = json.loads(text)
        kept = _mapped(given, partial(redacted_value, policy=policy))
        return text if kept == given else json.dumps(kept, sort_keys=True)
    except RecursionError:  # nested deeper than any message
        return json.dumps({"left_out": DROPPED_TEXT})


def redacted_bytes(raw: bytes, policy: TextPolicy, texts: Collection[str] = ()) -> bytes:
    """Return a refused message as the policy keeps it; the same bytes where it holds no SQL.

    ``texts`` are strings in it that are known to be SQL. They, and all that looks like it, are masked without a parser
    or dropped, and marked, so that they are not parsed again. A message that is no plain JSON goes as a whole.
    """
    if policy is TextPolicy.KEEP:
        return raw
    try:
        given = json.loads(raw, object_pairs_hook=_distinct, parse_constant=_refuse, parse_float=_finite)
        kept = _redacted_fields(given, policy, set(texts))
        return raw if kept == given else json.dumps(kept).encode()
    except (ValueError, RecursionError):  # no JSON, or nested deeper than any message
        return DROPPED_TEXT.encode() if raw else raw


def is_replayable(raw: bytes) -> bool:
    """Return whether a refused message still holds its texts, so that it can be sent through again."""
    return _MARK.encode() not in raw


def _redacted_fields(given: Any, policy: TextPolicy, texts: set[str], name: str = "") -> Any:
    if isinstance(given, str):
        if name == "expression":
            return redacted_expression(given, policy)
        if name != "sql" and given not in texts and not looks_like_sql(given):
            return given
        if policy is TextPolicy.DROP:
            return DROPPED_TEXT
        return given if given.endswith(_MARK) else f"{mask_text(given)} {MASKED_TEXT}"
    if isinstance(given, dict):
        if name == "params":
            return {key: MASK if isinstance(value, str) else value for key, value in given.items()}
        return {key: _redacted_fields(value, policy, texts, key) for key, value in given.items()}
    if isinstance(given, list):
        return [_redacted_fields(value, policy, texts, name) for value in given]
    return given


def _mapped(given: Any, function: Any) -> Any:
    if isinstance(given, str):
        return function(given)
    if isinstance(given, dict):
        return {key: _mapped(value, function) for key, value in given.items()}
    return [_mapped(value, function) for value in given] if isinstance(given, list) else given


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands more than once in one object")
    return found


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is not a JSON value")


def _finite(number: str) -> float:
    found = float(number)
    if not math.isfinite(found):
        raise ValueError(f"{number} is too large")
    return found
