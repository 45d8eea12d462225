"""The statements of a script, one after the other: which rule each has, and what they leave to the later ones."""

from __future__ import annotations

import pytest
from scripted import pairs, parsed, ran, reasons, running, tree
from sqlglot import exp

from ingest.sql import extract
from ingest.sql.statements.statements import Statements


@pytest.mark.parametrize(
    ("dialect", "sql", "expected", "writes"),
    [
        ("clickhouse", "INSERT INTO FUNCTION s3('s3://b/x.csv', 'CSV') SELECT a FROM t", {"s3://b:x.csv#a": "t#a"},
         "s3://b:x.csv"),
        ("hive", "INSERT OVERWRITE DIRECTORY '/x' SELECT a AS y FROM t", {"file:/x#y": "t#a"}, "file:/x"),
        ("duckdb", "INSERT INTO t BY NAME SELECT d AS c, e AS A FROM u", {"t#c": "u#d", "t#a": "u#e"}, "n:d.t"),
        ("spark", "SELECT a FROM t", {"o#a": "t#a"}, "n:d.o"),
        ("spark", "VALUES (1)", {}, "n:d.o"),
        ("duckdb", "FROM t", {"o#a": "t#a", "o#b": "t#b", "o#c": "t#c"}, "n:d.o"),
    ],
)  # fmt: skip
def test_rows_go_where_a_statement_says(dialect: str, sql: str, expected: dict[str, str], writes: str) -> None:
    """A table, files, or for a bare query the target."""
    run = running(dialect, target="n:d.o")
    done = run.run(tree(run, sql))

    assert (pairs(done.edges), done.writes, reasons(run)) == (expected, {writes}, [])


def test_a_bare_query_without_a_target_only_reads() -> None:
    """Less what the script itself made."""
    run = running("spark")
    done = ran(run, "CREATE TABLE k AS SELECT a FROM t; SELECT k.a FROM k JOIN u ON k.a = u.a")

    assert (done.kind, done.reads, done.writes) == ("select", {"n:d.t", "n:d.u"}, {"n:d.k"})
    assert run.outputs == {}


def test_the_columns_of_the_target_are_its_outputs_where_all_are_known() -> None:
    """A star may bring others."""
    known, unknown = running("spark", target="n:d.o"), running("spark", target="n:d.o")
    ran(known, "SELECT b AS y, a FROM t")
    ran(unknown, "SELECT 1 AS y, * FROM nowhere")

    assert (known.outputs, unknown.outputs) == ({"n:d.o": ("y", "a")}, {})


@pytest.mark.parametrize(
    ("sql", "filled", "reported"),
    [
        ("INSERT INTO k SELECT a, b AS x FROM t", ("a", "x"), []),
        ("INSERT INTO k SELECT a, b + 1 FROM t", ("a", "_c1"), [("unknown-columns", "n:d.k")]),
        ("INSERT INTO k SELECT a, b AS a FROM t", ("a",), [("unknown-columns", "n:d.k")]),
        ("INSERT INTO k SELECT a, 1 FROM t", ("a", "_c1"), []),
        ("INSERT INTO k (x, y) SELECT a, b + 1 FROM t", ("x", "y"), []),
        ("INSERT INTO t SELECT a, b + 1, a FROM t", None, []),
    ],
)
def test_names_with_which_a_query_fills_an_unknown_table_are_noted(
    sql: str, filled: tuple[str, ...] | None, reported: list[tuple[str, str]]
) -> None:
    """A value without a name of its own, or with another's, has a column that nobody knows."""
    run = running("hive")
    ran(run, sql)

    assert run.filled.get("n:d.k") == filled
    assert sorted(set(reasons(run))) == reported


