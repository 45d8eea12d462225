"""From text to tokens, or to the place where a text stops being readable."""

from __future__ import annotations

import pytest
from sqlglot.tokens import TokenType

from ingest.sql.dialects.engine import engine_of
from ingest.sql.dialects.registry import rules_or_standard
from ingest.sql.parser.tokenize import cells_apart, delimited, tokenize


@pytest.mark.parametrize(
    ("sql", "words", "place"),
    [("select a\nfrom t where b = 'x", "this text does not end", (2, 18)),
     ("select `a", "this quoted name does not end", (1, 8)),
     ("select /* a", "this comment does not end", (1, 8))],
)  # fmt: skip
def test_what_is_opened_and_not_closed_is_named_with_its_place(sql: str, words: str, place: tuple[int, int]) -> None:
    """Lines and columns count from 1."""
    tokens, problem = tokenize(sql, engine_of(rules_or_standard("mysql")))

    assert problem is not None
    assert words in problem.detail
    assert (problem.line, problem.column, tokens) == (*place, [])


def test_a_readable_text_has_no_problem() -> None:
    """Its tokens are all there."""
    tokens, problem = tokenize("select 1", engine_of(rules_or_standard("hive")))

    assert problem is None
    assert [token.text for token in tokens] == ["select", "1"]


def test_a_clients_delimiters_become_semicolons() -> None:
    """Nothing moves, so that places stay; only at the end of a line, until another one is named."""
    text = "DELIMITER //\nCREATE a // b //\nselect 1//2 //\nDELIMITER ;\nselect 3;"
    found = delimited(text)

    assert len(found) == len(text)
    assert found.splitlines() == [" " * 12, "CREATE a // b ; ", "select 1//2 ; ", " " * 11, "select 3;"]
    assert delimited("select 1;") == "select 1;"


def test_a_line_between_two_cells_of_a_notebook_ends_a_statement() -> None:
    """Cells mostly have no semicolon; nothing moves, and other comments stay."""
    text = "select 1\n-- COMMAND ----------\n-- MAGIC %md it's\n-- COMMAND ----------\r\nselect 2 -- COMMAND ----------"
    found = cells_apart(text)

    assert len(found) == len(text)
    assert [line.strip() for line in found.splitlines()] == [
        "select 1", ";", "-- MAGIC %md it's", ";", "select 2 -- COMMAND ----------",
    ]  # fmt: skip
    tokens, _ = tokenize("select 1\n-- COMMAND ----------\nselect 2", engine_of(rules_or_standard("databricks")))
    assert [token.text for token in tokens] == ["select", "1", ";", "select", "2"]


def test_each_statement_of_athena_is_read_by_its_own_rules() -> None:
    """A script's first word decided how names are quoted in all of it; places are those in the script."""
    sql = 'SELECT \'a;b\' /* ; */ AS "x;",\n 1; DROP TABLE `a`;\n-- c;\n  SELECT "y";'
    tokens, problem = tokenize(sql, engine_of(rules_or_standard("athena")))
    names = [token for token in tokens if token.token_type is TokenType.IDENTIFIER]

    assert problem is None
    assert [(name.text, sql[name.start : name.end + 1], name.line) for name in names] == [
        ("x;", '"x;"', 1), ("a", "`a`", 2), ("y", '"y"', 4),
    ]  # fmt: skip
    assert [token.text for token in tokens].count(";") == 3


def test_tokens_are_where_they_are_in_a_script_that_is_read_in_parts() -> None:
    """As Trino's are, which is read at once."""
    sql = "SELECT 1;\n  SELECT a;SELECT bc\n, d; ;"
    whole, _ = tokenize(sql, engine_of(rules_or_standard("trino")))
    parts, _ = tokenize(sql, engine_of(rules_or_standard("athena")))

    assert [(t.text, t.line, t.col, t.start, t.end) for t in parts] == [
        (t.text, t.line, t.col, t.start, t.end) for t in whole
    ]
