"""ALTER TABLE and ALTER VIEW: columns that come, go and change names."""

from __future__ import annotations

import pytest
from scripted import pairs, reasons, running, tree

from ingest.sql import extract
from ingest.sql.statements.alters import alter

WITH_TYPES = {"n:d.t": ("a", ("s", "STRUCT<x: INT>"))}


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        ("spark", "ALTER TABLE t ADD COLUMNS (z INT FIRST, y INT AFTER B)", "z a b y c"),
        ("spark", "ALTER TABLE t ADD COLUMN z INT AFTER nowhere", "a b c z"),
        ("tsql", "ALTER TABLE t ADD z INT, y INT", "a b c z y"),
        ("mysql", "ALTER TABLE t ADD COLUMN A INT", "a b c"),
        ("spark", "ALTER TABLE t DROP COLUMNS (a, C)", "b"),
        ("postgres", "ALTER TABLE t DROP COLUMN nowhere", "a b c"),
        ("postgres", "ALTER TABLE t RENAME COLUMN a TO z", "z b c"),
        ("postgres", "ALTER TABLE t RENAME COLUMN nowhere TO z", "a b c"),
        ("mysql", "ALTER TABLE t CHANGE B z INT", "a z c"),
        ("mysql", "ALTER TABLE t CHANGE B z INT FIRST", "z a c"),
        ("mysql", "ALTER TABLE t MODIFY COLUMN a BIGINT AFTER C", "b c a"),
        ("mysql", "ALTER TABLE t MODIFY COLUMN a BIGINT AFTER nowhere", "a b c"),
        ("mysql", "ALTER TABLE t MODIFY COLUMN nowhere BIGINT FIRST", "a b c"),
        ("hive", "ALTER TABLE t REPLACE COLUMNS (z INT, a INT)", "z a"),
        ("postgres", "ALTER TABLE t ADD CONSTRAINT k CHECK (a > 0)", "a b c"),
    ],
)
def test_columns_come_go_and_change_names_in_their_place(dialect: str, sql: str, expected: str) -> None:
    """In any case of letters; a column that is there already, or is not there, changes nothing."""
    run = running(dialect)
    done = alter(run, tree(run, sql))

    assert run.catalog.columns("n:d.t") == tuple(expected.split())
    assert (done.kind, done.edges, done.writes) == ("ddl", [], set())


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("ALTER TABLE nowhere ADD COLUMNS (z INT)", None),
        ("ALTER TABLE nowhere CHANGE COLUMN a z INT", None),
        ("ALTER TABLE nowhere REPLACE COLUMNS (z INT)", ("z",)),
    ],
)
def test_of_a_table_of_unknown_columns_only_a_whole_list_says_them(sql: str, expected: tuple[str, ...] | None) -> None:
    """One more column of a table is not all of its columns."""
    run = running()
    alter(run, tree(run, sql))

    assert run.catalog.columns("n:d.nowhere") == expected
    assert reasons(run) == []


def test_partition_columns_stay_last() -> None:
    """Those that the script declared, after added columns and after a whole new list."""
    run = running()
    run.run(tree(run, "CREATE TABLE k (x INT) PARTITIONED BY (dt STRING)"))
    alter(run, tree(run, "ALTER TABLE k ADD COLUMNS (y INT)"))
    assert run.catalog.columns("n:d.k") == ("x", "y", "dt")

    alter(run, tree(run, "ALTER TABLE k REPLACE COLUMNS (z INT)"))
    assert run.catalog.columns("n:d.k") == ("z", "dt")


def test_another_query_of_a_view_is_written() -> None:
    """ALTER VIEW … AS replaces the view, and its columns are those of the new query."""
    run = running()
    done = alter(run, tree(run, "ALTER VIEW v AS SELECT a AS x FROM t"))

    assert (done.kind, pairs(done.edges), done.writes) == ("view", {"v#x": "t#a"}, {"n:d.v"})
    assert run.catalog.columns("n:d.v") == ("x",)


def test_a_new_name_takes_columns_and_rows_along() -> None:
    """What others wrote to the old name is read under the new one."""
    run = running("postgres")
    done = alter(run, tree(run, "ALTER TABLE u RENAME TO k"))

    assert pairs(done.edges) == {"k#a": "u#a", "k#d": "u#d", "k#e": "u#e"}
    assert (run.catalog.columns("n:d.k"), run.catalog.columns("n:d.u")) == (("a", "d", "e"), None)


@pytest.mark.parametrize("dialect", ["hive", "spark"])
def test_added_columns_of_a_table_known_from_outside_are_in_doubt(lineage, dialect):
    """Nothing tells whether the caller's table has partition columns, before which new ones go: the table is named."""
    found = lineage("ALTER TABLE t ADD COLUMNS (z int)", dialect).found

    assert [(problem.code, problem.subject) for problem in found.problems] == [("column-order", "n:d.t")]
    assert found.coverage == "partial"
    assert dict(found.outputs)["n:d.t"] == ("a", "b", "c", "z")


