"""Queries as relations: each form of a query, and what it sees around it."""

from __future__ import annotations

import pytest
from bound import Bound, listed, ways
from sqlglot import exp

from ingest.sql.binder.names.scope import Scope
from ingest.sql.binder.query.query import QueryWalk
from ingest.sql.binder.relations.relations import Relation


def _walk(dialect: str = "spark") -> tuple[Bound, QueryWalk]:
    bound = Bound("", dialect)
    return bound, bound.walk


def _query(sql: str, dialect: str = "spark", *, top: bool = False) -> tuple[Bound, Relation]:
    bound, walk = _walk(dialect)
    return bound, walk.query(bound.tree(sql), None, top=top)


@pytest.mark.parametrize(
    ("dialect", "sql", "columns"),
    [
        ("spark", "SELECT b AS z, a FROM t", [("z", "t#b"), ("a", "t#a")]),
        ("spark", "(SELECT b FROM t)", [("b", "t#b")]),
        ("spark", "SELECT a FROM t UNION ALL SELECT b FROM t EXCEPT SELECT d FROM u", [("a", "t#a t#b")]),
        (
            "duckdb",
            "SELECT a FROM t UNION BY NAME SELECT d FROM u UNION BY NAME SELECT b FROM t",
            [("a", "t#a"), ("d", "u#d"), ("b", "t#b")],
        ),
        ("postgres", "VALUES ((SELECT max(d) FROM u), 1)", [("column1", "u#d"), ("column2", "")]),
        ("duckdb", "FROM t", [("a", "t#a"), ("b", "t#b"), ("c", "t#c")]),
        ("duckdb", "SUMMARIZE t", None),
        ("bigquery", "SELECT AS VALUE STRUCT(a AS p, b) FROM t", [("p", "t#a"), ("b", "t#b")]),
        ("tsql", "SELECT a, b + 1 AS z FROM t FOR JSON PATH", [("document", "t#a t#b")]),
        ("postgres", "SELECT a FROM t FOR UPDATE", [("a", "t#a")]),
        ("tsql", "SELECT a FROM t FOR BROWSE", [("a", "t#a")]),
    ],
)
def test_each_form_of_a_query_is_a_relation(dialect: str, sql: str, columns: list[tuple[str, str]] | None) -> None:
    """Selects, set operations, values, tables, and what makes one text of all rows."""
    bound, found = _query(sql, dialect)

    assert bound.problems() == []
    if columns is None:
        assert found.columns[0].name == "column_name"
        assert ways(found.columns[2].flow()) == {"t#a": "AGGREGATION", "t#b": "AGGREGATION", "t#c": "AGGREGATION"}
    else:
        assert listed(found.columns) == columns


def test_a_query_of_a_form_that_nobody_knows_is_reported() -> None:
    """Its columns are not known."""
    bound, walk = _walk()
    found = walk.query(exp.Command(this="SHOW"), None)

    assert (listed(found.columns), bound.problems()) == ([("*", "")], [("unsupported-statement", "")])


def test_only_the_order_of_the_whole_decides() -> None:
    """An order inside of it does not, unless a limit depends on it."""
    sql = "SELECT z FROM (SELECT a AS z FROM t ORDER BY b) q ORDER BY z"

    assert ways(_query(sql, top=True)[1].effects.predicates) == {"t#a": "SORT"}
    assert ways(_query(sql)[1].effects.predicates) == {}
    assert ways(_query("SELECT 1 AS x FROM (SELECT a FROM t ORDER BY b LIMIT 1) q")[1].effects.predicates) == {
        "t#b": "SORT"
    }


def test_a_named_query_is_seen_by_those_after_it_and_below() -> None:
    """It hides a table of its name; inside of itself the table is meant, if it is not recursive."""
    found = _query(
        "WITH t AS (SELECT a AS z FROM t), q AS (SELECT z FROM t) SELECT (SELECT max(z) FROM q) AS m, u.z FROM t u"
    )[1]

    assert listed(found.columns) == [("m", "t#a"), ("z", "t#a")]
    _, nested = _query("SELECT x FROM (WITH q AS (SELECT d AS x FROM u) SELECT * FROM q) r JOIN q ON true")
    assert listed(nested.columns) == [("x", "u#d")]
    assert nested.effects.reads == {"n:d.u", "n:d.q"}


def test_a_with_inside_of_a_set_operation_is_of_its_own_side() -> None:
    """Its names are not in sight of the other side."""
    found = _query("(WITH q AS (SELECT a FROM t) SELECT a FROM q) UNION ALL SELECT x AS y FROM q")[1]

    assert listed(found.columns) == [("a", "q#x t#a")]


