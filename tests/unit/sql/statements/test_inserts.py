"""Which target column each output of a query goes to."""

from __future__ import annotations

import pytest
from scripted import pairs, ran, reasons, running, tree

from ingest.sql.binder.relations.flow import IDENTITY, Column, Part
from ingest.sql.statements import inserts


def columns(*names: str) -> list[Column]:
    """Return columns that come from those of the same names in ``s``."""
    return [Column(name, (Part({f"n:s#{name}": IDENTITY}, name),)) for name in names]


def named(found: inserts.Pairs) -> list[tuple[str, str]]:
    """Return each target name with the name of the column that fills it."""
    return [(name, column.name) for name, column in found]


@pytest.mark.parametrize(
    ("clause", "static", "dynamic"),
    [
        ("PARTITION (DS = '1', hr = 2)", ["ds", "hr"], []),
        ("PARTITION (ds = '1', HR)", ["ds"], ["hr"]),
        ("PARTITION (ds, hr)", [], ["ds", "hr"]),
        ("", [], []),
    ],
)
def test_a_partition_clause_has_static_and_dynamic_columns(clause: str, static: list[str], dynamic: list[str]) -> None:
    """A static one has a value, a dynamic one gets it from the query; both as the dialect spells columns."""
    run = running("hive")
    node = tree(run, f"INSERT INTO TABLE k {clause} SELECT 1")
    clause_of = node.this.args.get("partition") or node.args.get("partition")

    assert inserts.partition_names(run.walk, clause_of) == (static, dynamic)


def test_where_partitions_have_names_a_clause_names_no_columns() -> None:
    """MySQL's ``PARTITION (p0)`` chooses a partition."""
    run = running("mysql")
    node = tree(run, "INSERT INTO t PARTITION (p0) SELECT a, d, e FROM u")

    assert inserts.partition_names(run.walk, node.this.args.get("partition") or node.args.get("partition")) == ([], [])


@pytest.mark.parametrize(
    ("listed", "clause", "expected"),
    [
        ([], "", ["v1", "v2", "ds", "hr"]),
        ([], "PARTITION (ds = '1', hr = '2')", ["v1", "v2"]),
        ([], "PARTITION (HR, ds = '1')", ["v1", "v2", "hr"]),
        (["v2"], "", ["v2"]),
        (["v2"], "PARTITION (ds = '1', hr)", ["v2", "hr"]),
        (["hr", "v2"], "PARTITION (ds = '1', hr)", ["hr", "v2"]),
    ],
)
def test_static_columns_take_no_place_and_dynamic_ones_are_last(
    listed: list[str], clause: str, expected: list[str]
) -> None:
    """With a list of columns, too, unless that names them itself."""
    run = running("hive", {"n:d.p": ("v1", "v2", "ds", "hr")})
    node = tree(run, f"INSERT INTO TABLE p {clause} SELECT 1")
    partition = node.this.args.get("partition") or node.args.get("partition")

    assert inserts.insert_names(run.walk, "n:d.p", listed, partition) == expected


def test_the_columns_of_an_unknown_table_are_not_known() -> None:
    """A list names them all the same."""
    run = running("hive")

    assert inserts.insert_names(run.walk, "n:d.nowhere", [], None) is None
    assert inserts.insert_names(run.walk, "n:d.nowhere", ["x"], None) == ["x"]


@pytest.mark.parametrize(
    ("given", "names", "expected"),
    [
        (("a", "b"), ["x", "y"], [("x", "a"), ("y", "b")]),
        (("a", "b"), None, [("a", "a"), ("b", "b")]),
        (("a", "*", "b", "c"), ["w", "x", "y", "z"], [("w", "a"), ("*", "*"), ("y", "b"), ("z", "c")]),
        (("*",), ["x", "y"], [("*", "*")]),
        (("a", "*", "*", "c"), ["w", "x", "y", "z"], [("w", "a"), ("*", "*"), ("*", "*"), ("z", "c")]),
    ],
)
def test_outputs_go_to_names_by_position(
    given: tuple[str, ...], names: list[str] | None, expected: list[tuple[str, str]]
) -> None:
    """Those in front of a star count from the front, those after it from the back."""
    run = running()

    assert named(inserts.by_position(run.walk, "n:d.k", columns(*given), names)) == expected
    assert reasons(run) == []


