"""Stars and names over one table or several, known and unknown."""

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
