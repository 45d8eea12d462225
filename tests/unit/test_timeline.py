"""The catalogue of interval relations: what a message does to a timeline, one line a case.

A case is two lists of (start, edges) steps, before and after, edges as letters; and the signed changes between them,
``+a[1,3)``; ``[1,)`` is without end.
"""

from __future__ import annotations

import pytest

from lineage_tt.timeline import NO_SOURCE_VERSION, Record, Step, numbers, rectangles, resolve, signed_changes, state_at


def mask(letters: str) -> int:
    """The bit mask of an edge set written as letters."""
    return sum(1 << (ord(letter) - ord("a")) for letter in letters)


def steps(text: str) -> list[Step]:
    """``1:ab 3: 5:a`` as steps."""
    parts = (part.split(":") for part in text.split())
    return [Step(int(at), mask(letters), version) for version, (at, letters) in enumerate(parts, 1)]


def shown(changes: list[tuple[int, int, int, int | None]]) -> str:
    """Signed changes as text."""
    return " ".join(
        f"{'+' if sign > 0 else '-'}{chr(ord('a') + edge)}[{start},{'' if end is None else end})"
        for sign, edge, start, end in changes
    )


CASES = {
    "first of all": ("", "1:a", "+a[1,)"),
    "first of all, without edges": ("", "1:", ""),
    "equals": ("1:a", "1:a", ""),
    "after, with the same edges": ("1:a", "1:a 3:a", ""),
    "after, ends it": ("1:a", "1:a 3:", "-a[1,) +a[1,3)"),
    "after, puts another in its place": ("1:a", "1:a 3:b", "-a[1,) +a[1,3) +b[3,)"),
    "after, adds one": ("1:a", "1:a 3:ab", "+b[3,)"),
    "before, touches": ("3:a", "1:a 3:a", "-a[3,) +a[1,)"),
    "before, touches another edge": ("3:a", "1:b 3:a", "+b[1,3)"),
    "before, without edges": ("3:a", "1: 3:a", ""),
    "starts equally, other edges": ("1:a", "1:b", "-a[1,) +b[1,)"),
    "starts equally, up to the next": ("1:a 3:b", "1:c 3:b", "-a[1,3) +c[1,3)"),
    "starts equally, empties it": ("1:a 3:b", "1: 3:b", "-a[1,3)"),
    "starts equally, joins the one before": ("1:a 3:b", "1:a 3:a", "-a[1,3) -b[3,) +a[1,)"),
    "inside, cuts a hole": ("1:a 9:", "1:a 3: 5:a 9:", "-a[1,9) +a[1,3) +a[5,9)"),
    "inside, fills a hole": ("1:a 3: 5:a 9:", "1:a 3:a 5:a 9:", "-a[1,3) -a[5,9) +a[1,9)"),
    "inside, fills a hole in part": ("1:a 3: 7:a", "1:a 3: 5:a 7:a", "-a[7,) +a[5,)"),
    "inside, fills a hole without end": ("1:a 3: 5:a", "1:a 3:a 5:a", "-a[1,3) -a[5,) +a[1,)"),
    "inside, splits for one edge only": ("1:ab 9:", "1:ab 3:b 5:ab 9:", "-a[1,9) +a[1,3) +a[5,9)"),
    "inside, already so": ("1:a 9:", "1:a 5:a 9:", ""),
    "ends equally": ("1:a 9:", "1:a 5:b 9:", "-a[1,9) +a[1,5) +b[5,9)"),
    "covers what was": ("3:a 5:", "1:a 3:a 5:", "-a[3,5) +a[1,5)"),
    "is taken back at the end": ("1:a 3:b", "1:a", "-a[1,3) -b[3,) +a[1,)"),
    "is taken back in the middle": ("1:a 3:b 5:a", "1:a 5:a", "-a[1,3) -a[5,) -b[3,5) +a[1,)"),
    "is taken back at the start": ("1:a 3:b", "3:b", "-a[1,3)"),
    "all is taken back": ("1:a", "", "-a[1,)"),
    "comes back later": ("1:a 3:", "1:a 3: 5:a", "+a[5,)"),
    "far away, others untouched": ("1:a 3:b 5:c 7:d", "1:a 3:b 4:e 5:c 7:d", "-b[3,5) +b[3,4) +e[4,5)"),
    "reaches over several steps": (
        "1:ab 3:ac 5:ad 7:",
        "1:ab 3:ac 4: 5:ad 7:",
        "-a[1,7) -c[3,5) +a[1,4) +a[5,7) +c[3,4)",
    ),
}


@pytest.mark.parametrize(("before", "after", "expected"), CASES.values(), ids=CASES)
def test_signed_changes(before: str, after: str, expected: str) -> None:
    """The changes take away whole what no longer holds and put back what is left of it, and touch nothing else."""
    assert shown(signed_changes(steps(before), steps(after))) == expected


@pytest.mark.parametrize(("before", "after", "expected"), CASES.values(), ids=CASES)
def test_signed_changes_read_backwards(before: str, after: str, expected: str) -> None:
    """The way back has the same changes with their signs turned."""
    back = signed_changes(steps(after), steps(before))

    assert sorted((-sign, *rest[:2]) for sign, *rest in back) == sorted(
        (sign, *rest[:2]) for sign, *rest in signed_changes(steps(before), steps(after))
    )


def test_rectangles_are_maximal() -> None:
    """Touching intervals of one edge are one rectangle, over any number of steps."""
    found = sorted(rectangles(steps("1:ab 3:a 5:ab 7:b")))

    assert found == [(0, 1, 7), (1, 1, 3), (1, 5, None)]


def test_the_greatest_source_version_wins_a_tie() -> None:
    """Of messages with one effective_at the greatest source version counts, then the last to come; none loses."""
    none = NO_SOURCE_VERSION
    records = [
        Record(1, 2, 1, 1),
        Record(1, none, 2, 2),
        Record(1, 1, 3, 4),
        Record(5, none, 4, 8),
        Record(5, none, 5, 16),
    ]

    assert resolve(records) == [Step(1, 1, 1), Step(5, 16, 5)]


def test_the_order_of_arrival_does_not_matter_to_resolve() -> None:
    """The timeline is the same in whatever order its records are given."""
    records = [Record(3, 0, 1, 1), Record(1, 0, 2, 2), Record(3, 1, 3, 4)]

    assert resolve(records) == resolve(reversed(records)) == [Step(1, 2, 2), Step(3, 4, 3)]


@pytest.mark.parametrize(("at", "version"), [(0, None), (1, 1), (2, 1), (3, 2), (99, 2)])
def test_a_step_holds_from_its_instant_on(at: int, version: int | None) -> None:
    """The step in force at an instant is the last that does not begin after it."""
    found = state_at(steps("1:a 3:b"), at)

    assert (found.version if found else None) == version


def test_numbers_of_a_mask() -> None:
    """The numbers of the bits that are set, lowest first, far beyond a machine word."""
    assert list(numbers(1 | 1 << 63 | 1 << 64 | 1 << 1000)) == [0, 63, 64, 1000]
