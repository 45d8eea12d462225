"""Statements that tasks, jobs, events and pipes hold."""

from __future__ import annotations

import pytest
from token_texts import text_of, tokens_in

from ingest.sql.parser.scripts.scheduled import unwrapped, without_definer


@pytest.mark.parametrize(
    ("sql", "dialect", "subject"),
    [("create task d.k warehouse = w as insert into t select a from u", "snowflake", "d.k"),
     ("create or replace task if not exists k as insert into t select a from u", "snowflake", "k"),
     ("create event e on schedule every 1 day do insert into t select a from u", "mysql", "e"),
     ("submit task k as insert into t select a from u", "hive", "k"),
     ("submit task as insert into t select a from u", "hive", "")],
)  # fmt: skip
def test_what_is_held_is_named_as_not_run(sql: str, dialect: str, subject: str) -> None:
    """The statement comes without its holder; a task without a name is "it"."""
    held = unwrapped(tokens_in(sql, dialect))

    assert held is not None
    assert text_of(held[0]) == "insert into t select a from u"
    assert held[1] is not None
    assert (held[1].code, held[1].subject) == ("definition-only", subject)
    assert f"what {subject or 'it'} holds" in held[1].detail


def test_a_pipe_and_a_flow_run_what_they_hold() -> None:
    """Nothing is to be said of them; ONCE is a flow's own word."""
    pipe = unwrapped(tokens_in("create pipe p as copy into t from @s", "snowflake"))
    flow = unwrapped(tokens_in("create flow f as insert into once t select a from s", "databricks"))

    assert pipe is not None
    assert (text_of(pipe[0]), pipe[1]) == ("copy into t from @ s", None)
    assert flow is not None
    assert (text_of(flow[0]), flow[1]) == ("insert into t select a from s", None)


def test_a_stream_is_a_view_of_its_table() -> None:
    """Options after the table go; a stream on a stage shows no table."""
    stream = unwrapped(tokens_in("create stream s on table d.t append_only = true", "snowflake"))

    assert stream is not None
    assert (text_of(stream[0]), stream[1]) == ("create VIEW s AS SELECT * FROM d . t", None)
    assert unwrapped(tokens_in("create stream s on stage x", "snowflake")) is None


@pytest.mark.parametrize(
    "sql",
    ["create table task (a int)", "create view v as select a from job", "create task k as",
     "create task k as something", "select task"],
)  # fmt: skip
def test_other_statements_hold_nothing(sql: str) -> None:
    """A name that is such a word, and a holder without a statement, are left as they are."""
    assert unwrapped(tokens_in(sql, "snowflake")) is None


@pytest.mark.parametrize(
    ("sql", "plain"),
    [("create definer = `root`@`%` event e do select 1", "create event e do select 1"),
     ("create or replace definer=root@localhost trigger g", "create or replace trigger g"),
     ("create definer = current_user() event e", "create event e"),
     ("create table definer (a int)", "create table definer ( a int )")],
)  # fmt: skip
def test_the_user_of_a_definition_goes(sql: str, plain: str) -> None:
    """With its host, or the function that gives it."""
    assert text_of(without_definer(tokens_in(sql, "mysql"))) == plain


def test_an_event_of_a_user_holds_a_statement() -> None:
    """It was not understood."""
    held = unwrapped(tokens_in("create definer=`a`@`%` event e on schedule every 1 day do delete from t", "mysql"))

    assert held is not None
    assert text_of(held[0]) == "delete from t"
