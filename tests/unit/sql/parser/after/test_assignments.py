"""Assignments with an operator, written out."""

from __future__ import annotations

import pytest
from token_texts import text_of, tokens_in

from ingest.sql.parser.after.assignments import plain_assignments


@pytest.mark.parametrize(
    ("sql", "plain"),
    [
        ("update t set a += b", "update t set a = a + ( b )"),
        ("update t set x.a *= b + c, d ^= 1 from u", "update t set x . a = x . a * ( b + c ) , d = d ^ ( 1 ) from u"),
        ("update t set @v = a -= f(b, c) where d = 1", "update t set @ v = a = a - ( f ( b , c ) ) where d = 1"),
        ("set @v %= 2", "set @ v = @ v % ( 2 )"),
        ("update t set a |= case when b = 1 then 2 end, c &= 3",
         "update t set a = a | ( case when b = 1 then 2 end ) , c = c & ( 3 )"),
    ],
)  # fmt: skip
def test_an_operator_before_the_sign_takes_the_old_value(sql: str, plain: str) -> None:
    """Of a column, by whatever name, and of a variable; the new value ends where the assignment does."""
    assert text_of(plain_assignments(tokens_in(sql, "tsql"))) == plain


@pytest.mark.parametrize("sql", ["update t set a = +b", "select a from t where a >= b and c = -1", "set @v = @v + 1"])
def test_a_sign_of_its_own_is_no_such_operator(sql: str) -> None:
    """One with a space before ``=``, or after it, belongs to the value."""
    assert plain_assignments(tokens_in(sql, "tsql")) is None
