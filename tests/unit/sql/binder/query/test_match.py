"""MATCH_RECOGNIZE: which rows and columns a match leaves, and what decides about them."""

from __future__ import annotations

from bound import Bound, listed, ways

from ingest.sql.binder.names.scope import Source
from ingest.sql.binder.query.match import matched


def _matched(clauses: str, given: str = "t") -> tuple[Bound, Source]:
    bound = Bound(given, "trino")
    node = bound.tree(f"SELECT 1 FROM {given} MATCH_RECOGNIZE ({clauses}) AS m").args["match"]
    return bound, matched(bound.walk, node, bound.scope.remove_source(), bound.scope)


def test_a_match_is_one_row_of_its_partition_and_measures() -> None:
    """Pattern variables name the table's rows; DEFINE filters, the order sorts, the partition groups."""
    bound, found = _matched(
        "PARTITION BY a ORDER BY b MEASURES last(x.c) AS m, first(y.b) + 1 AS n PATTERN (x y+) DEFINE y AS y.c > 1"
    )

    assert listed(found.relation.columns) == [("a", "t#a"), ("m", "t#c"), ("n", "t#b")]
    assert ways(found.relation.effects.predicates) == {"t#c": "FILTER", "t#b": "SORT", "t#a": "GROUP_BY"}
    assert found.relation.rows == found.relation.effects.reads == {"n:d.t"}
    assert found.alias == "m"
    assert bound.problems() == []


def test_all_rows_of_a_match_keep_their_columns() -> None:
    """The measures stand beside them, and all columns of the table count."""
    bound, found = _matched("ORDER BY b MEASURES match_number() AS k ALL ROWS PER MATCH PATTERN (x) DEFINE x AS a > 1")

    assert listed(found.relation.columns) == [("a", "t#a"), ("b", "t#b"), ("c", "t#c"), ("k", "")]
    assert bound.walk.catalog.starred == {"n:d.t"}


def test_what_nothing_says_is_not_there() -> None:
    """Without partition, order and conditions a match has its measures, and nothing decides."""
    bound, found = _matched("MEASURES max(x.a) AS k PATTERN (x+) DEFINE x AS true")

    assert listed(found.relation.columns) == [("k", "t#a")]
    assert found.relation.effects.predicates == {}
    assert bound.walk.catalog.starred == set()


def test_a_table_called_as_a_pattern_variable_is_the_same_rows() -> None:
    """The name of the table stays in sight beside those of the variables."""
    _, found = _matched("MEASURES max(t.a) AS k, max(x.b) AS l PATTERN (x) DEFINE x AS t.c > 1")

    assert listed(found.relation.columns) == [("k", "t#a"), ("l", "t#b")]


def test_the_columns_of_a_partition_are_spelled_as_the_dialect_compares_them(lineage):
    """A star over the match shows them so."""
    matched = "far MATCH_RECOGNIZE (PARTITION BY id MEASURES FIRST(v) AS fv PATTERN (r+) DEFINE r AS v > 1) AS m"
    result = lineage(f"CREATE TABLE o AS SELECT * FROM {matched}", dialect="snowflake")
    assert result.names("d.O") == {"ID": "FAR#ID", "FV": "FAR#V"}


def test_match_recognize_is_of_the_table_before_it(lineage):
    """A join that follows it joins what it makes."""
    matched = (
        "t MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES LAST(r.c) AS z PATTERN (r+) DEFINE r AS r.c > 1) AS m"
    )
    result = lineage(f"SELECT m.a, m.z, u.d FROM {matched} JOIN u ON u.a = m.a", dialect="trino")
    assert result.names() == {"a": "t#a", "z": "t#c", "d": "u#d"}
    result = lineage(f"SELECT m.z, u.d FROM u, {matched}", dialect="trino")
    assert result.names() == {"z": "t#c", "d": "u#d"}


def test_a_condition_of_a_pattern_looks_at_other_rows_without_a_window(lineage):
    """Snowflake's LAG and LEAD in DEFINE go over the rows of the match: they were reported as without OVER."""
    sql = """SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES LAST(c) AS p PATTERN (s up+)
    DEFINE up AS c > LAG(c))"""
    told = lineage(sql, dialect="snowflake", columns={"n:d.T": ("A", "B", "C")})
    assert told.found.coverage == "complete"
    assert lineage("SELECT lag(a) AS z FROM t", dialect="snowflake").codes() == {"misplaced-aggregate"}


def test_rows_of_several_pattern_variables_are_rows_of_the_table(lineage):
    """SUBSET gives them a name; it was a syntax error."""
    sql = """SELECT p FROM t MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES LAST(su.c) AS p
    PATTERN (s u+) SUBSET su = (s, u), sv = (u) DEFINE u AS u.c > PREV(u.c))"""
    told = lineage(sql, dialect="trino")
    assert told.columns() == {"p": {"t#c": "AGGREGATION"}}
    assert told.found.coverage == "complete"
    assert set(lineage("SELECT subset FROM t", dialect="trino").columns()) == {"subset"}
