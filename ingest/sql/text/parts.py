"""A template part of a text: what it is called, how it is shown as a piece of a name, and what the text becomes."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Final

_ENDS: Final = re.compile(r"^(?:\{\{[-+]?|\$\{|\$\[|\$\(|&&?\{?|:['\"]?|[$@])|[-+]?\}\}$|[\]})]$|(?<=\w)['\".]$")
_UNREADABLE: Final = re.compile(r"[\s.\"'`\\\[\]{}]+")
_DELIMITED: Final = re.compile(r"(\{[{%])[-+]?(.*?)[-+]?([%}]\})", re.DOTALL)
_WORDS: Final = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"|\w+|\S")
_MAX_LABEL: Final = 60


@dataclass(frozen=True, slots=True)
class Part:
    """A template part: its name, the offset in the original text, and what it was taken for.

    ``role`` is ``name``, ``value``, ``clause``, ``block`` (a condition or include), ``text`` (inside a string or quoted
    name), ``bind`` (a value by its nature: ``?``, ``:x``, ``$[yyyyMMdd]``). ``known`` says that its text was given.
    """

    name: str
    start: int
    role: str
    known: bool


@dataclass(frozen=True, slots=True)
class Neutralised:
    """A text that a parser may read, line for line as the original.

    ``unknown`` names, in order, the parts whose value is not given and on which an edge may depend; ``branches`` is how
    many texts there are when every ``{% if %}`` takes its first, second, … branch (1: there is nothing to choose);
    ``lossy`` says that a part left no trace in ``text``.
    """

    text: str
    unknown: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    branches: int = 1
    lossy: bool = False


def name_of_part(part: str) -> str:
    """Return the name in a part: ``{{ x }}``, ``${x}``, ``$x``, ``:x``, ``:'x'``, ``&x.``, ``$(x)`` are all ``x``."""
    return " ".join(_ENDS.sub("", part.strip()).split())


def part_as_written(part: str) -> str:
    """Return a template part however it is laid out: its words, signs and strings with a space between them."""
    if delimited := _DELIMITED.fullmatch(part):
        return " ".join([delimited[1], *_WORDS.findall(delimited[2]), delimited[3]])
    return " ".join(_WORDS.findall(part))


def is_shown_whole(part: str) -> bool:
    """Whether the label of a part tells it from all others."""
    name = name_of_part(part)
    return len(name) <= _MAX_LABEL and _UNREADABLE.search(name) is None and name == name.strip("_")


def own_label_of_part(part: str) -> str:
    """Return a part's label, with a digest where the label alone may be that of another part, too."""
    label = label_of_part(part)
    if is_shown_whole(part):
        return label
    return f"{label}#{hashlib.sha256(part_as_written(part).encode()).hexdigest()[:12]}"


def label_of_part(part: str) -> str:
    """Return a part as a piece of a name: readable, without signs that would end or split the name."""
    opening, closing = ("{{", "}}") if part.startswith("{{") else ("$[", "]") if part.startswith("$[") else ("${", "}")
    inner = _UNREADABLE.sub("_", name_of_part(part)).strip("_")
    closing = "}" if closing == "]" else closing
    return f"{opening.replace('[', '{')}{inner[:_MAX_LABEL]}{closing}"