def test_a_select_without_from_has_the_sources_of_who_gives_them() -> None:
    """Each side of a union by itself; a FROM of its own replaces them."""
    bound, walk = _walk()
    base = bound.sight("t")

    assert listed(walk.query(bound.tree("SELECT a UNION ALL SELECT c"), None, base=base).columns) == [("a", "t#a t#c")]
    assert listed(walk.query(bound.tree("(SELECT d FROM u)"), None, base=base).columns) == [("d", "u#d")]
    walk.query(bound.tree("SELECT a WHERE b > 1"), None, base=base)
    assert ways(base.effects.predicates) == {}


def test_a_change_in_a_with_clause_is_run_by_whoever_runs_statements() -> None:
    """It sees the named queries around it; without such a one it is not a query."""
    bound, walk = _walk("postgres")
    seen: list[bool] = []

    def change(node: exp.Expr) -> Relation:
        scope = Scope()
        walk.with_clause(node, scope)
        seen.append(scope.cte("r") is not None)
        return walk.query(bound.tree("SELECT d AS x FROM u"), None)

    sql = "WITH r AS (SELECT a FROM t), q AS (DELETE FROM t USING r RETURNING a) SELECT x FROM q"
    walk.change = change
    assert listed(walk.query(bound.tree(sql), None).columns) == [("x", "u#d")]
    assert seen == [True]
    other, plain = _walk("postgres")
    plain.query(other.tree(sql), None)
    assert ("unsupported-statement", "") in other.problems()


def test_brackets_before_a_join_hold_one_source() -> None:
    """Its name is in sight of what joins it; brackets around a table are only brackets."""
    found = _query("SELECT x.a, u.d FROM ((SELECT a FROM t) x JOIN u ON u.a = x.a)")[1]

    assert listed(found.columns) == [("a", "t#a"), ("d", "u#d")]
    assert ways(found.effects.predicates) == {"t#a": "JOIN", "u#a": "JOIN"}
    assert listed(_query("SELECT a FROM (((t)))")[1].columns) == [("a", "t#a")]


def test_what_connect_by_says_of_a_row_is_no_column() -> None:
    """Whether it is a leaf comes from nothing."""
    for dialect in ("oracle", "snowflake"):
        bound = Bound("", dialect, {"n:d.T": ("A", "B")})
        found = bound.walk.query(bound.tree("SELECT connect_by_isleaf AS l, a FROM t CONNECT BY PRIOR a = b"), None)
        assert [(column.name, sorted(column.flow())) for column in found.columns] == [("L", []), ("A", ["n:d.T#A"])]
        assert bound.problems() == [], dialect


def test_a_new_statement_knows_no_names_of_the_one_before() -> None:
    """Its tree may be gone; functions that the script defined stay."""
    bound, walk = _walk("trino")
    walk.query(bound.tree("WITH FUNCTION f(x bigint) RETURNS bigint RETURN x SELECT f(a) AS z FROM t"), None)
    values = walk.values
    walk.begin()

    assert walk.values is not values
    assert listed(walk.query(bound.tree("SELECT f(b) AS z FROM t"), None).columns) == [("z", "t#b")]
    assert walk.functions.knows("f")


def test_grouping_by_a_time_window_brings_it_into_sight(lineage):
    """Spark's ``window`` and ``session_window`` are columns of what is grouped by them, unless a source has one."""
    found = lineage("SELECT window.start AS s, max(b) AS m FROM t GROUP BY window(c, '1 day')", "spark")
    assert found.names() == {"s": "t#c", "m": "t#b"}
    assert found.codes() == set()

    own = lineage("SELECT window.x AS s FROM (SELECT st AS window, y FROM w) GROUP BY window(y, '1 day'), 1", "spark")
    assert own.names() == {"s": "w#st.x"}


def test_a_query_in_brackets_before_a_join_keeps_its_name(lineage):
    """``((SELECT …) q JOIN … ON q.a)``: what joins it names it."""
    sql = "SELECT x, d FROM ((SELECT a, arr FROM t, w) q CROSS JOIN UNNEST(q.arr) AS e(x) JOIN u ON u.a = q.a)"
    result = lineage(sql, dialect="trino")
    assert result.names() == {"x": "w#arr", "d": "u#d"}
    assert result.found.coverage == "complete"

    whole = lineage("SELECT z.a, z.d FROM ((SELECT a FROM t) q(a) JOIN (SELECT a AS k, d FROM u) r ON q.a = r.k) z")
    assert whole.names() == {"a": "t#a", "d": "u#d"}
    assert whole.found.coverage == "complete"