@pytest.mark.parametrize(
    ("dialect", "use", "table"),
    [
        ("hive", "USE x", "n:x.k"),
        ("databricks", "USE CATALOG m", "n:m.default.k"),
        ("databricks", "USE SCHEMA m", "n:m.k"),
        ("databricks", "USE CATALOG m; USE CATALOG spark_catalog; USE x", "n:x.k"),
        ("snowflake", "USE ROLE x", "n:d.K"),
        ("snowflake", "USE WAREHOUSE x", "n:d.K"),
        ("snowflake", "USE SCHEMA m.x; USE ROLE r; USE WAREHOUSE IDENTIFIER('w')", "n:M.X.K"),
        ("oracle", "ALTER SESSION SET CURRENT_SCHEMA = x", "n:X.K"),
        ("oracle", "ALTER SESSION SET NLS_DATE_FORMAT = 'x'", "n:d.K"),
        ("starrocks", "SET CATALOG m; USE x", "n:m.x.k"),
        ("starrocks", "SET CATALOG default_catalog; USE x", "n:x.k"),
        ("starrocks", "SET CATALOG m; SET CATALOG default_catalog; USE x", "n:default_catalog.x.k"),
        ("mysql", "SET CATALOG x", "n:d.k"),
        ("snowflake", "USE DATABASE m", "n:M.PUBLIC.K"),
        ("snowflake", "USE SCHEMA m.x", "n:M.X.K"),
    ],
)
def test_use_says_where_later_names_are(dialect: str, use: str, table: str) -> None:
    """Catalogs, databases and schemas; a role is none, and neither is a warehouse, which moved all tables into it."""
    run = running(dialect)

    assert ran(run, f"{use}; SELECT a FROM k").reads == {table}


def test_a_table_of_the_usual_catalog_has_one_name() -> None:
    """Where another catalog is current, ``spark_catalog.d.t`` was a table of that one."""
    run = running("spark")

    assert ran(run, "SELECT a FROM spark_catalog.d.k").reads == {"n:d.k"}
    assert ran(run, "USE CATALOG m; SELECT a FROM spark_catalog.d.k").reads == {"n:d.k"}


@pytest.mark.parametrize("use", ["", "USE CATALOG m; "])
def test_a_column_may_be_written_with_the_usual_catalog(use: str) -> None:
    """Where another catalog was current, ``spark_catalog.d.k.a`` was a column of either table."""
    query = "SELECT spark_catalog.d.k.a FROM spark_catalog.d.k JOIN u ON u.b = spark_catalog.d.k.b"
    done = extract(f"{use}INSERT INTO o {query}", dialect="spark", namespace="n")

    assert {edge.source for edge in done.edges if edge.type == "DIRECT"} == {"n:d.k#a"}
    assert done.coverage == "complete"


def test_statements_of_branches_and_loops_are_run_in_order() -> None:
    """The kind is that of the last one with an edge."""
    run = running("hive")
    insert, delete = (tree(run, sql) for sql in ("INSERT INTO o SELECT a FROM t", "DELETE FROM u WHERE d = 1"))
    inner = exp.Block(expressions=[tree(run, "SELECT 1")])
    block = exp.Block(expressions=[
        exp.IfBlock(this=exp.true(), true=exp.Block(expressions=[insert]), false=exp.Block(expressions=[delete])),
        exp.WhileBlock(this=exp.true(), body=inner),
    ])  # fmt: skip
    done = run.block(block)

    assert (done.kind, pairs(done.edges)) == ("delete", {"o#a": "t#a", "u": "u#d"})


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [("hive", "TRUNCATE TABLE t"), ("postgres", "COMMIT"), ("spark", "CACHE TABLE t"), ("spark", "DESCRIBE t"),
     ("duckdb", "PRAGMA x"), ("mysql", "KILL 1"), ("postgres", "GRANT SELECT ON t TO u")],
)  # fmt: skip
def test_statements_that_move_no_rows_have_no_reason(dialect: str, sql: str) -> None:
    """Nor an edge."""
    run = running(dialect)
    done = ran(run, sql)

    assert (done.edges, done.writes, reasons(run)) == ([], set(), [])


