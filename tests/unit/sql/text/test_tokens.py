"""Tokens made and brackets found."""

from __future__ import annotations

import pytest
from sqlglot.dialects.dialect import Dialect
from sqlglot.tokens import Token, TokenType

from ingest.sql.text.tokens import (
    after_name,
    as_names,
    closing,
    commas_outside,
    kinds_of,
    outside,
    places_of,
    select_all_from,
    token_like,
    tokens_of,
    word_at,
)

HIVE = Dialect.get_or_raise("hive")


def read(text: str) -> list[Token]:
    """The tokens of a text."""
    found = tokens_of(text, HIVE)
    assert found is not None
    return found


def test_a_text_that_is_no_tokens_has_none() -> None:
    """A string that does not end."""
    assert tokens_of("select 'a", HIVE) is None


def test_a_token_is_made_at_the_place_of_another() -> None:
    """So that problems name where it was."""
    (like,) = read("\n  x")[:1]
    made = token_like(like, TokenType.VAR, "y")

    assert (made.text, made.line, made.col, made.start) == ("y", like.line, like.col, like.start)
    assert [token.text for token in select_all_from(like)] == ["SELECT", "*", "FROM"]


def test_words_become_names() -> None:
    """At some places; where there are none there is nothing to try."""
    tokens = read("select date from table")
    changed = as_names(tokens, [1, 3])

    assert changed is not None
    assert [token.token_type for token in changed[1::2]] == [TokenType.VAR] * 2
    assert tokens[3].token_type is TokenType.TABLE
    assert as_names(tokens, []) is None


@pytest.mark.parametrize(("place", "word"), [(0, "select"), (1, ""), (2, ""), (9, ""), (-1, "")])
def test_a_quoted_name_is_no_word(place: int, word: str) -> None:
    """Nor is a string, or what is outside of the text."""
    assert word_at(read("SELECT `From` 'x'"), place) == word


@pytest.mark.parametrize(("text", "place", "end"), [("a", 0, 1), ("a.b.c d", 0, 5), ("x a.b", 1, 4)])
def test_a_dotted_name_is_passed_whole(text: str, place: int, end: int) -> None:
    """From where it begins."""
    assert after_name(read(text), place) == end


@pytest.mark.parametrize(
    ("text", "place", "end"), [("f(a)", 1, 3), ("f((a), b)", 1, 7), ("f(a", 1, 0), ("f((a), b)", 2, 4)]
)
def test_brackets_close(text: str, place: int, end: int) -> None:
    """Or do not."""
    assert closing(read(text), place) == end


def test_what_is_in_brackets_of_any_kind_is_inside() -> None:
    """Opening ones are not."""
    tokens = read("a, f(b, c), d[e, 1], g")

    assert [tokens[place].text for place in outside(tokens)] == ["a", ",", "f", "(", ",", "d", "[", ",", "g"]
    assert len(commas_outside(tokens)) == 3


def test_places_of_a_kind_are_found() -> None:
    """All of them, or none."""
    kinds = kinds_of(read("a, b, c"))

    assert list(places_of(TokenType.COMMA, kinds)) == [1, 3]
    assert list(places_of(TokenType.FROM, kinds)) == []
