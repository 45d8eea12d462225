"""Flink's tables over streams in plainer words."""

from __future__ import annotations

import pytest
from token_texts import text_of, tokens_in

from ingest.sql.parser.before.stream_tables import plain_stream


@pytest.mark.parametrize(
    ("sql", "plain"),
    [("create table t (a int, watermark for a as a, b int metadata, c int metadata from 'x', d int metadata virtual)",
      "create table t ( a int , b int , c int , d AS NULL )"),
     ("create table if not exists t (a int) with ('x' = 'y') like d.u (excluding all)",
      "create table if not exists t ( like d . u , a int ) with ( 'x' = 'y' )"),
     ("create table t like u", "create table t ( like u )"),
     ("create table t as select a from u where a like 'x'", "create table t as select a from u where a like 'x'"),
     ("create catalog c with ('x' = 'y')", "create SCHEMA c"),
     ("create temporary system function f as 'x'", "create temporary function f as 'x'"),
     ("select 1 from f(table d.t, descriptor(a), 5)", "select 1 from f ( table ( d . t ) , descriptor ( a ) , 5 )"),
     ("select 1 from f(data => table t partition by a, b, descriptor(c))",
      "select 1 from f ( data => table ( t ) , descriptor ( c ) )"),
     ("select 1 from f(table (t))", "select 1 from f ( table ( t ) )"),
     ("pattern (a b) within interval '1' hour define a as x", "pattern ( a b ) define a as x"),
     ("select a within b", "select a within b")],
)  # fmt: skip
def test_what_has_no_lineage_goes(sql: str, plain: str) -> None:
    """A column that cannot be written is computed; LIKE comes first among the columns; partitions of arguments go."""
    assert text_of(plain_stream(tokens_in(sql, "flink"))) == plain
