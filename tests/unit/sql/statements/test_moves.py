"""Rows that go from one table to another without a query."""

from __future__ import annotations

import pytest
from scripted import pairs, ran, running, tree

from ingest.sql import extract
from ingest.sql.parser.scripts.moves import Move
from ingest.sql.statements.moves import move, rename, renamed_parts, swap

ONE_WAY = {("s", "t")}
BOTH = {("s", "t"), ("t", "s")}


def table(run, name: str):
    """Return a table's name as the parser gives it."""
    return tree(run, f"SELECT 1 FROM {name}").args["from_"].this


def test_swapped_tables_have_each_others_columns() -> None:
    """One that is not known leaves the other unknown."""
    run = running()
    swap(run.catalog, "n:d.t", "n:d.u")
    assert (run.catalog.columns("n:d.t"), run.catalog.columns("n:d.u")) == (("a", "d", "e"), ("a", "b", "c"))

    swap(run.catalog, "n:d.t", "n:d.nowhere")
    assert (run.catalog.columns("n:d.t"), run.catalog.columns("n:d.nowhere")) == (None, ("a", "d", "e"))


def test_both_sides_of_a_swap_are_read_before_either_is_written() -> None:
    """Each gets the rows that the other had."""
    run = running("snowflake", {"n:d.T": ("A",), "n:d.U": ("A", "B")})
    node = tree(run, "ALTER TABLE t SWAP WITH u")
    done = move(run, node)

    assert pairs(done.edges) == {"T#A": "U#A", "T#B": "U#B", "U#A": "T#A"}
    assert run.catalog.columns("n:d.T") == ("A", "B")


def test_files_feed_the_table_that_they_become_a_part_of() -> None:
    """``ADD PARTITION … LOCATION`` of Hive and Athena."""
    run = running("hive")
    done = move(run, Move((("s3://b/x", table(run, "t")), ("/y", table(run, "t"))), "files"))

    assert pairs(done.edges) == {"t": "file:/y s3://b:x"}
    assert done.reads == {"s3://b:x", "file:/y"}


def test_a_temporary_table_takes_its_content_along() -> None:
    """Under the new name it is what was written to it."""
    run = running("postgres")
    done = ran(run, "CREATE TEMP TABLE k AS SELECT a FROM t; ALTER TABLE k RENAME TO l; INSERT INTO o SELECT a FROM l")

    assert pairs(done.edges) == {"o#a": "t#a"}


def test_a_table_that_the_text_only_created_has_no_rows_to_take_along() -> None:
    """One that it wrote, or that others wrote, has."""
    run = running("postgres")
    assert pairs(ran(run, "CREATE TABLE k (x int); ALTER TABLE k RENAME TO l").edges) == {}

    run = running("postgres")
    assert pairs(ran(run, "CREATE TABLE k AS SELECT a FROM t; ALTER TABLE k RENAME TO l").edges) == {
        "k#a": "t#a", "l#a": "k#a"
    }  # fmt: skip


def test_a_name_that_does_not_outlive_the_script_gets_no_rows_of_others() -> None:
    """The new name of a table that is dropped in the end."""
    run = running("mysql")
    run.short_lived = frozenset(["n:d.gone"])

    assert rename(run, table(run, "t"), table(run, "gone")).edges == []


