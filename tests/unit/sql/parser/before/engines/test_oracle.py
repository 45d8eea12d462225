"""Oracle's local times, and quoted names of links."""

from __future__ import annotations

import pytest
from token_texts import text_of, tokens_in

from ingest.sql import extract
from ingest.sql.dialects.engine import engine_of
from ingest.sql.dialects.registry import rules_or_standard
from ingest.sql.parser.before.engines.oracle import plain_oracle


@pytest.mark.parametrize(
    ("sql", "plain"),
    [
        ("select d at local from t", "select d at TIME ZONE LOCAL from t"),
        ("select at, local from t at", "select at , local from t at"),
        ('select a from s.t@"L.W" x', "select a from s . t@L.W x"),
        ('select a from t "x"', "select a from t x"),
    ],
)
def test_what_the_parser_does_not_know_is_put_otherwise(sql: str, plain: str) -> None:
    """Other names and aliases stay."""
    dialect = engine_of(rules_or_standard("oracle")).dialect

    assert (text_of(plain_oracle(tokens_in(sql, "oracle"), dialect)) or "").replace("'", "") == plain


@pytest.mark.parametrize(
    ("sql", "edges"),
    [
        ("SELECT d AT LOCAL FROM s", {("S#D", "TRANSFORMATION")}),
        ('SELECT a FROM stg.s@"REM.WORLD"', {("STG.S@REM.WORLD#A", "IDENTITY")}),
        ('SELECT x.a FROM stg.s@"REM.WORLD" x', {("STG.S@REM.WORLD#A", "IDENTITY")}),
    ],
)
def test_their_sources_are_exact(sql: str, edges: set[tuple[str, str]]) -> None:
    """The link in quotes was taken for an alias, in a complete answer; the time was a syntax error."""
    found = extract(f"INSERT INTO t (a) {sql}", dialect="oracle", namespace="n")

    assert {(edge.source.removeprefix("n:"), edge.subtype) for edge in found.edges} == edges
    assert found.coverage == "complete"
