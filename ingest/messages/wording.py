"""What is wrong with a message or a mapping, in our own words: pydantic's name its classes, not what to do.

Also unknown fields that resemble a known one: they are kept as attributes and have no effect.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from lineage_tt.model.names import clipped

_WORDS: Final = {
    "missing": "is missing",
    "extra_forbidden": "there is no such key here",
    "string_type": "must be text",
    "string_too_short": "must not be empty",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "list_type": "must be a list",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
}
#: Words that other tools use for our fields.
_SYNONYMS: Final[Mapping[str, str]] = {
    "database": "default_database", "db": "default_database", "default_schema": "default_database",
    "default_namespace": "namespace", "fields": "columns", "owner": "owners", "query": "sql", "schema": "columns",
    "sql_dialect": "dialect", "sql_text": "sql", "statement": "sql", "tags": "labels", "value": "values",
    "valid_from": "effective_at",
}  # fmt: skip
#: How alike two names must be to be confused, from 0 to 1.
_ALIKE: Final = 0.75
#: Longer names resemble none, and are not compared.
_MAX_LENGTH: Final = 60


def problem_of(error: Mapping[str, Any], names: Iterable[str] = ()) -> str:
    """Return one error of pydantic as ``where: what``; ``names`` are the keys that may have been meant."""
    kind, where = error["type"], ".".join(map(str, error["loc"]))
    words = _WORDS.get(kind)
    if words is None and kind == "literal_error":
        words = f"must be {error['ctx']['expected']}"
    if words is None:
        words = str(error["msg"]).removeprefix("Value error, ").removeprefix("Assertion failed, ")
    if kind == "extra_forbidden" and error["loc"]:
        words += nearest(str(error["loc"][-1]), names)
    return f"{where}: {words}" if where else words


def nearest(name: str, names: Iterable[str]) -> str:
    """Return ``; did you mean 'x'?`` where a name is like one of others, else nothing."""
    matches = difflib.get_close_matches(name, [*names], n=1, cutoff=0.6)
    return f"; did you mean {matches[0]!r}?" if matches else ""


def misspelled(unknown: Collection[str], known: Collection[str], present: Collection[str]) -> Sequence[tuple[str, str]]:
    """Return each unknown field that resembles a known field which the message lacks, with the known field."""
    if not unknown:
        return ()
    missing = frozenset(known) - frozenset(present)
    pairs = ((name, _nearest(name, missing)) for name in sorted(unknown))
    return [(name, near) for name, near in pairs if near is not None]


def advice(raw: bytes, known: Collection[str]) -> str:
    """Return, for a rejected message, which of its fields resemble known ones: words to add, or nothing."""
    try:
        fields: Any = json.loads(raw)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(fields, Mapping):
        return ""
    pairs = misspelled(fields.keys() - set(known), known, fields.keys())
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
