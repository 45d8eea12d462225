"""Pipes unfolded into nested queries."""

from __future__ import annotations

import pytest
from token_texts import text_of, tokens_in

from ingest.sql.parser.before.pipes import unfold, with_single_pipes

T = "( SELECT * from t ) AS __pipe"


@pytest.mark.parametrize(
    ("sql", "plain"),
    [("from t |> where a > 1", f"SELECT * FROM {T} where a > 1"),
     ("from t |> select a, b", f"SELECT a , b FROM {T}"),
     ("from t |> extend a + 1 as b", f"SELECT * , a + 1 as b FROM {T}"),
     ("from t |> drop a, b", f"SELECT * EXCEPT ( a , b ) FROM {T}"),
     ("from t |> set a = 1", f"SELECT * REPLACE ( 1 AS a ) FROM {T}"),
     ("from t |> distinct", f"SELECT DISTINCT * FROM {T}"),
     ("from t |> aggregate sum(a) as s group by b, c desc",
      f"SELECT b , c , sum ( a ) as s FROM {T} GROUP BY 1 , 2"),
     ("from t |> order by a |> limit 5", f"SELECT * FROM {T} ORDER BY a limit 5"),
     ("from t |> union all (select 1)", "( SELECT * from t ) union all ( select 1 )"),
     ("from t |> as x |> where x.a", f"SELECT * FROM {T[:-6]}x where x . a"),
     ("from t |> as x", f"SELECT * FROM {T[:-6]}x"),
     ("insert into o (a) from t |> select a", f"insert into o ( a ) SELECT a FROM {T}"),
     ("with q as (from t |> select a) select * from q", f"with q as ( SELECT a FROM {T} ) select * from q"),
     ("select a from t", "select a from t")],
)  # fmt: skip
def test_each_stage_is_a_query_over_those_before(sql: str, plain: str) -> None:
    """Grouping columns come first; a limit is of the ordered rows; what comes before the query stays in front."""
    assert text_of(unfold(tokens_in(sql, "bigquery"))) == plain


def test_later_assignments_see_earlier_ones() -> None:
    """Each SET of several is a stage by itself."""
    found = text_of(unfold(tokens_in("from t |> set a = 1, b = a", "bigquery")))

    assert found == f"SELECT * REPLACE ( a AS b ) FROM ( SELECT * REPLACE ( 1 AS a ) FROM {T} ) AS __pipe"


@pytest.mark.parametrize(
    ("sql", "plain"),
    [("table t | where a > 1 | select b", "table t |> where a > 1 |> select b"),
     ("select a | b from t", "select a | b from t"), ("select a | set, b from t", "select a | set , b from t"),
     ("select a | extend + 1", "select a | extend + 1")],
)  # fmt: skip
def test_a_single_pipe_before_a_stage_is_a_pipe(sql: str, plain: str) -> None:
    """Before a column of such a name it is an operator."""
    assert text_of(with_single_pipes(tokens_in(sql, "spark"))) == plain
