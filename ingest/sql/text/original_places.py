"""The place in an original text of a place in a text that was made from it: line by line, then within the line.

Templates, front matter, YAML and compiled models give texts that are mostly the lines of a file. What was put in or
taken out is skipped: a place inside of it is where it was.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import Final

#: Longer lines and texts are not compared letter by letter, line by line.
MAX_LINE: Final = 4_000
MAX_LINES: Final = 20_000
#: The most lines that are searched for the one that became another.
MAX_COMPARED: Final = 50


def original_place(text: str, original: str, line: int, column: int | None) -> tuple[int, int | None]:
    """Return the line and column (from 1) of ``original`` from which that place of ``text`` comes."""
    if text == original:
        return line, column
    mine, theirs = text.split("\n"), original.split("\n")
    if not 1 <= line <= len(mine):
        return min(max(line, 1), len(theirs)), None
    origin = line
    if len(mine) != len(theirs) or mine[line - 1].strip() != theirs[line - 1].strip():
        origin = _original_line(mine, theirs, line)
    if column is None:
        return origin, None
    return origin, _original_column(mine[line - 1], theirs[origin - 1], column)


def _original_line(mine: list[str], theirs: list[str], line: int) -> int:
    if len(mine) == len(theirs) or max(len(mine), len(theirs)) > MAX_LINES:
        return min(line, len(theirs))
    plain, other = ([" ".join(each.split()) for each in lines] for lines in (mine, theirs))
    for kind, start, end, begin, stop in SequenceMatcher(None, plain, other, autojunk=False).get_opcodes():
        if start <= line - 1 < end and kind == "equal":
            return begin + line - start
        if start <= line - 1 < end:
            return _most_alike(plain[line - 1], other, range(begin, min(stop, begin + MAX_COMPARED))) + 1
    return min(line, len(theirs))


def _most_alike(line: str, others: list[str], places: range) -> int:
    """Return the place of the line that is most like this one: only what was put in or taken out differs."""
    ratios = {
        place: SequenceMatcher(None, line[:MAX_LINE], others[place][:MAX_LINE], autojunk=False).ratio()
        for place in places
    }
    return max(ratios, key=lambda place: ratios[place], default=min(places.start, len(others) - 1))


def _original_column(mine: str, theirs: str, column: int) -> int:
    """Return the column of a line of the original from which a column of a line of the text comes."""
    if mine == theirs or max(len(mine), len(theirs)) > MAX_LINE:
        return min(column, len(theirs) + 1)
    for _, start, end, begin, stop in SequenceMatcher(None, mine, theirs, autojunk=False).get_opcodes():
        if start <= column - 1 < end:
            within = column - 1 - start if end - start == stop - begin else 0
            return begin + within + 1
    return len(theirs) + 1
