"""Texts without their literals, read by signs alone."""

from __future__ import annotations

import pytest

from lineage_tt.model.redaction.policy import TextPolicy
from lineage_tt.model.redaction.texts import (
    DROPPED_TEXT,
    looks_like_sql,
    mask_text,
    redacted_expression,
    redacted_value,
    redacted_words,
    text_digests,
    text_sha256,
)

KEEP, MASKED, DROP = TextPolicy


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("select 'a', 1.5e3, 0xff from t1", "select ?, ?, ? from t1"),
        ("select 'it''s', 'a\\'b' from t", "select ?, ? from t"),
        ("select a -- secret\nfrom t /* secret */", "select a ?\nfrom t ?"),
        ("select $$secret$$, $x$a$$b$x$", "select ?, ?"),
        ("select `a 1` from t", "select `a 1` from t"),
        ("select 'open", "select ?"),
        ("select a.b1, c2, _3 from t", "select a.b1, c2, _3 from t"),
    ],
)
def test_strings_numbers_and_comments_go_and_names_stay(text: str, masked: str) -> None:
    """A string that is not closed goes to the end of the text: too much is masked rather than too little."""
    assert mask_text(text) == masked
    assert mask_text(masked) == masked


def test_double_quotes_hold_a_name_or_a_string_by_the_dialect() -> None:
    """Where it is not known, it may be a string."""
    assert mask_text('select "a"', "trino") == mask_text('select "a"', "Trino") == 'select "a"'
    assert mask_text('select "a"', "spark") == mask_text('select "a"') == "select ?"


@pytest.mark.parametrize("text", ["select 1", "  -- why\n(WITH a as", "/* x */ Merge into", "exec p"])
def test_a_statement_is_known_by_its_first_word(text: str) -> None:
    """After comments and parentheses."""
    assert looks_like_sql(text)


@pytest.mark.parametrize("text", ["selected rows are wrong", "", "please select 1", "fromage", "select"])
def test_words_are_no_statement(text: str) -> None:
    """A reason that only begins like a keyword stays readable."""
    assert not looks_like_sql(text)
    assert redacted_value(text, DROP) == text


def test_sql_among_words_is_masked_or_goes() -> None:
    """What people wrote as a reason may be a statement; words of ours may quote one."""
    said = "cannot read 'select 1 from t' of 'n:a'"

    assert redacted_value("select 'x'", KEEP) == "select 'x'"
    assert redacted_value("select 'x'", MASKED) == "select ?"
    assert redacted_value("select 'x'", DROP) == DROPPED_TEXT
    assert redacted_words(said, KEEP) == said
    assert redacted_words(said, MASKED) == redacted_words(said, DROP) == "cannot read '?' of 'n:a'"


def test_an_expression_is_a_digest_where_texts_are_dropped() -> None:
    """Equal but for literals, they are one; a digest is not digested a second time; a parser's text has no literal."""
    dropped = redacted_expression("a + 1", DROP)

    assert redacted_expression("a + 1", MASKED) == "a + ?"
    assert redacted_expression("a + 1", MASKED, given=False) == "a + 1"
    assert dropped == redacted_expression("a + 22", DROP) != redacted_expression("b + 1", DROP)
    assert redacted_expression(dropped, DROP) == redacted_expression(dropped, MASKED) == dropped
    assert redacted_expression("", DROP) == ""


def test_literals_do_not_tell_texts_apart_where_they_are_not_kept() -> None:
    """The log may hold a text under the digest of either policy."""
    one, two = "select 1", "select 2"

    assert text_sha256(one, None, KEEP) != text_sha256(two, None, KEEP)
    assert text_sha256(one, None, MASKED) == text_sha256(two, None, DROP)
    assert text_digests(one, None) == (text_sha256(one, None, KEEP), text_sha256(two, None, MASKED))
