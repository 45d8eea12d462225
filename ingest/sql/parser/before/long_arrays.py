"""Rows of one shape in an array that a text writes out, ``[('a', t.x), ('b', t.y), …]``: the parser sees one for all.

A text may list thousands of rows. After the first ones, which keep their own expressions, the answer has only what
flows into each place of a row. There, all rows that differ only in names and constants become one, in which each name
is a marker for all the names that it replaced. Most of the time for such texts was spent in the parser.
"""

from __future__ import annotations

from itertools import count
from typing import Final

from sqlglot.tokens import Token, TokenType

from ingest.sql.text.tokens import kinds_of, places_of, token_like

#: The most elements of an array that have expressions of their own, whatever they are.
SHOWN: Final = 50
#: The names that a marker replaced, each by its parts as they are written.
Markers = dict[str, list[list[str]]]

_CONSTANTS = frozenset([TokenType.NUMBER, TokenType.STRING, TokenType.TRUE, TokenType.FALSE, TokenType.NULL])
_OPENING = frozenset([TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE])
_CLOSING = frozenset([TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE])
# After these a bracket picks an element.
_HAS_ELEMENTS = frozenset([*_CLOSING, TokenType.VAR, TokenType.IDENTIFIER, TokenType.STRING])
# The shortest array that is looked at: rows of two constants.
_FEWEST_TOKENS = SHOWN * 6
_AFTER_ELEMENT = frozenset([*_CLOSING, TokenType.COMMA, TokenType.SEMICOLON])
# More shapes than this are not looked for, and none where the first rows have none: there would be little to merge.
_MAX_SHAPES = 32
_PROMISING = 8


class _Shape:
    """Rows of one shape: the first one's tokens, where names are in it, and where each row begins.

    ``words`` are the places of what must read alike in all of them: of functions and types.
    """

    def __init__(self, row: list[Token], kinds: list[TokenType], names: list[slice], words: list[int]) -> None:
        self.row = row
        self.kinds = kinds
        self.names = names
        self.words = words
        self.starts: list[int] = []

    def take(self, tokens: list[Token], kinds: list[TokenType], start: int) -> int:
        """Take in the rows of this shape that follow each other from ``start`` on; return the place after them."""
        size = len(self.kinds) + 1
        followed = [*self.kinds, TokenType.COMMA]
        while kinds[start : start + size] == followed and (not self.words or self.reads_alike(tokens, start)):
            self.starts.append(start)
            start += size
        return start

    def reads_alike(self, tokens: list[Token], start: int) -> bool:
        """Whether a row of the same kinds of tokens has the same functions and types."""
        return all(tokens[start + place].text == self.row[place].text for place in self.words)

    def merged(self, tokens: list[Token], mark: str, markers: Markers) -> list[Token]:
        """Return the one row for all, its markers noted in ``markers``."""
        if len(self.starts) == 1:
            return self.row
        row: list[Token] = []
        done = 0
        for name in self.names:
            marker = f"{mark}{len(markers)}"
            places = ((start + name.start, start + name.stop) for start in self.starts)
            markers[marker] = [[token.text for token in tokens[first:last:2]] for first, last in places]
            row += self.row[done : name.start]
            row.append(token_like(self.row[name.start], TokenType.VAR, marker))
            done = name.stop
        return row + self.row[done:]


def merge_rows(sql: str, tokens: list[Token], markers: Markers) -> list[Token]:
    """Return a text's tokens with the rows of long arrays merged; ``markers`` gets what was put for their names.

    ``sql`` is a text in which no marker may occur.
    """
    if len(tokens) < _FEWEST_TOKENS:
        return tokens
    kinds = kinds_of(tokens)
    arrays = [place for place in places_of(TokenType.L_BRACKET, kinds) if _is_array(kinds, place)]
    closings = _closings(kinds) if arrays else {}
    changed: list[Token] = []
    done = 0
    mark = ""
    for bracket in arrays:
        start = _after_shown(kinds, bracket + 1, closings) if bracket >= done else 0
        if not start:
            continue
        items, end = _others(tokens, kinds, start, closings)
        if not items or kinds[end : end + 1] != [TokenType.R_BRACKET]:
            continue
        mark = mark or _unused(sql)
        changed += tokens[done:start]
        for item in items:
            changed += item.merged(tokens, mark, markers) if isinstance(item, _Shape) else item
            changed.append(tokens[start - 1])
        del changed[-1]
        done = end
    return changed + tokens[done:] if done else tokens


