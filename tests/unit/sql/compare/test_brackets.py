"""Brackets that change nothing, and those that do."""

from __future__ import annotations

import itertools
import random
import sqlite3

import pytest
from sqlglot import parse_one

from ingest.sql.compare.brackets import without_brackets
from ingest.sql.compare.compare import compare
from ingest.sql.dialects.dialects import Names
from lineage_tt.impact.texts import Side

ORDERS = {"n:d.t": ("a", "b", "c", "p", "q", "r")}


def bare(sql: str, dialect: str = "hive") -> str:
    """Return a query without the brackets that change nothing."""
    query = parse_one(sql, dialect=dialect)
    without_brackets(query, Names(dialect, "n", "d"))
    text: str = query.sql(dialect)
    return text


def same(one: str, other: str, dialect: str = "hive") -> bool:
    """Whether two queries that fill a table are taken for the same."""
    sides = [Side(f"INSERT INTO o {query}", dialect, "n", "d", columns=ORDERS) for query in (one, other)]
    return compare(*sides).same


@pytest.mark.parametrize(
    ("written", "left"),
    [("a WHERE ((p AND q) OR (NOT r))", "a WHERE p AND q OR NOT r"),
     ("a WHERE (p OR q) AND r", "a WHERE (p OR q) AND r"),
     ("a WHERE p AND (q AND r)", "a WHERE p AND q AND r"),
     ("a WHERE NOT (p AND r)", "a WHERE NOT (p AND r)"),
     ("a WHERE NOT (p = 1)", "a WHERE NOT p = 1"),
     ("a WHERE (p = q) = r", "a WHERE (p = q) = r"),
     ("a WHERE (a + 1) > (b) AND (c IN (1, 2))", "a WHERE a + 1 > b AND c IN (1, 2)"),
     ("(a + b) * c AS x", "(a + b) * c AS x"), ("(a * b) + c AS x", "a * b + c AS x"),
     ("a - (b - c) AS x", "a - (b - c) AS x"), ("(a - b) - c AS x", "a - b - c AS x"),
     ("(upper(a)) AS x", "UPPER(a) AS x"), ("(upper(a)) = 'x' AS x", "UPPER(a) = 'x' AS x"),
     ("(a RLIKE b) = c AS x", "(a RLIKE b) = c AS x")],
)  # fmt: skip
def test_only_brackets_that_precedence_implies_are_taken_away(written: str, left: str) -> None:
    """What is in doubt stays as it is written."""
    assert bare(f"SELECT {written.replace('a WHERE', 'a FROM t WHERE')}") == (
        f"SELECT {left.replace('a WHERE', 'a FROM t WHERE')}"
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [("SELECT a FROM t WHERE (NOT p OR q) AND r", "SELECT a FROM t WHERE NOT p OR q AND r"),
     ("SELECT (p OR q) AND r AS x FROM t", "SELECT p OR q AND r AS x FROM t"),
     ("SELECT CASE WHEN (p OR q) AND r THEN a END AS x FROM t", "SELECT CASE WHEN p OR q AND r THEN a END AS x FROM t"),
     ("SELECT t.a FROM t JOIN t u ON (t.p OR u.q) AND t.r", "SELECT t.a FROM t JOIN t u ON t.p OR u.q AND t.r"),
     ("SELECT a FROM t GROUP BY a HAVING (max(p) OR max(q)) AND max(r)",
      "SELECT a FROM t GROUP BY a HAVING max(p) OR max(q) AND max(r)"),
     ("SELECT a FROM t WHERE NOT (p AND r)", "SELECT a FROM t WHERE NOT p AND r")],
)  # fmt: skip
def test_brackets_that_join_conditions_otherwise_are_a_change(one: str, other: str) -> None:
    """In every clause that may hold a condition."""
    assert not same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("SELECT a FROM t WHERE p AND q AND r", "SELECT a FROM t WHERE ((p) AND (q AND r))"),
     ("SELECT a FROM t WHERE p OR q AND r = 1", "SELECT a FROM t WHERE p OR (q AND (r = 1))"),
     ("SELECT t.a FROM t JOIN t u ON t.a = u.a AND t.b = 1",
      "SELECT t.a FROM t JOIN t u ON ((t.a = u.a) AND (t.b = 1))"),
     ("SELECT a * 2 + b AS x FROM t", "SELECT ((a * 2) + b) AS x FROM t")],
)  # fmt: skip
def test_brackets_that_say_what_holds_without_them_are_layout(one: str, other: str) -> None:
    """Somebody made a condition easier to read."""
    assert same(one, other)


@pytest.mark.parametrize("dialect", ["mysql", "postgres", "bigquery", "snowflake"])
def test_brackets_around_less_common_operators_stay(dialect: str) -> None:
    """How closely they bind depends on the engine."""
    word = "XOR" if dialect == "mysql" else "||"
    assert not same(f"SELECT p {word} (q OR r) AS x FROM t", f"SELECT (p {word} q) OR r AS x FROM t", dialect)


def _condition(draw: random.Random, depth: int) -> str:
    if depth == 0:
        return draw.choice(["p", "q", "r", "a > b", "a + b = c", "a - b - c < 0", "a * b > c"])
    one, other = _condition(draw, depth - 1), _condition(draw, depth - 1)
    kind = draw.choice(["AND", "OR", "AND", "OR", "NOT"])
    text = f"NOT {one}" if kind == "NOT" else f"{one} {kind} {other}"
    return f"({text})" if draw.random() < 0.5 else text


def _with_other_brackets(draw: random.Random, text: str) -> str:
    """Return a condition without one pair of its brackets, or with a pair around one more part."""
    opened = [place for place, sign in enumerate(text) if sign == "("]
    if not opened:
        return f"({text})"
    start = draw.choice(opened)
    depth = 0
    for end in range(start, len(text)):
        depth += (text[end] == "(") - (text[end] == ")")
        if depth == 0:
            return text[:start] + text[start + 1 : end] + text[end + 1 :]
    raise AssertionError(text)


def test_conditions_that_are_called_the_same_hold_for_the_same_rows(request: pytest.FixtureRequest) -> None:
    """Random conditions, with and without a pair of brackets, over all values."""
    draw = random.Random(7)
    store = sqlite3.connect(":memory:")
    request.addfinalizer(store.close)
    store.execute("CREATE TABLE t (a, b, c, p, q, r)")
    rows = itertools.product((0, 1, 2), (1, 2), (0, 3), (0, 1, None), (0, 1), (0, 1, None))
    store.executemany("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)", rows)
    called = {True: 0, False: 0}
    for _ in range(150):
        one = _condition(draw, draw.choice([1, 2, 3]))
        other = _with_other_brackets(draw, one)
        found = same(f"SELECT a FROM t WHERE {one}", f"SELECT a FROM t WHERE {other}", "sqlite")
        called[found] += 1
        if found:
            values = [store.execute(f"SELECT {text} FROM t").fetchall() for text in (one, other)]
            assert values[0] == values[1], (one, other)
    assert min(called.values()) > 10
