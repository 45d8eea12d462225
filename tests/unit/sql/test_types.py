"""Declared types name what a star over a struct, EXPLODE of a map or UNNEST of an array of rows brings."""

from __future__ import annotations

import pytest

from ingest.sql.statements.script import Script

TYPES = {
    "spark": {
        "id": "int",
        "s": "struct<x:int,y:struct<z:string>>",
        "m": "map<string,int>",
        "rows": "array<struct<p:int,q:int>>",
    },
    "trino": {
        "id": "bigint",
        "s": "row(x bigint, y row(z varchar))",
        "m": "map(varchar, bigint)",
        "rows": "array(row(p bigint, q bigint))",
    },
}


def outputs(dialect, query):
    """Return the columns that a query over n:d.t gives and where they come from, in one text."""
    columns = {"n:d.t": tuple(TYPES[dialect].items())}
    script = Script(dialect=dialect, namespace="n", default_database="d", columns=columns)
    found = script.run(query, "n:o")
    assert found.problems == ()
    return " ".join(sorted(f"{e.target.partition('#')[2]}<{e.source.partition('#')[2]}" for e in found.edges))


@pytest.mark.parametrize(
    ("dialect", "query", "expected"),
    [
        ("spark", "SELECT s.* FROM t", "x<s.x y<s.y"),
        ("spark", "SELECT t.s.y.* FROM t", "z<s.y.z"),
        ("spark", "SELECT s.* EXCEPT (x) FROM t", "y<s.y"),
        ("spark", "SELECT explode(m) FROM t", "key<m value<m"),
        ("spark", "SELECT x.* FROM t LATERAL VIEW posexplode(m) x", "key<m pos<m value<m"),
        ("spark", "SELECT inline(rows) FROM t", "p<rows q<rows"),
        ("trino", "SELECT s.*, (s).y.z AS w FROM t", "w<s.y.z x<s.x y<s.y"),
        ("trino", "SELECT u.* FROM t CROSS JOIN UNNEST(rows, m) AS u (i, j, k, v)", "i<rows.p j<rows.q k<m v<m"),
        ("trino", "SELECT u.* FROM t CROSS JOIN UNNEST(rows) AS u (i, j)", "i<rows.p j<rows.q"),
        ("trino", "SELECT u.* FROM t CROSS JOIN UNNEST(rows) AS u", "p<rows.p q<rows.q"),
    ],
)
def test_types_tell_what_a_query_brings(dialect, query, expected):
    """Without the type these are a star or one column."""
    assert outputs(dialect, query) == expected


def test_types_of_a_script_are_known_to_its_later_statements(lineage):
    """CREATE TABLE and LIKE declare types as the catalog does."""
    script = "CREATE TABLE k (s STRUCT<u: INT, v: INT>); CREATE TABLE l LIKE k; SELECT s.* FROM l"

    assert lineage(script).names() == {"u": "l#s.u", "v": "l#s.v"}
