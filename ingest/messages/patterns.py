"""Is a pattern of a field mapping safe to match against what anybody may send?

Python's matcher tries alternatives one after the other. Where a pattern can divide one text in many ways, the time for
a text that does not match grows with a power of its length, or doubles with each character. ``judged`` finds how many
ways a pattern leaves open: patterns whose time doubles are rejected when the mapping is read; the others are matched
against texts up to a length at which they take some hundred milliseconds at most.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any, Final, NamedTuple

#: The most ways to divide a text among the repeats of a pattern: some hundred milliseconds.
MAX_TRIES: Final = 20_000_000
#: Longer texts are not matched, and a pattern that cannot be matched against ``MIN_LENGTH`` characters is rejected.
MAX_LENGTH: Final = 1 << 20
MIN_LENGTH: Final = 200
#: A repeat of at most this many lengths is short.
SHORT: Final = 10

#: A set of characters as bits: the first 256, and one bit for all others.
Chars = int
_OTHERS: Final = 1 << 256
_ANY: Final = (1 << 257) - 1
_CATEGORIES: Final = {
    sre.CATEGORY_DIGIT: r"\d", sre.CATEGORY_NOT_DIGIT: r"\D", sre.CATEGORY_SPACE: r"\s",
    sre.CATEGORY_NOT_SPACE: r"\S", sre.CATEGORY_WORD: r"\w", sre.CATEGORY_NOT_WORD: r"\W",
}  # fmt: skip
_REPEATS: Final = (sre.MAX_REPEAT, sre.MIN_REPEAT)
_MANY: Final = 1 << 20


class UnsafePatternError(ValueError):
    """A pattern may take a time that doubles with each character of a text."""


class Part(NamedTuple):
    """A piece of a pattern: the characters it may match, whether it must match some, in how many lengths it may match.

    ``ways`` is 1 for a part that is not tried in other lengths. ``degree`` is the power of a text's length with which
    the time of the part grows: 1 for a long repeat, also a possessive one.
    """

    chars: Chars
    mandatory: bool
    ways: int = 1
    degree: int = 0


def judged(pattern: str) -> int:
    """Return the longest text, in characters, that a pattern is to be matched against.

    Raises UnsafePatternError for one that may take for ever, re.error for a text that is not a pattern.
    """
    re.compile(pattern)
    parsed = _parser.parse(pattern)
    _refuse_nested(parsed)
    longest = min((_longest(*rivals) for rivals in _rivals(_flat(parsed))), default=MAX_LENGTH)
    if longest < MIN_LENGTH:
        raise UnsafePatternError(
            "repeats in a row match the same characters: exclude what each must not match, [^.]* for .*"
        )
    return longest


def _longest(degree: int, ways: int) -> int:
    """Return the longest text for which this many rivals leave at most ``MAX_TRIES`` ways to divide it."""
    if degree == 0:
        return MAX_LENGTH if ways <= MAX_TRIES else 0
    return min(MAX_LENGTH, int((MAX_TRIES / ways) ** (1 / degree)))


def _refuse_nested(items: Iterable[Any]) -> None:
    """Raise UnsafePatternError where a repeat may divide the same text among its rounds in many ways."""
    for op, argument in items:
        if op in _REPEATS and argument[1] > 1:
            parts = _flat(argument[2])
            if any(part.ways > 1 for part in parts) and not _has_separator(parts):
                raise UnsafePatternError("a repeat inside a repeat, and nothing between rounds that only ends a round")
            if _is_ambiguous([*parts, *parts]):  # the end of a round competes with the beginning of the next
                raise UnsafePatternError("repeats in a row inside a repeat match the same characters")
            for branches in _branches(argument[2]):
                _refuse_overlapping(branches)
        for below in _below(op, argument):
            _refuse_nested(below)


def _has_separator(parts: Sequence[Part]) -> bool:
    """Return whether each round has a part with characters of its own, so that rounds can be divided in one way."""
    for place, part in enumerate(parts):
        rest = 0
        for other in (*parts[:place], *parts[place + 1 :]):
            rest |= other.chars
        if part.mandatory and part.ways == 1 and not part.chars & rest:
            return True
    return False


def _is_ambiguous(parts: Sequence[Part]) -> bool:
    """Return whether a sequence may divide one text among its parts in more than one way."""
    active: list[Chars] = []
    for part in parts:
        rivals = [chars for chars in active if chars & part.chars]
        if part.ways > 1:
            if rivals:
                return True
            active.append(part.chars)
        elif part.mandatory:
            active = rivals
    return False


def _refuse_overlapping(branches: Sequence[Any]) -> None:
    """Raise UnsafePatternError where two alternatives inside a repeat may match the same text."""
    for place, first in enumerate(branches):
        for second in branches[place + 1 :]:
            texts = _literal(first), _literal(second)
            if None not in texts:
                short, long = sorted(map(str, texts), key=len)
                overlaps = long.startswith(short)
            else:
                overlaps = bool(_first(first) & _first(second))
            if overlaps:
                raise UnsafePatternError("alternatives inside a repeat begin alike")


def _rivals(parts: Sequence[Part]) -> list[tuple[int, int]]:
    """Return, for each repeat, the power with which the time of it and of those before it grows.

    Only repeats that compete for the same characters count. The second number is in how many ways the short ones among
    them may divide a text.
    """
    active: list[tuple[Chars, int, int]] = []
    result: list[tuple[int, int]] = []
    for part in parts:
        rivals = [each for each in active if each[0] & part.chars]
        if part.ways > 1 or part.degree:
            degree = max((count for _, count, _ in rivals), default=0) + part.degree
            ways = max((ways for *_, ways in rivals), default=1) * (1 if part.degree else part.ways)
            result.append((degree, ways))
            active.append((part.chars, degree, ways))
        elif part.mandatory:
            active = rivals
    return result


def _flat(items: Iterable[Any]) -> list[Part]:
    """Return a sequence with its groups taken apart; alternatives become one part."""
    result: list[Part] = []
    for op, argument in items:
        if op is sre.SUBPATTERN:
            result += _flat(argument[3])
        elif op is sre.ATOMIC_GROUP:
            result.append(_together([_flat(argument)])._replace(ways=1))
        elif op in (*_REPEATS, sre.POSSESSIVE_REPEAT):
            result += _repeated(op, *argument)
        elif op is sre.BRANCH:
            result.append(_together([_flat(branch) for branch in argument[1]]))
        elif op is sre.GROUPREF:
            result.append(Part(_ANY, mandatory=False, ways=_MANY, degree=1))
        elif op in (sre.ASSERT, sre.ASSERT_NOT):
            result.append(Part(_ANY, mandatory=False, degree=_together([_flat(argument[1])]).degree))
        elif op is not sre.AT:
            result.append(Part(_chars(op, argument), mandatory=True))
    return result


def _together(branches: Sequence[Sequence[Part]]) -> Part:
    """Return alternatives as one part: what any of them may match, in the most ways and the longest time."""
    every = [part for branch in branches for part in branch]
    mandatory = all(any(part.mandatory for part in branch) for branch in branches)
    degrees = [degree for branch in branches for degree, _ in _rivals(branch)]
    ways = min(_MANY, len(branches) * max((part.ways for part in every), default=1))
    return Part(_union(every), mandatory, ways, max(degrees, default=0))


def _repeated(op: Any, least: int, most: int, items: Iterable[Any]) -> list[Part]:
    inner = _flat(items)
    if least == most == 1:
        return inner
    whole = _together([inner])
    lengths = min(most - least + 1, _MANY)
    ways = 1 if op is sre.POSSESSIVE_REPEAT else min(_MANY, lengths * whole.ways)
    rounds = 1 if most > SHORT else 0
    # A round goes over each character once where it ends at a separator; else each may go over all that is left.
    once = _has_separator(inner) and _is_plain(items)
    degree = max(whole.degree, rounds) if once else whole.degree + rounds
    return [Part(whole.chars, least > 0 and whole.mandatory, ways, degree)]


def _is_plain(items: Iterable[Any]) -> bool:
    """Return whether a sequence holds no alternatives, and no repeats of anything longer than one character."""
    for op, argument in items:
        if op in (*_REPEATS, sre.POSSESSIVE_REPEAT):
            if len(argument[2]) != 1 or argument[2][0][0] not in (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN):
                return False
        elif op is sre.SUBPATTERN:
            if not _is_plain(argument[3]):
                return False
        elif op not in (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN, sre.AT):
            return False
    return True


def _union(parts: Iterable[Part]) -> Chars:
    result = 0
    for part in parts:
        result |= part.chars
    return result


def _chars(op: Any, argument: Any) -> Chars:
    """Return the characters that one item matches; any for what is not known."""
    if op is sre.LITERAL:
        return 1 << argument if argument < 256 else _OTHERS
    if op is sre.NOT_LITERAL:
        return _ANY & ~(1 << argument) if argument < 256 else _ANY
    if op is sre.IN:
        chars = 0
        for inner, value in argument:
            if inner is sre.RANGE:
                low, high = value
                chars |= sum(1 << code for code in range(low, min(high, 255) + 1)) | (_OTHERS if high > 255 else 0)
            elif inner is sre.CATEGORY:
                chars |= _category(value)
            elif inner is not sre.NEGATE:
                chars |= _chars(inner, value)
        negated = any(inner is sre.NEGATE for inner, _ in argument)
        return (_ANY & ~chars) | _OTHERS if negated else chars
    return _category(argument) if op is sre.CATEGORY else _ANY


def _category(category: Any) -> Chars:
    text = _CATEGORIES.get(category)
    if text is None:
        return _ANY
    return _OTHERS | sum(1 << code for code in range(256) if re.fullmatch(text, chr(code)))


def _first(items: Sequence[Any]) -> Chars:
    """Return the characters that a sequence may begin with."""
    result = 0
    for part in _flat(items):
        result |= part.chars
        if part.mandatory:
            return result
    return _ANY  # it may be empty


def _literal(items: Sequence[Any]) -> str | None:
    """Return the text of a sequence of literals, None for anything else."""
    elements = list(items)
    if all(op is sre.LITERAL for op, _ in elements):
        return "".join(chr(code) for _, code in elements)
    return None


def _branches(items: Iterable[Any]) -> list[Sequence[Any]]:
    """Return the sets of alternatives in a sequence, at any depth."""
    result = []
    for op, argument in items:
        if op is sre.BRANCH:
            result.append(argument[1])
        for below in _below(op, argument):
            result += _branches(below)
    return result


def _below(op: Any, argument: Any) -> list[Any]:
    """Return the sequences inside an item."""
    if op is sre.SUBPATTERN:
        return [argument[3]]
    if op in (*_REPEATS, sre.POSSESSIVE_REPEAT):
        return [argument[2]]
    if op is sre.BRANCH:
        return list(argument[1])
    if op in (sre.ASSERT, sre.ASSERT_NOT):
        return [argument[1]]
    return [argument] if op is sre.ATOMIC_GROUP else []
