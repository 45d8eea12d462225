"""Aligned columns."""

from __future__ import annotations

from lineage_tt.cli.render.ink import Ink
from lineage_tt.cli.render.tables import table


def test_columns_are_aligned_and_nothing_is_cut() -> None:
    """Text is to the left, numbers to the right, None is empty, and a long name is whole."""
    long = "n" * 300

    assert list(table(["name", "n", "x"], [["a", 5, None], [long, 10, "y"]], Ink())) == [
        "name" + " " * 296 + "   n  x",
        "a" + " " * 299 + "   5",
        long + "  10  y",
    ]


def test_wide_names_take_two_columns_each() -> None:
    """Names of wide characters do not shift what follows them."""
    assert list(table(["a", "b"], [["売上", "x"], ["abcd", "y"]], Ink())) == ["a     b", "売上  x", "abcd  y"]


def test_colour_does_not_count_as_width() -> None:
    """A painted cell is padded like a plain one."""
    ink = Ink(colour=True)

    [_, first, _] = table(["a", "b"], [["x", "1"], ["yyy", "2"]], ink, {"a": ink.strong})

    assert first == "\x1b[1mx\x1b[0m    1"


def test_no_rows_leave_the_heading() -> None:
    """A table without rows is its heading."""
    assert list(table(["a", "b"], [], Ink())) == ["a  b"]
