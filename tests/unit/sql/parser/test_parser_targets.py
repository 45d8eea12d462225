"""Which variables a statement of a block sets, and which procedures are called by their names."""

from __future__ import annotations

import pytest
from sqlglot import exp, parse_one
from token_texts import text_of, tokens_in

from ingest.sql import extract
from ingest.sql.dialects.registry import rules_or_standard
from ingest.sql.parser import targets
from ingest.sql.parser.scripts.blocks import Called

MYSQL = rules_or_standard("mysql")
SNOWFLAKE = rules_or_standard("snowflake")


def test_select_into_sets_variables_from_its_query() -> None:
    """The query is the same without INTO, and the given tree is not changed; other trees stay as they are."""
    node = parse_one("SELECT a INTO v FROM t", dialect="oracle")
    found = targets.into_variables(node)

    assert (found.names, found.query.sql()) == (("v",), "SELECT a FROM t")
    assert node.args.get("into") is not None
    assert isinstance(targets.into_variables(parse_one("SELECT a FROM t")), exp.Select)


@pytest.mark.parametrize(
    ("sql", "names", "query"),
    [("select a, b into x, @y from t", ("x", "y"), "select a , b from t"),
     ("select a into strict x from t", ("x",), "select a from t"),
     ("select a from t where b = 1 into x for update", ("x",), "select a from t where b = 1 for update"),
     ("select into x a from t", ("x",), "select a from t"),
     ("select a, b into :x, :y from t", ("x", "y"), "select a , b from t"),
     ("with q as (select 1) select a, b into x, y from q", ("x", "y"), "with q as ( select 1 ) select a , b from q")],
)  # fmt: skip
def test_variables_that_a_row_goes_to_are_split_off_its_query(sql: str, names: tuple[str, ...], query: str) -> None:
    """Several names, and one where it can be no table's."""
    found, rest = targets.without_targets(tokens_in(sql, "mysql"), MYSQL)

    assert (found, text_of(rest)) == (names, query)


@pytest.mark.parametrize(
    "sql",
    ["select a into x from t", "select into x from t", "select a into strict from t", "select a into r.x, r.y from t",
     "select a from t into dumpfile 'x'", "with q as (select 1) insert into x select a from q", "select a from t",
     "select a from (select b into x, y from t) as u", "insert into x, y select 1"],
)  # fmt: skip
def test_other_names_after_into_stay(sql: str) -> None:
    """A table that is made or filled, fields of records, and a file."""
    tokens = tokens_in(sql, "mysql")

    assert targets.without_targets(tokens, MYSQL) == ((), tokens)


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [("mysql", "SELECT a, b INTO @x, @y FROM t; INSERT INTO f (c, d) SELECT @x, @y"),
     ("mysql", "SELECT a, b FROM t INTO @x, @y; INSERT INTO f (c, d) VALUES (@x, @y)"),
     ("mysql", "BEGIN DECLARE x, y INT; SELECT a, b INTO x, y FROM t; INSERT INTO f (c, d) VALUES (x, y); END"),
     ("postgres", "DO $$ DECLARE x INT; y INT; BEGIN SELECT a, b INTO x, y FROM t; "
      "INSERT INTO f (c, d) VALUES (x, y); END $$"),
     ("postgres", "DO $$ DECLARE r RECORD; BEGIN SELECT a, b INTO STRICT r FROM t; "
      "INSERT INTO f (c, d) VALUES (r.a, r.b); END $$"),
     ("postgres", "DO $$ DECLARE x INT; y INT; BEGIN UPDATE t SET e = 1 RETURNING a, b INTO x, y; "
      "INSERT INTO f (c, d) VALUES (x, y); END $$"),
     ("teradata", "SELECT a, b INTO :x, y FROM t; INSERT INTO f (c, d) VALUES (:x, :y)")],
)  # fmt: skip
def test_several_variables_hold_what_the_row_has(dialect: str, sql: str) -> None:
    """Each its own column; no table is made of their names, or of the word STRICT."""
    found = extract(sql, dialect=dialect, namespace="n", default_database="d")

    assert {(e.source, e.target) for e in found.edges} == {("n:d.t#a", "n:d.f#c"), ("n:d.t#b", "n:d.f#d")}
    assert (found.coverage, set(found.writes) - {"n:d.t"}) == ("complete", {"n:d.f"})


