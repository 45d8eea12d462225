"""Which views and macros of the set-up script a query needs: creating all of them takes longer than most answers."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Final

_PART: Final = re.compile(r"CREATE OR REPLACE (?:VIEW|MACRO) (\w+).*?;\n", re.DOTALL)
#: Quoted texts, comments, parameters and fields, which do not name views or macros.
_WORD: Final = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|--[^\n]*|\$\w+|\{\w+\}|(\w+)")


def parts_of(script: str) -> dict[str, str]:
    """Return the statement of each view and macro of a set-up script by name; of two with one name, the later."""
    return {part[1]: part[0] for part in _PART.finditer(script)}


def needed_by(query: str, parts: Mapping[str, str], created: Collection[str]) -> list[str]:
    """Return the names of the parts that a query needs and that are not created yet, each after those that it needs."""
    result: dict[str, None] = {}
    waiting = set[str]()

    def note(text: str) -> None:
        for name in _named(text, parts):
            if name not in created and name not in result and name not in waiting:
                waiting.add(name)
                note(parts[name])
                result[name] = None

    note(query)
    return list(result)


def _named(text: str, parts: Mapping[str, str]) -> Iterator[str]:
    """Yield the names of parts that occur in a text."""
    for word in _WORD.findall(text):
        if word in parts:
            yield word
