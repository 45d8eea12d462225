"""Two texts compared word by word, without a parser."""

from __future__ import annotations

import pytest

from lineage_tt.governance.cause.text_diff import words_of


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [("SELECT a", "select\n  a -- why", True), ("select 'A'", "select 'a'", False), ("select `A`", "select `a`", False),
     ("select a /* x */ from t", "select a from t", True), ("select a--b", "select a", True), ("a=1", "a = 1", True),
     ("select 1", "select 2", False), ("", "  /* open", True), ("select 'it''s'", "select 'it''s' ", True)],
)  # fmt: skip
def test_layout_comments_and_case_say_nothing(one: str, other: str, same: bool) -> None:
    """Outside of quotes."""
    assert (words_of(one) == words_of(other)) is same


@pytest.mark.parametrize("text", ["'open", '"open', "`open", "/* open", "'a\\", "--"])
def test_every_text_is_read_to_its_end(text: str) -> None:
    """Also one that breaks off."""
    assert "".join(words_of(text)) in (text.lower(), text, "")


def test_a_hostile_text_is_read_in_time() -> None:
    """Each sign once."""
    assert len(words_of("'" + "\\" * 200_000)) == 1
    assert words_of("/* " * 100_000) == []
