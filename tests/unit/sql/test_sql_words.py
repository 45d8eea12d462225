"""Sets of words, written as text."""

from __future__ import annotations

from ingest.sql.words import words


def test_words_are_apart_by_any_space() -> None:
    """Lines count as spaces, a word given twice is there once, and case stays."""
    assert words("  a b\n\n  B a\t") == {"a", "b", "B"}
    assert words(" \n") == frozenset()
