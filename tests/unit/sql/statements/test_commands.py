"""Statements that move data or state without a query, and commands that the parser does not look into."""

from __future__ import annotations

import pytest
from scripted import pairs, ran, reasons, running, tree

from ingest.sql.statements import commands
from ingest.sql.statements.declared import assigns


@pytest.mark.parametrize("sql", ["MSCK REPAIR TABLE t", "ANALYZE TABLE t COMPUTE STATISTICS", "LOCK TABLE t EXCLUSIVE"])
def test_a_harmless_command_has_no_reason(sql: str) -> None:
    """It changes no lineage."""
    run = running("hive")
    done = ran(run, sql)

    assert (done.edges, done.writes, reasons(run)) == ([], set(), [])


@pytest.mark.parametrize(
    ("dialect", "sql", "code"),
    [
        ("duckdb", "LOAD httpfs", ""),
        ("oracle", "LOAD rows INTO somewhere", "unsupported-statement"),
        ("hive", "CALL p(1)", "opaque-call"),
        ("trino", "ALTER TABLE t EXECUTE optimize", ""),
        ("trino", "ALTER TABLE t EXECUTE frob(1)", "opaque-call"),
        ("trino", "CALL hive.system.sync_partition_metadata('d', 't', 'FULL')", ""),
        ("trino", "CALL hive.system.register_partition('d', 't', ARRAY['p'], ARRAY['1'], 's3://b/x')", "opaque-call"),
        ("spark", "CALL c.system.rewrite_data_files(table => 'd.t', strategy => 'sort')", ""),
        ("spark", "CALL run_compaction(op => 'run', table => 't')", ""),
        ("spark", "CALL c.system.add_files(table => 'd.t', source_table => '`parquet`.`s3://b/x`')", "opaque-call"),
        ("flink", "CALL sys.compact('d.t')", ""),
        ("bigquery", "CALL BQ.REFRESH_MATERIALIZED_VIEW('p.d.v')", ""),
        ("bigquery", "CALL d.refresh_materialized_view('p.d.v')", "opaque-call"),
        ("spark", "CREATE FUNCTION d.f AS 'com.x.F' USING JAR 's3://x.jar', FILE '/x'", ""),
        ("databricks", "CREATE EXTERNAL VOLUME a.b.v LOCATION 's3://x'", ""),
        ("postgres", "CREATE DATABASE d WITH OWNER x TEMPLATE template0", ""),
        ("postgres", "CREATE DATABASE d WITH TEMPLATE e", "unsupported-statement"),
        ("tsql", "CREATE DATABASE d AS COPY OF e", "unsupported-statement"),
        ("snowflake", "CREATE OR REPLACE DATABASE d FROM SHARE a.e", "unsupported-statement"),
        ("snowflake", "CREATE SHARE e", ""),
        ("bigquery", "CREATE ROW ACCESS POLICY p ON d.t GRANT TO ('user:x') FILTER USING (a = 'y')", ""),
        ("hive", "CREATE INDEX i ON TABLE t (a) AS 'COMPACT' WITH DEFERRED REBUILD", ""),
        ("databricks", "FSCK REPAIR TABLE t DRY RUN", ""),
        ("databricks", "REORG TABLE t WHERE a > 1 APPLY (PURGE)", ""),
        ("databricks", "RESTORE TABLE t TO VERSION AS OF 3", ""),
        ("databricks", "RESTORE t TO TIMESTAMP AS OF '2024-01-01'", ""),
        ("clickhouse", "RESTORE TABLE t AS u FROM Disk('x', 'y')", "unsupported-statement"),
        ("tsql", "RESTORE DATABASE d FROM DISK = 'x.bak'", "unsupported-statement"),
    ],
)
def test_a_command_that_may_move_rows_is_reported(dialect: str, sql: str, code: str) -> None:
    """One that loads code or keeps rows is not: one word after LOAD names an extension."""
    run = running(dialect)
    done = commands.command(run, tree(run, sql))

    assert done.edges == []
    assert [found for found, _ in reasons(run)] == ([code] if code else [])


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        ("hive", "EXPORT TABLE u PARTITION (e = 1) TO '/out'", {f"file:/out#{c}": f"u#{c}" for c in "ade"}),
        ("hive", "IMPORT EXTERNAL TABLE k PARTITION (e = 1) FROM '/in'", {"k": "file:/in"}),
        ("trino", "ALTER TABLE t EXECUTE add_files(location => 's3://b/x', format => 'ORC')", {"t": "s3://b:x"}),
        ("bigquery", "LOAD DATA INTO k FROM FILES (format = 'CSV', uris = ['gs://b/x', 'gs://b/y'])",
         {"k": "gs://b:x gs://b:y"}),
        ("bigquery", "EXPORT DATA OPTIONS (uri = 'gs://b/x', format = 'CSV') AS SELECT a FROM t",
         {"gs://b:x#a": "t#a"}),
        ("postgres", "COPY t (a, b) FROM '/in.csv'", {"t": "file:/in.csv"}),
        ("postgres", "COPY u TO '/out.csv'", {f"file:/out.csv#{c}": f"u#{c}" for c in "ade"}),
        ("postgres", "COPY (SELECT b AS x FROM t) TO '/out.csv'", {"file:/out.csv#x": "t#b"}),
        ("databricks", "COPY INTO t FROM (SELECT a, b AS c FROM 's3://b/x') FILEFORMAT = CSV",
         {"t#a": "s3://b:x#a", "t#c": "s3://b:x#b"}),
    ],
)  # fmt: skip
def test_rows_go_between_tables_and_files(dialect: str, sql: str, expected: dict[str, str]) -> None:
    """Column by column where the text or the table says which, else from the files to the table."""
    run = running(dialect)
    done = ran(run, sql)

    assert (done.kind, pairs(done.edges)) == ("other", expected)
    assert reasons(run) == []


