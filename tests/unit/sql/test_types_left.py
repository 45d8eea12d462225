"""The types that a text declares of the columns that it leaves behind, and what follows from those it is given."""

from __future__ import annotations

import pytest

from ingest.sql import extract

KNOWN = {"n:d.t": ("a", ("s", "STRUCT<x: INT>"))}


def declared(sql: str, dialect: str = "hive") -> dict[str, dict[str, str]]:
    """The types by dataset (without its database) and column, where ``t`` is known from outside."""
    found = extract(sql, dialect=dialect, namespace="n", default_database="d", columns=KNOWN)
    return {dataset.removeprefix("n:d."): dict(types) for dataset, types in found.types}


def test_tables_that_change_places_take_their_types_along() -> None:
    """SWAP WITH is two renames at once."""
    known = {"n:D.T": ("A", ("S", "STRUCT<x: INT>"))}
    found = extract("CREATE TABLE u (q INT); ALTER TABLE t SWAP WITH u", dialect="snowflake",
                    namespace="n", default_database="D", columns=known)  # fmt: skip
    assert dict(found.outputs) == {"n:D.T": ("Q",), "n:D.U": ("A", "S")}
    assert found.types == (("n:D.T", (("Q", "INT"),)), ("n:D.U", (("S", "STRUCT<x: INT>"),)))


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
