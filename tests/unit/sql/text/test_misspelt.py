"""Words that are one slip away from a keyword."""

from __future__ import annotations

import pytest

from ingest.sql.text.misspelt import misspelt

KEYWORDS = ("where", "group", "order", "from")


@pytest.mark.parametrize(
    ("word", "keyword"),
    [("wehre", "where"), ("whre", "where"), ("wherre", "where"), ("whexe", "where"), ("GRUOP", "group"),
     ("fron", "from"),
     ("where", ""), ("orders", ""), ("border", ""), ("wheer", "where"), ("form", "from"), ("xhere", ""), ("", ""),
     ("whe", ""), ("wherever", "")],
)  # fmt: skip
def test_one_slip_is_a_swap_a_loss_a_change_or_one_too_many(word: str, keyword: str) -> None:
    """Not at the first letter, nor one more at the end: those make other words."""
    assert misspelt(word, KEYWORDS) == keyword


def test_short_keywords_are_not_guessed() -> None:
    """Too many words are near them."""
    assert misspelt("en", ["on", "by"]) == ""
