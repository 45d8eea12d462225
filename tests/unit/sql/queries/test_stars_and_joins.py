"""Stars and names over one table or several, known and unknown."""

from __future__ import annotations

import pytest


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
