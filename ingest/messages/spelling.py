"""Fields of a message that are not known and resemble one that is: kept as attributes, they have no effect."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from lineage_tt.model.names import clipped

#: Words that other tools use for our fields.
_SYNONYMS: Final[Mapping[str, str]] = {
    "database": "default_database", "db": "default_database", "default_schema": "default_database",
    "default_namespace": "namespace", "fields": "columns", "owner": "owners", "query": "sql", "schema": "columns",
    "sql_dialect": "dialect", "sql_text": "sql", "statement": "sql", "tags": "labels", "value": "values",
    "valid_from": "effective_at",
}  # fmt: skip
#: How alike two names are that one person may take for the other, from 0 to 1.
_ALIKE: Final = 0.75
#: Longer names resemble none, and are not compared.
_MAX_LENGTH: Final = 60


def misspelled(unknown: Collection[str], known: Collection[str], present: Collection[str]) -> Sequence[tuple[str, str]]:
    """Return each unknown field that resembles a known one which the message does not have, with that one."""
    if not unknown:
        return ()
    missing = frozenset(known) - frozenset(present)
    pairs = ((name, _nearest(name, missing)) for name in sorted(unknown))
    return [(name, near) for name, near in pairs if near is not None]


def advice(raw: bytes, known: Collection[str]) -> str:
    """Return, for a rejected message, which of its fields resemble known ones: words to add, or nothing."""
    try:
        given: Any = json.loads(raw)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(given, Mapping):
        return ""
    pairs = misspelled(given.keys() - set(known), known, given.keys())
    return "".join(f"; the field {clipped(name)} is not known, did you mean {near}?" for name, near in pairs[:3])


@lru_cache(4096)
def _nearest(name: str, known: frozenset[str]) -> str | None:
    if len(name) > _MAX_LENGTH:
        return None
    plain = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[-\s.]+", "_", name).lower()
    meant = _SYNONYMS.get(plain)
    if meant in known:
        return meant
    return next(iter(difflib.get_close_matches(plain, sorted(known), n=1, cutoff=_ALIKE)), None)
