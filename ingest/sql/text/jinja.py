"""What of Jinja can be read without running it: which branch of a block is kept, constants, dbt's ref and source.

No expression is evaluated. A loop's body is kept once, its variable unknown; a macro's body is dropped; of an ``if``
with an ``else`` one branch is kept, chosen by number, since all of them side by side would be a text that no run makes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from ingest.sql.text.regions import TEMPLATE, Region

#: A tag: its word, and what is between that and the end. It may end in spaces: a pattern that leaves them out would go
#: back at each.
TAG: Final = re.compile(r"\{%[-+]?\s*+(\w++)\s*+(.*?)[-+]?%\}", re.DOTALL)
_SCALAR: Final = re.compile(r"(\w+)\s*=\s*(?:'([^'\\]*)'|\"([^\"\\]*)\"|(-?\d+(?:\.\d+)?))")
# A body is kept once: it is the first and the last of its loop.
_ONCE: Final = re.compile(r"(not\s+)?loop\.(?:first|last)")
_JOINT: Final = re.compile(r".*\bif\s+not\s+loop\.(?:first|last)", re.DOTALL)
_STRING: Final = r"""(?:'([^'\\]*)'|"([^"\\]*)")"""
_CONSTANT: Final = re.compile(_STRING)
_CALL: Final = re.compile(r"(ref|source|var|env_var)\s*\((.*)\)", re.DOTALL)
_ENDS: Final = {"endif": "if", "endfor": "for", "endmacro": "macro", "endset": "set", "endraw": "raw"}
_NOT: Final = re.compile(r"not\s+")
_FALSE: Final = frozenset(["", "false", "0", "no", "none", "null"])
_TWO_WAYS: Final = ("if", "else")
_OPENS: Final = frozenset(["if", "for", "macro", "raw"])


@dataclass(slots=True)
class _Block:
    """An open block: whether what is in it now counts, and for an ``if`` which branch is taken."""

    tag: str
    stands: bool
    branch: int = 0
    taken: int = 0


@dataclass(slots=True)
class Standing:
    """What blocks leave of a text: a flag for each region, constants set, and the unknown conditions."""

    flags: list[bool] = field(default_factory=list)
    constants: dict[str, str] = field(default_factory=dict)
    conditions: list[tuple[str, int]] = field(default_factory=list)
    branches: int = 1


def resolve_blocks(text: str, regions: Sequence[Region], branch: int, values: Mapping[str, str]) -> Standing:
    """Say of each region whether it is kept when every ``if`` takes its branch number ``branch`` (or its last).

    An ``if`` whose condition, or what it negates, is among ``values`` takes the branch that the value says.
    """
    tags = [TAG.fullmatch(text, r.start, r.end) if r.kind == TEMPLATE else None for r in regions]
    counts = _count_branches(tags)
    standing, stack = Standing(), list[_Block]()
    for place, (region, tag) in enumerate(zip(regions, tags, strict=True)):
        raw = bool(stack) and stack[-1].tag == "raw"
        if tag is None or (raw and tag[1] != "endraw"):
            standing.flags.append(all(block.stands for block in stack))
            continue
        standing.flags.append(False)
        word, rest = tag[1], tag[2].rstrip()
        if word in _ENDS:
            if stack and stack[-1].tag == _ENDS[word]:
                stack.pop()
        elif word in ("else", "elif"):
            if stack and stack[-1].tag == "if":
                stack[-1].branch += 1
                stack[-1].stands = stack[-1].branch == stack[-1].taken
        elif word in _OPENS or (word == "set" and "=" not in rest):
            known = _truth(rest, values) if word == "if" and counts.get(place, 1) <= len(_TWO_WAYS) else None
            stack.append(_open(word, rest, counts.get(place, 1), branch, known))
            if (
                word == "if"
                and known is None
                and not _ONCE.fullmatch(rest)
                and all(block.stands for block in stack[:-1])
            ):
                standing.conditions.append((rest, region.start))
                standing.branches = max(standing.branches, counts.get(place, 1))
        elif word == "set" and (match := _SCALAR.fullmatch(rest)):
            standing.constants[match[1]] = next(part for part in match.groups()[1:] if part is not None)
        elif word == "include":
            standing.conditions.append((f"include {rest}", region.start))
    return standing


def _truth(condition: str, values: Mapping[str, str]) -> bool | None:
    """Return whether a condition holds where its value was given, None where it was not."""
    negated = _NOT.match(condition)
    name = condition[negated.end() :] if negated else condition
    if name not in values:
        return None
    return (values[name].strip().lower() in _FALSE) == bool(negated)


def _open(word: str, rest: str, branches: int, branch: int, known: bool | None) -> _Block:
    if word != "if":
        return _Block(word, stands=word in ("for", "raw"))
    taken = min(branch, branches - 1)
    if known is not None:
        taken = 0 if known else 1
    if once := _ONCE.fullmatch(rest):
        taken = 1 if once[1] else 0
    return _Block("if", stands=taken == 0, taken=taken)


def _count_branches(tags: Sequence[re.Match[str] | None]) -> dict[int, int]:
    """Return how many branches the ``if`` at each place has; one without ``else`` has a single one."""
    counts: dict[int, int] = {}
    stack: list[int] = []
    for place, tag in enumerate(tags):
        if tag is None:
            continue
        if tag[1] == "if":
            stack.append(place)
            counts[place] = 1
        elif tag[1] in ("else", "elif") and stack:
            counts[stack[-1]] += 1
        elif tag[1] == "endif" and stack:
            stack.pop()
    return counts


def resolve_expression(expression: str, values: Mapping[str, str]) -> str | None:
    """Return the text that ``{{ expression }}`` evaluates to where that is plain to see, None where it is not.

    ``values`` are given parameters and constants of the text itself; ``this`` among them is the task's own target.
    """
    if expression in values:
        return values[expression]
    if constant := _CONSTANT.fullmatch(expression):
        return constant[1] or constant[2] or ""
    if _JOINT.fullmatch(expression) or re.match(r"config\s*\(", expression):
        return ""
    if call := _CALL.fullmatch(expression):
        arguments = _strings(call[2])
        if call[1] in ("ref", "source"):
            names = arguments[-1:] if call[1] == "ref" else arguments
            return ".".join(names) if names else None
        return values.get(arguments[0]) if arguments else None
    head, _, tail = expression.partition(".")
    return values.get(tail) if head in ("params", "vars", "var", "dag_run") else None


def leaves_no_trace(expression: str) -> bool:
    """Whether ``{{ expression }}`` becomes nothing, or a name that shows only a part of it."""
    if _JOINT.fullmatch(expression) or re.match(r"config\s*\(", expression):
        return True
    call = _CALL.fullmatch(expression)
    return call is not None and call[1] == "ref" and _CONSTANT.fullmatch(call[2].strip()) is None


def constant_of(tag: str) -> str | None:
    """Return the name of the constant that a tag ``{% set x = 'a' %}`` gives a value; None for any other tag."""
    parts = TAG.fullmatch(tag)
    scalar = _SCALAR.fullmatch(parts[2].rstrip()) if parts is not None and parts[1] == "set" else None
    return scalar[1] if scalar is not None else None


def _strings(arguments: str) -> list[str]:
    """The leading string arguments of a call; what follows another kind of argument (``v=2``) is left out."""
    strings: list[str] = []
    for part in arguments.split(","):
        match = _CONSTANT.fullmatch(part.strip())
        if match is None:
            break
        strings.append(match[1] or match[2] or "")
    return strings
