"""MaxCompute's statements about storage."""

from __future__ import annotations

import pytest
from token_texts import text_of, tokens_in

from ingest.sql.dialects.engine import engine_of
from ingest.sql.dialects.registry import rules_or_standard
from ingest.sql.parser.before.storage import plain_storage


@pytest.mark.parametrize(
    ("sql", "plain"),
    [("create table t (range clustered) range clustered by (a) lifecycle 30 as select 1",
      "create table t ( range clustered ) clustered by ( a ) as select 1"),
     ("load overwrite table d.t partition (p = 1) from location 'x' stored as orc",
      "LOAD DATA INPATH 'x' INTO TABLE d . t"),
     ("unload from (select a from t) into location 'x' with (b = 1)", "COPY ( select a from t ) TO 'x'"),
     ("unload from d.t into location 'x'", "COPY ( SELECT * FROM d . t ) TO 'x'"),
     ("clone table d.a partition (p = 1) to e.b if exists overwrite", "INSERT INTO e . b BY NAME SELECT * FROM d . a")],
)  # fmt: skip
def test_storage_is_put_into_words_that_the_parser_reads(sql: str, plain: str) -> None:
    """Partitions, options and lifecycles go; columns of such names stay."""
    assert text_of(plain_storage(tokens_in(sql, "maxcompute"), dialect())) == plain


@pytest.mark.parametrize(
    "sql",
    ["select lifecycle 30", "load overwrite table t from files", "unload from t into files x", "clone table t",
     "create table t ( a int )"],
)  # fmt: skip
def test_what_lacks_a_place_is_left_as_it_is(sql: str) -> None:
    """So are other statements."""
    assert text_of(plain_storage(tokens_in(sql, "maxcompute"), dialect())) == sql


def dialect():
    """Return what reads MaxCompute."""
    return engine_of(rules_or_standard("maxcompute")).dialect
