"""Words of procedural scripts in front of statements."""

from __future__ import annotations

import pytest
from token_texts import text_of, tokens_in

from ingest.sql.parser.scripts.script_words import (
    loop_body,
    without_script_words,
    without_statement_set,
    words_before,
)


@pytest.mark.parametrize(
    ("sql", "rest"),
    [("begin if a > 1 then delete from t", "delete from t"),
     ("if case when a then b end then delete from t", "delete from t"),
     ("if (select then from u) then delete from t", "delete from t"),
     ("elseif a = 2 then delete from t", "delete from t"),
     ("else delete from t", "delete from t"),
     ("case a when 1 then delete from t", "delete from t"),
     ("while a > 1 do delete from t", "delete from t"),
     ("for r in (select 1) loop delete from t", "delete from t"),
     ("again: while a > 1 do delete from t", "delete from t"),
     ("exception when others then delete from t", "delete from t"),
     ("create or replace procedure p() begin delete from t", "delete from t"),
     ("declare exit handler for not found, sqlexception delete from t", "delete from t"),
     ("declare exit handler for sqlstate '22012' delete from t", "delete from t")],
)  # fmt: skip
def test_what_guards_a_statement_is_taken_off_its_front(sql: str, rest: str) -> None:
    """THEN and DO inside of brackets or CASE end no condition."""
    assert text_of(without_script_words(tokens_in(sql))) == rest


@pytest.mark.parametrize(
    "sql",
    ["begin", "begin transaction", "end", "end if", "end again", "until a > 1", "end case",
     "declare c condition for sqlstate '22012'"],
)  # fmt: skip
def test_words_alone_leave_nothing(sql: str) -> None:
    """Nothing of them is a statement."""
    assert without_script_words(tokens_in(sql)) == []


@pytest.mark.parametrize(
    "sql",
    ["select a from t", "if a = 1", "repeat ( 'x' , 2 )", "declare a int", "create table t ( a int )",
     "insert into t select case when a then b end from u"],
)  # fmt: skip
def test_statements_without_such_words_stay_whole(sql: str) -> None:
    """A condition without THEN guards nothing, and a call of REPEAT is not a loop."""
    assert text_of(without_script_words(tokens_in(sql))) == text_of(tokens_in(sql))


def test_a_loops_body_begins_after_do_or_loop() -> None:
    """Without either there is no body, and the place stays the loop's own."""
    texts = ("for r in q do x", "for r in q loop x", "for r in q x")

    assert [loop_body(tokens_in(text), 0) for text in texts] == [5, 5, 0]


@pytest.mark.parametrize(
    "head",
    [
        "create procedure p() language sql begin atomic",
        "create or replace procedure p(a int) begin atomic",
        "begin not atomic",
        "begin atomic",
    ],
)
def test_atomic_belongs_to_begin(head: str) -> None:
    """Of a procedure in SQL's own body, and of MariaDB's blocks."""
    assert text_of(without_script_words(tokens_in(f"{head} insert into t select a", "postgres"))) == (
        "insert into t select a"
    )


def test_the_words_before_a_statement_end_where_it_begins() -> None:
    """All words are before one that is empty."""
    whole = tokens_in("begin if a then select 1")

    assert text_of(words_before(whole, whole[4:])) == "begin if a then"
    assert words_before(whole, []) == whole


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