@pytest.mark.parametrize(
    ("sql", "dialect"),
    [
        ("CREATE TABLE k (x int) PARTITIONED BY (ds string); ALTER TABLE k ADD COLUMNS (z int)", "hive"),
        (
            "CREATE TABLE IF NOT EXISTS t (a int, b int) PARTITIONED BY (c string); ALTER TABLE t ADD COLUMNS (z int)",
            "hive",
        ),
        ("CREATE TABLE IF NOT EXISTS t (a int, b int, c int); ALTER TABLE t ADD COLUMNS (z int)", "hive"),
        ("ALTER TABLE t ADD COLUMNS (b int)", "hive"),
        ("ALTER TABLE t ADD COLUMN z int AFTER a", "spark"),
        ("ALTER TABLE t ADD COLUMN z int", "postgres"),
        ("ALTER TABLE t RENAME COLUMN a TO z", "spark"),
        ("ALTER TABLE t CHANGE COLUMN a z int", "hive"),
    ],
)
def test_where_the_place_of_a_column_is_stated_there_is_no_doubt(lineage, sql, dialect):
    """A table that the text made, a stated place, another dialect and another action leave nothing open."""
    assert lineage(sql, dialect).found.coverage == "complete"


def test_a_repeated_declaration_says_the_partition_columns(lineage):
    """IF NOT EXISTS of a table that is there, with its partition columns: a new column goes before them."""
    sql = "CREATE TABLE IF NOT EXISTS t (a int, b int) PARTITIONED BY (c string); ALTER TABLE t ADD COLUMNS (z int)"

    assert dict(lineage(sql, "hive").found.outputs)["n:d.t"] == ("a", "b", "z", "c")


@pytest.mark.parametrize(
    "declared", ["(a int, b int)", "(b int, c int) PARTITIONED BY (a string)", "(x int) PARTITIONED BY (y string)"]
)
def test_a_declaration_that_differs_from_the_known_table_says_nothing(lineage, declared):
    """The table there is not the declared one: whether it has partition columns stays open."""
    found = lineage(f"CREATE TABLE IF NOT EXISTS t {declared}; ALTER TABLE t ADD COLUMNS (z int)", "hive").found

    assert {"column-order"} == {problem.code for problem in found.problems}


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
    found = extract(sql, dialect=dialect, namespace="n", default_database="d", columns=WITH_TYPES)

    assert {dataset: dict(types) for dataset, types in found.types} == ({"n:d.t": expected} if expected else {})


@pytest.mark.parametrize(
    "change",
    ["ALTER TABLE t ADD COLUMNS (b INT)", "ALTER TABLE t RENAME COLUMN a TO c", "CREATE TABLE o LIKE t"],
)
def test_a_star_over_a_struct_still_knows_its_fields_after_an_alter(change: str) -> None:
    """What the text changes of a table is not its struct."""
    found = extract(
        f"{change}; CREATE TABLE u AS SELECT t.s.* FROM t",
        dialect="spark", namespace="n", default_database="d", columns=WITH_TYPES,
    )  # fmt: skip
    assert [(edge.source, edge.target) for edge in found.edges] == [("n:d.t#s.x", "n:d.u#x")]


def test_a_column_whose_type_an_alter_changes_has_the_new_fields() -> None:
    """And no longer those that it had."""
    found = extract(
        "ALTER TABLE t CHANGE COLUMN s s STRUCT<y: INT>; CREATE TABLE u AS SELECT t.s.* FROM t",
        dialect="spark", namespace="n", default_database="d", columns=WITH_TYPES,
    )  # fmt: skip
    assert [(edge.source, edge.target) for edge in found.edges] == [("n:d.t#s.y", "n:d.u#y")]


@pytest.mark.parametrize(("using", "added"), [("parquet", "t#b"), ("delta", "t#c")])
def test_an_added_column_goes_before_the_partition_columns_that_stay_last(lineage, using, added):
    """``ALTER TABLE … ADD COLUMNS`` of a table of files keeps its partition columns after the new one."""
    made = f"CREATE TABLE n (q INT, p INT) USING {using} PARTITIONED BY (p); ALTER TABLE n ADD COLUMNS (r INT)"
    assert lineage(f"{made}; INSERT INTO n SELECT a, b, c FROM t").names("d.n")["r"] == added


@pytest.mark.parametrize(
    ("sql", "expected"),
    [('DROP COLUMN "Id"', "ID X"), ("DROP COLUMN id", "Id X"), ('RENAME COLUMN "Id" TO k', "K ID X"),
     ("RENAME COLUMN id TO k", "Id K X"), ('DROP COLUMN "x"', "Id ID")],
)  # fmt: skip
def test_a_quoted_name_is_the_column_of_its_case(sql: str, expected: str) -> None:
    """Snowflake's ``"Id"`` and ``id`` are two columns."""
    text = f'CREATE TABLE m ("Id" INT, id INT, x INT); ALTER TABLE m {sql}'
    found = extract(text, dialect="snowflake", namespace="n", default_database="d")

    assert dict(found.outputs)["n:d.M"] == tuple(expected.split())


