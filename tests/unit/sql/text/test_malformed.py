"""What no dialect allows in a statement."""

from __future__ import annotations

import random

import pytest
from rounds import rounds
from sqlglot.dialects.dialect import Dialect

from ingest.sql.parser.parse import split
from ingest.sql.text.malformed import malformed, may_be_malformed
from ingest.sql.text.tokens import tokens_of


def found(text: str, dialect: str = "hive") -> tuple[int, str] | None:
    """Return where a text is malformed, counted in characters, and how."""
    tokens = tokens_of(text, Dialect.get_or_raise(dialect))
    assert tokens is not None
    result = malformed(tokens)
    return result and (result[0].start, result[1])


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a) + (b", 1),
        ("f(a[1)", 5),  # the inner one is closed by a bracket of another kind
        ("f((a)", 1),
        ("f(a))", 4),
        ("a[1", 1),
    ],
)
def test_the_first_bracket_without_a_partner(text: str, place: int) -> None:
    """A partner is of the same kind and comes after it."""
    assert found(text) == (place, f"the bracket {text[place]} has no partner")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("SELECT a, , b FROM t", "nothing between , and ,"),
        ("SELECT , b FROM t", "nothing between SELECT and ,"),
        ("SELECT f(, b) FROM t", "nothing between ( and ,"),
        ("SELECT a AS , b FROM t", "nothing between AS and ,"),
        ("SELECT a FROM FROM t", "FROM twice"),
        ("create table table t (a int)", "TABLE twice"),
        ("SELECT a FROM .t", "a name after FROM begins with a dot"),
        ("SELECT a FROM s, .t", "a name after , begins with a dot"),
        ("CREATE TABLE k AS", "the statement ends after AS"),
        ("INSERT INTO t SELECT a FROM s JOIN", "the statement ends after JOIN"),
        ("DROP", "the statement ends after DROP"),
    ],
)
def test_what_is_missing_or_too_much(text: str, words: str) -> None:
    """It is reported in words."""
    result = found(text)
    assert result is not None
    assert result[1] == words


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        ("f(a[1], '(', `)`)", "hive"),
        ("SELECT a, FROM t", "bigquery"),  # a comma after the last item
        ("SELECT a, .5 FROM t", "postgres"),
        ("SELECT a FROM ..t", "tsql"),  # without database and schema
        ("EXEC m(1,,2)", "teradata"),  # a macro's argument that is left out
        ("DELETE FROM t", "hive"),
        ("SELECT v:from.email, v:join.x, v:a.from.b, t.into.x FROM t", "snowflake"),  # keys of a document
        ("SELECT v:select, v:as, v:from FROM t", "snowflake"),
        ("SELECT t.from FROM t", "bigquery"),
        ("GRANT INSERT, SELECT, UPDATE ON t TO u", "postgres"),
        ("ALTER DEFAULT PRIVILEGES GRANT SELECT, INSERT ON TABLES TO u", "postgres"),
        ("CREATE POLICY p ON t FOR SELECT", "postgres"),
        ("CREATE VIEW view AS SELECT 1", "postgres"),
        ("", "hive"),
    ],
)
def test_what_a_dialect_allows_is_not_malformed(text: str, dialect: str) -> None:
    """Brackets in strings and quoted names are none."""
    assert found(text, dialect) is None


PIECES = (
    "SELECT",
    "FROM",
    "JOIN",
    "INTO",
    "INSERT",
    "CREATE",
    "TABLE",
    "DROP",
    "AS",
    "a",
    "1",
    "'x'",
    ",",
    ".",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ";",
    "EXECUTE",
    "GRANT",
)


@pytest.mark.parametrize("seed", range(5))
def test_what_is_malformed_in_a_statement_is_suspected_in_the_text(seed: int) -> None:
    """The one look at a whole text clears no text of which a statement is malformed."""
    drawn = random.Random(seed)
    dialect = Dialect.get_or_raise("hive")
    cleared = reported = 0
    for _ in range(rounds(4_000, 400)):
        text = " ".join(drawn.choices(PIECES, k=drawn.randint(1, 7)))
        tokens = tokens_of(text, dialect)
        if tokens is None:
            continue
        wrong = any(malformed(statement) for statement in split(tokens))
        reported += wrong
        if not may_be_malformed(tokens):
            cleared += 1
            assert not wrong, f"seed {seed}: {text}"

    assert min(cleared, reported) > 20


@pytest.mark.parametrize(
    "text", ["SELECT f(a)[1], {b: 1} FROM t; INSERT INTO s VALUES (1, .5)", "SELECT ((((a)))) FROM t", "a"]
)
def test_a_right_text_is_cleared_at_once(text: str) -> None:
    """Most texts are right."""
    assert not may_be_malformed(tokens_of(text, Dialect.get_or_raise("duckdb")) or [])
