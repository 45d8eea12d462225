"""Which engine's forms a statement is read with."""

from __future__ import annotations

import pytest
from token_texts import text_of, tokens_in

from ingest.sql.dialects.engine import engine_of
from ingest.sql.dialects.registry import rules_or_standard
from ingest.sql.parser.before.engines.forms import plain_form


@pytest.mark.parametrize(
    ("dialect", "sql", "plain"),
    [
        ("mysql", "update low_priority t set a = 1", "update t set a = 1"),
        ("clickhouse", "select a from remote('h', d.t)", "select a from d . t"),
        ("exasol", "select local.a, a from t", "select LOCAL . a , a from t"),
        ("vertica", "copy t from local '/f'", "copy t from '/f'"),
    ],
)
def test_a_statement_is_read_with_the_forms_of_its_own_engine(dialect: str, sql: str, plain: str) -> None:
    """The rules of a dialect name them."""
    engine = engine_of(rules_or_standard(dialect))

    assert text_of(plain_form(tokens_in(sql, dialect), engine)) == plain