@pytest.mark.parametrize(
    ("dialect", "sql", "code"),
    [
        ("hive", "FROBNICATE t", "unsupported-statement"),
        ("hive", "INSERT INTO SELECT a FROM t", "unsupported-statement"),
        ("tsql", "INSERT INTO @k SELECT a FROM t", "not-understood"),
    ],
)
def test_what_no_rule_understands_is_reported(dialect: str, sql: str, code: str) -> None:
    """No table, no declared variable, no statement."""
    run = running(dialect)
    done = ran(run, sql)

    assert (done.edges, [found for found, _ in reasons(run)]) == ([], [code])


def test_a_change_in_a_with_clause_is_a_part_of_its_statement() -> None:
    """What decides about the changed rows decides about those that it returns; the next statement begins without it."""
    run = running("postgres", target="n:d.o")
    changed = run.run(tree(run, "WITH n AS (UPDATE u SET d = 1 WHERE e = 2 RETURNING a) SELECT a FROM n"))
    after = run.run(tree(run, "SELECT b FROM t"))

    assert pairs(changed.edges) == {"u": "u#e", "o": "u#e", "o#a": "u#a"}
    assert (changed.writes, pairs(after.edges)) == ({"n:d.u", "n:d.o"}, {"o#b": "t#b"})


def test_a_script_keeps_what_its_statements_say_of_tables() -> None:
    """Each is run over the same catalog."""
    run: Statements = running("hive")
    for item in parsed(run, "CREATE TABLE k (x INT, y INT); INSERT INTO k SELECT a, b FROM t"):
        done = run.run(item.node)

    assert pairs(done.edges) == {"k#x": "t#a", "k#y": "t#b"}


@pytest.mark.parametrize(
    ("dialect", "sql", "table"),
    [
        ("spark", "CREATE TABLE k AS SELECT a AS x, b + 1 AS y FROM t", "d.k"),
        ("spark", "CREATE VIEW k (x, y) AS SELECT a, b + 1 FROM t", "d.k"),
        ("hive", "CREATE VIEW k PARTITIONED ON (y) AS SELECT a AS x, b AS y FROM t", "d.k"),
        ("hive", "ALTER VIEW k AS SELECT a AS x, b AS y FROM t", "d.k"),
        ("hive", "CREATE TABLE k SKEWED BY (x) ON ('1') AS SELECT a AS x, b AS y FROM t", "d.k"),
        ("tsql", "SELECT a AS x, b AS y INTO k FROM t", "d.k"),
        ("duckdb", "INSERT INTO k BY NAME SELECT b AS y, a AS x FROM t", "d.k"),
        ("hive", "FROM t INSERT INTO k SELECT a AS x, b AS y", "d.k"),
        ("mysql", "REPLACE INTO k (x, y) SELECT a, b FROM t", "d.k"),
    ],
)
def test_every_form_that_writes_a_query(lineage, dialect, sql, table):
    """CTAS, views, SELECT INTO, FROM-first, BY NAME, REPLACE: all give the same two column edges."""
    assert lineage(sql, dialect).names(table) == {"x": "t#a", "y": "t#b"}


def test_a_directory_is_a_dataset_of_files(lineage):
    """INSERT OVERWRITE DIRECTORY writes a dataset named after the path."""
    found = lineage("INSERT OVERWRITE DIRECTORY 's3://bucket/key' SELECT a FROM t", "hive")

    assert found.found.writes == ("s3://bucket:key",)


def test_use_changes_the_database(lineage):
    """USE moves the names that follow into another database."""
    assert {("n:x.k", "o")} == lineage("USE x; SELECT a FROM k").tables()


@pytest.mark.parametrize(
    "script",
    [
        "BEGIN INSERT INTO k (x) SELECT a FROM t; END",
        "IF (SELECT count(*) FROM u) > 1 THEN INSERT INTO k (x) SELECT a FROM t; END IF",
        "IF true THEN SELECT 1; ELSE INSERT INTO k (x) SELECT a FROM t; END IF",
        "WHILE true DO INSERT INTO k (x) SELECT a FROM t; END WHILE",
        "CREATE PROCEDURE f() BEGIN INSERT INTO k (x) SELECT a FROM t; END",
        "EXECUTE IMMEDIATE 'INSERT INTO k (x) SELECT a FROM t'",
    ],
)
def test_procedural_words_hide_no_statement(lineage, script):
    """What a branch, loop or procedure holds is reported as if it ran."""
    assert lineage(script, "bigquery").names("d.k") == {"x": "t#a"}


