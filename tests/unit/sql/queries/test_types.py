"""Declared types name what a star over a struct, EXPLODE of a map or UNNEST of an array of rows brings."""

from __future__ import annotations

import pytest

from ingest.sql import extract
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


@pytest.mark.parametrize(
    ("dialect", "value", "path"),
    [
        ("spark", "s.y", "s.y"),
        ("hive", "t.s.y", "t.s.y"),
        ("trino", "q.s.y FROM (SELECT s FROM t) q", "q.s.y"),
        ("spark", "struct(a AS p).y", "y"),
        ("spark", "r[0].y", "y"),
        ("bigquery", "e.y FROM d.t, UNNEST(r) AS e", "e.y"),
    ],
)
def test_a_field_that_a_struct_is_known_not_to_have_is_a_problem(dialect: str, value: str, path: str) -> None:
    """The text may be newer than what is known, so its edge stays; it is resolved again when the table changes."""
    database = "d." if dialect == "bigquery" else ""
    known = {"n:d.t": ("a", ("s", "STRUCT<x: INT>"), ("r", "ARRAY<STRUCT<x: INT>>"))}
    found = extract(
        f"CREATE TABLE {database}u AS SELECT {value}" + ("" if "FROM" in value else f" FROM {database}t"),
        dialect=dialect, namespace="n", default_database="" if database else "d", columns=known,
    )  # fmt: skip

    assert [(problem.code, problem.subject) for problem in found.problems] == [("unknown-column", path)]
    assert found.coverage == "partial"
    assert "n:d.t" in dict(found.lookups)
    assert [edge.target.lower() for edge in found.edges] != []


@pytest.mark.parametrize("value", ["s.x", "S.X", "m.anything", "a.part", "r.x", "r[0].x"])
def test_what_may_be_there_is_none(value: str) -> None:
    """Known fields in any case, keys of a map, and fields of what is not known to be a struct."""
    known = {"n:d.t": ("a", ("s", "STRUCT<x: INT>"), ("r", "ARRAY<STRUCT<x: INT>>"), ("m", "MAP<STRING, INT>"))}
    found = extract(f"CREATE TABLE u AS SELECT {value} AS v FROM t", dialect="spark", namespace="n",
                    default_database="d", columns=known)  # fmt: skip

    assert (found.coverage, found.problems) == ("complete", ())
