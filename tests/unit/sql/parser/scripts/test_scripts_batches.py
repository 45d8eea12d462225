"""Where one statement of a T-SQL script ends and the next begins, without semicolons."""

from __future__ import annotations

import pytest
from token_texts import text_of, tokens_in

from ingest.sql.parser.scripts.batches import statements


def split(sql: str) -> list[str | None]:
    """Return the statements of a script as texts."""
    return [text_of(each) for each in statements(tokens_in(sql, "tsql"))]


@pytest.mark.parametrize(
    ("sql", "parts"),
    [("select 1 select 2", ["select 1", "select 2"]),
     ("insert into t values (1) select 2", ["insert into t values ( 1 )", "select 2"]),
     ("begin tran update t set a = 1 commit", ["begin tran", "update t set a = 1", "commit"]),
     ("update t set a = 1 set @x = 2", ["update t set a = 1", "set @ x = 2"]),
     ("alter table t drop column a drop table u", ["alter table t drop column a", "drop table u"]),
     ("grant select on t to u select 1", ["grant select on t to u", "select 1"]),
     (";;select 1;", ["select 1"]),
     ("", [])],
)  # fmt: skip
def test_a_word_that_can_only_begin_a_statement_splits(sql: str, parts: list[str]) -> None:
    """A statement's own SET, SELECT after GRANT, and DROP of an ALTER stay in it."""
    assert split(sql) == parts


@pytest.mark.parametrize(
    "sql",
    ["insert into t select a from u", "select 1 union all select 2", "with q as ( select 1 ) update t set a = 1",
     "select case when a = 1 then 2 end from t", "select ( select max ( a ) from u ) from t",
     "drop table if exists t", "select [select] from t", "select t . update from t"],
)  # fmt: skip
def test_words_inside_of_a_statement_do_not_split_it(sql: str) -> None:
    """The rows of an INSERT, sides of a union, CASE, brackets and names hold such words too."""
    assert split(sql) == [sql.replace("[select]", "select")]


def test_go_separates_only_alone_on_its_line() -> None:
    """A count after it is a part of it; elsewhere it is a name."""
    assert split("select 1\nGO 5\nselect go from t") == ["select 1", "select go from t"]


def test_what_only_guards_statements_is_left_out() -> None:
    """IF with its condition, BEGIN, END and ELSE go; the guarded statements stay in order."""
    assert split("if @a = 1 begin update t set a = 1 end else delete from t") == ["update t set a = 1", "delete from t"]


def test_the_head_of_a_procedure_is_a_chunk_of_its_own() -> None:
    """It ends with its AS, not with that of a parameter or of EXECUTE AS."""
    head = "create proc p @ a as int with execute as owner as"

    assert split("create proc p @a as int with execute as owner as select a from t") == [head, "select a from t"]
