"""A net for what the parser leaves out: a dotted name that the tree of a statement has nowhere."""

from __future__ import annotations

import pytest
from scripted import parsed, running

from ingest.sql import extract
from ingest.sql.statements.dropped import dropped


def lost(sql: str, dialect: str = "spark", said: str = "") -> str:
    """Run a statement, and return what its tree lacks of its own words, or of the longer text ``said``."""
    run = running(dialect)
    (item,) = parsed(run, sql)
    run.run(item.node)
    tokens = run.walk.names.dialect.tokenize(said) if said else item.tokens
    return dropped(tokens, item.node, run.walk.values.lookup, run.walk.names)


@pytest.mark.parametrize(
    ("sql", "more", "expected"),
    [
        ("SELECT a FROM t", "FROB x.y", "x.y"),
        ("SELECT t.a FROM t", "FROB x . y . z, v.w", "x.y.z"),
        ("SELECT a FROM t", 'FROB "X Y".y', "X Y.y"),
        ("SELECT a FROM t", "FROB z/x.y", "x.y"),
        ("SELECT t.a FROM t", "FROB f.g(1)", ""),
        ("SELECT t.a FROM t", "FROB 1.5 x", ""),
        ("SELECT t.a FROM t", "FROB x.y", "x.y"),
        ("SELECT t.a FROM t", "FROB, .y", ""),
        ("SELECT t.a FROM t", "FROB x.", ""),
    ],
)
def test_the_first_name_that_only_the_words_have_is_found(sql: str, more: str, expected: str) -> None:
    """Names of two parts and more; functions, numbers and what is broken off are none."""
    assert lost(sql, "postgres", f"{sql} {more}") == expected


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT t.a, x.y.z FROM d.t JOIN d.x.u AS x ON t.a = x.a",
        "INSERT INTO d.k SELECT t.* FROM d.t WHERE EXISTS (SELECT 1 FROM d.u WHERE u.a = t.a)",
        "WITH q AS (SELECT d.t.a FROM d.t) SELECT q.a FROM q",
        "SELECT d.f(a) FROM t",
    ],
)
def test_what_the_tree_has_is_not_lost(sql: str) -> None:
    """Whatever rule looked at it."""
    assert lost(sql) == ""


@pytest.mark.parametrize(
    ("dialect", "sql", "more"),
    [
        ("snowflake", "SELECT a FROM t", ", b:c.d"),
        ("snowflake", "SELECT a FROM t", "@st.x"),
        ("snowflake", "SELECT $1 FROM @st/p/x.csv.gz", ""),
        ("snowflake", "SELECT $1 FROM @~/x.csv s", ""),
        ("oracle", "INSERT INTO t SELECT a, b, c FROM u", "LOG ERRORS INTO d.e"),
        ("teradata", "SELECT a FROM t", "LOCKING d.t FOR ACCESS"),
        ("teradata", "SELECT a FROM t", "LOCKING TABLE d.t FOR ACCESS"),
        ("spark", "CREATE TABLE k (a INT)", "TBLPROPERTIES (x.y = 1)"),
        ("hive", "CREATE TABLE k (a INT)", "TBLPROPERTIES (x.y, v.w)"),
    ],
)
def test_names_of_other_things_are_not_lost(dialect: str, sql: str, more: str) -> None:
    """Paths in JSON, stages, tables of errors, locks, and options of what is created."""
    assert lost(sql, dialect, f"{sql} {more}") == ""


def test_options_are_those_of_a_create_alone() -> None:
    """The same words after another statement name something."""
    assert lost("SELECT a FROM t", "spark", "SELECT a FROM t FROB (x.y = 1)") == "x.y"


@pytest.mark.parametrize("sql", ["ALTER TABLE t FROB x.y", "GRANT SELECT ON x.y TO z", "ALTER TABLE t SET SCHEMA x"])
def test_statements_with_rules_of_their_own_are_left_to_them(sql: str) -> None:
    """They look at the text themselves."""
    assert lost(sql, "postgres", f"{sql} v.w") == ""


@pytest.mark.parametrize("source", ["p.ds.INFORMATION_SCHEMA.COLUMNS", "ds.INFORMATION_SCHEMA.TABLES"])
@pytest.mark.parametrize("alias", ["", " c", " AS c"])
def test_a_view_of_the_engines_own_schema_may_have_an_alias(source: str, alias: str) -> None:
    """BigQuery's parser makes one word of two: with an alias the name was said not to be understood."""
    assert lost(f"INSERT INTO d.t (a) SELECT table_name FROM {source}{alias}", "bigquery") == ""


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("LOG ERRORS INTO d.err ('x') REJECT LIMIT UNLIMITED", {"n:T", "n:D.ERR"}),
        ("LOG ERRORS INTO err", {"n:T", "n:ERR"}),
        ("", {"n:T"}),
    ],
)
def test_refused_rows_are_written_to_their_table(more: str, expected: set[str]) -> None:
    """Oracle's table of errors was not mentioned; which columns are refused is not known."""
    found = extract(f"INSERT INTO t (a) SELECT a FROM s {more}", dialect="oracle", namespace="n")

    assert ({*found.writes}, found.coverage) == (expected, "complete")