@pytest.mark.parametrize("known", [{}, {"n:d.t": ("a", "b")}])
@pytest.mark.parametrize(
    ("dialect", "column"),
    [
        ("clickhouse", "COLUMN g Date MATERIALIZED toDate(a)"),
        ("tsql", "g AS (a * 2) PERSISTED"),
        ("postgres", "COLUMN g int GENERATED ALWAYS AS (a * 2) STORED"),
        ("mysql", "COLUMN g INT AS (a + 1) AFTER a"),
    ],
)
def test_a_computed_column_that_is_added_comes_from_others(known, dialect: str, column: str) -> None:
    """Whether the table's columns are known or not; in a table of the script alone it is followed."""
    run = running(dialect, known)

    assert pairs(alter(run, tree(run, f"ALTER TABLE t ADD {column}")).edges) == {"t#g": "t#a"}
    assert reasons(run) == []


def test_a_new_name_of_the_table_hides_no_other_action(lineage) -> None:
    """MySQL's ``RENAME TO u, ADD COLUMN z INT``: the actions after it were left out."""
    made = "CREATE TABLE k (x INT, y INT); ALTER TABLE k RENAME TO l, ADD COLUMN z INT, DROP COLUMN x"

    assert lineage(f"{made}; INSERT INTO o SELECT * FROM l", "mysql").names() == {"y": "l#y", "z": "l#z"}


@pytest.mark.parametrize(
    ("dialect", "altered", "query", "expected"),
    [
        ("duckdb", "DROP COLUMN b; ALTER TABLE k RENAME COLUMN c TO b", "a, b FROM k", {"a": "t#a", "b": "t#c"}),
        ("duckdb", "RENAME b TO z", "* FROM k", {"a": "t#a", "z": "t#b", "c": "t#c"}),
        ("postgres", "RENAME COLUMN A TO z", "z, c FROM k", {"z": "t#a", "c": "t#c"}),
        ("mysql", "CHANGE b z INT FIRST", "* FROM k", {"z": "t#b", "a": "t#a", "c": "t#c"}),
        ("sqlite", "DROP COLUMN c; ALTER TABLE k ADD COLUMN c INT; UPDATE k SET c = a", "c FROM k", {"c": "t#a"}),
        ("duckdb", "ALTER b TYPE INT USING b + c", "b FROM k", {"b": "t#b t#c"}),
    ],
)
def test_what_a_temporary_table_holds_follows_its_columns(lineage, dialect, altered, query, expected) -> None:
    """A name that another column had before, or a column that is new, has nothing of the one that is gone."""
    script = f"CREATE TEMPORARY TABLE k AS SELECT a, b, c FROM t; ALTER TABLE k {altered}; INSERT INTO o SELECT {query}"

    assert lineage(script, dialect, columns={"n:d.t": ["a", "b", "c"]}).names() == expected


def test_a_column_of_an_unknown_star_is_renamed_as_well() -> None:
    """What it was called is not among the others any more."""
    found = extract(
        "CREATE TEMP TABLE k AS SELECT * FROM t; ALTER TABLE k RENAME COLUMN x TO z; "
        "CREATE TABLE o AS SELECT z, y FROM k",
        dialect="duckdb",
        namespace="n",
    )

    assert {(e.source, e.target) for e in found.edges} == {("n:t#x", "n:o#z"), ("n:t#y", "n:o#y")}


@pytest.mark.parametrize("renaming", ["RENAME COLUMN x TO z", "RENAME x TO z"])
def test_what_the_text_wrote_to_a_column_moves_to_its_new_name(renaming: str) -> None:
    """As to the new name of a table; of a stored table nothing moves."""
    altered = f"ALTER TABLE k {renaming}"
    found = extract(f"CREATE TABLE k AS SELECT b AS x FROM t; {altered}", dialect="postgres", namespace="n")
    alone = extract(altered, dialect="postgres", namespace="n", columns={"n:k": ("x",)})

    assert {(e.source, e.target) for e in found.edges} == {("n:t#b", "n:k#x"), ("n:k#x", "n:k#z")}
    assert (dict(found.outputs)["n:k"], alone.edges, alone.coverage) == (("z",), (), "complete")


def test_a_column_that_keeps_its_name_does_not_move() -> None:
    """Hive and MySQL say the name twice to change a type."""
    text = "CREATE TABLE k AS SELECT b AS x FROM t; ALTER TABLE k CHANGE x x BIGINT"
    found = extract(text, dialect="hive", namespace="n")

    assert {(e.source, e.target) for e in found.edges} == {("n:t#b", "n:k#x")}


def test_using_makes_a_column_of_others() -> None:
    """A cast of the column itself is no lineage."""
    made = extract("ALTER TABLE t ALTER b TYPE INT USING b + c", dialect="postgres", namespace="n")
    cast = extract("ALTER TABLE t ALTER b TYPE INT USING b::int", dialect="postgres", namespace="n")

    assert {(e.source, e.target) for e in made.edges} == {("n:t#b", "n:t#b"), ("n:t#c", "n:t#b")}
    assert cast.edges == ()
