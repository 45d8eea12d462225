"""Two texts compared word by word, without a parser."""

from __future__ import annotations

import random

import pytest

from lineage_tt.governance.cause.ports import Text
from lineage_tt.governance.cause.text_diff import same_words, words_of


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


@pytest.mark.parametrize("seed", range(30))
def test_words_are_the_same_whatever_the_layout(seed: int) -> None:
    """White space, comments and the case of words do not count; what is between quotes does."""
    draw = random.Random(seed)
    print(f"seed {seed}")
    words = ["select", "a", "'It''s'", "+", "1", "from", "`T x`", '"Q"', "where", "b", "<", "3.5"]
    gaps = [" ", "\n", "\t ", ' -- it\'s "a" `comment\n', " /* 'x' -- */ "]

    def laid_out() -> str:
        return "".join(
            draw.choice(gaps) + draw.choice([word, word.upper()] if word.isalpha() else [word]) for word in words
        )

    one, other = laid_out(), laid_out()
    assert same_words(Text(one), Text(other))
    assert not same_words(Text(one), Text(other.replace("'It''s'", "'it''s'")))


@pytest.mark.timeout(20)
@pytest.mark.parametrize("hostile", ["'", "/*", "/*'", "'\\", "`", "-", "\x00'", "''\"", "\\"])
def test_hostile_texts_are_read_in_time(hostile: str) -> None:
    """Unclosed quotes and comments, nested marks, lone escapes: each text is read once."""
    for count in (1, 2, 3, 100_000, 100_001):
        assert len(words_of(hostile * count)) <= count * len(hostile)