@pytest.mark.parametrize(
    ("sql", "meant"),
    [("pkg.p(1)", Called("pkg.p")), ("s.pkg.p", Called("s.pkg.p")), ("p(a)", Called("p")),
     ("NULL", Called(""))],
)  # fmt: skip
def test_a_name_alone_is_a_call_where_the_dialect_has_such(sql: str, meant: Called) -> None:
    """In Oracle; an expression that chooses, and any tree in other dialects, stay as they are."""
    node = parse_one(sql, dialect="oracle")
    oracle = rules_or_standard("oracle")

    assert targets.meant(node, (), oracle) == meant
    assert targets.meant(node, (), MYSQL) is node
    chosen = parse_one("CASE WHEN a THEN b END", dialect="oracle")
    assert targets.meant(chosen, (), oracle) is chosen


@pytest.mark.parametrize(
    ("sql", "names", "query"),
    [("select a, b into :x, y from t", ("x", "y"), "select a , b from t"),
     ("with q as (select 1) select a into :x from q", ("x",), "with q as ( select 1 ) select a from q"),
     ("select (select 1) into x", ("x",), "select ( select 1 )"),
     ("select a into strict x, @y from t", ("x", "y"), "select a from t"),
     ("select a into x from t", ("x",), "select a from t"),
     ("select a into strict from t", ("strict",), "select a from t")],
)  # fmt: skip
def test_where_variables_have_a_colon_each_name_after_into_is_one(sql: str, names: tuple[str, ...], query: str) -> None:
    """With or without the colon; the query is the same without them."""
    found, rest = targets.without_targets(tokens_in(sql, "snowflake"), SNOWFLAKE)

    assert (found, text_of(rest)) == (names, query)


@pytest.mark.parametrize(
    "sql",
    ["insert into t select a from u", "with q as (select 1) insert into t select a from q", "select a from t",
     "select a into from t"],
)  # fmt: skip
def test_no_variables_are_named_without_an_into_of_a_query(sql: str) -> None:
    """An INSERT names a table."""
    tokens = tokens_in(sql, "snowflake")

    assert targets.without_targets(tokens, SNOWFLAKE) == ((), tokens)


@pytest.mark.parametrize("dialect", ["postgres", "duckdb"])
def test_elsewhere_one_name_with_a_colon_may_be_a_tables(dialect: str) -> None:
    """It is a value that the caller hands in, such as the name of the table that is made."""
    tokens = tokens_in("select a into :x from t", dialect)

    assert targets.without_targets(tokens, rules_or_standard(dialect)) == ((), tokens)


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [("spark", "set var a = 1, b = f(2, 3)", ["set var a = 1", "set var b = f ( 2 , 3 )"]),
     ("mysql", "set @a = 1, @b := @a", ["set @ a = 1", "set @ b := @ a"]),
     ("spark", "set var a = 1", []), ("spark", "set var (a, b) = (1, 2)", []), ("mysql", "set a = 1, b = 2", []),
     ("mysql", "set", [])],
)  # fmt: skip
def test_a_set_of_several_variables_is_a_statement_for_each(dialect: str, sql: str, expected: list[str]) -> None:
    """One variable, a list in brackets, and settings stay one statement."""
    assert [text_of(part) for part in targets.set_apart(tokens_in(sql, dialect))] == expected


@pytest.mark.parametrize(
    "dialect",
    ["spark", "databricks", "hive", "impala", "maxcompute", "trino", "presto", "athena", "bigquery", "clickhouse",
     "duckdb", "sqlite", "flink"],
)  # fmt: skip
@pytest.mark.parametrize(
    "sql", ["SELECT a FROM t INTO x", "SELECT a, b INTO x, y FROM t", "SELECT a INTO STRICT x FROM t"]
)
def test_an_engine_without_select_into_sets_no_variables(dialect: str, sql: str) -> None:
    """What the statement fills is not known: it is not read as one that fills nothing."""
    tokens = tokens_in(sql, dialect)
    found = extract(sql, dialect=dialect, namespace="n", default_database="d")

    assert targets.without_targets(tokens, rules_or_standard(dialect)) == ((), tokens)
    assert found.coverage != "complete"
    assert found.reads == ("n:d.t",)