@pytest.mark.parametrize("given", [("a",), ("a", "b", "c")])
def test_another_number_of_outputs_is_reported(given: tuple[str, ...]) -> None:
    """What fits is filled."""
    run = running()
    found = inserts.by_position(run.walk, "n:d.k", columns(*given), ["x", "y"])

    assert named(found) == [("x", "a"), ("y", "b")][: len(given)]
    assert reasons(run) == [("column-count", "n:d.k")]


def test_columns_of_a_function_all_come_from_what_it_is_given() -> None:
    """A star that is not a table's star fills each name between."""
    run = running()
    star = Column("*", (Part({"n:s#x": IDENTITY}, "f(x)"),))
    found = inserts.by_position(run.walk, "n:d.k", [*columns("a"), star, *columns("b")], ["v", "w", "x", "y"])

    assert [(name, *column.flow()) for name, column in found] == [
        ("v", "n:s#a"), ("w", "n:s#x"), ("x", "n:s#x"), ("y", "n:s#b")
    ]  # fmt: skip


def test_by_name_the_targets_spelling_counts() -> None:
    """A column that the target is not known to have keeps its own."""
    assert named(inserts.by_name(columns("B", "a", "Z"), ("a", "b"))) == [("b", "B"), ("a", "a"), ("Z", "Z")]
    assert named(inserts.by_name(columns("B"), None)) == [("B", "B")]


@pytest.mark.parametrize(
    ("given", "dynamic", "expected"),
    [
        (("a", "b"), ["hr"], [("a", "a"), ("hr", "b")]),
        (("a",), ["ds", "hr"], [("a", "a")]),
        (("a", "*"), ["hr"], [("a", "a"), ("*", "*")]),
        (("*", "b"), ["hr"], [("*", "*"), ("hr", "b")]),
        (("a", "b"), [], [("a", "a"), ("b", "b")]),
    ],
)
def test_the_last_outputs_fill_dynamic_partition_columns(
    given: tuple[str, ...], dynamic: list[str], expected: list[tuple[str, str]]
) -> None:
    """Of an unknown table; where a star or too few outputs hide which they are, each keeps its own name."""
    assert named(inserts.with_dynamic_last(columns(*given), dynamic)) == expected


def test_an_insert_into_partitions_of_an_unknown_table() -> None:
    """All of it at once: names of the query's own, and the partition column by position."""
    run = running("hive")
    done = ran(run, "INSERT INTO k PARTITION (dt = '1', hr) SELECT a, b AS x, c FROM t")

    assert pairs(done.edges) == {"k#a": "t#a", "k#hr": "t#c", "k#x": "t#b"}
    assert run.filled == {"n:d.k": ("a", "x", "dt", "hr")}


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("INSERT INTO t SELECT d, e, a FROM u", {"a": "u#d", "b": "u#e", "c": "u#a"}),
        ("INSERT INTO t (c, a) SELECT d, e FROM u", {"c": "u#d", "a": "u#e"}),
        ("INSERT OVERWRITE TABLE t SELECT a AS b, b AS a, c FROM t", {"a": "t#a", "b": "t#b", "c": "t#c"}),
    ],
)
def test_inserts_map_by_position(lineage, sql, expected):
    """Without a column list the target's columns take the outputs in order, whatever the SELECT calls them."""
    assert expected == lineage(sql).names("d.t")


