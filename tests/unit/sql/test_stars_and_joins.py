"""Stars, and the columns that USING and NATURAL make one."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        ("spark", "SELECT * FROM t", {"a": "t#a", "b": "t#b", "c": "t#c"}),
        ("spark", "SELECT x.* FROM t x, u", {"a": "t#a", "b": "t#b", "c": "t#c"}),
        ("spark", "SELECT d.t.* FROM d.t", {"a": "t#a", "b": "t#b", "c": "t#c"}),
        ("bigquery", "SELECT * EXCEPT (a) FROM t", {"b": "t#b", "c": "t#c"}),
        ("spark", "SELECT * EXCEPT (inner, a) FROM (SELECT t.*, 1 AS inner FROM t)", {"b": "t#b", "c": "t#c"}),
        ("bigquery", "SELECT * REPLACE (a + b AS a) FROM t", {"a": "t#a t#b", "b": "t#b", "c": "t#c"}),
        ("snowflake", 'SELECT * EXCLUDE ("b") RENAME ("a" AS "z") FROM "t"', {"z": "t#a", "c": "t#c"}),
        ("hive", "SELECT `(a|b)` FROM t", {"a": "t#a", "b": "t#b"}),
        ("hive", "SELECT `(a)?+.+` FROM t", {"b": "t#b", "c": "t#c"}),
        ("duckdb", "SELECT COLUMNS('a|c') FROM t", {"a": "t#a", "c": "t#c"}),
    ],
)
def test_stars_are_expanded(lineage, dialect, sql, expected):
    """A star stands for the columns in sight, less what EXCEPT takes away, with REPLACE, RENAME and patterns."""
    given = {"default_database": "d"}
    assert expected == lineage(sql, dialect, **given).names()


@pytest.mark.parametrize(
    ("join", "a"),
    [
        ("JOIN", "t#a"),
        ("LEFT JOIN", "t#a"),
        ("RIGHT JOIN", "u#a"),
        ("FULL JOIN", "t#a u#a"),
    ],
)
def test_using_reads_the_side_that_has_all_rows(lineage, join, a):
    """The column of USING is the left one, the right one of a right join, both of a full join; a star has it once."""
    found = lineage(f"INSERT INTO o (o1, o2, o3, o4, o5) SELECT * FROM t {join} u USING (a)")

    assert {"o1": a, "o2": "t#b", "o3": "t#c", "o4": "u#d", "o5": "u#e"} == found.names()


def test_natural_joins_on_the_common_names(lineage):
    """NATURAL is USING over the names that both sides have."""
    assert lineage("SELECT * FROM t NATURAL JOIN u").names() == {
        "a": "t#a",
        "b": "t#b",
        "c": "t#c",
        "d": "u#d",
        "e": "u#e",
    }


def test_a_side_of_using_can_still_be_named(lineage):
    """With the table's name in front, each side's own column is meant."""
    assert lineage("SELECT t.a AS x, u.a AS y FROM t FULL JOIN u USING (a)").names() == {"x": "t#a", "y": "u#a"}


def test_a_semi_join_hides_its_right_side(lineage):
    """A star over a semi join holds the left side alone."""
    assert lineage("SELECT * FROM t LEFT SEMI JOIN u ON t.a = u.a").names() == {"a": "t#a", "b": "t#b", "c": "t#c"}


def test_an_unknown_tables_star_is_told_as_such(lineage):
    """Columns that nobody declared are one edge from star to star, and the answer is partial and names the table."""
    found = lineage("SELECT *, a + 1 AS z FROM nowhere")

    assert found.columns() == {"*": {"nowhere#*": "IDENTITY"}, "z": {"nowhere#a": "TRANSFORMATION"}}
    assert found.found.coverage == "partial"
    assert "n:d.nowhere" in {problem.subject for problem in found.found.problems}


def test_a_name_is_followed_through_an_unknown_star(lineage):
    """A column named outside of SELECT * over an undeclared table is that table's column."""
    assert lineage("SELECT q.k AS z FROM (SELECT * FROM nowhere) q").names() == {"z": "nowhere#k"}


def test_an_ambiguous_column_is_not_guessed(lineage):
    """With two undeclared sources an unqualified name has no column edge; the tables' edges and a problem remain."""
    found = lineage("SELECT k FROM nowhere, elsewhere")

    assert found.columns() == {}
    assert {("nowhere", "o"), ("elsewhere", "o")} == found.tables()
    assert "ambiguous-column" in found.codes()


def test_a_known_table_takes_its_name_from_an_unknown_one(lineage):
    """Beside an undeclared table, a column that a declared one has is certain: a valid query names one column."""
    assert lineage("SELECT b, k FROM t, nowhere").names() == {"b": "t#b", "k": "nowhere#k"}


@pytest.mark.parametrize(
    ("dialect", "query", "expected"),
    [
        ("spark", "SELECT * FROM w, t JOIN u USING (a)", "a x y arr m st b c d e"),
        ("trino", "SELECT * FROM w, t JOIN u USING (a)", "x y arr m st a b c d e"),
        ("spark", "SELECT * FROM t NATURAL JOIN u JOIN w ON a = x", "a b c d e x y arr m st"),
        ("spark", "SELECT * FROM (t JOIN u USING (a)) AS k(p, q, r, s, z)", "p q r s z"),
    ],
)
def test_a_star_over_merged_columns_keeps_their_order(lineage, dialect, query, expected):
    """What USING and NATURAL merged comes first among what they joined; a comma is weaker than a join but in Spark."""
    found = lineage(f"INSERT INTO o {query}; CREATE TABLE made AS {query}", dialect).found

    assert dict(found.outputs)["n:d.made"] == tuple(expected.split())


def test_except_and_intersect_in_trino_count_both_sides(lineage):
    """As Trino says of its own queries: a value of INTERSECT is of both sides, EXCEPT's right side decides."""
    told = lineage("SELECT a FROM t INTERSECT SELECT d FROM u", "trino").columns()
    less = lineage("SELECT a FROM t EXCEPT SELECT d FROM u", "trino").columns()

    assert told == {"a": {"t#a": "IDENTITY", "u#d": "IDENTITY"}}
    assert less == {"a": {"t#a": "IDENTITY", "u#d": "CONDITIONAL"}}
