"""The types that a text declares of the columns that it leaves behind, and what follows from those it is given."""

from __future__ import annotations

import pytest

from ingest.sql import extract

KNOWN = {"n:d.t": ("a", ("s", "STRUCT<x: INT>"))}


def declared(sql: str, dialect: str = "hive") -> dict[str, dict[str, str]]:
    """The types by dataset (without its database) and column, where ``t`` is known from outside."""
    found = extract(sql, dialect=dialect, namespace="n", default_database="d", columns=KNOWN)
    return {dataset.removeprefix("n:d."): dict(types) for dataset, types in found.types}


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        (
            "hive",
            "CREATE TABLE u (a INT COMMENT 'x', s STRUCT<x: INT>) PARTITIONED BY (dt STRING)",
            {"u": {"a": "INT", "s": "STRUCT<x: INT>", "dt": "STRING"}},
        ),
        ("trino", "CREATE TABLE u (a bigint, s ROW(x integer))", {"u": {"a": "BIGINT", "s": "ROW(x INTEGER)"}}),
        ("duckdb", "CREATE TABLE u (a INT, s STRUCT(x INT)[])", {"u": {"a": "INT", "s": "STRUCT(x INT)[]"}}),
        ("tsql", "CREATE TABLE u (a INT) ; CREATE VIEW v AS SELECT a FROM u", {"u": {"a": "INTEGER"}}),
        ("postgres", "CREATE TABLE u (a numeric(18, 2) NOT NULL, CHECK (a > 0))", {"u": {"a": "DECIMAL(18, 2)"}}),
        ("hive", "CREATE TABLE u LIKE t", {"u": {"s": "STRUCT<x: INT>"}}),
        ("hive", "CREATE TABLE u (a INT); CREATE TABLE v LIKE u", {"u": {"a": "INT"}, "v": {"a": "INT"}}),
        ("hive", "CREATE TABLE u AS SELECT a FROM t", {}),
        ("hive", "CREATE TABLE u (a INT); DROP TABLE u", {}),
        ("hive", "CREATE TEMPORARY TABLE u (a INT)", {}),
        # damaged types that sqlglot's parser takes: its generator refuses the one, the other is no type to it
        ("hive", "CREATE TABLE u (a INT, b ARRAY<DOUBLE>())", {"u": {"a": "INT"}}),
        ("hive", "CREATE TABLE u (a INT, b DECIMAL(5f(f(,3))))", {"u": {"a": "INT"}}),
        ("hive", "CREATE TABLE IF NOT EXISTS t (a INT, s STRUCT<y: INT>)", {}),
    ],
)
def test_what_a_create_declares(dialect: str, sql: str, expected: dict[str, dict[str, str]]) -> None:
    """All types as the dialect writes them, of what is there in the end and is not temporary."""
    assert declared(sql, dialect) == expected


def test_a_create_with_a_query_declares_the_types_of_its_columns_too() -> None:
    """They are those of the list, whatever the query gives."""
    found = extract("CREATE TABLE d.u (a INT64, s ARRAY<STRUCT<x INT64>>) AS SELECT 1, []", dialect="bigquery",
                    namespace="n", default_database="")  # fmt: skip
    assert found.types == (("n:d.u", (("a", "INT64"), ("s", "ARRAY<STRUCT<x INT64>>"))),)


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        ("hive", "ALTER TABLE t ADD COLUMNS (b MAP<STRING, INT>)", {"s": "STRUCT<x: INT>", "b": "MAP<STRING, INT>"}),
        ("hive", "ALTER TABLE t CHANGE COLUMN s r STRUCT<y: INT>", {"r": "STRUCT<y: INT>"}),
        ("hive", "ALTER TABLE t CHANGE COLUMN s s STRING", {"s": "STRING"}),
        ("hive", "ALTER TABLE t REPLACE COLUMNS (s BIGINT, z INT)", {"s": "BIGINT", "z": "INT"}),
        ("spark", "ALTER TABLE t RENAME COLUMN s TO r", {"r": "STRUCT<x: INT>"}),
        ("postgres", "ALTER TABLE t ALTER COLUMN a TYPE BIGINT", {"a": "BIGINT", "s": "STRUCT<x: INT>"}),
        ("postgres", "ALTER TABLE t ALTER COLUMN a SET NOT NULL", None),
        ("postgres", "ALTER TABLE t DROP COLUMN s", None),
    ],
)
def test_what_an_alter_changes(dialect: str, sql: str, expected: dict[str, str] | None) -> None:
    """The other columns keep the types that have parts; a renamed one takes its own along."""
    assert declared(sql, dialect).get("t") == expected


def test_tables_that_change_places_take_their_types_along() -> None:
    """SWAP WITH is two renames at once."""
    known = {"n:D.T": ("A", ("S", "STRUCT<x: INT>"))}
    found = extract("CREATE TABLE u (q INT); ALTER TABLE t SWAP WITH u", dialect="snowflake",
                    namespace="n", default_database="D", columns=known)  # fmt: skip
    assert dict(found.outputs) == {"n:D.T": ("Q",), "n:D.U": ("A", "S")}
    assert found.types == (("n:D.T", (("Q", "INT"),)), ("n:D.U", (("S", "STRUCT<x: INT>"),)))


@pytest.mark.parametrize(
    "change",
    ["ALTER TABLE t ADD COLUMNS (b INT)", "ALTER TABLE t RENAME COLUMN a TO c", "CREATE TABLE o LIKE t"],
)
def test_a_star_over_a_struct_still_knows_its_fields_behind_an_alter(change: str) -> None:
    """What the text changes of a table is not its struct."""
    found = extract(
        f"{change}; CREATE TABLE u AS SELECT t.s.* FROM t",
        dialect="spark", namespace="n", default_database="d", columns=KNOWN,
    )  # fmt: skip
    assert [(edge.source, edge.target) for edge in found.edges] == [("n:d.t#s.x", "n:d.u#x")]


def test_a_column_whose_type_an_alter_changes_has_the_new_fields() -> None:
    """And no longer those that it had."""
    found = extract(
        "ALTER TABLE t CHANGE COLUMN s s STRUCT<y: INT>; CREATE TABLE u AS SELECT t.s.* FROM t",
        dialect="spark", namespace="n", default_database="d", columns=KNOWN,
    )  # fmt: skip
    assert [(edge.source, edge.target) for edge in found.edges] == [("n:d.t#s.y", "n:d.u#y")]


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
