"""What is wrong with a message or a mapping, in words of our own: pydantic's name its classes, not what to do."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Any, Final

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
