"""Bodies of routines inside of statements."""

from __future__ import annotations

import pytest
from token_texts import text_of, tokens_in

from ingest.sql.parser.scripts.routines import defines_only, quoted_body, without_bodies

HEAD = "with function f(a bigint, b decimal(3, 1)) returns bigint"


def plain(sql: str) -> str | None:
    """Return a text of Trino with its blocks as calls."""
    return text_of(without_bodies(sql, tokens_in(sql, "trino")))


@pytest.mark.parametrize(
    "block",
    ["begin return a; end", "begin declare x bigint; return a + x; end",
     "begin if a > 1 then return case when a = 2 then 1 end; end if; return 2; end",
     "begin while a > 1 do begin set a = 1; end; end while; return a; end"],
)  # fmt: skip
def test_a_block_is_one_call_of_its_parameters(block: str) -> None:
    """Blocks, CASE and END IF inside of it do not end it."""
    assert plain(f"{HEAD} {block} select f(c, d) from t") == (
        "with function f ( a bigint , b decimal ( 3 , 1 ) ) returns bigint "
        "RETURN routine_body ( a , b ) select f ( c , d ) from t"
    )


def test_a_function_without_parameters_reads_nothing() -> None:
    """Its call has no arguments."""
    sql = "with function f() returns bigint begin return 1; end select f() from t"

    assert plain(sql) == "with function f ( ) returns bigint RETURN routine_body ( ) select f ( ) from t"


def test_an_expression_as_a_body_stays() -> None:
    """Only blocks hold semicolons; and a BEGIN elsewhere is not a function's."""
    sql = f"{HEAD} return a + 1 select f ( c ) from t"
    tokens = tokens_in(sql, "trino")

    assert without_bodies(sql, tokens) == tokens


@pytest.mark.parametrize(
    ("sql", "body"),
    [("do $$ insert into t values (1) $$", " insert into t values (1) "),
     ("do $x$ select '$$' $x$", " select '$$' "),
     ("create procedure p() language plpgsql as $$ select 1 $$", " select 1 "),
     ("create procedure p() as $$ select 1 $$", " select 1 "),
     ("create procedure p() language sql as 'select ''1'''", "select '1'"),
     ("create procedure p() language javascript as 'return 1'", None),
     ("create procedure p() as begin select 'as' end", None),
     ("create procedure p() language python as $$ x = 1 $$", None),
     ("create function f() returns int language sql as $$ select 1 $$", None),
     ("select $$ select 1 $$", None)],
)  # fmt: skip
def test_a_body_in_dollars_or_quotes_is_sql_where_its_language_is(sql: str, body: str | None) -> None:
    """Functions run only where they are called, and other languages are not read."""
    assert quoted_body(tokens_in(sql, "postgres")) == body


def test_a_definition_is_said_to_run_nothing() -> None:
    """A routine without a name is "it"; a body that is not looked into is reported."""
    assert defines_only("p", 3).detail == "CREATE PROCEDURE runs nothing: what p holds is reported as if it ran"
    assert "what it holds" in defines_only("", kind="TRIGGER").detail
    assert "what f would change is not looked into" in defines_only("f", looked_into=False).detail
    assert (defines_only("p", 3).code, defines_only("p", 3).line) == ("definition-only", 3)
