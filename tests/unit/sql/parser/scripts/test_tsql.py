"""T-SQL statements in forms that the parser reads."""

from __future__ import annotations

import pytest
from sqlglot.tokens import Token
from token_texts import text_of, tokens_in

from ingest.sql.parser.scripts import tsql


def tokens(sql: str) -> list[Token]:
    """Return the tokens of a text of T-SQL."""
    return tokens_in(sql, "tsql")


def test_the_head_of_a_procedure_or_trigger_ends_with_as() -> None:
    """A view's does not hold statements."""
    heads = ["create proc p as", "alter trigger g on t as", "create view v as", "create proc p", "select a as"]

    assert [tsql.is_head(tokens(head)) for head in heads] == [True, True, False, False, False]


def test_a_triggers_rows_are_those_of_its_table() -> None:
    """``inserted`` and ``deleted`` as columns of something stay, and a procedure has no such rows."""
    table = tsql.trigger_table(tokens("create trigger g on d.t after insert as"))

    assert text_of(table) == "d . t"
    assert tsql.trigger_table(tokens("create proc p as")) == []
    changed = tsql.with_rows_of(tokens("select x.deleted from inserted join deleted"), table)
    assert text_of(changed) == "select x . deleted from d . t join d . t"


@pytest.mark.parametrize(
    ("sql", "change", "rows"),
    [("update t set a = 1 output deleted.b, inserted.a into u where c = 2",
      "update t set a = 1 where c = 2", "INSERT into u SELECT t . b , t . a FROM t where c = 2"),
     ("delete x output deleted.a into u (z) from t x join s on x.k = s.k",
      "delete x from t x join s on x . k = s . k", "INSERT into u ( z ) SELECT x . a FROM t x join s on x . k = s . k"),
     ("update d.t set a = s.b output deleted.a into u from s join r on r.k = t.k where s.k = t.k",
      "update d . t set a = s . b from s join r on r . k = t . k where s . k = t . k",
      "INSERT into u SELECT d . t . a FROM d . t , s join r on r . k = t . k where s . k = t . k"),
     ("insert into t output inserted.a into u select b from s",
      "insert into t select b from s", "INSERT into u SELECT t . a FROM t"),
     ("merge t as x using s on x.k = s.k when matched and s.v > 1 then update set a = 1 "
      "when matched and s.v = 0 then delete output inserted.a into u",
      "merge t as x using s on x . k = s . k when matched and s . v > 1 then update set a = 1 "
      "when matched and s . v = 0 then delete",
      "INSERT into u SELECT x . a FROM t as x JOIN s on x . k = s . k WHERE ( s . v > 1 ) OR ( s . v = 0 )")],
)  # fmt: skip
def test_output_into_is_the_change_and_an_insert(sql: str, change: str, rows: str) -> None:
    """What is put out comes from the changed table and what the statement joins to it."""
    parts = tsql.rows_of_output(tokens(sql))

    assert parts is not None
    assert [text_of(part) for part in parts] == [change, rows]


@pytest.mark.parametrize("sql", [
    "update t set a = 1", "delete from t output deleted.a", "select a into u from t", "select b, output into u from t",
])  # fmt: skip
def test_without_output_into_nothing_is_split(sql: str) -> None:
    """OUTPUT alone goes to the client."""
    assert tsql.rows_of_output(tokens(sql)) is None


@pytest.mark.parametrize(
    ("sql", "plain"),
    [("delete top (5) percent from t", "delete from t"), ("delete top 5 from t", "delete from t"),
     ("select top 5 a from t", "select top 5 a from t"), ("delete from t", "delete from t")],
)  # fmt: skip
def test_how_many_rows_change_is_left_out(sql: str, plain: str) -> None:
    """TOP of a query stays."""
    assert text_of(tsql.without_top(tokens(sql))) == plain


@pytest.mark.parametrize(
    ("sql", "plain"),
    [("merge d.t with (holdlock) as x using s", "merge d . t as x using s"),
     ("insert into t with (tablock) select 1", "insert into t select 1"),
     ("select a from t with (nolock)", "select a from t with ( nolock )"),
     ("delete from t", "delete from t")],
)  # fmt: skip
def test_hints_of_the_changed_table_go(sql: str, plain: str) -> None:
    """Those of a source are left to the parser, which reads them."""
    assert text_of(tsql.without_hints(tokens(sql))) == plain


@pytest.mark.parametrize(
    ("sql", "plain"),
    [("select a from openrowset(bulk 'x', format = 'parquet') as r", "select a from read_files ( 'x' ) as r"),
     ("select a from openrowset(bulk 'x', single_clob) r join openrowset(bulk 'y') with (a int, b int '$.b') as s",
      "select a from read_files ( 'x' ) r join read_files ( 'y' ) as s"),
     ("select a from openrowset('p', 'c', 'select 1') as r",
      "select a from openrowset ( 'p' , 'c' , 'select 1' ) as r"),
     ("select a from openrowset(bulk @path) as r", "select a from openrowset ( bulk @ path ) as r")],
)  # fmt: skip
def test_files_that_are_read_in_bulk_are_files_in_from(sql: str, plain: str) -> None:
    """How they are read goes; a query for another database, and a path that is not constant, stay."""
    assert text_of(tsql.plain_files(tokens(sql))) == plain


def test_a_bulk_insert_loads_a_file() -> None:
    """Its table and path are those of LOAD DATA."""
    found = tsql.special(tokens("bulk insert d.t from 'x.csv' with (a = 1)"))

    assert found is not None
    assert found[1] is None
    assert (found[0].this.sql(), found[0].args["inpath"].name) == ("d.t", "x.csv")


def test_rows_of_a_call_are_not_looked_into() -> None:
    """The problem names the procedure; EXEC as a column's name in a query is not a call."""
    found = tsql.special(tokens("\ninsert into t (a) exec d.p 1"))

    assert found is not None
    assert found[0] is None
    assert found[1] is not None
    assert (found[1].code, found[1].subject, found[1].line) == ("opaque-call", "d.p", 2)
    assert tsql.special(tokens("insert into t select 1")) is None
    assert tsql.special(tokens("select 1")) is None
