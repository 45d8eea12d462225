"""The items of FROM: each a source under its name, in sight of what comes after it."""

from __future__ import annotations

import pytest
from bound import Bound, listed
from sqlglot import exp

from ingest.sql import extract
from ingest.sql.binder.names.scope import Scope
from ingest.sql.binder.query.sources.sources import Sources
from ingest.sql.binder.relations.flow import Column
from ingest.sql.binder.relations.relations import Relation


def _brought(given: str, dialect: str = "spark") -> Bound:
    bound = Bound("", dialect)
    select = bound.tree(f"SELECT 1 FROM {given}")
    sources = Sources(bound.walk)
    sources.bring(select.args["from_"].this, bound.scope)
    for join in select.args.get("joins") or ():
        sources.bring(join.this, bound.scope)
    return bound


def _names(bound: Bound) -> list[tuple[str, str]]:
    return [
        (source.alias, " ".join(column.name for column in source.relation.visible())) for source in bound.scope.sources
    ]


@pytest.mark.parametrize(
    ("dialect", "given", "sources"),
    [
        ("spark", "t, u AS x", [("t", "a b c"), ("x", "a d e")]),
        ("postgres", "d.t AS q(p, s)", [("q", "p s c")]),
        ("spark", "(SELECT a AS z, b FROM t) q", [("q", "z b")]),
        ("postgres", "(SELECT a, b FROM t) q(y)", [("q", "y b")]),
        ("spark", "((t JOIN u ON t.a = u.a))", [("t", "a b c"), ("u", "a d e")]),
        ("spark", "(t JOIN u USING (a)) AS q", [("q", "a b c d e")]),
        ("clickhouse", "t FINAL", [("t", "a b c")]),
        ("spark", "VALUES (1, 2), (3, 4) AS v(x, y)", [("v", "x y")]),
        ("spark", "(WITH q AS (SELECT a FROM t) SELECT * FROM q) r", [("r", "a")]),
        ("spark", "t PIVOT (sum(c) FOR b IN (1 AS x)) AS p", [("p", "a x")]),
        ("oracle", "dual", [("DUAL", "DUMMY")]),
    ],
)
def test_each_item_is_a_source_under_its_name(dialect: str, given: str, sources: list[tuple[str, str]]) -> None:
    """A table's own where it has no other; names in brackets are those of its first columns."""
    bound = _brought(given, dialect)

    assert [(name.upper() if dialect == "oracle" else name, columns) for name, columns in _names(bound)] == [
        (name, columns) for name, columns in sources
    ]
    assert bound.problems() == []


def test_a_table_can_be_named_by_all_its_parts() -> None:
    """A subquery has none."""
    bound = _brought("d.T x, (SELECT 1 AS one) y")

    assert [(source.alias, source.parts) for source in bound.scope.sources] == [("x", ("d", "t")), ("y", ())]


def test_names_for_columns_that_are_not_known_come_from_the_whole() -> None:
    """That is reported, since their places decide; all columns of the table count then."""
    bound = _brought("nowhere AS q(x, y)")

    assert listed(bound.scope.sources[0].relation.columns) == [("x", "nowhere"), ("y", "nowhere")]
    assert bound.problems() == [("unknown-columns", "n:d.nowhere")]
    assert bound.walk.catalog.starred == {"n:d.nowhere"}


def test_no_names_leave_a_relation_as_it_is() -> None:
    """More names than columns name those there are."""
    bound = Bound("")
    relation = Relation([Column("a", ()), Column("b", (), hidden=True)])
    sources = Sources(bound.walk)

    assert sources.with_names(relation, []) is relation
    names = [exp.to_identifier(name) for name in ("X", "y", "z")]
    assert [column.name for column in sources.with_names(relation, names).columns] == ["x"]


def test_a_derived_table_does_not_see_what_stands_beside_it() -> None:
    """A lateral does, and in ClickHouse's kin and T-SQL an applied one; the query around is seen by each."""
    beside = _brought("t, (SELECT b AS z FROM u) q")
    assert beside.problems() == [("unknown-column", "n:d.u")]

    lateral = _brought("t, LATERAL (SELECT t.b + d AS z FROM u) q")
    assert (listed(lateral.scope.sources[1].relation.columns), lateral.problems()) == ([("z", "t#b u#d")], [])
    bound = Bound("t")
    inner = bound.sight("(SELECT b AS z FROM u) q", bound.scope)
    assert (listed(inner.sources[0].relation.columns), bound.problems()) == ([("z", "t#b")], [])


def test_a_named_query_goes_before_a_table_of_its_name() -> None:
    """Where the name has no database; it is evaluated once, however often it is read."""
    bound = Bound("")
    select = bound.tree("WITH t AS (SELECT d AS z FROM u) SELECT 1 FROM t x, d.t y, T z")
    scope = Scope()
    bound.walk.with_clause(select, scope)
    sources = Sources(bound.walk)
    for item in [select.args["from_"].this, *(join.this for join in select.args["joins"])]:
        sources.bring(item, scope)

    first, stored, again = (source.relation for source in scope.sources)
    assert listed(first.columns) == [("z", "u#d")]
    assert listed(stored.columns) == [("a", "t#a"), ("b", "t#b"), ("c", "t#c")]
    entry = scope.cte("t")
    assert entry is not None
    known = entry.relation
    assert known is not None
    assert sources.cte(entry) is known
    assert listed(again.columns) == listed(first.columns)