@pytest.mark.parametrize(
    ("dialect", "sql", "writes", "reason"),
    [
        ("postgres", "COPY k FROM PROGRAM 'x'", {"n:d.k"}, ("unknown-source", "n:d.k")),
        ("bigquery", "EXPORT DATA OPTIONS (format = 'CSV') AS SELECT a FROM t", set(), ("unsupported-statement", "")),
    ],
)
def test_a_place_that_is_not_stated_is_a_reason(
    dialect: str, sql: str, writes: set[str], reason: tuple[str, str]
) -> None:
    """Where rows come from, or go to."""
    run = running(dialect)
    done = ran(run, sql)

    assert (done.edges, done.writes, reasons(run)) == ([], writes, [reason])


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        ("tsql", "SELECT @x = a, @y = b FROM t; INSERT INTO u (d) SELECT @y", {"u#d": "t#b"}),
        ("tsql", "SET @x = (SELECT max(a) FROM t WHERE c = 1); INSERT INTO u (d) SELECT @x",
         {"u": "t#c", "u#d": "t#a"}),
        ("tsql", "SET x = 1; INSERT INTO u (d) SELECT a FROM t", {"u#d": "t#a"}),
        ("mysql", "SET @x = 1, @y = (SELECT max(a) FROM t); INSERT INTO u (d, e) SELECT @x, @y", {"u#e": "t#a"}),
        ("bigquery", "DECLARE x INT64 DEFAULT 1; SET x = (SELECT max(b) FROM t); INSERT INTO u (d) VALUES (x)",
         {"u#d": "t#b"}),
        ("bigquery", "DECLARE x, y INT64 DEFAULT (SELECT max(b) FROM t); INSERT INTO u (d, e) VALUES (x, y)",
         {"u#d": "t#b", "u#e": "t#b"}),
        ("bigquery", "FOR r IN (SELECT a, b FROM t) DO INSERT INTO u (d) SELECT r.b; END FOR", {"u#d": "t#b"}),
        ("spark", "SET k = a.b.c; INSERT INTO u (d) SELECT a FROM t", {"u#d": "t#a"}),
    ],
)  # fmt: skip
def test_a_variable_holds_what_it_was_last_set_from(dialect: str, sql: str, expected: dict[str, str]) -> None:
    """And what decided about the rows of that query; a constant feeds nothing, and settings are not variables."""
    run = running(dialect)

    assert pairs(ran(run, sql).edges) == expected
    assert reasons(run) == []


def test_a_select_assigns_where_all_its_items_do() -> None:
    """T-SQL takes no mixture; ``x = a`` without an at-sign is a column with a name."""
    run = running("tsql")
    texts = {"SELECT @x = a, @y = b FROM t": True, "SELECT @x = a, b FROM t": False, "SELECT x = a FROM t": False}

    assert {text: assigns(tree(run, text)) for text in texts} == texts


