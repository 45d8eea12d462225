"""CREATE and ALTER that give a table the rows of others without a query."""

from __future__ import annotations

import pytest
from scripted import pairs, parsed, ran, reasons, running, tree

from ingest.sql.statements import copied

BOTH = {f"{one}#{c}": f"{other}#{c}" for one, other in (("k", "t"), ("t", "k")) for c in "abc"}
PROPERTIES = "PRIMARY KEY a SOURCE({}) LAYOUT(FLAT())"


@pytest.mark.parametrize(
    "engine",
    ["Distributed('c', 'd', 't', rand())", "Distributed(c, d, t)", "Buffer('', 't', 16, 10, 100)", "buffer(d, t, 16)"],
)
def test_a_table_over_another_is_filled_by_it_and_fills_it(engine: str) -> None:
    """ClickHouse's Distributed and Buffer: an empty database is the current one, names may be in quotes or not."""
    run = running("clickhouse")
    done = ran(run, f"CREATE TABLE k (a Int, b Int, c Int) ENGINE = {engine}")

    assert (pairs(done.edges), done.writes) == (BOTH, {"n:d.k", "n:d.t"})
    assert reasons(run) == []


@pytest.mark.parametrize("engine", ["Merge('d', '^t')", "Buffer(currentDatabase(), t, 16)", "Distributed('c', 'd')"])
def test_a_table_over_nobody_knows_which_is_reported(engine: str) -> None:
    """Tables that match a pattern, a database that a function names, a name that is missing."""
    run = running("clickhouse")
    done = ran(run, f"CREATE TABLE k (a Int) ENGINE = {engine}")

    assert (done.edges, reasons(run)) == ([], [("unknown-source", "n:d.k")])


def test_an_engine_that_holds_rows_moves_none() -> None:
    """MergeTree's name says nothing about other tables."""
    run = running("clickhouse")

    assert (ran(run, "CREATE TABLE k (a Int) ENGINE = MergeTree ORDER BY a").edges, reasons(run)) == ([], [])


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("CLICKHOUSE(TABLE 't' DB 'd')", {"k#a": "t#a", "k#b": "t#b"}),
        ("CLICKHOUSE(TABLE 't')", {"k#a": "t#a", "k#b": "t#b"}),
        ("CLICKHOUSE(TABLE 'd.t')", {"k#a": "t#a", "k#b": "t#b"}),
        ("CLICKHOUSE(QUERY 'SELECT a, c FROM t WHERE b = 1')", {"k": "t#b", "k#a": "t#a", "k#b": "t#c"}),
        ("CLICKHOUSE(QUERY 'SELECT a FROM t')", {"k#a": "t#a"}),
    ],
)
def test_a_dictionary_is_filled_from_a_table_by_name_and_from_a_query_by_position(
    source: str, expected: dict[str, str]
) -> None:
    """ClickHouse's, of its own tables."""
    run = running("clickhouse")
    done = ran(run, f"CREATE DICTIONARY k (a Int, b Int) {PROPERTIES.format(source)}")

    assert (pairs(done.edges), done.reads, reasons(run)) == (expected, {"n:d.t"}, [])


@pytest.mark.parametrize("source", ["MYSQL(TABLE 't' DB 'd')", "CLICKHOUSE(QUERY 'SELECT )')", "CLICKHOUSE(DB 'd')"])
def test_a_dictionary_of_rows_from_elsewhere_is_reported(source: str) -> None:
    """Another database's tables, a damaged query, and neither of both."""
    run = running("clickhouse")
    done = ran(run, f"CREATE DICTIONARY k (a Int, b Int) {PROPERTIES.format(source)}")

    assert (done.edges, done.writes, reasons(run)) == ([], {"n:d.k"}, [("unknown-source", "n:d.k")])


@pytest.mark.parametrize(
    ("sql", "columns"),
    [
        ("CREATE TABLE k PARTITION OF t FOR VALUES FROM (1) TO (2)", "a b c"),
        ("CREATE TABLE k (z int, a int) INHERITS (t)", "a b c z"),
    ],
)
def test_rows_of_a_child_are_rows_of_its_parent(sql: str, columns: str) -> None:
    """Its own columns come after the parent's, and feed nothing there."""
    run = running("postgres")
    done = ran(run, sql)

    assert pairs(done.edges) == {f"t#{c}": f"k#{c}" for c in "abc"}
    assert run.catalog.columns("n:d.k") == tuple(columns.split())


