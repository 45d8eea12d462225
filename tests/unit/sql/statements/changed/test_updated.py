"""What the assignments of an UPDATE write, and which table each changes."""

from __future__ import annotations

import pytest
from scripted import TABLES, pairs, ran, reasons, running, tree

from ingest.sql import extract
from ingest.sql.statements.changed.updated import targets

UPPER = {"n:d.T": ("A", "B", "C"), "n:d.U": ("A", "D", "E")}


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("UPDATE t SET b = 1", [["b"]]),
        ("UPDATE t SET (b, c) = (1, 2), a = 3", [["b", "c"], ["a"]]),
    ],
)
def test_one_assignment_may_have_several_targets(sql: str, expected: list[list[str]]) -> None:
    """Those in brackets, each by itself."""
    node = tree(running("postgres"), sql)

    assert [[target.name for target in targets(item)] for item in node.expressions] == expected


def test_what_assigns_nothing_has_no_target() -> None:
    """A damaged assignment."""
    assert targets(tree(running("postgres"), "SELECT b > 1").expressions[0]) == []


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("UPDATE t SET b += c", {"t#b": "t#b t#c"}),
        ("UPDATE t SET b += 1, c |= a", {"t#b": "t#b", "t#c": "t#a t#c"}),
        ("UPDATE x SET b -= u.d FROM t AS x, u", {"t#b": "t#b u#d"}),
        ("WITH q AS (SELECT b, c FROM t) UPDATE q SET b *= c", {"t#b": "t#b t#c"}),
        ("UPDATE t SET b.WRITE(c, 0, 5)", {"t#b": "t#b t#c"}),
        ("UPDATE x SET x.b.modify('insert 1') FROM t AS x", {"t#b": "t#b"}),
        ("MERGE INTO t USING u ON 1 = 1 WHEN MATCHED THEN UPDATE SET b += u.d;", {"t#b": "t#b u#d"}),
    ],
)
def test_a_changed_value_is_made_of_the_old_one(sql: str, expected: dict[str, str]) -> None:
    """Assigned with an operator, or by a method of the value; both change the value."""
    for known in (TABLES, {}):
        run = running("tsql", known)
        done = ran(run, sql)

        values = {target: sources for target, sources in pairs(done.edges).items() if "#" in target}
        assert (values, {edge.subtype for edge in done.edges if "#" in edge.target}) == (expected, {"TRANSFORMATION"})
        assert reasons(run) == []


def test_the_old_value_is_the_changed_tables() -> None:
    """Where another source has, or may have, a column of that name."""
    run = running("tsql", {"n:d.t": ("a", "b"), "n:d.u": ("a", "b")})
    done = ran(run, "UPDATE t SET b += u.b FROM t JOIN u ON t.a = u.a")

    assert pairs(done.edges)["t#b"] == "t#b u#b"
    assert reasons(run) == []


@pytest.mark.parametrize(
    ("assigned", "values", "held"),
    [
        ("@x = b = b + 1", {"t#b": "t#b"}, "t#b"),
        ("@x = b, b = 3", {}, "t#b"),
        ("@x = a, b = @x", {"t#b": "t#a"}, "t#a"),
        ("@x = b += c", {"t#b": "t#b t#c"}, "t#b t#c"),
        ("@x = 1", {}, ""),
    ],
)
def test_an_update_may_set_a_variable(assigned: str, values: dict[str, str], held: str) -> None:
    """Alone, or with a column; the variable is no column of the table, and holds the value afterwards."""
    run = running("tsql")
    done = ran(run, f"UPDATE t SET {assigned}; INSERT INTO u (d) VALUES (@x)")

    assert pairs(done.edges) == values | ({"u#d": held} if held else {})
    assert reasons(run) == []


@pytest.mark.parametrize(
    ("assigned", "expected"),
    [
        ("t.b = u.d, u.e = t.c", {"t#b": "u#d", "u#e": "t#c"}),
        ("b = u.d, d = t.c", {"t#b": "u#d", "u#d": "t#c"}),
        ("a = u.d", {"t#a": "u#d"}),
        ("nobody = u.d", {"t#nobody": "u#d"}),
    ],
)
def test_of_joined_tables_each_is_changed_where_its_column_is_set(assigned: str, expected: dict[str, str]) -> None:
    """By the table's name, else where it alone has the column; one that several or none have is the first one's."""
    run = running("mysql")
    done = ran(run, f"UPDATE t JOIN u ON t.a = u.a SET {assigned}")

    values = {target: sources for target, sources in pairs(done.edges).items() if "#" in target}
    assert values == expected
    assert done.writes == {f"n:d.{target.partition('#')[0]}" for target in expected}


