"""UNION, INTERSECT and EXCEPT: which columns are laid over each other, and what the right side decides."""

from __future__ import annotations

import pytest
from bound import Bound, listed, ways

from ingest.sql.binder.query.setops import combined
from ingest.sql.binder.relations.relations import Relation


def _combined(sql: str, dialect: str = "spark") -> tuple[Bound, Relation]:
    bound = Bound("", dialect)
    node = bound.tree(sql)
    left, right = bound.walk.query(node.this, None), bound.walk.query(node.expression, None)
    return bound, combined(bound.walk, node, left, right)


def test_a_union_has_the_left_names_and_both_values_by_place() -> None:
    """It goes over the rows of both, and does what both do."""
    bound, found = _combined("SELECT a, b FROM t WHERE c > 1 UNION ALL SELECT d AS x, a FROM u WHERE e > 1")

    assert listed(found.columns) == [("a", "t#a u#d"), ("b", "t#b u#a")]
    assert ways(found.effects.predicates) == {"t#c": "FILTER", "u#e": "FILTER"}
    assert found.rows == found.effects.reads == {"n:d.t", "n:d.u"}
    assert bound.problems() == []


@pytest.mark.parametrize(
    ("sql", "columns"),
    [("SELECT a, b FROM t UNION SELECT d FROM u", [("a", "t#a u#d"), ("b", "t#b")]),
     ("SELECT a FROM t UNION SELECT d, e FROM u", [("a", "t#a u#d")])],
)  # fmt: skip
def test_sides_of_different_width_are_reported(sql: str, columns: list[tuple[str, str]]) -> None:
    """The left side's columns are there, laid over as far as the right side goes."""
    bound, found = _combined(sql)

    assert listed(found.columns) == columns
    assert bound.problems() == [("column-count", "")]


def test_by_name_columns_of_one_name_are_one() -> None:
    """Others come after the left side's."""
    bound, found = _combined("SELECT a, b FROM t UNION ALL BY NAME SELECT d AS B, e FROM u")

    assert listed(found.columns) == [("a", "t#a"), ("b", "t#b u#d"), ("e", "u#e")]
    assert bound.problems() == []


@pytest.mark.parametrize("word", ["EXCEPT", "INTERSECT"])
def test_the_right_side_of_a_difference_filters(word: str) -> None:
    """All its columns do, and the values are the left side's; it need not be as wide."""
    _, found = _combined(f"SELECT a FROM t {word} SELECT d + 1 AS x FROM u")

    assert listed(found.columns) == [("a", "t#a")]
    assert ways(found.effects.predicates) == {"u#d": "FILTER"}
    assert found.effects.reads == {"n:d.t", "n:d.u"}


def test_trino_counts_both_sides() -> None:
    """A value of INTERSECT is of both; the right side of EXCEPT decides about each value, too."""
    both, less = (_combined(f"SELECT a FROM t {word} SELECT d FROM u", "trino")[1] for word in ("INTERSECT", "EXCEPT"))

    assert [ways(column.flow()) for column in both.columns] == [{"t#a": "IDENTITY", "u#d": "IDENTITY"}]
    assert [ways(column.flow()) for column in less.columns] == [{"t#a": "IDENTITY", "u#d": "CONDITIONAL"}]
    assert ways(less.effects.predicates) == {"u#d": "FILTER"}


def test_known_ends_are_laid_over_each_other_around_unknown_columns() -> None:
    """What is at a star's place is called as the side that knows it, and may come from the whole of the other."""
    one, other = "SELECT a, b, c FROM t", "SELECT q.d, nowhere.*, q.e FROM u q, nowhere"
    columns = {
        f"{one} UNION ALL {other}": [("a", "t#a u#d"), ("b", "nowhere t#b u"), ("c", "t#c u#e")],
        f"{other} UNION ALL {one}": [("d", "t#a u#d"), ("b", "nowhere t#b u"), ("e", "t#c u#e")],
    }
    for sql, expected in columns.items():
        bound, found = _combined(sql)
        assert listed(found.columns) == expected, sql
        assert bound.problems() == [("unknown-columns", "n:d.nowhere")], sql


def test_one_star_on_each_side_at_one_place_is_laid_over_the_other() -> None:
    """And of a table with itself nothing is in doubt."""
    bound, found = _combined("SELECT a, nowhere.* FROM t, nowhere UNION SELECT d, nowhere.* FROM u, nowhere")
    assert listed(found.columns) == [("a", "t#a u#d"), ("*", "nowhere#*")]
    assert bound.problems() == [("unknown-columns", "n:d.nowhere")]

    bound, found = _combined("SELECT * FROM nowhere WHERE x = 1 UNION ALL SELECT * FROM nowhere")
    assert (listed(found.columns), bound.problems()) == ([("*", "nowhere#*")], [])


def test_except_and_intersect_in_trino_count_both_sides(lineage):
    """As Trino says of its own queries: a value of INTERSECT is of both sides, EXCEPT's right side decides."""
    result = lineage("SELECT a FROM t INTERSECT SELECT d FROM u", "trino").columns()
    less = lineage("SELECT a FROM t EXCEPT SELECT d FROM u", "trino").columns()

    assert result == {"a": {"t#a": "IDENTITY", "u#d": "IDENTITY"}}
    assert less == {"a": {"t#a": "IDENTITY", "u#d": "CONDITIONAL"}}