def test_a_loop_over_a_plain_variable_gives_it_the_one_column() -> None:
    """PL/pgSQL's ``FOR v IN SELECT …`` with a declared ``v``: later statements read the column by that name."""
    run = running("postgres")
    done = ran(run, "DO $$ DECLARE v int; BEGIN FOR v IN SELECT b FROM t WHERE c = 1 LOOP"
                    " INSERT INTO u (d) VALUES (v); END LOOP; END $$")  # fmt: skip

    assert pairs(done.edges) == {"u": "t#c", "u#d": "t#b"}


def test_a_macro_is_what_its_calls_become(lineage):
    """Hive's temporary macro: of the arguments only those count that its body uses; a damaged one is not understood."""
    text = "CREATE TEMPORARY MACRO f(x INT, y INT) {}; SELECT f(a, b) AS z FROM t"

    assert lineage(text.format("upper(y)"), "hive").columns() == {"z": {"t#b": "TRANSFORMATION"}}
    assert lineage(text.format("upper(("), "hive").names() == {"z": "t#a t#b"}


@pytest.mark.parametrize("source", ["@stage", "@d.stage/x.csv FILE_FORMAT = (TYPE = CSV)", "'s3://b/x'"])
def test_copy_reads_a_stage_or_files(lineage, source):
    """COPY INTO a table has an edge from the stage or the files to the table."""
    found = lineage(f"COPY INTO o FROM {source}", "snowflake")

    assert {"n:d.O"} == {edge.target for edge in found.found.edges}
    assert len(found.found.reads) == 1


@pytest.mark.parametrize(
    ("sql", "known", "expected"),
    [
        (
            "COPY INTO o (a, b) FROM (SELECT $1:id::int, s.$2 FROM @p/q s)",
            {},
            {"A": "file:@p/q#$1", "B": "file:@p/q#$2"},
        ),
        ("COPY INTO o FROM (SELECT $2, $1 FROM @p)", {"n:d.O": ["A", "B"]}, {"A": "file:@p#$2", "B": "file:@p#$1"}),
        ("COPY INTO o (a) FROM (SELECT METADATA$FILENAME FROM @p)", {}, {"A": "file:@p#METADATA$FILENAME"}),
        ("COPY INTO o (a, b) FROM (SELECT $1, 5 FROM 's3://b/k/')", {}, {"A": "s3://b:k/#$1"}),
        ("CREATE PIPE r AS COPY INTO o (a) FROM (SELECT $1:x FROM @p)", {}, {"A": "file:@p#$1"}),
        ("INSERT INTO o (a) SELECT $1 FROM @p", {}, {"A": "file:@p#$1"}),
    ],
)
def test_fields_of_staged_files_feed_the_columns_at_their_places(lineage, sql, known, expected):
    """A file's column is called by its place; the table's are those of the list, or all that it is known to have."""
    found = lineage(sql, "snowflake", columns=known)

    assert found.names("d.O") == expected
    assert found.codes() == set()


def test_copy_of_more_fields_than_columns_is_reported(lineage):
    """The engine rejects it: no field is taken for any column."""
    found = lineage("COPY INTO o (a) FROM (SELECT $1, $2 FROM @p)", "snowflake")

    assert found.names("d.O") == {}
    assert "column-count" in found.codes()


def test_copy_with_a_query_says_what_it_does_not_know(lineage):
    """Which columns the table has is not known: the edge from the stage is there, and the doubt is reported."""
    found = lineage("COPY INTO o FROM (SELECT $1, $2 FROM @stage)", "snowflake")

    assert {("file:@stage", "n:d.O")} == {(edge.source, edge.target) for edge in found.found.edges}
    assert found.found.coverage == "partial"


def test_copy_from_the_client_has_no_source(lineage):
    """COPY … FROM STDIN writes a table from nothing that can be named, and says so."""
    found = lineage("COPY t FROM STDIN", "postgres")

    assert found.found.writes == ("n:d.t",)
    assert {"unknown-source"} == found.codes()


def test_copy_into_a_stage_reads_the_table(lineage):
    """Snowflake unloads with the same word: the table feeds the stage."""
    columns = {"n:d.T": ["A"]}
    found = lineage("COPY INTO @stage FROM t", "snowflake", columns=columns)

    assert {("n:d.T#A", "file:@stage#A")} == {(edge.source, edge.target) for edge in found.found.edges}
    assert found.found.coverage == "complete"


