"""What the grammar expects at a place of a text, from the words before it."""

from __future__ import annotations

import re

import pytest

from ingest.sql.text.places import CLAUSE, NAME, OPERAND, QUERY, TYPE, Place


def after(text: str) -> str:
    """What is expected after a text; '?' is an operand."""
    place = Place()
    for token in re.findall(r"\w+|[^\w\s]", text):
        if token == "?":
            place.saw_operand()
        elif token.isidentifier():
            place.saw_word(token)
        else:
            place.saw(token)
    return place.expects


@pytest.mark.parametrize(
    ("text", "expected"),
    [("", CLAUSE), ("select", OPERAND), ("SELECT a", CLAUSE), ("select ?", CLAUSE), ("select a from", NAME),
     ("select a from t join", NAME), ("select a from t,", NAME), ("select a,", OPERAND), ("select (", OPERAND),
     ("from (", QUERY), ("from t join (", QUERY), ("with a as (", QUERY), ("where exists (", QUERY),
     ("cast(a as", TYPE),
     ("select a union", QUERY), ("select a union all", QUERY), ("join t using (", NAME), ("join t using (a,", NAME),
     ("partition (", NAME), ("select f(a,", OPERAND), ("select a;", CLAUSE), ("from t where a =", OPERAND),
     ("select a from (select b from t)", CLAUSE), ("select count(*)", CLAUSE), ("insert into t values (", OPERAND)],
)  # fmt: skip
def test_the_words_before_say_what_may_come(text: str, expected: str) -> None:
    """With a frame for each bracket that is open."""
    assert after(text) == expected


def test_a_bracket_too_many_closes_nothing() -> None:
    """A semicolon begins another statement."""
    assert after("select a))) from") == NAME
    assert after("from (select a; from") == NAME
