"""A statement given to sqlglot: as it is, in other forms, and as other dialects."""

from __future__ import annotations

from sqlglot import exp
from token_texts import tokens_in

from ingest.sql.dialects.engine import engine_of
from ingest.sql.dialects.registry import rules_or_standard
from ingest.sql.parser.attempts import MAX_CONTEXT, attempt, second_attempt


def tried(sql: str, dialect: str = "hive"):
    """Return what both attempts make of a statement."""
    engine, tokens = engine_of(rules_or_standard(dialect)), tokens_in(sql, dialect)
    nodes, problem = attempt(sql, tokens, engine.dialect)
    return second_attempt(sql, tokens, engine, nodes, problem) if problem is not None else (nodes, problem)


def test_a_statement_that_is_read_has_a_tree() -> None:
    """And no problem."""
    nodes, problem = tried("select a from t")

    assert problem is None
    assert [node.sql() for node in nodes] == ["SELECT a FROM t"]


def test_a_problem_says_where_and_near_what() -> None:
    """At most 40 characters of each side are quoted, without line breaks."""
    sql = "select " + "y" * 100 + "\nfrom t where ) " + "x" * 100
    _, problem = attempt(sql, tokens_in(sql), engine_of(rules_or_standard("hive")).dialect)

    assert problem is not None
    assert (problem.code, problem.line, problem.column) == ("syntax", 2, 14)
    assert "where )" in problem.detail
    assert "x" * MAX_CONTEXT not in problem.detail
    assert "y" * MAX_CONTEXT not in problem.detail
    assert "\n" not in problem.detail


def test_an_operand_that_lacks_is_said_in_plain_words() -> None:
    """Nothing of the parser's classes is quoted."""
    _, problem = tried("select a from t where b and")

    assert problem is not None
    assert problem.detail.startswith("AND lacks an operand")


def test_another_form_is_tried() -> None:
    """Hive's UNIQUEJOIN is read once it is written as full joins."""
    nodes, problem = tried("from uniquejoin t a (a.k), u b (b.k) select a.k")

    assert problem is None
    assert {table.name for table in nodes[0].find_all(exp.Table)} == {"t", "u"}


def test_housekeeping_is_a_command() -> None:
    """It moves no columns, so that it is not a problem; another statement that is not read is one."""
    nodes, problem = tried("reload functions )")

    assert problem is None
    assert (nodes[0].key, nodes[0].name) == ("command", "RELOAD")
    assert tried("select )")[1] is not None
