"""The clauses that decide which rows there are and in which order: names, places, limits."""

from __future__ import annotations

import pytest
from bound import Bound, ways

from ingest.sql.binder.names.scope import Scope
from ingest.sql.binder.query.items import Items
from ingest.sql.binder.query.row_clauses import decide, decide_after


def _decided(sql: str, dialect: str = "spark", *, top: bool = True, given: str = "t") -> dict[str, str]:
    bound = Bound(given, dialect)
    node = bound.tree(sql)
    columns = Items(bound.walk).select_list(node, bound.scope)
    decide(bound.walk, node, bound.scope, columns, top=top)
    assert bound.problems() == []
    return bound.decisions()


def _after(sql: str, dialect: str = "spark", *, top: bool = True) -> dict[str, str]:
    """What follows a union or a query in brackets: the sides themselves decide nothing here."""
    bound = Bound("", dialect)
    node = bound.tree(sql)
    relation = bound.walk.query(node.this, None)
    decide_after(bound.walk, node, relation, Scope(), top=top)
    return ways(relation.effects.predicates)


@pytest.mark.parametrize(
    ("dialect", "clause", "decided"),
    [
        ("spark", "WHERE a > 1", {"t#a": "FILTER"}),
        ("clickhouse", "PREWHERE a > 1 WHERE b = 2", {"t#a": "FILTER", "t#b": "FILTER"}),
        ("spark", "GROUP BY a, b + c", {"t#a": "GROUP_BY", "t#b": "GROUP_BY", "t#c": "GROUP_BY"}),
        ("spark", "GROUP BY a HAVING max(b) > 1", {"t#a": "GROUP_BY", "t#b": "FILTER"}),
        ("snowflake", "QUALIFY row_number() OVER (ORDER BY 1) = 1", {}),
        ("oracle", "START WITH A = 1 CONNECT BY PRIOR B = C", {"t#A": "JOIN", "t#B": "JOIN", "t#C": "JOIN"}),
        ("hive", "SORT BY b", {"t#b": "SORT"}),
        ("hive", "DISTRIBUTE BY b", {}),
        ("clickhouse", "LIMIT 2 BY b, c", {"t#b": "GROUP_BY", "t#c": "GROUP_BY"}),
    ],
)
def test_each_clause_decides_in_its_way(dialect: str, clause: str, decided: dict[str, str]) -> None:
    """Filters, groups, joins and sorts; where rows are worked on decides about none."""
    if dialect == "oracle":
        bound = Bound("t", dialect, {"n:d.T": ("A", "B", "C")})
        node = bound.tree(f"SELECT 1 AS one FROM t {clause}")
        decide(bound.walk, node, bound.scope, [], top=True)
        assert {node.replace("T#", "t#"): kind for node, kind in bound.decisions().items()} == decided
    else:
        assert _decided(f"SELECT 1 AS one FROM t {clause}", dialect) == decided


def test_a_number_is_the_place_of_an_output() -> None:
    """In ORDER BY and GROUP BY; one that no output has, and a text, are none; in WHERE it is a number."""
    assert _decided("SELECT max(b), a + c AS z FROM t GROUP BY 2") == {"t#a": "GROUP_BY", "t#c": "GROUP_BY"}
    assert _decided("SELECT b, a FROM t ORDER BY 1 DESC, '2'") == {"t#b": "SORT"}
    assert _decided("SELECT b FROM t WHERE 1") == {}


def test_an_order_decides_where_it_is_that_of_the_whole_or_a_limit_depends_on_it() -> None:
    """The order of an inner query without a limit decides nothing."""
    assert _decided("SELECT a FROM t ORDER BY b", top=True) == {"t#b": "SORT"}
    assert _decided("SELECT a FROM t ORDER BY b", top=False) == {}
    for limit in ("LIMIT 3", "OFFSET 2"):
        assert _decided(f"SELECT a FROM t ORDER BY b {limit}", top=False) == {"t#b": "SORT"}
    assert _decided("SELECT a FROM t ORDER BY b FETCH FIRST 3 ROWS ONLY", "postgres", top=False) == {"t#b": "SORT"}


def test_order_by_all_is_by_all_outputs() -> None:
    """A column of that name is one where the engine has no such word."""
    assert _decided("SELECT a, b + 1 AS z FROM t ORDER BY ALL") == {"t#a": "SORT", "t#b": "SORT"}
    assert _decided('SELECT a, b AS "all" FROM t ORDER BY "all"', "postgres") == {"t#b": "SORT"}


