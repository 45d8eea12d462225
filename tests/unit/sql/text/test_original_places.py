"""The place in an original text of a place in a text that was made from it."""

from __future__ import annotations

import pytest

from ingest.sql.text.original_places import MAX_LINE, original_place

ORIGINAL = "---\nowner: a\n---\nSELECT {{ x }},\n  b\nFROM t"
MADE = "SELECT 1,\n  b\nFROM t"


@pytest.mark.parametrize(
    ("line", "column", "place"),
    [(1, 1, (4, 1)), (2, 3, (5, 3)), (3, 6, (6, 6)), (3, None, (6, None)), (1, 9, (4, 15)), (9, 1, (6, None)),
     (0, 1, (1, None))],
)  # fmt: skip
def test_lines_that_were_taken_out_are_skipped(line: int, column: int | None, place: tuple[int, int | None]) -> None:
    """A place inside of what was put in is where it was; one outside of the text is at its end."""
    assert original_place(MADE, ORIGINAL, line, column) == place


def test_a_text_that_is_the_original_has_its_places() -> None:
    """Whatever they are."""
    assert original_place(MADE, MADE, 77, 5) == (77, 5)


def test_indentation_alone_moves_no_line() -> None:
    """But the column within it."""
    assert original_place("SELECT a\nFROM t", "  SELECT a\n  FROM t", 2, 6) == (2, 8)


def test_a_very_long_line_is_not_compared_letter_by_letter() -> None:
    """Its columns are taken as they are, within the line."""
    long = "x" * (MAX_LINE + 1)

    assert original_place(long, long + "y", 1, MAX_LINE) == (1, MAX_LINE)
    assert original_place(long + "yy", long, 1, MAX_LINE + 3) == (1, MAX_LINE + 2)
