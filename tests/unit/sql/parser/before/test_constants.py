"""Tables that are named by session variables."""

from __future__ import annotations

import pytest
from token_texts import text_of, tokens_in

from ingest.sql.parser.before.constants import with_named_tables


def named(*texts: str) -> list[str]:
    """Return the statements of a script as they are read."""
    return [f"{text_of(chunk)}" for chunk in with_named_tables([tokens_in(text, "snowflake") for text in texts])]


@pytest.mark.parametrize("call", ["identifier ( $ T )", "table ( $ t )"])
def test_a_constant_text_names_the_table(call: str) -> None:
    """From the statement on that sets it, and in any case of letters; other places of the variable stay."""
    first, setting, last = named(f"select $ t from {call}", "set t = 'a.b'", f"select $ t from {call}")

    assert first.endswith(call)
    assert (setting, last) == ("set t = 'a.b'", "select $ t from IDENTIFIER ( 'a.b' )")


@pytest.mark.parametrize("again", ["set t = (select 'a')", "set (s, t) = ('x', 'y')", "set t = 'a' || 'b'"])
def test_a_variable_that_is_set_to_anything_else_names_no_table(again: str) -> None:
    """What it holds then is known only when it runs."""
    assert named("set t = 'a.b'", again, "select 1 from identifier ( $ t )")[-1] == "select 1 from identifier ( $ t )"


def test_a_statement_without_a_setting_before_it_stays() -> None:
    """Another variable, and a table in its own words, as well."""
    texts = ["set t = 'a.b'", "select 1 from identifier ( $ u )", "select 1 from t"]

    assert named(*texts)[1:] == texts[1:]
