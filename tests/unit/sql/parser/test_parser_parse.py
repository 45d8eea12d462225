"""From tokens to parsed statements."""

from __future__ import annotations

import pytest
from sqlglot import exp
from token_texts import text_of, tokens_in

from ingest.sql.dialects.engine import engine_of
from ingest.sql.dialects.registry import rules_or_standard
from ingest.sql.parser.parse import parse, split
from ingest.sql.parser.parsed import Parsed


def parsed(sql: str, dialect: str = "hive") -> list[Parsed]:
    """Return the statements of a text."""
    return list(parse(sql, tokens_in(sql, dialect), engine_of(rules_or_standard(dialect))))


def test_semicolons_split_and_empty_statements_are_none() -> None:
    """A text may end with one or not."""
    assert [text_of(each) for each in split(tokens_in(";select 1;;select 2"))] == ["select 1", "select 2"]
    assert list(split([])) == []


def test_one_error_spoils_only_its_statement() -> None:
    """Those before and after are read; the problem says where."""
    found = parsed("select 1;\nselect );\nselect 2")

    assert [item.problem is None for item in found] == [True, False, True]
    assert found[1].node is None
    assert found[1].problem is not None
    assert (found[1].problem.code, found[1].problem.line) == ("syntax", 2)


def test_what_is_guarded_is_reported_as_if_it_ran() -> None:
    """The words of the script are not statements."""
    found = parsed("if a > 1 then delete from t; else delete from u; end if", "mysql")

    assert [item.node.sql() for item in found] == ["DELETE FROM t", "DELETE FROM u"]


@pytest.mark.parametrize("dialect", ["bigquery", "databricks", "snowflake", "postgres", "mysql"])
def test_each_branch_of_a_condition_is_reported(dialect: str) -> None:
    """Whatever the tokenizer makes of the words: one of them may be a command to it."""
    found = parsed(
        "if a > 1 then delete from t where true; elseif exists (select 1) then delete from u where true;"
        " else delete from v where true; end if",
        dialect,
    )

    assert [item.node.this.name for item in found if isinstance(item.node, exp.Delete)] == ["t", "u", "v"]
    assert [item.problem for item in found if item.problem is not None] == []


def test_a_procedure_is_noted_beside_its_statements() -> None:
    """Nothing of it runs when it is defined."""
    found = parsed("create procedure p() begin delete from t; end", "mysql")

    assert [item.node.sql() for item in found if isinstance(item.node, exp.Delete)] == ["DELETE FROM t"]
    assert {item.note.subject for item in found if item.note is not None} == {"p"}


def test_a_constant_text_is_run_and_a_call_is_a_command() -> None:
    """What a call does is not looked into."""
    assert [item.node.sql() for item in parsed("execute immediate 'delete from t'", "snowflake")] == ["DELETE FROM t"]
    assert [(item.node.key, item.node.name) for item in parsed("call p(1)")] == [("command", "CALL")]


def test_an_empty_text_has_no_statements() -> None:
    """Nor a problem."""
    assert parsed("") == []
    assert parsed("-- nothing") == []
