"""Applies the store's policy to the texts of messages and other JSON, where no parser is available."""

from __future__ import annotations

import json
import math
from collections.abc import Collection
from functools import partial
from typing import Any, Final, NamedTuple

from lineage_tt.model.redaction.policy import TextPolicy
from lineage_tt.model.redaction.texts import (
    DROPPED_TEXT,
    MASK,
    MASKED_TEXT,
    looks_like_sql,
    mask_text,
    redacted_expression,
    redacted_value,
)

_MARK: Final = "by the policy of this store */"


def redacted_json(text: str | None, policy: TextPolicy) -> str | None:
    """Return JSON with only the texts that the policy keeps; the same JSON where it holds no SQL."""
    if text is None or policy is TextPolicy.KEEP:
        return text
    try:
        document = json.loads(text)
        redacted = _mapped(document, partial(redacted_value, policy=policy))
        return text if redacted == document else json.dumps(redacted, sort_keys=True)
    except RecursionError:  # nested deeper than any message
        return json.dumps({"left_out": DROPPED_TEXT})


def redacted_bytes(raw: bytes, policy: TextPolicy, texts: Collection[str] = (), *, quoted: bool = False) -> bytes:
    """Return a refused message as the policy keeps it; the same bytes where it holds no SQL.

    ``texts`` are strings in it that are known to be SQL. These strings, and all strings that look like SQL, are masked
    without a parser or dropped, and marked so that they are not parsed again. With ``quoted``, so are all strings that
    contain a quote. A message that is not plain JSON is dropped as a whole.
    """
    if policy is TextPolicy.KEEP:
        return raw
    try:
        document = json.loads(raw, object_pairs_hook=_distinct, parse_constant=_refuse, parse_float=_finite)
        redacted = _redacted_fields(document, policy, _Sql(set(texts), quoted))
        return raw if redacted == document else json.dumps(redacted).encode()
    except (ValueError, RecursionError):  # not JSON, or nested deeper than any message
        return DROPPED_TEXT.encode() if raw else raw


def is_replayable(raw: bytes) -> bool:
    """Return whether a refused message still has its texts, so that it can be replayed."""
    return _MARK.encode() not in raw


class _Sql(NamedTuple):
    """Which strings of a message are SQL: these, all that look like it and, where ``quoted``, all that hold a quote."""

    texts: set[str]
    quoted: bool

    def holds(self, text: str) -> bool:
        return text in self.texts or looks_like_sql(text) or (self.quoted and ("'" in text or '"' in text))


def _redacted_fields(document: Any, policy: TextPolicy, sql: _Sql, name: str = "") -> Any:
    if isinstance(document, str):
        if name == "expression":
            return redacted_expression(document, policy)
        if name != "sql" and not sql.holds(document):
            return document
        if policy is TextPolicy.DROP:
            return DROPPED_TEXT
        return document if document.endswith(_MARK) else f"{mask_text(document)} {MASKED_TEXT}"
    if isinstance(document, dict):
        if name == "params":
            return {key: MASK if isinstance(value, str) else value for key, value in document.items()}
        return {key: _redacted_fields(value, policy, sql, key) for key, value in document.items()}
    if isinstance(document, list):
        return [_redacted_fields(value, policy, sql, name) for value in document]
    return document


def _mapped(document: Any, function: Any) -> Any:
    if isinstance(document, str):
        return function(document)
    if isinstance(document, dict):
        return {key: _mapped(value, function) for key, value in document.items()}
    return [_mapped(value, function) for value in document] if isinstance(document, list) else document


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError("a key occurs more than once in one object")
    return result


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is not a JSON value")


def _finite(number: str) -> float:
    result = float(number)
    if not math.isfinite(result):
        raise ValueError(f"{number} is too large")
    return result
