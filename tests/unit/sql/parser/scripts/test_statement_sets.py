"""Flink's statement sets."""

from __future__ import annotations

import pytest
from token_texts import text_of, tokens_in

from ingest.sql.parser.scripts.statement_sets import without_statement_set


@pytest.mark.parametrize(
    ("sql", "rest"),
    [("EXECUTE STATEMENT SET BEGIN insert into t select 1", "insert into t select 1"),
     ("begin statement set", ""),
     ("execute insert into t select 1", "insert into t select 1"),
     ("execute plan 'x'", "execute plan 'x'"),
     ("begin statement", "begin statement"),
     ("insert into t select 1", "insert into t select 1")],
)  # fmt: skip
def test_only_the_words_around_a_set_go(sql: str, rest: str) -> None:
    """In any case of the letters; EXECUTE before anything but a query or an INSERT is a command and stays."""
    assert text_of(without_statement_set(tokens_in(sql, "tsql"))) == rest
