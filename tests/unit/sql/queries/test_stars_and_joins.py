"""Stars and names over one table or several, known and unknown."""

from __future__ import annotations

import pytest

from ingest.sql import extract


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
        ("mysql", "SELECT * FROM (SELECT a, b FROM t) y JOIN (SELECT b, a, c FROM t) z USING (b, a)", "a b c"),
        ("mysql", "SELECT * FROM (SELECT b, a FROM t) y JOIN (SELECT a, b, c FROM t) z USING (a, b)", "b a c"),
        ("spark", "SELECT * FROM (SELECT b, a FROM t) y JOIN (SELECT a, b, c FROM t) z USING (a, b)", "a b c"),
        ("postgres", "SELECT * FROM ((SELECT b FROM t) CROSS JOIN w)", "b x y arr m st"),
        ("spark", "SELECT * FROM ((SELECT b FROM t UNION SELECT d FROM u) JOIN u ON b = d)", "b a d e"),
    ],
)
def test_a_star_over_merged_columns_keeps_their_order(lineage, dialect, query, expected):
    """What USING and NATURAL merged comes first among what they joined; a comma is weaker than a join but in Spark."""
    found = lineage(f"INSERT INTO o {query}; CREATE TABLE made AS {query}", dialect).found

    assert dict(found.outputs)["n:d.made"] == tuple(expected.split())


@pytest.mark.parametrize(
    ("dialect", "star", "expected"),
    [
        ("spark", "* EXCEPT (u.a)", {"a": "t#a", "b": "t#b", "c": "t#c", "d": "u#d", "e": "u#e"}),
        ("spark", "* EXCEPT (t.a, b, c, u.d)", {"a": "u#a", "e": "u#e"}),
        ("duckdb", "* EXCLUDE (t.a, u.a, b, c, d)", {"e": "u#e"}),
        ("duckdb", "* RENAME (u.a AS z)", {"a": "t#a", "b": "t#b", "c": "t#c", "z": "u#a", "d": "u#d", "e": "u#e"}),
        ("duckdb", "* EXCLUDE (b, c, d, e) REPLACE (u.a + t.b AS a)", {"a": "t#b u#a"}),
    ],
)
def test_a_qualified_name_means_one_of_the_columns_under_a_star(lineage, dialect, star, expected):
    """``u.a`` leaves the other ``a`` alone; a name alone means both, of which REPLACE makes one."""
    found = lineage(f"SELECT {star} FROM t JOIN u ON t.a = u.a", dialect)

    assert found.names() == expected
    assert found.found.coverage == "complete"


def test_a_qualified_name_is_left_out_of_its_own_unknown_source():
    """The other source may have a column of that name."""
    found = extract(
        "CREATE TABLE o AS SELECT * EXCEPT (y.b) FROM x JOIN y ON x.k = y.k", dialect="spark", namespace="spark"
    )

    texts = {edge.source: edge.expression for edge in found.edges if edge.type == "DIRECT"}
    assert texts == {"spark:x#*": "", "spark:y#*": "* EXCEPT (b)"}


def test_a_field_that_a_star_leaves_out_is_not_a_column_of_its_name():
    """Spark takes the field out of the struct; the column of that name stays."""
    found = extract(
        "CREATE TABLE x (s STRUCT<f: INT, g: INT>, f INT); CREATE TABLE o AS SELECT * EXCEPT (s.f) FROM x",
        dialect="spark",
        namespace="spark",
    )

    assert dict(found.outputs)["spark:o"] == ("s", "f")
