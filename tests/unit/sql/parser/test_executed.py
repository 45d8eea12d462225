"""EXECUTE IMMEDIATE of a constant text."""

from __future__ import annotations

import pytest
from token_texts import text_of, tokens_in

from ingest.sql.parser.executed import executed, handed_in


def found(rest: str, dialect: str = "oracle") -> tuple[tuple[str, ...], list[str]]:
    """Return the variables of INTO and the arguments of USING of a command."""
    command = executed(tokens_in(f"execute_ immediate 'select 1'{rest}", dialect))
    assert command is not None
    assert command.text == "select 1"
    return command.into, [f"{text_of(item)}" for item in command.using]


@pytest.mark.parametrize(
    ("rest", "into", "using"),
    [("", (), []), (" into a, b", ("a", "b"), []), (" using a, in b", (), ["a", "b"]),
     (" into a using b, f(c, d)", ("a",), ["b", "f ( c , d )"]), (" using (a, b)", (), ["a", "b"]),
     (" using a into b", ("b",), ["a"]), (" into :a", ("a",), []), (" using a as k", (), ["a as k"])],
)  # fmt: skip
def test_into_takes_the_row_and_using_hands_values_in(rest: str, into: tuple[str, ...], using: list[str]) -> None:
    """In either order; Snowflake's brackets and Oracle's modes are no part of an argument."""
    assert found(rest) == (into, using)


@pytest.mark.parametrize("text", ["execute_ p", "execute_ immediate v", "execute_ immediate 'a' || b", "execute_"])
def test_a_text_made_at_run_time_is_not_constant(text: str) -> None:
    """Nor is the call of a procedure."""
    assert executed(tokens_in(text, "oracle")) is None


@pytest.mark.parametrize(
    ("dialect", "sql", "using", "expected"),
    [
        ("bigquery", "select ?, ?", "a, b.c", "select @ a , @ b . c"),
        ("bigquery", "select @k, @l", "a as k", "select @ a , @ l"),
        ("databricks", "select :k, b:k", "a as k", "select @ a , b : k"),
        ("oracle", "select :x, :y", "a, b", "select @ a , @ b"),
        ("oracle", "select :2, :1, :3", "a, b", "select @ b , @ a , ?"),
        ("oracle", "select :1, :2", "a, 5", "select @ a , ?"),
        ("spark", "select ?", "a + 1", "select ?"),
        ("spark", "select ?", "", "select ?"),
    ],
)
def test_names_that_are_handed_in_stand_for_their_placeholders(
    dialect: str, sql: str, using: str, expected: str
) -> None:
    """By place, by number or by name; other values feed nothing, and the field of a document is no placeholder."""
    command = executed(
        tokens_in(f"execute_ immediate 'x' using {using}" if using else "execute_ immediate 'x'", dialect)
    )
    assert command is not None

    assert text_of(handed_in(tokens_in(sql, dialect), command.using)) == expected


def test_a_name_is_put_in_as_no_column_is_written() -> None:
    """With the sign of a variable, in place of one that it has in the dialect."""
    command = executed(tokens_in("execute_ immediate 'x' using (:a, b)", "snowflake"))
    assert command is not None

    changed = handed_in(tokens_in("select ?, a from t where b = :2", "snowflake"), command.using)
    assert text_of(changed) == "select @ a , a from t where b = @ b"