def test_a_query_that_is_updated_says_whose_column_it_is() -> None:
    """T-SQL's named query and Oracle's in brackets: the column that the item shows unchanged."""
    named = running("tsql")
    done = ran(named, "WITH q AS (SELECT t.b AS x, u.e AS y FROM t JOIN u ON t.a = u.a) UPDATE q SET y = x")
    assert pairs(done.edges) == {"u": "t#a u#a", "u#e": "t#b"}

    inside = running("oracle", UPPER)
    done = ran(inside, "UPDATE (SELECT t.b AS x, u.e AS y FROM t JOIN u ON t.a = u.a) SET x = y")
    assert pairs(done.edges) == {"T": "T#A U#A", "T#B": "U#E"}


def test_a_computed_column_of_a_query_is_of_no_table() -> None:
    """Which one the UPDATE changes is a reason for doubt."""
    run = running("oracle", UPPER)
    done = ran(run, "UPDATE (SELECT t.b + u.e AS x FROM t JOIN u ON t.a = u.a) SET x = 1")

    assert (done.edges, done.writes, reasons(run)) == ([], set(), [("not-understood", "X")])


def test_a_place_in_an_array_is_its_column() -> None:
    """And a field is one of the column."""
    run = running("postgres")

    assert pairs(ran(run, "UPDATE t SET b[1] = a, c.f = a").edges) == {"t#b": "t#a", "t#c.f": "t#a"}


TWICE = [
    "UPDATE t SET b = 1, b = 2",
    "UPDATE t SET (b, c) = (1, 2), b = 3",
    "MERGE INTO t USING u ON t.a = u.a WHEN MATCHED THEN UPDATE SET b = d, c = e, b = e",
]


@pytest.mark.parametrize("dialect", ["spark", "postgres", "duckdb", "trino", "bigquery", "snowflake", "tsql", "oracle"])
@pytest.mark.parametrize("sql", TWICE)
def test_a_column_that_is_set_twice_is_reported(sql: str, dialect: str) -> None:
    """Engines reject it, but for those that take one of the values."""
    assert "repeated-column" in problems_of(sql, dialect)


@pytest.mark.parametrize("dialect", ["mysql", "sqlite", "clickhouse"])
def test_where_one_of_the_values_counts_nothing_is_reported(dialect: str) -> None:
    """MySQL assigns from left to right, SQLite takes the last."""
    assert problems_of(TWICE[0], dialect) == []


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE t SET b[1] = 1, b[2] = 2",
        "UPDATE t SET b = 1, c = b",
        "UPDATE t SET b = 1; UPDATE t SET b = 2",
        "INSERT INTO t (a) VALUES (1) ON CONFLICT (a) DO UPDATE SET b = 1, c = 2",
    ],
)
def test_other_assignments_are_no_problem(sql: str) -> None:
    """Elements of an array, other columns, another statement."""
    assert problems_of(sql, "postgres") == []


def test_what_a_conflict_sets_twice_is_reported() -> None:
    """As in any other UPDATE."""
    sql = "INSERT INTO t (a) VALUES (1) ON CONFLICT (a) DO UPDATE SET b = 1, b = 2"

    assert problems_of(sql, "postgres") == ["repeated-column"]


DEFAULTS = [
    "UPDATE t SET b = DEFAULT WHERE a = 1",
    "UPDATE t SET b = default FROM u WHERE t.a = u.a",
    "UPDATE t SET (c, b) = (u.d, DEFAULT) FROM u WHERE t.a = u.a",
    "INSERT INTO t (a, b) VALUES (1, 2) ON CONFLICT (a) DO UPDATE SET b = DEFAULT",
    "INSERT INTO t (a, b) VALUES (1, DEFAULT)",
    "MERGE INTO t USING u ON t.a = u.a WHEN MATCHED THEN UPDATE SET b = DEFAULT",
    "MERGE INTO t USING u ON t.a = u.a WHEN NOT MATCHED THEN INSERT (a, b) VALUES (u.a, DEFAULT)",
    "MERGE INTO t USING u ON t.a = u.a WHEN NOT MATCHED THEN INSERT VALUES (u.a, DEFAULT, u.d)",
]