def _is_array(kinds: list[TokenType], bracket: int) -> bool:
    """Whether a bracket may open an array of rows."""
    if kinds[bracket + 1 : bracket + 2] != [TokenType.L_PAREN]:
        return False
    return not bracket or kinds[bracket - 1] not in _HAS_ELEMENTS


def _closings(kinds: list[TokenType]) -> dict[int, int]:
    """Return the places of the brackets that close, by those of the ones that they close."""
    result: dict[int, int] = {}
    opened: list[int] = []
    for place, kind in enumerate(kinds):
        if kind in _OPENING:
            opened.append(place)
        elif kind in _CLOSING and opened:
            result[opened.pop()] = place
    return result


def _unused(sql: str) -> str:
    """Return how markers begin, in this text and in no name of it."""
    return next(mark for mark in (f"…{number}…" for number in count()) if mark not in sql)


def _after_shown(kinds: list[TokenType], start: int, closings: dict[int, int]) -> int:
    """Return where the first element after those that are shown begins, 0 where there is none."""
    for _ in range(SHOWN):
        end = _end(kinds, start, closings)
        if kinds[end : end + 1] != [TokenType.COMMA]:
            return 0
        start = end + 1
    return start


def _others(
    tokens: list[Token], kinds: list[TokenType], start: int, closings: dict[int, int]
) -> tuple[list[list[Token] | _Shape], int]:
    """Return the elements from ``start`` on, rows of one shape once, and the place after the last one.

    No elements are returned where the first ones are of no shape.
    """
    items: list[list[Token] | _Shape] = []
    shapes: list[_Shape] = []
    while True:
        begun = -1
        while begun < start:
            begun = start
            for shape in shapes:
                start = shape.take(tokens, kinds, start)
        end = _end(kinds, start, closings)
        row = kinds[start:end]
        same = next((shape for shape in shapes if shape.kinds == row and shape.reads_alike(tokens, start)), None)
        if same is None:
            names = _names(row) if len(shapes) < _MAX_SHAPES else None
            if names is not None:
                same = _Shape(tokens[start:end], row, *names)
                shapes.append(same)
            items.append(same or tokens[start:end])
            if not shapes and len(items) == _PROMISING:
                return [], end
        if same is not None:
            same.starts.append(start)
        if kinds[end : end + 1] != [TokenType.COMMA]:
            return items, end
        start = end + 1


def _end(kinds: list[TokenType], start: int, closings: dict[int, int]) -> int:
    """Return the place after the element that begins at ``start``; what is in brackets is not looked at."""
    place = start
    while place < len(kinds) and kinds[place] not in _AFTER_ELEMENT:
        place = closings.get(place, len(kinds)) + 1 if kinds[place] in _OPENING else place + 1
    return place


def _names(kinds: list[TokenType]) -> tuple[list[slice], list[int]] | None:
    """Return where names are in a row, and where words that are none; None for one that is more than simple values.

    Those are constants, brackets of constants, names, and functions of a cast name, of which no field is known.
    """
    names: list[slice] = []
    words: list[int] = []
    last = len(kinds) - 1
    if last < 3 or kinds[0] is not TokenType.L_PAREN or kinds[last] is not TokenType.R_PAREN:
        return None
    end = 0
    while end < last:
        start = end + 1
        end = start + 1
        if kinds[start] is TokenType.L_PAREN:
            end = kinds.index(TokenType.R_PAREN, start) + 1
            inside = kinds[start + 1 : end - 1]
            if not _CONSTANTS.issuperset(inside[::2]) or not {TokenType.COMMA}.issuperset(inside[1::2]):
                return None
        elif kinds[start] is TokenType.VAR:
            end = _after_value(kinds, start, names, words)
        elif kinds[start] not in _CONSTANTS:
            return None
        if end > last or (kinds[end] is not TokenType.COMMA and end != last):
            return None
    return names, words


def _after_value(kinds: list[TokenType], start: int, names: list[slice], words: list[int]) -> int:
    """Return the place after ``name`` or ``f(cast(name AS type))``; the end where it is something else."""
    name = start
    while kinds[name : name + 2] == [TokenType.VAR, TokenType.L_PAREN]:
        words.append(name)
        name += 2
    calls = (name - start) // 2
    end = name + 1
    while kinds[end : end + 2] == [TokenType.DOT, TokenType.VAR]:
        end += 2
    names.append(slice(name, end))
    if calls:
        words.append(end + 1)
        end = end + 2 if kinds[end] is TokenType.ALIAS else len(kinds)
    closed = kinds[name] is TokenType.VAR and kinds[end : end + calls] == [TokenType.R_PAREN] * calls
    return end + calls if closed else len(kinds)