def test_load_and_exchange(lineage):
    """LOAD DATA ties a file to a table, EXCHANGE PARTITION one table's columns to the other's."""
    loaded = lineage("LOAD DATA INPATH '/in/x' INTO TABLE t", "hive")
    moved = lineage("ALTER TABLE t EXCHANGE PARTITION (ds = '1') WITH TABLE u", "hive")

    assert {("file:/in/x", "t")} == {(s.removeprefix("n:d."), t) for s, t in loaded.tables()}
    assert moved.names("d.t") == {"a": "u#a", "d": "u#d", "e": "u#e"}


def test_hive_export_and_import_move_tables_and_files(lineage):
    """EXPORT TABLE copies columns to a path; IMPORT TABLE fills a table from one."""
    out = lineage("EXPORT TABLE t PARTITION (c = '1') TO 'hdfs://h/x'", "hive").found
    back = lineage("IMPORT EXTERNAL TABLE k FROM '/tmp/x'", "hive").found

    assert {(e.source, e.target) for e in out.edges} == {(f"n:d.t#{c}", f"hdfs://h:x#{c}") for c in "abc"}
    assert {(e.source, e.target) for e in back.edges} == {("file:/tmp/x", "n:d.k")}


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("redshift", "UNLOAD ('SELECT a, b FROM t WHERE c = ''x''') TO 's3://out/x' IAM_ROLE 'r' PARQUET"),
        ("athena", "UNLOAD (SELECT a, b FROM t WHERE c = 'x') TO 's3://out/x' WITH (format = 'json')"),
    ],
)
def test_unloaded_rows_go_to_their_files(lineage, dialect, sql):
    """A query in quotes or not."""
    result = lineage(sql, dialect=dialect, target=None)
    assert {("t", "s3://out:x")} == result.tables()
    assert {("n:d.t#a", "s3://out:x#a"), ("n:d.t#b", "s3://out:x#b"), ("n:d.t#c", "s3://out:x")} == {
        (edge.source, edge.target) for edge in result.found.edges
    }


def test_an_unload_that_is_damaged_is_said_not_to_be_understood(lineage):
    """Without its TO."""
    assert lineage("UNLOAD ('SELECT a FROM t') 's3://out/x'", dialect="redshift").found.coverage != "complete"


@pytest.mark.parametrize("more", ["", "LOCAL ", "LOW_PRIORITY LOCAL "])
def test_a_file_loaded_into_a_table_is_its_source(lineage, more):
    """MySQL's LOAD DATA INFILE."""
    sql = f"LOAD DATA {more}INFILE '/in/x.csv' REPLACE INTO TABLE o FIELDS TERMINATED BY ',' (a, b) SET c = 1"
    assert lineage(sql, dialect="mysql").tables() == {("file:/in/x.csv", "o")}


def test_text_put_together_at_run_time_is_opaque(lineage):
    """EXECUTE IMMEDIATE of an expression says that it is not looked into."""
    found = lineage("EXECUTE IMMEDIATE CONCAT('INSERT ', 'x')", "bigquery")

    assert {"opaque-call"} == found.codes()
    assert found.found.coverage == "opaque"


@pytest.mark.parametrize("rows", ["SELECT r.a, r.b + 1", "VALUES (r.a, r.b + 1)"])
def test_a_loop_record_has_the_columns_of_its_query(lineage, rows):
    """The fields of FOR's record are looked through to what the query read."""
    found = lineage(f"FOR r IN (SELECT a, b FROM t) DO INSERT INTO k (x, y) {rows}; END FOR;", "bigquery")

    assert found.names("d.k") == {"x": "t#a", "y": "t#b"}
    assert found.codes() == set()


def test_variables_carry_their_sources(lineage):
    """A value that a script puts into a variable first is reported from its columns."""
    sql = "DECLARE k INT64 DEFAULT 0; SET k = (SELECT max(d) FROM u); SELECT a + k AS z FROM t"

    assert lineage(sql, "bigquery", default_database="d").names() == {"z": "t#a u#d"}


@pytest.mark.parametrize("dialect", ["spark", "databricks"])
@pytest.mark.parametrize("head", ["FOR r AS", "FOR", "each: FOR", "BEGIN FOR"])
def test_columns_of_a_loop_over_a_query_are_variables_by_themselves(lineage, dialect, head):
    """With the name of a record or without; a table that is known to have the column goes first."""
    names = "SELECT a, b + 1 AS x FROM t WHERE c > 1"
    found = lineage(f"{head} {names} DO INSERT INTO k (y, z) VALUES (a, x); END FOR;", dialect)
    beside = lineage(f"{head} {names} DO INSERT INTO k (y, z) SELECT a, x FROM u; END FOR;", dialect)

    assert found.names("d.k") == {"y": "t#a", "z": "t#b"}
    assert found.decisions("d.k") == {"FILTER": "t#c"}
    assert beside.names("d.k") == {"y": "u#a", "z": "t#b"}
    assert {found.found.coverage, beside.found.coverage} == {"complete"}


