"""Texts that may be SQL in unknown places and dialects: recognised, and masked without a parser.

What is here masks too much rather than too little. Where a text is parsed again, ``ingest`` masks it by its dialect.
"""

from __future__ import annotations

import re
from typing import Final

_SQL: Final = re.compile(
    r"(?:\s|\(|--[^\n]*+\n|/\*.{0,4096}?\*/)*+"
    r"(?:select|with|insert|update|delete|merge|replace|upsert|create|alter|drop|truncate|begin|declare|call|"
    r"exec(?:ute)?|use|set|copy|load|unload|export|grant|revoke|explain|describe|refresh|if|while|from|values)\b\W",
    re.IGNORECASE | re.DOTALL,
)


def looks_like_sql(text: str) -> bool:
    """Return whether a text begins as a statement does."""
    return _SQL.match(text) is not None