def test_a_table_named_by_a_text_is_that_table() -> None:
    """By a variable it is one that is not known; the parser says so of IDENTIFIER, whose table is called after it."""
    found = _brought("IDENTIFIER('d.t')")
    assert (found.scope.effects.reads, found.problems()) == ({"n:d.t"}, [])

    assert _brought("IDENTIFIER(:x)", "snowflake").scope.effects.reads == {"n:d.${x}"}
    assert [code for code, _ in _brought("TABLE($x)", "snowflake").problems()] == ["unknown-source"]


def test_rows_of_a_variable_that_nothing_filled_are_not_known() -> None:
    """T-SQL's table that is handed in as a parameter."""
    bound = _brought("@rows AS r", "tsql")

    assert bound.problems() == [("unknown-source", "@rows")]
    assert listed(bound.scope.sources[0].relation.columns) == [("*", "")]


def test_rows_of_values_have_columns_by_place() -> None:
    """Each from the cells at its place, of which a subquery's is one; the longest row says how many."""
    bound = Bound("", "postgres")
    sources = Sources(bound.walk)
    found = sources.rows_of_values(bound.tree("VALUES (1, (SELECT max(d) FROM u)), ((SELECT a FROM t), 2)"), Scope())

    assert listed(found.columns) == [("column1", "t#a"), ("column2", "u#d")]
    assert found.effects.reads == {"n:d.t", "n:d.u"}
    trino = Bound("", "trino")
    assert listed(Sources(trino.walk).rows_of_values(trino.tree("VALUES ROW(1, 2), (3, 4)"), Scope()).columns) == [
        ("_col0", ""), ("_col1", ""),
    ]  # fmt: skip


def test_the_version_of_a_row_that_a_column_says_decides() -> None:
    """Flink's join as of a time of the other side."""
    select = "t JOIN u FOR SYSTEM_TIME AS OF t.b"
    bound = _brought(select, "flink")

    assert bound.decisions() == {"t#b": "JOIN"}


@pytest.mark.parametrize("dialect", ["oracle", "teradata", "db2", "sqlite", "snowflake"])
def test_a_query_may_read_itself_without_the_keyword(dialect):
    """Its name was a table that nobody has, in a complete answer (Db2, SQLite, Snowflake)."""
    text = "INSERT INTO o (z) WITH r (n, k) AS (SELECT a, b FROM t {}) SELECT n FROM r"
    step = "UNION ALL SELECT t.a, t.b FROM t JOIN r ON t.b = r.n"
    found = extract(text.format(step), dialect=dialect, namespace="n")

    assert {edge.source.lower() for edge in found.edges} == {"n:t#a", "n:t#b"}
    assert found.coverage == "complete"


@pytest.mark.parametrize("dialect", ["oracle", "db2", "snowflake"])
def test_a_union_that_begins_with_a_table_of_its_name_reads_the_table(dialect):
    """A recursion may not begin with itself."""
    sql = "INSERT INTO o (z) WITH t AS (SELECT a FROM t UNION ALL SELECT d FROM u) SELECT a FROM t"
    found = extract(sql, dialect=dialect, namespace="n")

    assert {edge.source.lower() for edge in found.edges} == {"n:t#a", "n:u#d"}


def test_a_recursive_cte_gathers_what_each_round_adds(lineage):
    """The columns of a recursive CTE come from the anchor and from all that the step moves between them."""
    sql = "WITH RECURSIVE r(n, k) AS (SELECT a, b FROM t UNION ALL SELECT k, c FROM r JOIN t ON n = a) SELECT * FROM r"

    assert lineage(sql).names() == {"n": "t#a t#b t#c", "k": "t#b t#c"}


def test_a_query_without_brackets_in_from_keeps_its_joins_to_itself(lineage):
    """Each of them was taken once for the inner query and once for the outer: two to the power of their number."""
    found = lineage(", ".join(["SELECT * FROM t"] * 40), "hive")

    assert found.names() == {"a": "t#a", "b": "t#b", "c": "t#c"}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("TABLE(FLATTEN(INPUT => t.a)) f", {"VALUE": "T#A"}),
        ("TABLE(FLATTEN(t.a, 'x')) AS f", {"VALUE": "T#A"}),
        ("TABLE(SPLIT_TO_TABLE(t.b, ',')) f", {"VALUE": "T#B"}),
    ],
)
def test_snowflakes_table_functions_see_what_stands_before_them(lineage, source, expected):
    """TABLE(f(t.a)) is LATERAL f(t.a)."""
    result = lineage(f"SELECT f.value FROM t, {source}", dialect="snowflake", columns={"n:d.T": ("A", "B")})
    assert result.names() == expected
    assert result.found.coverage == "complete"


def test_a_table_function_that_is_not_known_may_read_anything(lineage):
    """Its rows come from its arguments, and perhaps from elsewhere."""
    result = lineage("SELECT f.k FROM t, TABLE(mine(t.a)) f", dialect="snowflake", columns={"n:d.T": ("A", "B")})
    assert result.names() == {"K": "T#A"}
    assert result.codes() == {"opaque-call"}


def test_columns_of_a_table_that_a_variable_names_are_not_said_to_be_unknown(lineage):
    """``FROM IDENTIFIER(:t) s`` was reported once for the table, and once more for each of its columns."""
    result = lineage("CREATE TABLE o AS SELECT s.a, s.b FROM IDENTIFIER(:x) s", dialect="snowflake")

    assert result.codes() == {"template"}