def test_a_mere_name_is_an_output_before_it_is_a_column_where_the_engine_has_it_so() -> None:
    """In ORDER BY; inside of an expression it is the column; in WHERE it always is."""
    assert _decided("SELECT b AS a FROM t ORDER BY a", "postgres") == {"t#b": "SORT"}
    assert _decided("SELECT b AS a FROM t ORDER BY a + 1", "postgres") == {"t#a": "SORT"}
    assert _decided("SELECT b AS a FROM t WHERE a > 1", "postgres") == {"t#a": "FILTER"}
    assert _decided("SELECT b AS a, 1 AS one FROM t GROUP BY a", "postgres") == {"t#a": "GROUP_BY"}


def test_an_output_may_be_named_in_clauses_after_the_list() -> None:
    """In HAVING, where no column of that name is known, also where the items themselves cannot name each other."""
    assert _decided("SELECT max(b) AS z FROM nowhere HAVING z > 1", "mysql", given="nowhere") == {"nowhere#b": "FILTER"}
    assert _decided("SELECT max(b) AS z FROM t GROUP BY a HAVING z > 1") == {"t#a": "GROUP_BY", "t#b": "FILTER"}


def test_distinct_on_groups_by_outputs_or_columns() -> None:
    """A plain DISTINCT decides about nothing."""
    assert _decided("SELECT DISTINCT ON (1, c) b, a FROM t", "postgres") == {"t#b": "GROUP_BY", "t#c": "GROUP_BY"}
    assert _decided("SELECT DISTINCT ON (a) b AS a FROM t", "postgres") == {"t#b": "GROUP_BY"}
    assert _decided("SELECT DISTINCT b, a FROM t", "postgres") == {}


def test_what_a_query_says_of_a_limit_filters() -> None:
    """How many rows are left depends on it."""
    assert _decided("SELECT a FROM t LIMIT (SELECT max(d) FROM u)", "duckdb") == {"u#d": "FILTER"}
    assert _decided("SELECT a FROM t LIMIT 3") == {}


def test_what_follows_a_union_goes_by_the_names_of_its_outputs() -> None:
    """Or by their places; without a limit an inner one decides nothing."""
    union = "(SELECT a AS z, b FROM t) UNION ALL (SELECT d, e FROM u) ORDER BY"

    assert _after("SELECT a AS z FROM t UNION ALL SELECT b FROM t ORDER BY z") == {"t#a": "SORT"}
    assert _after(f"{union} 2") == {"t#b": "SORT"}
    assert _after(f"{union} 2", top=False) == {}
    assert _after(f"{union} 2 LIMIT 1", top=False) == {"t#b": "SORT"}
    assert _after(f"{union} ALL") == {"t#a": "SORT", "t#b": "SORT"}
    assert _after("SELECT a FROM t UNION ALL SELECT d FROM u") == {}


def test_a_query_in_brackets_is_ordered_and_limited_by_what_follows() -> None:
    """A limit that is a query decides, without an order, too."""
    assert _after("(SELECT a AS z FROM t) ORDER BY z") == {"t#a": "SORT"}
    assert _after("(SELECT a AS z FROM t) LIMIT (SELECT max(d) FROM u)", "duckdb", top=False) == {"u#d": "FILTER"}


@pytest.mark.parametrize("dialect", ["snowflake", "duckdb", "spark", "databricks"])
def test_order_by_all_is_understood(lineage, dialect):
    """All outputs sort; the word was named as a column that no rule understands."""
    known = {"n:d.T": ("A", "B", "C")} if dialect == "snowflake" else {"n:d.t": ("a", "b", "c")}
    told = lineage("SELECT a, b FROM t ORDER BY ALL", dialect=dialect, columns=known)
    assert {kind: names.lower() for kind, names in told.decisions().items()} == {"SORT": "t#a t#b"}
    assert told.found.coverage == "complete"


@pytest.mark.parametrize(
    ("interpolated", "expected"),
    [
        ("c AS c + 1", {"a": {"t#a": "IDENTITY"}, "c": {"t#c": "IDENTITY"}}),
        ("c", {"a": {"t#a": "IDENTITY"}, "c": {"t#c": "IDENTITY"}}),
        ("c AS a * 2", {"a": {"t#a": "IDENTITY"}, "c": {"t#c": "IDENTITY", "t#a": "TRANSFORMATION"}}),
    ],
)
def test_rows_that_are_filled_in_have_interpolated_values(lineage, interpolated, expected):
    """ClickHouse's INTERPOLATE was a clause that no rule looks into."""
    sql = f"SELECT a, c FROM t ORDER BY a WITH FILL FROM 1 TO 9 INTERPOLATE ({interpolated})"
    told = lineage(sql, dialect="clickhouse")
    assert (told.columns(), told.decisions()) == (expected, {"SORT": "t#a"})
    assert told.found.coverage == "complete"
