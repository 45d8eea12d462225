"""What blocks declare, fetch and loop over, as statements of their own."""

from __future__ import annotations

import pytest
from scripted import running
from sqlglot import exp
from token_texts import tokens_in

from ingest.sql.parser.declarations import defined, executes, loop_rows, of_block, of_head, record
from ingest.sql.parser.parse import statements_of
from ingest.sql.parser.parsed import Parsed
from ingest.sql.parser.scripts.blocks import Declared, Fetched


def told(items: list[Parsed]) -> list[str]:
    """Return each statement in short."""
    return [_told(item) for item in items]


def _told(item: Parsed) -> str:
    node = item.node
    if isinstance(node, Declared):
        return f"declares {' '.join(node.names)}" + (f" rows {' '.join(node.rows)}" if node.rows else "")
    if isinstance(node, Fetched):
        return f"{' '.join(node.names)} from {node.query.sql() if node.query is not None else node.cursor}"
    if isinstance(node, exp.ForIn):
        return f"{node.this.name} over {node.expression.sql()}"
    return node.sql() if node is not None else f"{item.problem.code if item.problem else None}"


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        ("snowflake", "let c int := (select max(x) from t)", ["declares c", "c from SELECT (SELECT MAX(x) FROM t)"]),
        ("snowflake", "let c := d + 1", ["declares c", "c from SELECT d + 1"]),
        ("snowflake", "let c cursor for select x from t", ["declares ", "c over SELECT x FROM t"]),
        ("snowflake", "let c cursor for rs", ["declares ", "c over rs"]),
        ("snowflake", "let rs resultset := (select x from t)", ["declares ", "rs over (SELECT x FROM t)"]),
        ("snowflake", "let rs resultset := (execute immediate :q)", ["declares ", "EXECUTE"]),
        ("snowflake", "let c int := )", ["declares c", "syntax"]),
        ("mysql", "declare a, b int default 0", ["declares a b"]),
        ("mysql", "declare a int default (select x from t)", ["declares a", "a from SELECT (SELECT x FROM t)"]),
        ("bigquery", "declare a int64 default (select x from t)", []),
        ("oracle", "fetch c into a, b", ["a b from c"]),
        ("oracle", "open c for select x from t", ["c over SELECT x FROM t"]),
        ("oracle", "close c", ["CLOSE"]),
    ],
)
def test_a_declaration_gives_variables_their_values_and_cursors_their_rows(
    dialect: str, sql: str, expected: list[str]
) -> None:
    """A constant gives nothing; what the parser reads itself is left to it."""
    engine = running(dialect).walk.names.engine
    (tokens,) = statements_of(tokens_in(sql, dialect), engine)

    assert told(list(of_block(sql, tokens, engine))) == expected


def test_the_head_of_a_block_declares_in_order() -> None:
    """Snowflake's cursor may go over the rows of a variable before it."""
    head = "a int; b int := a; rs resultset default (select x from t); q resultset; c cursor for rs"
    found = list(of_head(head, [], tokens_in(head, "snowflake"), running("snowflake").walk.names.engine))

    assert told(found) == ["declares a b rows q", "rs over (SELECT x FROM t)", "c over rs", "b from SELECT a"]


def test_a_loop_names_its_row() -> None:
    """Of a query, or of a cursor; a range declares a variable."""
    engine = running("snowflake").walk.names.engine
    texts = ("for r in (select x from t) do", "for r in c do", "for r in 1 to 3 do")

    assert [told(list(loop_rows(text, tokens_in(text, "snowflake"), engine))) for text in texts] == [
        ["r over (SELECT x FROM t)"],
        ["r over c"],
        ["declares r"],
    ]


def test_a_record_is_made_of_a_query() -> None:
    """Of a text that is not one nothing is."""
    engine = running("postgres").walk.names.engine
    sql = "select * from t"

    assert told(list(record(sql, "new", tokens_in(sql, "postgres"), engine))) == ["new over SELECT * FROM t"]
    assert list(record("select )", "new", tokens_in("select )", "postgres"), engine)) == []


def test_words_in_front_may_define_a_procedure() -> None:
    """Other words define none."""
    problem = defined(tokens_in("create procedure s.p ( a int ) as begin", "snowflake"))

    assert problem is not None
    assert problem.code == "definition-only"
    assert defined(tokens_in("begin", "snowflake")) is None


def test_a_value_may_be_what_a_text_gives_that_is_run() -> None:
    """In brackets or not; a query is none."""
    texts = {"(execute immediate q)": True, "execute immediate q": True, "(select execute from t)": False}

    assert {text: executes(tokens_in(text, "snowflake")) for text in texts} == texts
