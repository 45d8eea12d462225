"""Calls and casts that the parser knows less well than the engines do."""

from __future__ import annotations

import pytest
from token_texts import text_of, tokens_in

from ingest.sql.dialects.engine import engine_of
from ingest.sql.dialects.registry import rules_or_standard
from ingest.sql.parser.attempts import attempt
from ingest.sql.parser.before.fitting import fit, with_all_arguments
from ingest.sql.text.tokens import kinds_of


def fitted(sql: str) -> tuple[str | None, bool]:
    """Return what is left of a statement, and whether the parser reads it."""
    engine, tokens = engine_of(rules_or_standard("hive")), tokens_in(sql)
    nodes, problem = attempt(sql, tokens, engine.dialect)
    tokens, _, problem = fit(tokens, nodes, problem, lambda changed: attempt(sql, changed, engine.dialect))
    return text_of(tokens), problem is None


@pytest.mark.parametrize(
    ("sql", "plain"),
    [("select upper(a, true) from t", "select upper ( ( a , true ) ) from t"),
     ("select cast(a as p4hyperloglog), cast(b as P4hyperloglog) from t",
      "select cast ( a as string ) , cast ( b as string ) from t"),
     ("select a from t", "select a from t")],
)  # fmt: skip
def test_last_arguments_are_put_into_one_and_types_are_texts(sql: str, plain: str) -> None:
    """All casts to the type are changed at once."""
    assert fitted(sql) == (plain, True)


def test_other_faults_are_left() -> None:
    """The statement stays as it is, and its problem too."""
    assert fitted("select a from t where )") == ("select a from t where )", False)


@pytest.mark.parametrize(
    ("sql", "plain"),
    [("select percentile(a, p, f) from t", "select percentile ( a , ( p , f ) ) from t"),
     ("select percentile(a, g(b, c)) from t", "select percentile ( a , g ( b , c ) ) from t"),
     ("insert into percentile(a, p, f) select 1", "insert into percentile ( a , p , f ) select 1"),
     ("with percentile(a, p, f) as (select 1) select 2", "with percentile ( a , p , f ) as ( select 1 ) select 2")],
)  # fmt: skip
def test_a_percentiles_frequency_is_kept(sql: str, plain: str) -> None:
    """The columns of a table or of a WITH query of that name are not arguments."""
    tokens = tokens_in(sql)

    assert text_of(with_all_arguments(tokens, kinds_of(tokens))) == plain
