"""Table functions that take tables: which tables, which columns are described, and the borders of windows."""

from __future__ import annotations

from typing import Any

import pytest
from bound import Bound, listed, ways

from ingest.sql.binder.query.sources.polymorphic import called_in_table, invocation, plain_window, windowed


def _call(text: str, dialect: str = "trino") -> Any:
    return Bound("", dialect).tree(f"SELECT 1 FROM {text}").args["from_"].this.this


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("TABLE(F(input => TABLE(t), cols => DESCRIPTOR(A, b), k => 3))", ("f", ["t"], {"a", "b"})),
        ("TABLE(f(TABLE(c.s.t), DESCRIPTOR(x), TABLE(u)))", ("f", ["c.s.t", "u"], {"x"})),
        ("TABLE(f(TABLE(SELECT a FROM t)))", ("f", ["SELECT a FROM t"], set())),
        ("TABLE(sequence(1, 9))", ("sequence", [], set())),
        ("TABLE(f(1))", None),
        ("TABLE(a.b.f(1))", None),
        ("f(TABLE(t))", None),
    ],
)
def test_a_call_is_given_tables_and_columns(text: str, expected: Any) -> None:
    """By name or by place; one that takes no table may read anything, but that sequence numbers."""
    found = invocation(_call(text))

    assert (found and (found.name, [table.sql() for table in found.tables], found.described)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("TUMBLE(t, A, INTERVAL '1' MINUTE)", ("tumble", ["t"], {"a"})),
        ("hop(d.t, c, INTERVAL '1' MINUTE, INTERVAL '2' MINUTE)", ("hop", ["d.t"], {"c"})),
        ("tumble(t, c)", None),
        ("tumble('t', c, 1)", None),
        ("tumble(t, 'c', 1)", None),
    ],
)
def test_a_window_without_the_word_table_is_of_its_first_argument(text: str, expected: Any) -> None:
    """By the column in the second; other arguments are none of a table's rows."""
    found = plain_window(_call(text, "risingwave"))

    assert (found and (found.name, [table.sql() for table in found.tables], found.described)) == expected


def test_a_window_adds_its_borders_to_the_rows() -> None:
    """They follow from the time column that is described, also where nobody described the table."""
    call = invocation(_call("TABLE(TUMBLE(TABLE(t), DESCRIPTOR(b), INTERVAL '1' HOUR))", "flink"))
    assert call is not None
    bound = Bound("t", "flink")
    found = windowed(bound.walk, call, bound.scope)

    assert listed(found.columns) == [
        ("a", "t#a"), ("b", "t#b"), ("c", "t#c"),
        ("window_start", "t#b"), ("window_end", "t#b"), ("window_time", "t#b"),
    ]  # fmt: skip
    assert ways(found.columns[3].flow()) == {"t#b": "TRANSFORMATION"}
    assert found.rows == found.effects.reads == {"n:d.t"}
    unknown = Bound("nowhere", "flink")
    assert listed(windowed(unknown.walk, call, unknown.scope).columns)[1] == ("window_start", "nowhere#b")  # type: ignore[index]


def test_a_time_column_that_may_be_of_several_tables_is_not_guessed() -> None:
    """The borders come from nothing then; one that the table is not known to have is taken from it all the same."""
    call = invocation(_call("TABLE(TUMBLE(TABLE(t), DESCRIPTOR(zz), INTERVAL '1' HOUR))", "flink"))
    assert call is not None
    bound = Bound("some JOIN other ON true", "flink")

    assert windowed(bound.walk, call, bound.scope).columns[-1].flow() == {}
    assert [code for code, _ in bound.problems()] == ["ambiguous-column"]
    certain = Bound("t", "flink")
    assert ways(windowed(certain.walk, call, certain.scope).columns[-1].flow()) == {"t#zz": "TRANSFORMATION"}
    assert certain.problems() == [("unknown-column", "n:d.t")]


@pytest.mark.parametrize(
    ("text", "name"),
    [("TABLE(f(1))", "f"), ("TABLE(a.b.f(1))", "a.b.f"), ("f(1)", None), ("TABLE(f(1), g(2))", None)],
)
def test_a_call_inside_of_table_is_found(text: str, name: str | None) -> None:
    """With what is in front of its name; a call in FROM itself is none, nor are several."""
    found = called_in_table(_call(text, "oracle"))

    assert (None if found is None else found.sql().lower().partition("(")[0]) == name