def test_a_loop_over_a_star_of_an_unknown_table_has_no_columns_to_name(lineage):
    """What a name in its statements is, is a reason for doubt."""
    found = lineage("FOR SELECT * FROM far DO INSERT INTO k (y) VALUES (a); END FOR;", "databricks")

    assert (found.names("d.k"), found.codes()) == ({}, {"unknown-column"})


def test_elsewhere_a_column_of_a_loop_has_its_record_in_front(lineage):
    """BigQuery knows no such variables."""
    found = lineage("FOR r IN (SELECT a, b FROM t) DO INSERT INTO k (x, y) VALUES (r.a, b); END FOR;", "bigquery")

    assert (found.names("d.k"), found.codes()) == ({"x": "t#a"}, {"unknown-column"})


@pytest.mark.parametrize(
    ("dialect", "sql", "codes"),
    [
        ("spark", "CLEAR CACHE", set()),
        ("spark", "RESET", set()),
        ("spark", "LIST JARS", set()),
        ("spark", "CACHE LAZY TABLE t", set()),
        ("hive", "dfs -rm -r -f /x/y", set()),
        ("hive", "dfs -put /x/y.csv /warehouse/d.db/t", {"opaque-call"}),
        ("hive", "source x.hql", {"opaque-call"}),
        ("impala", "invalidate metadata", set()),
        ("databricks", "REMOVE WIDGET day", set()),
        ("databricks", "GENERATE symlink_format_manifest FOR TABLE t", set()),
        ("databricks", "ALTER TABLE t DROP CONSTRAINT positive", set()),
        ("flink", "SET table.exec.state.ttl=86400000", set()),
        ("hive", "clearly not a statement", {"syntax"}),
        ("spark", "a b", {"unsupported-statement"}),
    ],
)
def test_a_command_of_a_client_is_no_reason_unless_it_may_bring_rows(lineage, dialect, sql, codes):
    """The parser takes some for values, ``RESET`` for a column, and the script around them was called partial."""
    result = lineage(f"INSERT INTO d.o SELECT t.a FROM d.t AS t;\n{sql};", dialect, target=None)

    assert result.names() == {"a": "t#a"}
    assert result.codes() == codes


@pytest.mark.parametrize("command", ["LIST @st/x.csv", "LS @~", "REMOVE @st/x.csv", "RM @st"])
def test_to_list_or_remove_files_of_a_stage_moves_no_rows(lineage, command):
    """Snowflake's LIST was not understood."""
    assert lineage(f"INSERT INTO o (a) SELECT a FROM t; {command}", "snowflake", target=None).codes() == set()


@pytest.mark.parametrize("command", ["CLEAR CACHE", "PROFILE", "KILL 5"])
def test_a_query_after_a_command_still_reads_and_writes(lineage, command):
    """Where the semicolon is missing, the whole was one command, and the tables were lost."""
    result = lineage(f"{command}\nINSERT INTO o SELECT a FROM t", "spark", target=None)

    assert result.tables() == {("t", "o")}
    assert result.codes() == {"syntax"}


def test_a_temporary_view_may_be_cached_by_its_name(lineage):
    """The script was called partial, because the view was named and had no edge."""
    result = lineage("CREATE TEMP VIEW v AS SELECT a FROM t; CACHE TABLE v; INSERT INTO o SELECT a FROM v", "spark")

    assert result.names() == {"a": "t#a"}
    assert result.found.coverage == "complete"


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("oracle", "BEGIN purge; reset; INSERT INTO o (a) SELECT t.a FROM t; END;"),
        ("tsql", "purge\nINSERT INTO o (a) SELECT t.a FROM t"),
        ("tsql", "purge @day = 1\nINSERT INTO o (a) SELECT t.a FROM t"),
    ],
)
def test_a_procedure_that_is_called_as_a_command_is_no_command(lineage, dialect, sql):
    """Where a procedure's name alone calls it."""
    result = lineage(sql, dialect, target=None)

    assert result.found.coverage == "partial"