@pytest.mark.parametrize(
    ("dialect", "new", "expected"),
    [("postgres", "k", ["x", "k"]), ("hive", "k", ["k"]), ("postgres", "y.k", ["y", "k"]), ("hive", "y.k", ["y", "k"])],
)
def test_a_bare_new_name_stays_in_the_old_database_or_goes_to_the_current_one(
    dialect: str, new: str, expected: list[str]
) -> None:
    """The latter in Hive; a name with its database is left as it is."""
    run = running(dialect)

    assert renamed_parts(run.walk.names, table(run, "x.t"), table(run, new)) == expected


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        ("snowflake", "ALTER TABLE t SWAP WITH s", BOTH),
        ("starrocks", "ALTER TABLE t SWAP WITH s", BOTH),
        ("doris", "ALTER TABLE t REPLACE WITH TABLE s", BOTH),
        ("doris", "ALTER TABLE t REPLACE WITH TABLE s PROPERTIES('swap' = 'false')", ONE_WAY),
        ("clickhouse", "EXCHANGE TABLES t AND s", BOTH),
        ("clickhouse", "ALTER TABLE t REPLACE PARTITION '2020' FROM s", ONE_WAY),
        ("clickhouse", "ALTER TABLE t ATTACH PARTITION '2020' FROM s", ONE_WAY),
        ("clickhouse", "ALTER TABLE s MOVE PARTITION '2020' TO TABLE t", ONE_WAY),
        ("mysql", "ALTER TABLE t EXCHANGE PARTITION p WITH TABLE s", BOTH),
        ("oracle", "ALTER TABLE t EXCHANGE PARTITION p WITH TABLE s INCLUDING INDEXES", BOTH),
        ("hive", "ALTER TABLE t EXCHANGE PARTITION (ds = '1') WITH TABLE s", ONE_WAY),
        ("postgres", "ALTER TABLE t ATTACH PARTITION s FOR VALUES FROM (1) TO (2)", ONE_WAY),
        ("postgres", "ALTER TABLE s DETACH PARTITION t", ONE_WAY),
        ("postgres", "ALTER TABLE s INHERIT t", ONE_WAY),
        ("postgres", "CREATE TABLE s () INHERITS (t)", ONE_WAY),
        ("tsql", "ALTER TABLE s SWITCH PARTITION 1 TO t PARTITION 1", ONE_WAY),
        ("tsql", "ALTER TABLE s SWITCH TO t", ONE_WAY),
        ("redshift", "ALTER TABLE t APPEND FROM s", ONE_WAY),
    ],
)
def test_every_column_goes_to_the_one_of_its_name(dialect, sql, expected):
    """Each engine's words for it, with the direction that they have there."""
    columns = ("a", "b")
    world = {f"n:{name}": columns for name in "st"} | {f"n:{name}": ("A", "B") for name in "ST"}
    found = extract(sql, dialect=dialect, namespace="n", columns=world)
    edges = {(edge.source.lower(), edge.target.lower(), edge.subtype) for edge in found.edges}

    assert {(f"n:{one}#{c}", f"n:{two}#{c}", "IDENTITY") for one, two in expected for c in columns} == edges
    assert found.coverage == "complete"


@pytest.mark.parametrize(
    "sql",
    [
        "ALTER TABLE t REPLACE PARTITION (p1) WITH TEMPORARY PARTITION (tp1)",
        "ALTER TABLE t ADD PARTITION p2 VALUES LESS THAN (3)",
        "ALTER TABLE t DROP PARTITION p2",
    ],
)
def test_a_tables_own_partitions_have_no_lineage(sql):
    """What stays inside one table moves nothing between tables."""
    assert (extract(sql, dialect="doris", namespace="n").coverage) == "complete"


def test_what_a_text_writes_moves_to_the_new_name():
    """The usual exchange by renaming: the rows of the new table are found under the old one's name."""
    sql = "CREATE TABLE k AS SELECT a FROM s; RENAME TABLE t TO gone, k TO t; DROP TABLE gone"
    found = extract(sql, dialect="mysql", namespace="n", columns={"n:s": ("a",), "n:t": ("a",)})

    assert {("n:s#a", "n:k#a"), ("n:k#a", "n:t#a")} == {(edge.source, edge.target) for edge in found.edges}
    assert found.coverage == "complete"


@pytest.mark.parametrize(
    ("dialect", "sql", "pair"),
    [
        ("postgres", "ALTER TABLE t RENAME TO u", ("n:t", "n:u")),
        ("trino", "ALTER TABLE a.b.c RENAME TO d", ("n:a.b.c", "n:a.b.d")),
        ("mysql", "RENAME TABLE t TO u", ("n:t", "n:u")),
        ("postgres", "ALTER TABLE t SET SCHEMA x", ("n:t", "n:x.t")),
        ("tsql", "ALTER SCHEMA x TRANSFER dbo.t", ("n:dbo.t", "n:x.t")),
    ],
)
def test_rows_of_others_are_under_the_new_name(dialect, sql, pair):
    """A table that others wrote feeds what it is called from now on, column by column, or by a star."""
    unknown = extract(sql, dialect=dialect, namespace="n")
    known = extract(sql, dialect=dialect, namespace="n", columns={pair[0]: ("a", "b")})

    assert [(e.source, e.target, e.subtype) for e in unknown.edges] == [(f"{pair[0]}#*", f"{pair[1]}#*", "IDENTITY")]
    assert [problem.code for problem in unknown.problems] == ["unknown-columns"]
    assert {(e.source, e.target) for e in known.edges} == {(f"{pair[0]}#{c}", f"{pair[1]}#{c}") for c in "ab"}
    assert known.coverage == "complete"


def test_tables_that_change_places_take_their_types_along() -> None:
    """SWAP WITH is two renames at once."""
    known = {"n:D.T": ("A", ("S", "STRUCT<x: INT>"))}
    found = extract("CREATE TABLE u (q INT); ALTER TABLE t SWAP WITH u", dialect="snowflake",
                    namespace="n", default_database="D", columns=known)  # fmt: skip
    assert dict(found.outputs) == {"n:D.T": ("Q",), "n:D.U": ("A", "S")}
    assert found.types == (("n:D.T", (("Q", "INT"),)), ("n:D.U", (("S", "STRUCT<x: INT>"),)))
