"""Compares two texts line by line: removed, added and unchanged lines."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Any, Final

#: Maximum number of lines between the common beginning and end. Above it, all of them count as replaced.
MAX_LINES: Final = 2_000


def line_diff(before: str, after: str) -> list[dict[str, Any]]:
    """Return the lines of both texts in order: ``op`` is same, removed or added; line numbers begin at 1."""
    left, right = before.split("\n"), after.split("\n")
    head = _common(left, right)
    tail = _common(left[head:][::-1], right[head:][::-1])
    middle = left[head : len(left) - tail], right[head : len(right) - tail]
    result = [_line("same", i + 1, i + 1, text) for i, text in enumerate(left[:head])]
    for op, a, b, c, d in _blocks(*middle):
        if op == "equal":
            result += [_line("same", head + a + i + 1, head + c + i + 1, middle[0][a + i]) for i in range(b - a)]
            continue
        result += [_line("removed", head + i + 1, None, middle[0][i]) for i in range(a, b)]
        result += [_line("added", None, head + i + 1, middle[1][i]) for i in range(c, d)]
    first, second = len(left) - tail, len(right) - tail
    result += [_line("same", first + i + 1, second + i + 1, left[first + i]) for i in range(tail)]
    return result


def is_compared(before: str, after: str) -> bool:
    """Return whether the lines of two texts are compared one by one, and not replaced as one block: see MAX_LINES."""
    left, right = before.split("\n"), after.split("\n")
    head = _common(left, right)
    return max(len(left), len(right)) - head - _common(left[head:][::-1], right[head:][::-1]) <= MAX_LINES


def _blocks(left: Sequence[str], right: Sequence[str]) -> list[tuple[str, int, int, int, int]]:
    if max(len(left), len(right)) > MAX_LINES:
        return [("replace", 0, len(left), 0, len(right))]
    return list(SequenceMatcher(None, left, right, autojunk=False).get_opcodes())


def _common(left: Sequence[str], right: Sequence[str]) -> int:
    """Return the number of equal lines at the beginning of both texts."""
    for i, (one, other) in enumerate(zip(left, right, strict=False)):
        if one != other:
            return i
    return min(len(left), len(right))


def _line(op: str, left: int | None, right: int | None, text: str) -> dict[str, Any]:
    return {"op": op, "left": left, "right": right, "text": text}
