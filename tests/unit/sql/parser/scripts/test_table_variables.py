"""Variables of MaxCompute's script mode."""

from __future__ import annotations

import pytest
from token_texts import text_of, tokens_in

from ingest.sql.parser.scripts.table_variables import with_plain_variables


@pytest.mark.parametrize(
    ("sql", "plain"),
    [("@a := select b from t", "CREATE TEMPORARY TABLE @ a AS select b from t"),
     ("@a := (select b from t);", "CREATE TEMPORARY TABLE @ a AS ( select b from t ) ;"),
     ("@x := 1", "SET @ x = 1"),
     ("@x bigint := (1)", "SET @ x = ( 1 )"),
     ("@C table (d bigint); @c := select 1; @e := select 2",
      "CREATE TEMPORARY TABLE @ C ( d bigint ) ; INSERT OVERWRITE TABLE @ c select 1 ; "
      "CREATE TEMPORARY TABLE @ e AS select 2"),
     ("select @a; @b", "select @ a ; @ b"),
     ("", "")],
)  # fmt: skip
def test_rows_become_a_temporary_table_and_a_value_a_setting(sql: str, plain: str) -> None:
    """A declared variable, in any case of its letters, is filled; what assigns nothing stays."""
    assert text_of(with_plain_variables(tokens_in(sql, "maxcompute"))) == plain