@pytest.mark.parametrize(
    ("partition", "outputs", "expected"),
    [
        ("PARTITION (ds = '1', hr = '2')", "a, b", {"v1": "t#a", "v2": "t#b"}),
        ("PARTITION (ds = '1', hr)", "a, b, c", {"v1": "t#a", "v2": "t#b", "hr": "t#c"}),
        ("PARTITION (ds, hr)", "a, b, c, a + 1", {"v1": "t#a", "v2": "t#b", "ds": "t#c", "hr": "t#a"}),
        ("", "a, b, c, a", {"v1": "t#a", "v2": "t#b", "ds": "t#c", "hr": "t#a"}),
    ],
)
def test_static_partitions_take_no_place_and_dynamic_ones_come_last(lineage, partition, outputs, expected):
    """A static partition column gets its constant; dynamic ones are filled by the last outputs."""
    found = lineage(f"INSERT OVERWRITE TABLE p {partition} SELECT {outputs} FROM t", "hive")

    assert expected == found.names("d.p")


def test_equal_output_names_are_kept_apart(lineage):
    """Two outputs of one name go to two columns: position decides, not the name."""
    found = lineage("INSERT INTO t SELECT x.a, y.a, y.d FROM u x JOIN u y ON x.e = y.e WHERE x.a = y.d")

    assert found.names("d.t") == {"a": "u#a", "b": "u#a", "c": "u#d"}


@pytest.mark.parametrize(
    ("dialect", "defined", "expected"),
    [
        ("tsql", "id INT IDENTITY, x INT, y INT", {"k#x": "t#a", "k#y": "t#b"}),
        ("tsql", "x INT, c AS x * 2, y INT, id INT NOT NULL IDENTITY(1, 1)", {"k#x": "t#a", "k#y": "t#b"}),
        ("tsql", "x INT, c AS (x * 2) PERSISTED, y INT", {"k#x": "t#a", "k#y": "t#b"}),
        ("sqlite", "x INT, c INT AS (x * 2), y INT", {"k#x": "t#a", "k#y": "t#b"}),
        ("duckdb", "x INT, c INT GENERATED ALWAYS AS (x * 2), y INT", {"k#x": "t#a", "k#y": "t#b"}),
        ("postgres", "id INT GENERATED ALWAYS AS IDENTITY, x INT", {"k#id": "t#a", "k#x": "t#b"}),
        ("mysql", "x INT, c INT AS (x * 2)", {"k#x": "t#a", "k#c": "t#b"}),
    ],
)
def test_where_the_engine_fills_a_column_an_insert_may_leave_it_out(
    dialect: str, defined: str, expected: dict[str, str]
) -> None:
    """SQL Server leaves out numbers, too; Postgres and MySQL give each column a place."""
    run = running(dialect)
    done = ran(run, f"CREATE TABLE k ({defined}); INSERT INTO k SELECT a, b FROM t")

    assert pairs(edge for edge in done.edges if not edge.source.startswith("n:d.k#")) == expected
    assert reasons(run) == []


def test_a_numbered_column_that_is_added_later_is_left_out_as_well() -> None:
    """One that lists its columns may fill it."""
    run = running("tsql")
    made = "CREATE TABLE k (x INT); ALTER TABLE k ADD id INT IDENTITY(1, 1)"
    done = ran(run, f"{made}; INSERT INTO k SELECT a FROM t; INSERT INTO k (id) SELECT b FROM t")

    assert pairs(done.edges) == {"k#x": "t#a", "k#id": "t#b"}
    assert reasons(run) == []


@pytest.mark.parametrize("defined", ["x, c AS (x * 2)", "x INT, c INT AS (x * 2)", "x, c INT AS (x * 2) STORED"])
def test_a_computed_column_comes_from_columns_without_a_type_as_well(defined: str) -> None:
    """SQLite's columns need none."""
    run = running("sqlite")
    done = ran(run, f"CREATE TABLE k ({defined}); INSERT INTO k SELECT a FROM t")

    assert {(edge.source, edge.target) for edge in done.edges} == {("n:d.k#x", "n:d.k#c"), ("n:d.t#a", "n:d.k#x")}