@pytest.mark.parametrize("columns", [None, {"n:d.t": ("a", "b", "c"), "n:d.u": ("a", "d", "e")}])
@pytest.mark.parametrize("sql", DEFAULTS)
def test_the_default_of_a_column_is_no_column(lineage, sql: str, columns: dict[str, tuple[str, ...]] | None) -> None:
    """The word gives a constant: nothing flows from it, and no source must have a column of that name."""
    result = lineage(sql, dialect="postgres", columns=columns or {}, target=None)

    assert "b" not in result.names("d.t")
    assert not [edge for edge in result.found.edges if "default" in str(edge).lower()]
    assert result.codes() <= ({"unknown-columns"} if columns is None else set())


@pytest.mark.parametrize(
    "dialect", ["spark", "databricks", "hive", "bigquery", "snowflake", "duckdb", "tsql", "oracle", "mysql", "redshift"]
)
def test_engines_take_the_word_for_the_default(dialect: str) -> None:
    """In an UPDATE and in both branches of a MERGE."""
    merge = "MERGE INTO t USING u ON t.a = u.a WHEN MATCHED THEN UPDATE SET b = DEFAULT"
    branch = "WHEN NOT MATCHED THEN INSERT (a, b) VALUES (u.a, DEFAULT)"
    for sql in ("UPDATE t SET b = DEFAULT WHERE a = 1", f"{merge} {branch}"):
        made = extract(sql, dialect=dialect, namespace="n", default_database="d")

        assert {edge.target.lower() for edge in made.edges} <= {"n:d.t", "n:d.t#a"}
        assert (made.coverage, made.problems) == ("complete", ())


@pytest.mark.parametrize(
    ("dialect", "value"),
    [("postgres", '"default"'), ("mysql", "`DEFAULT`"), ("postgres", "t.default"), ("trino", "default")],
)
def test_a_column_that_is_called_default_is_one(dialect: str, value: str) -> None:
    """Quoted, after its table, or where the engine does not have the word."""
    made = extract(f"UPDATE t SET b = {value} WHERE a = 1", dialect=dialect, namespace="n")

    assert {edge.source.lower() for edge in made.edges if edge.target == "n:t#b"} == {"n:t#default"}


def problems_of(sql: str, dialect: str) -> list[str]:
    """The codes of a text's problems."""
    known = {"n:d.t": ("a", "b", "c"), "n:d.u": ("a", "d", "e")}
    made = extract(sql, dialect=dialect, namespace="n", default_database="d", columns=known)
    return [problem.code for problem in made.problems]


_JOINED = "FROM t x, (SELECT a, d AS b FROM u) y"


@pytest.mark.parametrize("known", [TABLES, {}])
@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("teradata", f"UPDATE x {_JOINED} SET b = y.b WHERE x.a = y.a"),
        ("teradata", "UPDATE x FROM (SELECT a, d AS b FROM u) y, t x SET b = y.b WHERE x.a = y.a"),
        ("teradata", "UPDATE x FROM t x, u SET b = u.d WHERE x.a = u.a"),
        ("teradata", "UPDATE x FROM d.t x JOIN d.u ON x.a = d.u.a SET b = d.u.d"),
        ("teradata", "UPDATE d.t FROM d.u SET b = d.u.d WHERE d.t.a = d.u.a"),
        ("tsql", f"UPDATE x SET b = y.b {_JOINED} WHERE x.a = y.a"),
        ("tsql", "WITH x AS (SELECT a, b FROM t) UPDATE x SET b = y.b FROM x, (SELECT a, d AS b FROM u) y"),
        ("redshift", "UPDATE t SET b = y.b FROM t JOIN (SELECT a, d AS b FROM u) y ON t.a = y.a"),
    ],
)
def test_a_name_alone_in_set_is_the_targets(dialect: str, sql: str, known: dict[str, tuple[str, ...]]) -> None:
    """A query in FROM that has a column of the name was taken for the target, and its table for the changed one."""
    run = running(dialect, known)
    done = ran(run, sql)

    changed = {target: sources for target, sources in pairs(done.edges).items() if "#" in target}
    assert (changed, reasons(run)) == ({"t#b": "u#d"}, [])
    assert done.writes == {"n:d.t"}


def test_a_target_with_an_alias_is_not_the_source_of_its_name() -> None:
    """The alias was lost where FROM has the same table under its own name, and ``x.a`` became a field ``t#x.a``."""
    run = running("postgres", {})
    done = ran(run, "UPDATE t x SET b = t.c FROM t WHERE x.a = t.a")

    assert pairs(done.edges) == {"t#b": "t#c", "t": "t#a"}
    assert reasons(run) == []