def test_a_child_of_an_unknown_parent_has_unknown_columns() -> None:
    """The declared ones are not all."""
    run = running("postgres")

    assert pairs(ran(run, "CREATE TABLE k (z int) INHERITS (nowhere)").edges) == {"nowhere#*": "k#*"}
    assert run.catalog.columns("n:d.k") is None


def test_only_some_columns_may_go_along() -> None:
    """Those of the source that are asked for."""
    run = running()

    assert pairs(copied.all_columns(run, "n:d.t", "n:d.k", only=("a", "z")).edges) == {"k#a": "t#a"}


@pytest.mark.parametrize(
    ("text", "expected", "reported"),
    [
        ("TABLE t EXECUTE add_files(format => 'ORC', location => 's3://b/x')", ("n:d.t", "s3://b:x"), []),
        ("TABLE \"t\" EXECUTE ADD_FILES(location => '/x')", ("n:d.t", "file:/x"), []),
        ("TABLE t EXECUTE OPTIMIZE WHERE a = 1", None, []),
        ("TABLE t EXECUTE add_files_from_table(schema_name => 'x')", None, [("opaque-call", "")]),
        ("TABLE t SET PROPERTIES x = 1", None, []),
    ],
)
def test_procedures_of_a_table_are_known_or_reported(
    text: str, expected: tuple[str, str] | None, reported: list[tuple[str, str]]
) -> None:
    """Trino's that add files have a source, those that keep the rows are harmless, any other may do anything."""
    run = running("trino")

    assert copied.files_added(run, text) == expected
    assert reasons(run) == reported


@pytest.mark.parametrize(
    ("dialect", "sql", "words"),
    [
        ("snowflake", "CREATE SCHEMA k CLONE s", "all tables of a schema come from another one"),
        ("postgres", "CREATE TABLE k AS EXECUTE q(1)", "what the prepared statement q returns is not known"),
        ("hive", "CREATE TABLE k LIEK t", "LIEK after the table's name is not understood: perhaps LIKE"),
        ("hive", "CREATE TABLE k FOO d2.t BAR", "d2.t: named in the statement, and not found in its lineage"),
        ("hive", "CREATE TABLE k FOO d.k", ""),
        ("snowflake", "CREATE TABLE k (a int) WITH ROW ACCESS POLICY x.y ON (a)", ""),
        ("hive", "CREATE TABLE k AS SELECT a FROM x.t", ""),
        ("hive", "CREATE VIEW k AS SELECT a FROM x.t", ""),
        ("hive", "CREATE TABLE k LIKE t", ""),
    ],
)
def test_what_a_create_names_and_no_rule_asked_for_is_said(dialect: str, sql: str, words: str) -> None:
    """A dotted name alone, since a word may be anything; not the table itself, a policy or what a query reads."""
    run = running(dialect)
    (item,) = parsed(run, sql)
    run.run(item.node)
    said = copied.unread_in_create(item.node, item.tokens, run.walk.names)

    assert said.startswith(words) if words else said == ""


@pytest.mark.parametrize(
    "columns",
    [
        "",
        "(a DEFAULT 0)",
        "(a WITH OPTIONS NOT NULL DEFAULT 0, b WITH OPTIONS UNIQUE)",
        "(CONSTRAINT k CHECK (a > 0), PRIMARY KEY (a))",
    ],
)
def test_what_a_partition_says_of_columns_is_of_its_parents(columns: str) -> None:
    """``CREATE TABLE p PARTITION OF t (c DEFAULT 0)`` was not understood; it has all columns of t."""
    run = running("postgres")
    done = ran(run, f"CREATE TABLE k PARTITION OF t {columns} FOR VALUES IN (1)")

    assert pairs(done.edges) == {"t#a": "k#a", "t#b": "k#b", "t#c": "k#c"}
    assert (run.catalog.columns("n:d.k"), reasons(run)) == (("a", "b", "c"), [])


def test_a_parent_is_one_table() -> None:
    """Of two it is not said which; another property names none."""
    run = running("postgres")

    def parent_of(sql: str) -> list[str]:
        node = tree(run, sql)
        return [found.name for item in node.args["properties"].expressions if (found := copied.parent(item))]

    assert parent_of("CREATE TABLE k (z int) INHERITS (t)") == ["t"]
    assert parent_of("CREATE TABLE k PARTITION OF t (a DEFAULT 0) FOR VALUES IN (1)") == ["t"]
    assert parent_of("CREATE TABLE k (z int) INHERITS (t, u)") == []
    assert parent_of("CREATE UNLOGGED TABLE k (z int)") == []