def test_a_data_modifying_cte_writes_and_returns(lineage):
    """A DELETE … RETURNING in a WITH clause changes its table and feeds the query after it."""
    found = lineage("WITH q AS (DELETE FROM t WHERE a > 1 RETURNING b) INSERT INTO o SELECT b FROM q", "postgres")

    assert found.names() == {"b": "t#b"}
    assert found.found.writes == ("n:d.o", "n:d.t")


def test_blocks_and_loops_may_have_labels_and_handlers(lineage):
    """Spark's scripts, as SQL/PSM has them: what a handler does is reported as if it ran."""
    result = lineage(
        """
        BEGIN
          DECLARE n INT DEFAULT 0;
          DECLARE gone CONDITION FOR SQLSTATE '42P01';
          DECLARE EXIT HANDLER FOR SQLEXCEPTION, gone BEGIN INSERT INTO failed SELECT c FROM t; END;
          DECLARE CONTINUE HANDLER FOR NOT FOUND SET n = 1;
          outer_one: BEGIN
            FOR r AS SELECT a AS x, b FROM t DO
              INSERT INTO o SELECT r.x, r.b;
            END FOR;
            again: WHILE n < 3 DO
              SET n = n + 1;
              IF n = 2 THEN LEAVE again; END IF;
            END WHILE again;
            REPEAT
              INSERT INTO second SELECT d FROM u;
            UNTIL n > 5 END REPEAT;
            SIGNAL SQLSTATE '45000';
          END outer_one;
        END
        """,
        columns={"n:d.t": ("a", "b", "c"), "n:d.u": ("d",), "n:d.o": ("x", "b"), "n:d.failed": ("c",)},
    )
    assert result.names() == {"x": "t#a", "b": "t#b"}
    assert result.names("d.failed") == {"c": "t#c"}
    assert result.names("d.second") == {"d": "u#d"}
    assert result.found.coverage == "complete"


@pytest.mark.parametrize("condition", ["SQLEXCEPTION", "NOT FOUND", "SQLSTATE '02000'", "SQLSTATE VALUE '02000', e"])
def test_a_handler_of_one_statement(lineage, condition):
    """MySQL's and Spark's handlers need no block."""
    result = lineage(f"BEGIN DECLARE EXIT HANDLER FOR {condition} INSERT INTO o SELECT a FROM t; END", target=None)
    assert result.names() == {"a": "t#a"}


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        (
            "WITH q AS (SELECT a FROM t), n AS (INSERT INTO u (d) SELECT a FROM q RETURNING d) SELECT d FROM n",
            "t#a u#d",
        ),
        (
            "WITH q AS (SELECT a FROM t), n AS (DELETE FROM u USING q WHERE u.a = q.a RETURNING d) SELECT d FROM n",
            "u#d",
        ),
    ],
)
def test_a_change_in_a_with_clause_sees_the_queries_before_it(lineage, sql, expected):
    """PostgreSQL's, with what it returns."""
    result = lineage(sql, dialect="postgres")
    sources = {
        source for names in (result.names(), result.names("d.u")) for each in names.values() for source in each.split()
    }
    assert expected == " ".join(sorted(sources))
    assert result.found.coverage == "complete"


def test_each_branch_of_a_case_statement_is_reported(lineage):
    """The procedural CASE, with or without an operand."""
    script = """CASE WHEN EXISTS (SELECT 1 FROM t) THEN INSERT INTO o (x) SELECT a FROM t; SELECT 1;
    WHEN CASE 1 WHEN 2 THEN true ELSE false END THEN INSERT INTO o (y) SELECT b FROM t;
    ELSE INSERT INTO o (z) SELECT d FROM u; END CASE"""
    result = lineage(script, dialect="bigquery")
    assert result.names() == {"x": "t#a", "y": "t#b", "z": "u#d"}
    assert result.found.coverage == "complete"
